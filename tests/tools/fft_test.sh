#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of an FFT's traffic on 4 nodes, on the B-Link of node 0: the counts of the command are compared with those of an
# independent program (blink.py), for the traffic of the project's own FFT of 4096 points. If an external capture of an
# FFT of 16K points exists, its counts must also be the numbers that were supplied with it.
#
# usage: tests/tools/fft_test.sh SMILE MKCAPTURE SCRATCH
set -u
shared=$(realpath ../shared/captures/fft16k-node0.pcap.xz 2>/dev/null)
count=$(realpath "$(dirname "$0")/blink.py")
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# counted NAME CAPTURE: compares every page by every node, for both ranges, and all requests. Leaves pages-4.json and
# pages-64.json.
counted() {
	python3 "$count" "$2" >counted.json
	for range in 4 64; do
		"$smile" replay "$2" --range $range -o counted.rec 2>/dev/null
		"$smile" report pages --json counted.rec >pages-$range.json
		equal "$1: reads and writes of each page by node, range $range" \
			"$(gojq -c .pages counted.json)" \
			"$(gojq -c '[.pages[] | [.home, .page, .reads, .writes]] | sort' \
				pages-$range.json)"
	done
	equal "$1: pages that several nodes access, and pages of other homes" true "$(gojq '.pages |
		any(.[0] == 0 and ([.[2][], .[3][]] | map(select(. > 0)) | length) > 2) and
		any(.[0] > 0)' counted.json)"
	equal "$1: requests" "$(gojq .requests counted.json)" \
		"$("$smile" dump counted.rec | gojq -s 'map(.count) | add')"
}

if command -v qemu-x86_64 >/dev/null; then
	"$smile" sim fft --size 4096 --capture - --node 0 -q >own.pcap 2>err
	counted "own FFT" own.pcap
else
	skip "own FFT: qemu-x86_64 is not there" 4
fi

if [ -f "$shared" ]; then
	xz -dc "$shared" >fft.pcap
	counted "FFT of 16K points" fft.pcap
	for range in 4 64; do
		row() {
			gojq -c ".pages[] | select(.page == $1) | [.accesses, (.writes | add)]" \
				pages-$range.json
		}
		equal "page 0, range $range" "[[0,33,34,35],9]" "$(row 0)"
		equal "page 4, range $range" "[[0,256,192,256],0]" "$(row 4)"
		equal "page 40, range $range" "[[0,192,8296,256],4260]" "$(row 40)"
		equal "page 44, range $range" "[[0,256,8296,192],4260]" "$(row 44)"
		equal "node 0's own pages, range $range" "8564 8296 8296 256 224" "$(gojq -r '
			[.pages[] | select(.page == (1, 2, 3, 39, 43)) | .accesses[0]] | join(" ")' \
			pages-$range.json)"
		equal "node 0's own reads and writes, range $range" "130268 123874" "$(gojq -r '
			[([.pages[].reads[0]] | add), ([.pages[].writes[0]] | add)] | join(" ")' \
			pages-$range.json)"
	done
	equal "requests" 507876 "$("$smile" dump counted.rec | gojq -s 'map(.count) | add')"
else
	skip "FFT of 16K points: ../shared/captures/fft16k-node0.pcap.xz is not there" 17
fi
rm -f ./*.pcap counted.rec
suite_end
