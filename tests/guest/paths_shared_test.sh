#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Like paths_fft_test.sh, but with an external capture of an FFT of 16K points. Skipped if that
# capture is missing.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
[ ! -e "$GUEST/needs" ] || { echo "not on a debug kernel: paths_fft_test.sh is the same, smaller"; exit 77; }
capture=../shared/captures/fft16k-node0.pcap.xz

if [ ! -f "$capture" ]; then
	echo "$capture is not there"
	exit 77
fi
xz -dc "$capture" >"$GUEST/shared.pcap"
exec tests/guest/paths.sh "$GUEST/shared.pcap" "0: " \
	"0: --counters 1 --ring host" \
	"0: --typed-tags off --range 16 --packets responses" \
	"0: --range 64 --static page=112 --static page=104,types=write,packets=all \
	--static address=0x70040,bytes=64,from=m1,until=g3 --static event=3 \
	--timer 2ms:3 --phase-events 3 --time 700us"
