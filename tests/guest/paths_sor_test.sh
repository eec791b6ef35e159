#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Every path, the same records: SOR, seen from node 1.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}

"$B/bin/smile" sim sor --size 256 --iterations 4 --capture - --node 1 >"$B/guest/sor.pcap"
exec tests/guest/paths.sh "$B/guest/sor.pcap" 1:--range,64,--aligned,on
