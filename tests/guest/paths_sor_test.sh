#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# SOR, seen from node 1, must have the same records on every path, with the ring in host memory; and
# with static counters without the dynamic array, and the timer's records. Static counters have page
# numbers of 20 bits, and those of the program are larger; with the historic widths, the program's
# grid starts at page 0.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}

"$B/bin/smile" sim sor --size 256 --iterations 4 --phases fine -q --capture - --node 1 >"$GUEST/sor.pcap"
exec tests/guest/paths.sh "$GUEST/sor.pcap" "1: --range 64 --aligned on --ring host" \
	"1: --ring host --node-ids narrow --static-only --static page=1 --static page=5,packets=all \
	--static node=2,page=18,types=read,from=g0 --static event=0 --timer 500us:7 --time 300us"
