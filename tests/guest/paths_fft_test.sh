#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# An FFT, seen from node 0, must have the same records on every path, with four configurations: a
# record for each run of accesses; a record for each access, with the ring in host memory; responses
# in the historic table; and static counters with phases by the timer, with page numbers of the
# historic width.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}

# Fewer cases if the guest is slow.
if [ -e "$GUEST/needs" ]; then
	echo "skipped 2: on a debug kernel: the FFT with the default configuration, and its responses"
	set -- "0: --counters 1 --ring host"
else
	set -- "0: " "0: --counters 1 --ring host" "0: --typed-tags off --range 16 --packets responses"
fi
"$B/bin/smile" sim fft --size 4096 -q --capture - --node 0 >"$GUEST/fft.pcap"
exec tests/guest/paths.sh "$GUEST/fft.pcap" "$@" \
	"0: --node-ids narrow --range 64 --static page=20 --static page=24,types=write,packets=all \
	--static address=0x14040,bytes=64,from=m1,until=g3 --static event=3 \
	--timer 2ms:3 --phase-events 3 --time 700us"
