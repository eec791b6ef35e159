#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile sim: the papers' programs on the emulated machine: their results, and all accesses of SOR's traffic, as
# section 4.2 of "Memory access behavior analysis of NUMA-based shared memory programs" (2002) shows them.
#
# usage: SIM_BUILD=B tests/sim/sim_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
build=$SIM_BUILD

# --- usage: needs no QEMU
# wrong NAME PATTERN ARGUMENTS...
wrong() {
	name=$1 pattern=$2
	shift 2
	refuses "$name" "$pattern" sim "$@"
}
wrong "no workload" "which workload"
wrong "an unknown workload" "no workload 'so': there are sor, fft, radix, gauss, water" so
wrong "two workloads" "not also 'fft'" sor fft
wrong "a grid that is too small" "--size: '2' is no number from 3 to 4096" sor --size 2
wrong "a grid that is too large" "--size: '4097'" sor --size 4097
wrong "no iteration" "--iterations: '0'" sor --iterations 0
wrong "iterations of what has none" "--iterations: fft takes none" fft --iterations 2
wrong "no thread" "--threads: '0'" sor --threads 0
wrong "an unknown layout" "neither default nor placed" sor --layout best
wrong "an unknown check" "neither full nor none" sor --check some
wrong "a capture of one node without its prefix" "needs --capture" sor --node 1
wrong "standard output for all nodes" "with --node" sor --capture -
wrong "a node that is not there" "--node: '4'" sor --capture x --node 4
wrong "standard output for two things" "cannot both use standard output" sor --capture - --node 0 --json -
wrong "the machine's options are checked, too" "--nodes: '65'" sor --nodes 65
if [ -z "$(ls ./*.rec ./x-node* 2>/dev/null)" ]; then ok "nothing of that left a file"; else
	not_ok "nothing of that left a file"; fi
"$smile" sim --help >help 2>err
reported=0
for program in sor fft radix gauss water; do
	"$build/workload/$program" --help >out
	for option in size iterations; do
		# --size N        rows and columns of the grid: 3 to 4096, normally 512
		sed -n "s/^ *--$option N *\(.*\): \([0-9]*\) to \([0-9]*\), normally \([0-9]*\)$/\
--$option: \1, \2 to \3 (default \4)/p" out >wanted
		[ -s wanted ] || continue
		reported=$((reported + 1))
		sed -n "/^  $program /,/^  [a-z]/p" help | grep -q -F -e "$(cat wanted)"
		equal "--help says what $program says of --$option" 0 $?
	done
done
equal "--help was held to what the programs say" 7 $reported
needs qemu-x86_64

# simulated NAME STATUS ARGUMENTS...: smile sim with these arguments must exit with this status.
simulated() {
	title=$1 status=$2
	shift 2
	ends "$title" "$status" sim "$@"
}

# --- the result
# The same bits for each number of nodes and threads, and on every host.
for nodes in 1 2 3 4 64; do
	simulated "$nodes nodes" 0 sor --size 64 --iterations 3 --nodes $nodes --json nodes$nodes.json
	cp nodes$nodes.json nodes.json
	says "$nodes nodes: the same result" "^sor: checksum 851c9a0f36491258$" out
	says "$nodes nodes: checked" "^sor: correct$" out
	# Each inner point is read once for itself and by each neighbour, and written; each thread reads two
	# variables in each half-sweep.
	equal "$nodes nodes: as many accesses" $((62 * 62 * 6 * 3 + 4 * 3 * nodes)) \
		"$(gojq '[.part.by_node[] | (.local, .remote) | add] | add' nodes.json)"
	equal "$nodes nodes: a thread a node" "$nodes" "$(gojq '.by_thread | length' nodes.json)"
done
equal "the document names the workload and the phase" "smile.run/2 sor sor sor true" \
	"$(gojq -r '"\(.schema) \(.workload) \(.only_phase) \(.part.name) \(.part.counted)"' nodes.json)"
equal "without -o and --capture there are no files" "empty far malformed small straddle" \
	"$(for file in *.pcap *.rec; do [ -e "$file" ] && echo "${file%.pcap}"; done | xargs)"
for program in "fft --size 256" "radix --size 1000" "gauss --size 20" "water --size 8"; do
	# shellcheck disable=SC2086
	simulated "$program" 0 $program --json small.json
	says "$program: correct" "^${program%% *}: correct$" out
	equal "$program: its parallel part took time" true \
		"$(gojq '.part.time_ns > 0 and .part.time_ns < .time_ns' small.json)"
done
simulated "what the program alone can report" 2 fft --size 2048
says "what the program alone can report: reported" "power of 4" err
equal "what the program alone can report: and no summary" "" "$(cat out)"
mkdir lib && ln -s "$build/smile-tracer.so" "$build/smile-preload.so" lib && mkdir lib/workload
printf '#!/bin/sh\nexec %s --fault "$@"\n' "$build/tests/workload/faulty/sor" >lib/workload/sor
chmod +x lib/workload/sor
export SMILE_LIBDIR="$(pwd)/lib"
timeout -k 10 300 "$smile" sim sor --size 32 --iterations 2 --all-phases >out 2>err
equal "a wrong result" 1 $?
unset SMILE_LIBDIR
says "a wrong result: reported" "^sor: WRONG$" out

# --- the traffic
# pages FILES...: one line for each page: its number in the grid, home, accesses by type and node.
pages() {
	"$smile" report pages --json "$@" | gojq -r '.pages[] |
		"\(.page % 65536) \(.home) r\(.reads) w\(.writes) l\(.locks)"'
}

# bands FIRST LAST STEP: the other nodes that access these pages.
bands() {
	gojq -r --argjson first "$1" --argjson last "$2" --argjson step "$3" '
		[.pages[] | . as $p | (.page % 65536) as $n |
		select($n >= $first and $n <= $last and ($n - $first) % $step == 0) |
		([range(4) | select($p.accesses[.] > 0)] | map(tostring) | join(","))] |
		"\(length): \(unique | join(" "))"' bands.json
}
simulated "a sweep over the paper's grid" 0 sor --iterations 1 -o sor
"$smile" report pages --json sor-node0.rec >bands.json
equal "page 0 is accessed by all nodes" "1: 1,2,3" "$(bands 0 0 1)"
equal "node 0's own pages 4 to 60 by no other node" "0: " "$(bands 4 60 4)"
equal "64 to 124 by node 1 alone" "16: 1" "$(bands 64 124 4)"
# The variables before the grid shift it, so a border page is the last page of the block before.
equal "128 by nodes 1 and 2" "1: 1,2" "$(bands 128 128 1)"
equal "132 to 188 by node 2 alone" "15: 2" "$(bands 132 188 4)"
equal "192 by nodes 2 and 3" "1: 2,3" "$(bands 192 192 1)"
equal "196 to 256 by node 3 alone" "16: 3" "$(bands 196 256 4)"
# Node 0 accesses the other pages of its block, and the row below them, on other nodes.
"$smile" report pages --json sor-node0.rec | gojq '.pages |= map(select(.home != 0))' >bands.json
equal "node 0 goes to its block's pages on other nodes" "48: 0" "$(bands 0 256 1)"
equal "and to none behind them" "0: " "$(bands 64 256 1)"

simulated "two sweeps" 0 sor --iterations 2 -o two
# A page is as long as two rows. Each row has 510 inner points. In each iteration each of them is read for
# itself and for its four neighbours, and written. Points next to the border read the neighbours that are
# missing there from the border.
pages two-node?.rec >got
says "an inner page of node 0's, to the last access" \
	"^100 0 r\[0,$((2 * 2 * 510 * 5)),0,0\] w\[0,$((2 * 2 * 510)),0,0\] l\[0,0,0,0\]$" got
says "an inner page of node 1's, to the last access" \
	"^5 1 r\[$((2 * 2 * 510 * 5)),0,0,0\] w\[$((2 * 2 * 510)),0,0,0\] l\[0,0,0,0\]$" got
says "page 0: two variables, read by each thread in each half-sweep" \
	"^0 0 r\[0,8,8,8\] w\[0,0,0,0\] l\[0,0,0,0\]$" got
equal "no other page was accessed" 194 "$(wc -l <got)"
simulated "two sweeps, again" 0 sor --iterations 2 -o again
for node in 0 1 2 3; do
	"$smile" dump two-node$node.rec >a
	"$smile" dump again-node$node.rec >b
	if [ -s a ] && cmp -s a b; then ok "the same records in every run, node $node"; else
		not_ok "the same records in every run, node $node"; fi
done
"$smile" report page --page grid:100 --json two-node0.rec >a 2>err
"$smile" report page --page grid+0x64000 --json two-node0.rec >b 2>err
equal "a page by its region" "$((2 * 2 * 510 * 6))" "$(gojq '.totals.accesses | add' a)"
if [ -s a ] && cmp -s a b; then ok "a page by an offset in its region"; else
	not_ok "a page by an offset in its region"; fi
"$smile" report phases --page grid:100 two-node0.rec >out 2>err
says "a page by its region, over the phases" "^ *2 *sor .* 12,240" out
refuses "a page beyond its region" "not that long" report page --page grid:257 two-node0.rec
refuses "a page of a region that is not there" "no region of this name" report page --page net:1 two-node0.rec
refuses "a page without a number" "neither a page number nor NAME:PAGE" report page --page grid \
	two-node0.rec
"$smile" replay small.pcap -o small.rec >out 2>err
refuses "a page of a recording without regions" "has no regions" report page --page grid:1 small.rec

# --- captures: only the parallel part, and the card decodes each frame of it
simulated "captures" 0 sor --iterations 2 --capture link
for node in 0 1 2 3; do
	"$smile" replay link-node$node.pcap --node $node --direction in,out -o replay$node.rec >out 2>err
	"$smile" report lost --json replay$node.rec >lost.json 2>err
	equal "node $node: no frame is malformed or without its request" "0 0 true" "$(gojq -r \
		'[.packets_malformed, .packets_unmatched, .packets_seen > 0] | join(" ")' lost.json)"
done
pages replay?.rec >captured
if [ -s got ] && cmp -s got captured; then ok "captures hold the same accesses as recordings"; else
	not_ok "captures hold the same accesses as recordings"; fi
"$smile" report lost --json replay?.rec >lost.json 2>err
equal "what a node has accessed of another's memory, both cards have counted" "true true" "$(gojq -r \
	'.checks[] | select(.check == "pairs") | "\(.holds) \(.is > 0)"' lost.json)"
# The second half of node 1's traffic is missing; the account of its card is complete.
head -c $(($(wc -c <link-node1.pcap) / 2)) link-node1.pcap >half.pcap
"$smile" replay half.pcap --node 1 -o half.rec >out 2>err
exits "a card that has missed something: its account" 0 report lost half.rec
exits "a card that has missed something: beside another one's" 1 report lost --json replay0.rec half.rec
equal "a card that has missed something: the check that does not hold" pairs \
	"$(gojq -r '.checks[] | select(.holds | not) | .check' out)"
"$smile" replay link-node1.pcap --node 1 --node-ids narrow --static page=100,node=0 -o narrow.rec >out 2>err
"$smile" report page --page 100 --json narrow.rec >out 2>err
equal "a card with the historic widths sees the grid from page 0 on" \
	"$((2 * 2 * 510 * 6))" "$(gojq '.totals.accesses | add' out)"
"$smile" report static --json narrow.rec >out 2>err
equal "and a static counter can name it" "$((2 * 2 * 510 * 6))" "$(gojq '.counters[0].total' out)"
timeout -k 10 300 "$smile" sim sor --iterations 2 --capture - --node 2 >stdout.pcap 2>err
equal "a capture to standard output" 0 $?
if [ -s stdout.pcap ] && cmp -s stdout.pcap link-node2.pcap; then
	ok "a capture to standard output: the same frames, and nothing else"
else
	not_ok "a capture to standard output: the same frames, and nothing else"
fi
says "a capture to standard output: the rest is on standard error" "^sor: correct$" err
says "the summary, too" "^phase sor alone:" err
timeout -k 10 300 "$smile" sim sor --size 32 --json - >out 2>err
equal "a document to standard output, and nothing else" "sor" "$(gojq -r .workload out)"
simulated "one node of them" 0 sor --size 32 --capture one --node 3
equal "one node of them: one file" one-node3.pcap "$(ls one-node*)"

# --- phases
simulated "iterations as phases" 0 sor --size 64 --iterations 3 --phases fine -o fine --json fine.json
for node in 0 3; do
	"$smile" report phases --json fine-node$node.rec >fine$node.json 2>err
	equal "node $node: each iteration is a phase" "null init sor iteration 1 iteration 2 iteration 3" \
		"$(gojq -r '[.phases[].name | tostring] | join(" ")' fine$node.json)"
	equal "node $node: with as many accesses, setting up with none" true "$(gojq '[.phases[] |
		.accesses] | .[1] == 0 and .[3] > 0 and .[3] == .[4] and .[4] == .[5]' fine$node.json)"
done
equal "phases end at the same time on every node" "6 true" "$(gojq -rs '[.[] | [.phases[].end_ns]] |
	"\(.[0] | length) \(.[0] == .[1])"' fine0.json fine3.json)"
equal "the part is all of them together" true "$(gojq '(.part.cycles == ([.phases[] |
	select(.counted) | .cycles] | add)) and ([.phases[] | select(.counted)] | length == 4)' fine.json)"
equal "phases add up to the run" true "$(gojq '
	([.phases[].by_node[].remote.reads] | add) == ([.by_node[].remote.reads] | add) and
	([.phases[].cycles] | add) == .cycles and
	([.phases[].single_node_cycles] | add) == .single_node_cycles and
	([.phases[].by_node[].frames] | add) == ([.by_node[].frames] | add)' fine.json)"
equal "each node lost in a phase what its remote accesses cost" true "$(gojq '[.phases[].by_node[] |
	.remote_cycles.reads == 1000 * .remote.reads and
	.remote_cycles.writes == 20 * .remote.writes] | all' fine.json)"
simulated "all phases" 0 sor --size 64 --iterations 3 --all-phases -o all --json all.json
equal "all phases: setting up and checking are recorded" true "$("$smile" report phases --json \
	all-node?.rec | gojq '[.phases[].accesses] | .[1] > 0 and .[3] > 0')"
equal "all phases: there is no part" null "$(gojq .part all.json)"
simulated "one iteration alone" 0 sor --size 64 --iterations 3 --phases fine --only-phase "iteration 2" \
	-o iteration --json iteration.json
equal "one iteration alone is recorded" "0 0 0 0 true 0" "$("$smile" report phases --json \
	iteration-node?.rec | gojq -r '[.phases[].accesses] | "\(.[0]) \(.[1]) \(.[2]) \(.[3]) " +
	"\(.[4] > 0) \(.[5] // 0)"')"
# part NAME WANTED OPTIONS...: which of the seven phases are counted, as ones and zeros; phases that are not counted
# are not recorded.
part() {
	name=$1 wanted=$2
	shift 2
	simulated "$name" 0 sor --size 64 --iterations 3 --phases fine -o part --json part.json "$@"
	equal "$name: the phases" "$wanted" \
		"$(gojq -r '[.phases[] | if .counted then 1 else 0 end] | join(" ")' part.json)"
	equal "$name: nothing else is recorded" "" "$("$smile" report phases --json part-node?.rec | gojq -r \
		--slurpfile run part.json '.phases | to_entries[] | select(.value.accesses > 0 and
		($run[0].phases[.key].counted | not)) | .key')"
	equal "$name: what is counted is recorded" true "$("$smile" report phases --json part-node?.rec |
		gojq '[.phases[].accesses] | add > 500')"
	equal "$name: the account holds" true "$(gojq 'all(.checks[]; .holds)' part.json)"
}
part "from a phase on" "0 0 0 0 1 1 1" --from-phase "iteration 2"
part "until a phase" "1 1 1 1 0 0 0" --to-phase "iteration 2"
part "from a phase to another" "0 0 0 0 1 1 0" --from-phase "iteration 2" --to-phase check
part "until a phase that never comes" "1 1 1 1 1 1 1" --to-phase "iteration 7"
says "until a phase that never comes: reported" "note: no phase 'iteration 7' has begun" err
part "each second phase" "1 0 1 0 1 0 1" --sample-phases 2
part "each second from a phase on" "0 0 0 1 0 1 0" --from-phase "iteration 1" --sample-phases 2
part "from a phase on, records" "0 0 0 0 1 1 1" --from-phase "iteration 2" --records
for kind in fine all iteration; do
	equal "$kind: the account holds" "true true" "$(gojq -r \
		'"\(.checks | length > 10) \(all(.checks[]; .holds))"' $kind.json)"
done
timeout -k 10 300 "$smile" run -q --no-constants -o only --only-phase sor --json only.json -- "$build/workload/sor" --size 64 \
	--iterations 3 >out 2>err
equal "smile run --only-phase" 0 $?
equal "smile run --only-phase: what smile sim counts" "4 true" "$(gojq -rs '[.[].part.by_node] |
	"\(.[0] | length) \(.[0] == .[1])"' nodes4.json only.json)"
timeout -k 10 300 "$smile" run -q -o none --only-phase sorr -- "$build/workload/sor" --size 64 >out 2>err
equal "a phase that never comes" 2 $?
says "a phase that never comes: reported" "not named any phase 'sorr'" err
timeout -k 10 300 "$smile" run -q -o none --from-phase sorr -- "$build/workload/sor" --size 64 >out 2>err
equal "a phase to begin with that never comes" 2 $?
says "a phase to begin with that never comes: reported" "not named any phase 'sorr'" err

# --- the effect of placement
simulated "data where it is used" 0 sor --layout placed --json placed.json
simulated "data anywhere" 0 sor --json anywhere.json
equal "data where it is used: faster than one node, and than data anywhere" "true true" "$(gojq -rs \
	'"\(.[0].part.speed_up > 1) \(.[1].part.speed_up < 0.1)"' placed.json anywhere.json)"
simulated "two threads a node" 0 sor --size 64 --nodes 2 --threads 4 --thread-nodes block:4 --json block.json
equal "two threads a node: the first two on node 0" "0 0 1 1" \
	"$(gojq -r '[.by_thread[].node] | join(" ")' block.json)"

# --- pages that move at run time
simulated "pages move" 0 sor --size 128 --place migrate --check none --json moved.json
simulated "pages move, once more" 0 sor --size 128 --place migrate --check none --json again.json
simulated "pages stay" 0 sor --size 128 --check none --json stay.json
equal "pages move: the same in each run" true "$(gojq -s 'map(del(.replay.host_waits)) | .[0] == (.[1] |
	.command_line = $c)' --arg c "$(gojq -r .command_line moved.json)" moved.json again.json)"
equal "pages move: far faster" true "$(gojq -s '.[0].part.cycles < 0.1 * .[1].part.cycles' moved.json stay.json)"
equal "pages move: each move is listed, in order of time" "true true true" "$(gojq -r '.migration |
	"\(.moves > 16 and (.list | length) == .moves) \(.list | map(.time_ns) | . == sort) \(
	all(.list[]; .from != .to and .time_ns % 100000 == 0))"' moved.json)"
equal "pages move: and paid for" true "$(gojq '.migration | .cycles == .moves * 11280' moved.json)"
equal "pages move: the account holds" "true" "$(gojq 'all(.checks[]; .holds)' moved.json)"
equal "pages stay: nothing is listed" null "$(gojq .migration stay.json)"
simulated "pages move, by another period" 0 sor --size 128 --place migrate:2ms --place first-touch --check none
says "the summary lists what moved when" "pages moved: [0-9]*, [0-9]* of them back, in [0-9]* epochs" out
says "and at which times" "at 0\.[0-9]* s: [0-9]* pages*, the first [0-9]* from node" out
simulated "pages move where phases begin" 0 sor --size 128 --phases fine --place migrate:phase --check none \
	--json phase.json
equal "pages move where phases begin, and nowhere else" "true true true" "$(gojq -r '[.phases[].start_ns] as $p |
	.migration | "\(.moves > 8) \(.epoch_ns == 0) \([.list[] | select(.back | not).time_ns] - $p | . == [])"' phase.json)"
equal "pages move where phases begin: faster than without" true \
	"$(gojq -s '.[0].part.cycles < 0.5 * .[1].part.cycles' phase.json stay.json)"
wrong "a period that is none" "migrate: '5' is no time" sor --place migrate:5
wrong "a policy of that beginning" "neither a file nor a policy.*migrate" sor --place migrated
wrong "moves and captures" "omit --capture" sor --place migrate --capture x
suite_end
