#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The FFT capture's ground truth, counted by an independent program from the same run: 16K points on
# 4 nodes, the B-Link of node 0. Skipped where the capture is not.
#
# usage: tests/tools/fft_test.sh SMILE SCRATCH
set -u
smile=$1 scratch=$2
capture=../shared/captures/fft16k-node0.pcap.xz
passed=0 failed=0

close() {
	[ -z "${SMILE_TALLY:-}" ] || echo "$passed $failed $1" >>"$SMILE_TALLY"
	echo "$passed passed, $failed failed, $1 skipped"
	[ "$failed" -eq 0 ]
	exit
}

if [ ! -f "$capture" ]; then
	echo "skipped 13: $capture is not there"
	close 13
fi

# truth NAME EXPECTED GOT
truth() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
		echo "ok $1"
	else
		failed=$((failed + 1))
		printf 'not ok %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
	fi
}

mkdir -p "$scratch"
for range in 4 64; do
	xz -dc "$capture" | "$smile" replay - --range $range -o "$scratch/fft.rec" 2>/dev/null
	"$smile" report pages --json "$scratch/fft.rec" >"$scratch/pages.json"
	row() {
		jq -c ".pages[] | select(.page == $1) | [.accesses, (.writes | add)]" \
			"$scratch/pages.json"
	}
	truth "page 0, range $range" "[[0,33,34,35],9]" "$(row 0)"
	truth "page 4, range $range" "[[0,256,192,256],0]" "$(row 4)"
	truth "page 40, range $range" "[[0,192,8296,256],4260]" "$(row 40)"
	truth "page 44, range $range" "[[0,256,8296,192],4260]" "$(row 44)"
	truth "node 0's own pages, range $range" "8564 8296 8296 256 224" "$(jq -r '
		[.pages[] | select(.page == (1, 2, 3, 39, 43)) | .accesses[0]] | join(" ")' \
		"$scratch/pages.json")"
	truth "node 0's own reads and writes, range $range" "130268 123874" "$(jq -r '
		[([.pages[].reads[0]] | add), ([.pages[].writes[0]] | add)] | join(" ")' \
		"$scratch/pages.json")"
done
truth "requests" 507876 "$("$smile" dump "$scratch/fft.rec" | jq -s 'map(.count) | add')"
rm -f "$scratch/fft.rec" "$scratch/pages.json"
close 0
