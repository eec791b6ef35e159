#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile sample and smile doctor --latency on a machine with four nodes that have a processor and one
# node without a processor: threads that start and end; children; programs with rights of their own;
# memory that processes share, which the kernel does not scan; huge pages; a group of processes that
# may use only two nodes; a processor that is off line, or is put on line. The samples must be
# right, and a message must report what cannot be sampled.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/guest/nodes_checks.sh
. tests/guest/nodes_checks.sh
nodes_run 5 4 192 "$B"/tests/sample/{pinned,memory,process_kinds,as_nobody} "$B/bin/smile"

# status NAME STATUS: check the exit status of the program; that each fault is counted or left out
# for a reason; and that each of the five nodes has a recording.
status() {
	equal "$1: the status" "$2" "$(cat "$share/$1.status")"
	equal "$1: all faults are accounted for" true "$(gojq '.account | .accesses > 0 and
		.accesses == .counted + ([.left_out[].accesses] | add)' "$share/$1.json")"
	equal "$1: recordings" "0 1 2 3 4" "$(cd "$share" && ls "$1"-node?.rec | tr -dc '0-9\n' | xargs)"
}
# pages NAME AREA FILTER: apply FILTER to the rows of smile report pages for a part of memory. The
# line AREA of the program's output names this part. $first and $count are its first page and its
# number of pages.
pages() {
	read -r _ address bytes <<<"$(grep "^$2" "$share/$1.out")"
	"$smile" report pages --json "$share/$1"-node?.rec >"$share/pages.json"
	gojq -c --argjson first $((address / 4096)) --argjson count $((bytes / 4096)) \
		"[.pages[] | select(.page >= \$first and .page < \$first + \$count)] | $3" "$share/pages.json"
}

# ---- latencies between nodes that are all equal
equal "latencies: the status" 0 "$(cat "$share/latency.status")"
equal "latencies: all nodes are equal" "5 true" "$(gojq -r '"\(.nodes) \(.equal)"' "$share/latency.json")"
equal "latencies: of all pairs but the last node's, which has no processor" "20 20" "$(gojq -r '"\([.ns[][] |
	select(. > 0)] | length) \([.differs[][] | select(. == false)] | length)"' "$share/latency.json")"
says "latencies: those of the last node are from distances" 'not all latencies could be measured' latency.err
equal "latencies: a model for smile run" "0 0" "$(
	"$smile" run -q --nodes 5 --latency "$share/here.json" -o "$share/modelled" -- "$B/tests/sample/memory" threads 0 >/dev/null 2>"$share/run.err"
	echo $?
) $("$smile" advise --latency "$share/here.json" "$share"/modelled-node?.rec >/dev/null 2>&1; echo $?)"

# ---- memory of other kinds
for kind in anonymous memfd sysv; do
	status $kind 0
	equal "$kind: own memory has samples" true "$(pages $kind own 'map(.accesses | add) | (add // 0) > 0')"
	# Linux 6.1 does not scan this memory; Linux 6.12 does. Either the memory has samples, or a
	# message reports that it has none.
	shared=$(pages $kind memory 'map(.accesses | add) | add // 0')
	if [ "$shared" -gt 0 ]; then none=0; else none=1; fi
	equal "$kind: memory that a child shares has samples, or a note" "$none" \
		"$(grep -c 'note: .* kB of memory that may be shared.* has no samples' "$share/$kind.err")"
	"$smile" report lost "$share/$kind"-node?.rec >"$share/lost"
	equal "$kind: the recordings say so" "$none" "$(grep -c 'not known  memory that not every kernel scans' "$share/lost")"
	says "$kind: the child is said, too" 'note: .* are of processes that the program has started' $kind.err
done
status threads 0
# shellcheck disable=SC2016
equal "threads that come and go: samples of a quarter are of its threads' node" "true true" "$(pages threads memory \
	'"\(length > 512) \(all(.[]; ((.page - $first) * 4 / $count | floor) as $o | (.accesses | add) == .accesses[$o]))"' |
	tr -d '"')"
status huge 0
equal "huge pages: how much" true "$(gojq '.huge_bytes >= 2097152' "$share/huge.json")"
says "huge pages: a note" 'note: .* lay in huge pages: .*--no-huge-pages' huge.err
status small 0
equal "without huge pages: none" "0 0" "$(gojq .huge_bytes "$share/small.json") $(grep -c 'huge' "$share/small.err")"
equal "without huge pages: samples of most pages" true "$(pages small memory 'length > 512')"

# ---- children
status workers 0
says "children: they are copies, and nearly all of the run" \
	'note: .* faults, \([5-9][0-9]\|100\)%, are of processes .*: copies of the program [0-9]* (4 processes)' workers.err
equal "children: they are not in the recordings" true "$(gojq '(.account.left_out[] | select(.reason |
	test("has started")) | .accesses) as $others | .others == $others and $others > 4096 and .samples < $others' \
	"$share/workers.json")"
status worker 0
# The line of the third worker, which runs on node 2.
read -r _ _ _ address bytes <<<"$(grep '^worker 2 ' "$share/workers.out")"
"$smile" report pages --json "$share/worker"-node?.rec >"$share/pages.json"
equal "a child by itself: its pages have samples of its node alone" "true true" "$(gojq -r --argjson first \
	$((address / 4096)) --argjson count $((bytes / 4096)) '[.pages[] | select(.page >= $first and .page < $first + $count) |
	.accesses] | "\(length > 384) \(all(.[]; add == .[2]))"' "$share/pages.json")"
equal "a child by itself: it has no others" 0 "$(gojq .others "$share/worker.json")"

# ---- rights
equal "rights of its own: the program runs without them" 0 "$(cat "$share/rights.status")"
says "rights of its own: a warning" 'warning: /tmp/rights has rights of its own.*as root' rights.err
equal "hidden: the program's status" 0 "$(cat "$share/hidden.status")"
says "hidden: a note" 'note: the kernel does not let you examine.*root may' hidden.err
equal "hidden: the document says so" true "$(gojq .hidden "$share/hidden.json")"
# Pages that were accessed before the program hides its memory can have a home. The pages of its
# later work cannot.
read -r _ address bytes <<<"$(grep '^memory ' "$share/hidden.out")"
for recording in "$share"/hidden-node?.rec; do
	[ ! -e "$recording" ] || "$smile" report pages --json "$recording"
done >"$share/pages.json"
equal "hidden: no home is claimed" "0 true" "$(gojq -s -r --argjson first $((address / 4096)) \
	--argjson count $((bytes / 4096)) '[.[].pages[] | select(.page >= $first and .page < $first + $count)] | length' \
	"$share/pages.json") $(gojq '.account.left_out | any(.reason == "page whose node the kernel did not tell" and
	.accesses > 512)' "$share/hidden.json")"
equal "it changes its user: refused" 2 "$(cat "$share/becomes.status")"
says "it changes its user: the remedy" 'has ended the sampling, since /tmp/becomes changes its user.*-p' becomes.err
equal "it changes its user: it goes on, and nothing is written" "touched " "$(tail -n 1 "$share/becomes.out") $(
	cd "$share" && ls becomes*.rec* 2>/dev/null)"

# ---- a part of the machine
# parts NAME NODES: check that the program has samples, and none of a node other than NODES.
parts() {
	"$smile" report pages --json "$share/$1"-node?.rec >"$share/pages.json"
	equal "$1: only these nodes have accessed memory" true "$(gojq --argjson of "$2" '.pages | length > 256 and
		all(.[].accesses | to_entries[] | select(.value > 0); [.key] | inside($of))' "$share/pages.json")"
}
status cpuset 3
parts cpuset '[0, 1]'
equal "a group of processes: homes are where it may have memory" true "$(gojq '[.pages[].home] | unique |
	inside([0, 1])' "$share/pages.json")"
# Threads 2, 3 and 4 belong to nodes 2, 3 and 4.
equal "a group of processes: threads that could not be bound are counted" "5 2" \
	"$(gojq -r '"\(.threads) \(.threads_bound)"' "$share/cpuset.json")"
status offline 3
parts offline '[0, 1, 2]'
# Neither the fifth nor the fourth node has a processor.
equal "a processor off line: threads that could not be bound are counted" "5 3" \
	"$(gojq -r '"\(.threads) \(.threads_bound)"' "$share/offline.json")"
status online 5
equal "a processor that comes on line is counted" 1 "$(gojq .processors_missed "$share/online.json")"
says "a processor that comes on line: a note" 'note: 1 processor came on line during the run' online.err

suite_end
