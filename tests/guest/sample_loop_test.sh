#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of smile sample, smile advise and smile place in sequence, on a machine with four nodes, each
# with a processor. At the end, the kernel reports the nodes of the pages. Pages that only one node
# uses must be on that node: at first three pages of four are on a wrong node, at the end fewer than
# one in twenty. Pages that several nodes use get no advice: shared data, data of threads that
# choose their roles at run time, and data that other nodes use in other phases.
#
# The references are the kernel's own data: /proc/PID/numa_maps, which `numastat -p` prints, and numa_pages_migrated of
# /proc/vmstat, the number of pages on the whole machine that the kernel has moved for its balancing.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/guest/nodes_checks.sh
. tests/guest/nodes_checks.sh
mkdir "$share/workload"
cp "$B/workload/sor" "$share/workload"
nodes_run 4 4 256 "$B/tests/sample/patterns" "$B/bin/smile" "$B/libsmile-trace.so.0"

# advised NAME AREA FILTER: apply FILTER to the advised pages {page of the area, node} of a part of
# memory. The line AREA of the program's output names this part.
advised() {
	read -r _ address bytes <<<"$(grep "^$2" "$share/$1.out")"
	gojq -c --argjson first $((address / 4096)) --argjson count $((bytes / 4096)) \
		"[.runs[] | range(.pages) as \$i | {page: (.page + \$i - \$first), node} |
		select(.page >= 0 and .page < \$count)] | $3" "$share/$1.advice.json"
}
# remote NAME: print how many of the first array's samples are at pages of other nodes, as a share.
remote() {
	read -r _ address bytes <<<"$(grep ^array "$share/$1.sampled.out")"
	"$smile" report pages --json "$share/$1"-node?.rec | gojq --argjson first $((address / 4096)) \
		--argjson count $((bytes / 4096)) '[.pages[] | select(.page >= $first and .page < $first + $count) |
		{n: (.accesses | add), r: .remote_share}] | (map(.n) | add) as $all | if $all > 4 * $count then
		(map(.n * .r) | add) / $all else "too few samples: \($all)" end'
}
wrong() {
	python3 tests/sample/wrong_pages.py "$share/$1.out" "$share/$1.numa_maps"
}

for kind in shared roles phases; do
	equal "$kind: a quarter for each node: the advice" "true true" "$(advised $kind array \
		'"\(length > 240) \(all(.[]; .node == (.page / 64 | floor)))"' | tr -d '"')"
	# By chance, one page in a hundred may seem to be used by one node only.
	equal "$kind: what several nodes use gets no advice" true "$(advised $kind memory 'if length < 6 then true else . end')"
	equal "$kind: all on node 0: pages on a wrong node" true "$(gojq -n "$(wrong $kind.zero) > 0.7")"
	equal "$kind: with the placement: pages on a wrong node" true "$(gojq -n "$(wrong $kind.placed) < 0.05")"
	equal "$kind: all on node 0: sampled again, the remote share" true "$(gojq -n "$(remote $kind.zero) > 0.7")"
	equal "$kind: with the placement: sampled again, the remote share" true "$(gojq -n "$(remote $kind.placed) < 0.05")"
	# The home of a page that waits for its hint fault can also be found.
	equal "$kind: with the placement: sampled again, the pages lie there" true "$(gojq '.placement | .looked_up and
		.pages > 240 and .placed > 0.95 * .pages and .unscanned_nodes == []' "$share/$kind.placed.sample.json")"
done
for run in shared roles phases sor sor.zero sor.placed; do
	equal "$run: the kernel has moved the pages that were seen moved" true "$(gojq \
		--argjson kernel "$(counted $run numa_pages_migrated)" '.moves <= $kernel' "$share/$run.json")"
done
# The library has logged the stacks. smile place could not move them.
for run in shared roles phases sor; do
	equal "$run: threads' stacks have samples, and no advice" "true 0" "$("$smile" report pages --json \
		"$share/$run"-node?.rec | gojq '[.pages[].region | select(.kind == "stack") | .start] | unique |
		length > 1') $(grep -c '^region .*+8388608 mapping' "$share/$run.place")"
done
equal "phases: where pages lay at first, in each phase and at the end" true "$(gojq '.moves as $moves | .pages as $pages |
	.homes | .nodes == [0, 1, 2, 3] and (.start | add) == (.end | add) and (.end | add) >= $pages and
	([.phases[].moves] | add) == $moves and ([.phases[].phase] | index("odd") and index("even")) and
	([.phases[].pages | add] | max) <= (.end | add) and .moved_pages == ([.moved[][1]] | add)' "$share/phases.json")"
equal "phases: where pages lay is printed" 2 "$(grep -c '^  \(odd\|even\): .*moves seen' "$share/phases.err")"

# ---- sor: a block of rows for each thread, which thread 0 has filled
equal "sor: the kernel scans its grid: a note would say if not" "0 0" \
	"$(gojq .unscanned_bytes "$share/sor.json") $(grep -c 'may be shared' "$share/sor.err")"
equal "sor: all on node 0: pages on a wrong node" true "$(gojq -n "$(wrong sor.zero) > 0.7")"
equal "sor: with the placement: pages on a wrong node" true "$(gojq -n "$(wrong sor.placed) < 0.05")"
for how in zero placed; do
	"$smile" report pages --json "$share/sor.$how"-node?.rec | gojq -r '[.pages[].region | select(.name == "grid")][0] |
		"array \(.start) \(256 * 4096)"' >"$share/sor.$how.sampled.out"
done
equal "sor: all on node 0: sampled again, the remote share" true "$(gojq -n "$(remote sor.zero) > 0.65")"
equal "sor: with the placement: sampled again, the remote share" true "$(gojq -n "$(remote sor.placed) < 0.05")"
equal "sor: with the placement: sampled again, the pages lie there" true "$(gojq '.placement | .looked_up and
	.pages > 240 and .placed > 0.95 * .pages and .unscanned_nodes == []' "$share/sor.placed.json")"
# grid_of PLACEMENT: print the address and the size of the grid in the form of the test programs,
# without the last page, which contains the last 64 bytes.
grid_of() {
	echo "array $(($(sed -n 's/^region \(0x[0-9a-f]*\)+.* named 0 grid$/\1/p' "$1"))) $((256 * 4096))"
}
if type qemu-x86_64 >/dev/null 2>&1; then
	"$smile" run -q --machine smile1998 --nodes 4 -o "$share/exact" -- "$B/workload/sor" --size=512 --check none \
		--iterations 2 >"$share/exact.log" 2>&1
	"$smile" advise --json -o "$share/exact.place" "$share"/exact-node?.rec >"$share/exact.json" 2>>"$share/exact.log"
	grid_of "$share/exact.place" >"$share/exact.grid"
	grid_of "$share/sor.place" >"$share/sor.grid"
	read -r placed agreed <<<"$(python3 tests/sample/agree.py "$share"/{sor.grid,sor.advice.json,exact.grid,exact.json})"
	equal "sor: advice agrees with that of exact counts, on 95 % of the pages" true \
		"$(gojq -n "$placed > 192 and $agreed >= 0.95")"
else
	skip "sor: advice beside that of exact counts: no qemu-x86_64"
fi

suite_end
