#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Every path, the same records: the FFT capture, with three configurations. Skipped where the capture
# is not.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
capture=../shared/captures/fft16k-node0.pcap.xz

if [ ! -f "$capture" ]; then
	echo "$capture is not there"
	exit 77
fi
xz -dc "$capture" >"$B/guest/fft.pcap"
exec tests/guest/paths.sh "$B/guest/fft.pcap" 0: 0:--counters,1 \
	0:--typed-tags,off,--range,16,--packets,responses
