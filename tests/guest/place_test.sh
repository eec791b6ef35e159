#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of smile place on a machine with four nodes, each with a processor and 256 MB. The host
# records programs on the emulated machine, and makes a placement file from the advice. In the
# guest, each page must be on the node in this file. The test asks move_pages(2), in the program
# itself and in another process, and /proc/PID/numa_maps.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/guest/nodes_checks.sh
. tests/guest/nodes_checks.sh
command -v qemu-x86_64 >/dev/null || { echo "qemu-x86_64 is not there: nothing can be recorded"; exit 77; }

mkdir "$share/workload"
cp "$B/libsmile-trace.so.0" "$B"/tests/place/{several,page_nodes,large} "$share"
cp "$B/workload/sor" "$share/workload"

# placement NAME PROGRAM...: record a run of the program, and make a placement from the recording.
placement() {
	(cd "$share" && "$smile" run -q -o "$1" -- "${@:2}" && "$smile" advise "$1"-node?.rec -o "$1.place") \
		>"$share/$1.log" 2>&1
}
check "several is recorded" placement several ./several
check "sor is recorded" placement sor ./workload/sor --size=128
sed 's/ node 3/ node 7/' "$share/several.place" >"$share/absent.place"
# The placement that the calls of smile_place() request, as a placement file: 32 rows for each node.
grid=$(sed -n 's/^region \(0x[0-9a-f]*\)+.* named 0 grid$/\1/p' "$share/sor.place")
{
	grep '^region.* grid$' "$share/sor.place"
	for node in 0 1 2 3; do
		echo "pages $((grid / 4096 + 4 * node))-$((grid / 4096 + 4 * node + 3)) node $node"
	done
	# The last page of thread 3. If two threads share a page, the later call applies.
	echo "pages $((grid / 4096 + 16)) node 3"
} >"$share/calls.wanted"

printf '%s\n' 'region 0x10000000+314572800 named 0 large' 'pages 65536-142335 node 3' >"$share/full.place"

nodes_run 4 4 256

# lies NAME PLACEMENT STRUCTURES [NUMA_MAPS]: check that each page of these structures that the
# placement names is on its node.
lies() {
	if python3 tests/place/compare.py "$share/$2" "$share/$3" ${4:+"$share/$4"} \
		>"$share/compared" 2>&1 &&
		! grep -q differs "$share/compared"; then
		ok "$1 ($(tail -n 1 "$share/compared"))"
	else
		not_ok "$1" "$(cat "$share/compared")"
	fi
}
# result NAME EXPECTED FILE FILTER
result() {
	equal "$1" "$2" "$(gojq -r "$4" "$share/$3.json" | xargs)"
}

lies "several: by the program itself" several.place several.out
lies "several: by another process" several.place several.other
lies "several: by numa_maps" several.place several.out several
result "several: all of it is placed" true several '[.regions[] | select(.kind != "data" and
	(.name | test("filedoalloc") | not)) | .found and .placed == .pages] | all'
result "several: four threads, all bound" "4 0" several '"\(.threads) \(.threads_unbound)"'
# All processes that map a file share its pages, so another process may move them, too.
result "moved: three pages, seen at the end" 3 moved '[.regions[] | select(.kind != "data") | .moved_away] | add'
result "no such node: that many pages" "$(awk '/^pages/ { split($2, a, "-"); if ($4 == 7)
	n += (a[2] ? a[2] : a[1]) - a[1] + 1 } END { print n }' "$share/absent.place")" absent \
	'([.regions[].refused["no such node"] // 0] | add) + .pages_without_region'
equal "a full node: the program goes on" written "$(cat "$share/full.out")"
# There are 76,800 pages for a node of 65,536 pages, some of which the kernel uses.
result "a full node: its pages come elsewhere" "76800 true true" full '.regions[0] | .refused["no memory"] as $n |
	"\(.placed + $n) \($n > 11264) \(.placed > 40000)"' 
lies "sor: by another process" sor.place sor.other
lies "sor: by numa_maps" sor.place sor.other sor
result "sor: all of it is placed" "17 17" sor '.regions[] | select(.name == "grid") | "\(.pages) \(.placed)"'
equal "sor: thread t on node t" "0 1 2 3" "$(xargs <"$share/sor.processors")"
says "sor: its result is right" "^sor: correct" sor.out
lies "smile_place(3): by another process" calls.wanted calls.other
equal "doctor: nodes" "4 nodes with memory" "$(gojq -r '.checks[] | select(.check == "smile place") |
	.detail' "$share/doctor.json" | grep -o '^4 nodes with memory')"

suite_end
