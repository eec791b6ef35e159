#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile sample: its refusals, its recordings, and the readers of these recordings. This machine may have one
# node: trees of /sys and /proc describe a machine with two nodes, on which programs run without samples. mksampled
# makes recordings with samples. tests/guest/sample_test.sh tests samples that the kernel takes.
#
# usage: PROGRAMS=DIRECTORY tests/sample/sample_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/sample/sample_checks.sh
. "$(dirname "$0")/sample_checks.sh"

# nothing NAME: no recording was written since the last call.
nothing() {
	equal "$1" "" "$(find . -name '*.rec*')"
	find . -name '*.rec*' -delete
}

# ---- the command line
refuses "no program" "which program" sample
refuses "no program behind --" "which program" sample --
refuses "a program without a name" "which program" sample ''
refuses "a program without a name, and -o" "which program" sample -o x ''
refuses "an option that is none" "unrecognized option" sample --fast true
refuses "a source that is none" "none of auto, faults and memory" sample --source pebs true
refuses "no percentage" "no percentage" sample --overhead none true
refuses "no overhead" "no percentage" sample --overhead 0 true
refuses "more than all" "no percentage" sample --overhead 101 true
refuses "no prefix" "the argument is empty" sample -o '' true
refuses "a process and a program" "give one of them" sample -p 1 true
refuses "no process number" "pid" sample -p none
for option in --no-huge-pages --bind "--place x"; do
	# shellcheck disable=SC2086
	refuses "$option of a process that runs" "${option%% *} has no effect on a process that runs" sample -p 1 $option
done
refuses "a placement file that is none" "placement file absent.*No such file" sample --place absent -- touch ran

# ---- machines without samples: the program is not run
machine 0 1
refuses "one node" "one node.*smile run" sample -- touch ran
machine 0-1 0
refuses "balancing is off" "sysctl kernel.numa_balancing=1" sample -- touch ran
machine 0-1 2
refuses "balancing of another kind" "sysctl kernel.numa_balancing=1" sample -- touch ran
rm root/proc/sys/kernel/numa_balancing
refuses "no balancing" "does not balance" sample -- touch ran
machine 0,64 1
refuses "a node with a large number" "has a node above 63" sample -- touch ran
equal "they are not run" "" "$(ls ran 2>/dev/null)"
nothing "and nothing is written"

# ---- recordings of known samples
"$PROGRAMS/mksampled" known || not_ok "mksampled"
known="known-node0.rec known-node1.rec"

# of_json NAME EXPECTED FILTER ARGUMENTS...: checks a value of the output of smile report --json.
of_json() {
	title=$1 expected=$2 filter=$3
	shift 3
	"$smile" report "$@" --json $known >out 2>err
	equal "$title" "$expected" "$(gojq -c "$filter" out 2>&1)"
}
mark='{"period":1,"source":"faults","unit":"NUMA hint faults"}'
# shellcheck disable=SC2086
for view in pages structures phases; do
	of_json "$view: the mark" "$mark" .sampled "$view"
done
of_json "pages: counts" '[[16,0,[30,0]],[17,1,[10,20]],[18,0,[0,1]],[19,1,[0,500]],[20,0,[0,40]]]' \
	'[.pages[] | [.page, .home, .accesses]]' pages
of_json "pages: no types" '[0]' '[.pages[] | .reads[], .writes[], .locks[]] | unique' pages
of_json "pages: bands" '[[20.24,42.82],[0,3.68],[4.79,18.39],[12.21,30.88],[0,3.68],[0.02,5.57],[0,3.68],[457.12,545.8],[0,3.68],[28.57,54.46]]' \
	'[.pages[] | . as $p | range(2) | [$p.low_95[.], $p.high_95[.]] | map(. * 100 | floor / 100)]' pages
of_json "pages: shares" '[[0,0,0.11],[0.33,0.17,0.52],[1,0.02,1],[0,0,0],[1,0.91,1]]' \
	'[.pages[] | [.remote_share, .remote_share_low_95, .remote_share_high_95] | map(. * 100 | floor / 100)]' pages
of_json "structures: all counts, also local ones" '[[40,561],51]' '[.structures[] | select(.kind == "anonymous" and
	.address == 65536) | .accesses, .remote]' structures
of_json "structures: bands" true '.structures[0] | [.low_95, .accesses, .high_95, .homes_low_95, .homes, .homes_high_95]
	as [$l, $a, $h, $hl, $ha, $hh] | all(range(2); $l[.] < $a[.] and $a[.] < $h[.] and $hl[.] < $ha[.] and
	$ha[.] < $hh[.]) and .remote_low_95 < .remote and .remote < .remote_high_95 and .share_low_95 < .share and
	.share < .share_high_95' structures
of_json "structures: of all" '[601,true]' '[.accesses, .low_95 < 601 and .high_95 > 601]' structures
of_json "phases: one" '[601,true]' '.phases | [.[0].accesses, length == 1 and .[0].low_95 < 601 and .[0].high_95 > 601]' \
	phases
of_json "phases: of a page" '[[10,20],[4,12],[18,30]]' '.phases[0] | [.accesses, (.low_95 | map(floor)),
	(.high_95 | map(floor))]' phases --page 17
of_json "threads: by name" '[["worker",2,[0,561],4,41],["main",1,[40,0],2,10]]' \
	'[.threads[] | [.name, .threads, .by_node, .pages, .remote]]' threads
of_json "lost: all faults" '["page faults",606,601,5]' '.account | [.unit, .accesses, .counted,
	([.left_out[].accesses] | add)]' lost
# shown NAME PATTERN ARGUMENTS...: the same for a table.
shown() {
	title=$1 pattern=$2
	shift 2
	# shellcheck disable=SC2086
	"$smile" report "$@" $known >out 2>err
	says "$title" "$pattern" out
}
shown "pages: a table" '^ *17  *1  *10 \[4-19\]  *20 \[12-31\]  *30 \[20-43\]  *33\.3% \[17-53\]' pages
shown "pages: the legend" 'Estimates: all counts are of samples' pages
shown "structures: a table" '601 \[553-652\]  *0 \[0-4\]  *node 1 93\.3% \[91-96\]' structures
shown "structures: the legend" 'Estimates: all counts are of samples' structures
shown "phases: a table" '601 \[553-652\]' phases
shown "phases: the legend" 'Estimates: all counts are of samples' phases
shown "threads: a table" '^worker  *2  *0 \[0-4\]  *561 \[515-610\]  *561 \[515-610\]  *4  *7\.3% \[5-10\]$' threads
shown "threads: CSV" '^main,1,2,0\.25,.*,0,40,28\.5[0-9]*,54\.4[0-9]*$' threads --csv
shown "lost: a table" 'page faults: 606, of which counted: 601' lost
shown "pages: CSV" '^17,1,1,20,0,0,0,.*,12\.21[0-9]*,30\.88[0-9]*' pages --csv
shown "structures: CSV" ',node,accesses,reads,writes,locks,home_accesses,low_95,high_95' structures --csv
shown "phases: CSV" '^0,,1,,,601,553\.[0-9]*,651\.[0-9]*' phases --csv

# Advice: page 17 is used by both nodes, and page 18 has one sample; the advice moves neither.
# shellcheck disable=SC2086
{
	exits "advise: JSON" 0 advise --json -o known.place $known
	cp out known.json
	equal "advise: the mark" "smile.advise-samples/1 $mark" "$(gojq -r '"\(.schema) \(.sampled)"' out)"
	equal "advise: pages" "[5,3,1,[[16,1,0,0],[19,2,1,1]]]" \
		"$(gojq -c '[.pages, .advised, .moved, [.runs[] | [.page, .pages, .node, .moved]]]' out)"
	equal "advise: shares and bands" "[[0.084,0.063,0.11],[0.018,0.009,0.032]]" "$(gojq -c '[[.remote_share,
		.remote_share_low_95, .remote_share_high_95], [.advised_remote_share, .advised_remote_share_low_95,
		.advised_remote_share_high_95]] | map(map(. * 1000 | floor / 1000))' out)"
	exits "advise: a table" 0 advise $known
	says "advise: a table: a run" '^ *19  *2  *0,1  *1  *540 \[495-588\]  *100\.0% \[99-100\]  *private+0x3000' out
	# 51 of 601: 6.37 to 11.01; bands are rounded outwards.
	says "advise: a table: shares" 'in this run 8.5% \[6.3-11.1\]' out
	says "advise: a table: sums" '3 of 5 pages with samples belong on one node; 1 of them lay on another' out
	exits "advise: a table: fewer rows" 0 advise -n 1 $known
	says "advise: a table: fewer rows are said" '^1 more' out
}
"$PROGRAMS/mksampled" common shared
"$PROGRAMS/mksampled" chance chance
exits "advise: chance" 0 advise --json chance-node0.rec chance-node1.rec
equal "advise: no page that two nodes use, though some have samples of one of them alone" "[100,1016]" \
	"$(gojq -c '[.advised, .runs[0].page]' out)"
exits "advise: memory that processes share" 0 advise --json -o common.place common-node0.rec common-node1.rec
equal "advise: memory that processes share is left alone" '[0,3,0]' "$(gojq -c '[.advised, .shared, (.runs | length)]' out)"
equal "advise: memory that processes share has no line" 0 "$(grep -c '^pages' common.place)"
exits "advise: memory that processes share: a table" 0 advise common-node0.rec common-node1.rec
says "advise: memory that processes share: it is said" '3 pages of memory that processes share are left alone' out
"$PROGRAMS/mksampled" stack stack
exits "advise: a stack" 0 advise --json -o stack.place stack-node0.rec stack-node1.rec
equal "advise: a stack has no line, and its mapping none" "pages 16 region 0x10000+8192" \
	"$(grep -o -e '^pages [0-9-]*' -e '^region [^ ]*' stack.place | xargs)"
exits "report: a stack" 0 report pages --json stack-node0.rec stack-node1.rec
equal "report: a stack is one" '[[19,"stack"],[20,"stack"]]' \
	"$(gojq -c '[.pages[] | select(.page > 18) | [.page, .region.kind]] | unique' out)"
equal "advise: nothing is shared" 0 "$(gojq .shared known.json)"
says "advise: a placement file" '^pages 19-20 node 1 # 100.0% of 540 samples are its own, 95% band 99.3 to 100.0%$' known.place
equal "advise: pages that are left alone have no line" 2 "$(grep -c '^pages' known.place)"
says "advise: regions by name" '^region 0x10000+65536 mapping 0 private' known.place
refuses "advise: how often without --verify" "runs is for --verify" advise --runs 3 known-node0.rec known-node1.rec
refuses "advise: no program is known" "do not name the program.*--verify -- PROGRAM" advise --verify known-node0.rec known-node1.rec
refuses "advise: not run with the placement" "did not run with the placement" \
	advise --verify --runs 1 known-node0.rec known-node1.rec -- true
refuses "advise: a file that cannot be written" "cannot write absent/x" advise -o absent/x known-node0.rec known-node1.rec
refuses "advise: a node's own samples are missing" "needs the recordings of all nodes" advise -o x.place known-node0.rec
check "advise: a node's own samples are missing: no file" test ! -e x.place
missing="note: 1 of the 2 recordings of the run are not given"
exits "report: a node's own samples are missing" 0 report pages known-node1.rec
says "report: a node's own samples are missing: a note" "$missing" err
exits "top: a node's own samples are missing" 0 top --batch known-node1.rec
says "top: a node's own samples are missing: a note" "$missing" err
exits "view: a node's own samples are missing" 0 view --json known-node1.rec
says "view: a node's own samples are missing: a note" "$missing" err
equal "view: a node's own samples are missing: nothing is claimed" "1 0" \
	"$(gojq -r '"\(.sampled.missing) \(.summary.misplaced)"' out)"
exits "report: all recordings" 0 report pages known-node0.rec known-node1.rec
equal "report: all recordings: no note" "" "$(cat err)"

# The document of the report page: smile advise's rule determines which pages are misplaced; a moved page has no gain.
# shellcheck disable=SC2086
"$smile" view --json $known >out 2>err
of_view() {
	equal "view: $1" "$2" "$(gojq -c "$3" out 2>&1)"
}
of_view "the mark" "$mark" '.sampled | {period, source, unit}'
of_view "what lies wrong, and the samples there" '[1,51,40]' '.summary | [.misplaced, .lost_cycles, .gain_cycles]'
of_view "the page by its index" '"BA=="' .sampled.misplaced
of_view "the pages that lie wrong" '[[20,0,1,true]]' '[.hot[] | [.page, .home, .best, .misplaced]]'
of_view "bands" '[[30,20.24,42.82],[40,28.57,54.46]]' \
	'[.sampled.bands[30, 40] | [.[0], (.[1:][] * 100 | floor / 100)]]'
of_view "bands ascend" true '.sampled.bands | all(range(1; length) as $i | .[$i][0] > .[$i - 1][0] and
	.[$i][1] > .[$i - 1][1] and .[$i][2] > .[$i - 1][2]; .)'
of_view "no advice in cycles" null .advice
of_view "the command" '"smile advise known-node0.rec known-node1.rec -o placement"' .sampled.command

# Commands that show or need exact counts.
samples="holds samples.*exact counts"
for view in transfers top heat static "page --page 17"; do
	# shellcheck disable=SC2086
	refuses "report $view" "$samples" report $view $known
done
# shellcheck disable=SC2086
{
	refuses "report pages --bands" "samples" report pages --bands $known
	refuses "report pages --transactions" "samples" report pages --transactions $known
	refuses "report structures --address" "samples" report structures --address 65536 $known
	refuses "advise --csv" "no effect" advise --csv $known
	refuses "advise --latency" "no effect" advise --latency sci2006 $known
	refuses "top --sort cost" "no effect with recordings of samples" top --batch --sort cost $known
	exits "top" 0 top --batch $known
	says "top: what these are" "^smile top .*  samples of faults  recording complete" out
	says "top: a page" '^ *17  *1  *30 \[20-43\]  *1  *66\.7% \[47-83\]  *private+0x1000$' out
	says "top: its own samples are no transfers, and none is clearly a bottleneck" '^ *1  *41  *520$' out
	says "top: their bands" '^ *\[29-56\]  *\[476-567\]$' out
	COLUMNS=40 exits "top: narrow" 0 top --batch $known
	says "top: narrow: a page" '^ *17  *1  *30 \[20-43\]  *1$' out
	exits "top: a threshold" 0 top --batch --threshold 1 $known
	says "top: a threshold: what is clearly above it" '^ *1  *41\*  *520$' out
	exits "top: JSON" 0 top --json --threshold 1 $known
	equal "top: JSON: only what is clearly above it" '[[1,0]]' "$(gojq -c .transfers.total_bottlenecks out)"
}
refuses "dump" "$samples" dump known-node0.rec
refuses "report latency: faults" "has no latencies: .*--source memory" report latency known-node0.rec

# Two recordings of samples are compared by structure: one of each node.
exits "diff: a table" 0 diff known-node0.rec known-node1.rec
says "diff: a table: a structure" '^private .* 81 \[64-101\]  571 \[525-620\]  63\.0% \[51-74\]  *8\.9% \[6-12\]  -54\.0 \[-65 to -42\]$' out
says "diff: a table: the legend" 'Estimates: ' out
exits "diff: the same" 0 diff known-node1.rec known-node1.rec
says "diff: the same: nothing is claimed" '^private .* unclear$' out
exits "diff: JSON" 0 diff --json known-node0.rec known-node1.rec
equal "diff: JSON: a structure" '["private","anonymous",[81,571],[51,51],true]' \
	"$(gojq -c '.structures[0] | [.name, .kind, .samples, .remote, .clear]' out)"
equal "diff: JSON: all, with bands" '[true,true]' "$(gojq -c '[.clear, .difference_low_95 < .difference and
	.difference < .difference_high_95 and .difference_high_95 < 0]' out)"
refuses "diff: CSV" "no effect with samples" diff --csv known-node0.rec known-node1.rec
refuses "diff: a limit" "no effect with samples" diff --fail-over 5 known-node0.rec known-node1.rec
"$smile" replay small.pcap -o exact.rec >/dev/null 2>&1
refuses "diff: with exact counts" "known-node0.rec holds samples, and exact.rec exact counts.*smile report structures" \
	diff exact.rec known-node0.rec
refuses "diff: exact counts behind samples" "known-node0.rec holds samples, and exact.rec exact counts" \
	diff known-node0.rec exact.rec
find . -name '*.rec*' -delete

# ---- programs. If perf is not permitted, none runs.
machine 0-1 1
"$smile" sample -o once -- true >out 2>err
if [ $? -eq 2 ]; then
	says "perf is not permitted: the remedy" "perf" err
	nothing "perf is not permitted: nothing is written"
	skip "perf is not permitted: no program is run"
	suite_end
	exit
fi
find . -name '*.rec*' -delete

# first NAME PATTERN: the first line says which source was chosen.
first() {
	if head -n 1 err | grep -q -e "$2"; then ok "$1"; else not_ok "$1" "no '$2' at the beginning of:" "$(cat err)"; fi
}

# account NAME
account() {
	equal "$1: all faults are accounted for" true "$(gojq '.account | .accesses > 0 and
		.accesses == .counted + ([.left_out[].accesses] | add)' x.json)"
	equal "$1: a recording for each node" "./x-node0.rec ./x-node1.rec" "$(find . -name '*.rec*' | sort | xargs)"
}
# left REASON: the number of faults that are left out for this reason.
left() {
	gojq ".account.left_out[] | select(.reason | test(\"$1\")) | .accesses" x.json
}

ends "ends at once" 0 sample -o x --json x.json -- true
account "ends at once"
says "ends at once: a note" "note: there are no samples" err
equal "ends at once: no samples" "0 0" "$(gojq -r '"\(.samples) \(.pages)"' x.json)"
"$smile" report pages --json x-node0.rec x-node1.rec >out 2>err
equal "ends at once: a report" "faults 0" "$(gojq -r '"\(.sampled.source) \(.pages | length)"' out)"
says "ends at once: the account" "first fault at a page" x.json

# ---- which source
ends "auto" 0 sample -o x -- true
first "auto: faults, and why not memory" "source faults: .*; not memory: .*neither cpu/events/mem-loads nor ibs_op"
ends "faults, as asked for" 0 sample --source faults -o x -- true
equal "faults, as asked for: no line on it" "" "$(grep 'source' err)"
find . -name '*.rec*' -delete
refuses "memory, which is not here" "neither cpu/events/mem-loads nor ibs_op" sample --source memory -o x -- touch ran
nothing "memory, which is not here: nothing is written"
# Processors whose event for loads is one of any machine: page faults, whose samples name no data source.
device=root/sys/bus/event_source/devices/cpu
mkdir -p $device/events $device/format
echo 1 >$device/type
echo config:0-7 >$device/format/event
echo event=0x02 >$device/events/mem-loads
echo 0 >root/proc/sys/kernel/numa_balancing
ends "memory" 0 sample -o x --json x.json -- ls /
account "memory"
first "auto: memory" "source memory: .*cpu/mem-loads/"
equal "memory: samples are read, and say nothing" "memory true cpu/mem-loads/" "$(gojq -r '"\(.sampled.source) \(
	.account.accesses == '"$(left 'does not say')"' + '"$(left 'has started')"') \(.sampled.events[0].event)"' x.json)"
says "memory: a note" "no samples of accesses" err
"$smile" report pages --json x-node0.rec x-node1.rec >out 2>err
equal "memory: a report" "memory 0" "$(gojq -r '"\(.sampled.source) \(.pages | length)"' out)"
ends "memory, as asked for" 0 sample --source memory -q -o x -- true
equal "memory: quiet" "" "$(grep -v '^smile sample: note' err)"
refuses "faults, which are off" "sysctl kernel.numa_balancing=1" sample --source faults -o x -- touch ran
echo event=0xfe >$device/events/mem-loads
refuses "neither works" "faults: .*numa_balancing=1.*; memory: .*cpu/mem-loads/" sample -o y -- touch ran
equal "neither is run" "" "$(ls ran 2>/dev/null)"
find . -name '*.rec*' -delete
machine 0-1 1

ends "a status" 7 sample -o x --json x.json -- sh -c 'exit 7'
account "a status"
# shellcheck disable=SC2016
ends "a signal" 143 sample -o x --json x.json -- sh -c 'kill -TERM $$'
account "a signal"
ends "quiet" 0 sample -q -o x -- true
equal "quiet: only notes" "" "$(grep -v '^smile sample: note' err)"
ends "standard output" 0 sample -o x --json - -- echo printed
equal "standard output: the program's own comes first" "printed smile.sample/1" \
	"$(head -n 1 out) $(tail -n 1 out | gojq -r .schema)"
ends "another program" 0 sample -o x --json x.json -- sh -c 'exec true'
account "another program"
equal "another program: the first one's faults" true "$(gojq -n "$(left 'executed another') > 0")"
ends "children" 4 sample -o x --json x.json -- sh -c 'ls /; ls /; exit 4'
account "children"
# Each child executes ls at its end.
equal "children: by name, and all of them" '["ls",2,true]' "$(gojq -c '[(.others_of[0] | .name, .processes),
	.others == ([.others_of[].samples] | add)]' x.json)"
says "children: a note names them" 'started, and do not count: ls [0-9]* (2 processes)' err
equal "children: the note has their share of all" "$(gojq -r '"\(.others) of \(.account.accesses) \(.others * 100 /
	.account.accesses | round)"' x.json)" \
	"$(sed -n 's/.*note: \([0-9]* of [0-9]*\) faults, \([0-9]*\)%, are of processes.*/\1 \2/p' err)"
# A child that takes time, and one that is not waited for.
# shellcheck disable=SC2016
ends "a child that computes" 0 sample -o x --json x.json -- sh -c 'sh -c "$1"' sh \
	'i=0; while [ $i -lt 1500000 ]; do i=$((i + 1)); done; :'
equal "a child that computes: its processor time is nearly all" true \
	"$(gojq '.others_ns >= 10000000 and .others_ns > .program_ns / 2 and .others_ns <= .program_ns' x.json)"
# The time of the program is known in steps of 10 ms.
if [ "$(gojq '.program_ns >= 1e9' x.json)" = true ]; then times=1; else times=0; fi
equal "a child that computes: a note, if the steps are no matter" $times \
	"$(grep -c 'The processes that it has waited for took [0-9]*% of the processor time' err)"
# shellcheck disable=SC2016
ends "copies" 0 sample -o x --json x.json -- sh -c '(: $(:))'
equal "copies: they have no name" '[null]' "$(gojq -c '[.others_of[].name]' x.json)"
says "copies: a note" 'copies of the program' err
equal "children: their faults" true "$(gojq -n "$(left 'has started') > 0")"
says "children: a note" "note: [0-9]* of [0-9]* faults, [0-9]*%, are of processes that the program has started.*--children records these" err
"$smile" report lost x-node0.rec x-node1.rec >out 2>err
says "children: the recordings say so" '[1-9][0-9,]*  process that the program has started' out

# ---- memory with no samples, or only some: reported in the account, in the recordings and by a note
# unscanned KIND
unscanned() {
	ends "$1" 0 sample -o x --json x.json -- "$PROGRAMS/memory" "$1" 0
	account "$1"
	says "$1: a note" "note: .* kB of memory that may be shared.*no samples" err
	equal "$1: how much" true "$(gojq '.unscanned_bytes >= 4194304' x.json)"
	"$smile" report lost x-node0.rec x-node1.rec >out 2>err
	says "$1: the recordings say so" 'not known  memory that not every kernel scans' out
}
unscanned anonymous
unscanned memfd
unscanned sysv
ends "one thread" 0 sample -o x --json x.json -- "$PROGRAMS/memory" alone 0
account "one thread"
equal "one thread: the mark says so" "true true" \
	"$(gojq -r '"\(.one_thread) \(.sampled.unit | test("too few of them at pages on its own node"))"' x.json)"
"$smile" report lost x-node0.rec x-node1.rec >out 2>err
says "one thread: the recordings say so" 'not known  page on the node where the only thread runs' out
ends "threads that come and go" 0 sample -o x --json x.json -- "$PROGRAMS/memory" threads 0
account "threads that come and go"
equal "threads that come and go: no other note" "false 0 0 0" \
	"$(gojq -r '"\(.one_thread) \(.unscanned_bytes) \(.processors_missed)"' x.json) $(grep -c 'note: .*\(shared\|came on line\)' err)"
case $(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null) in
*"[never]"* | "") skip "huge pages: this kernel gives none" ;;
*)
	ends "huge pages" 0 sample -o x --json x.json -- "$PROGRAMS/memory" huge 0
	account "huge pages"
	says "huge pages: a note" "note: .* kB of the program's memory lay in huge pages.*--no-huge-pages" err
	"$smile" report lost x-node0.rec x-node1.rec >out 2>err
	says "huge pages: the recordings say so" 'not known  page in a huge page' out
	ends "without huge pages" 0 sample --no-huge-pages -o x --json x.json -- "$PROGRAMS/memory" huge 0
	equal "without huge pages: none" "0 0" "$(gojq .huge_bytes x.json) $(grep -c 'huge pages' err)"
	;;
esac

# ---- the log of a program's own allocations
ends "logs" 0 sample -o x --json x.json -- env "$PROGRAMS/logs"
account "logs"
# Logged are the two large blocks, 254 other blocks, and one block for each 8 MB after that: the wrapper is one place.
equal "logs: large blocks are all logged or counted" true "$(gojq '.log | .blocks + .blocks_skipped >= 1002 and
	.blocks_skipped > 700 and .blocks >= 256 and .lost == 0 and .phases_lost == 0' x.json)"
"$smile" report phases --json x-node0.rec x-node1.rec >phases.json 2>err
equal "logs: a phase that comes twice is one" '[null,"fill","work"]' "$(gojq -c '[.phases[].name]' phases.json)"
equal "logs: the program and its end" "[\"env\",\"$PROGRAMS/logs\"] 0 1 0" \
	"$(gojq -r '"\(.arguments | tojson) \(.exit_status) \(.threads) \(.threads_bound)"' x.json)"
ends "bound" 0 sample --bind -o x --json x.json -- "$PROGRAMS/logs"
# The tree has nodes that may be missing on this machine.
equal "bound: threads are counted" true "$(gojq '.threads == 1 and .threads_bound <= 1' x.json)"
ends "placed" 3 sample --place known.place -o x --json x.json -- sh -c 'exit 3'
account "placed"
equal "placed: pages, of which none is found" "3 0 true" \
	"$(gojq -r '.placement | "\(.pages) \(.placed) \(.looked_up)"' x.json)"
says "placed: what became of them" '^private+0x0\|not found' err
ends "without a placement" 0 sample -o x --json x.json -- "$PROGRAMS/logs"
equal "without a placement: none" null "$(gojq .placement x.json)"
ends "bound" 0 sample --bind -o x --json x.json -- "$PROGRAMS/logs"
ends "nothing to verify" 0 advise --verify -o x.place x-node0.rec x-node1.rec
check "nothing to verify: a placement file all the same" test -s x.place
says "nothing to verify: a note" "no placement to verify" err
equal "logs: no note" "" "$(grep 'no names' err)"
ends "a static program" 0 sample -o x --json x.json -- "$PROGRAMS/logs_static"
account "a static program"
says "a static program: a note" "note: blocks of the heap and phases have no names: the program is static" err
equal "a static program: no log" null "$(gojq .log x.json)"
# The children inherit the program's environment, but only one process writes the log.
ends "children" 0 sample -o x --json x.json -- sh -c '"$1"; "$1"; true' sh "$PROGRAMS/logs"
account "children"
equal "children log nothing" true "$(gojq '.log.blocks < 100' x.json)"

find . -name '*.rec*' -delete
ends "no such program" 127 sample -o x -- ./absent
says "no such program: a message" "absent cannot be run: No such file" err
: >plain
ends "not executable" 126 sample -o x -- ./plain
says "not executable: a message" "plain cannot be run: Permission denied" err
nothing "nothing is written without a program"
refuses "no such directory" "absent/x-node0.rec.*cannot be written" sample -o absent/x -- touch ran
equal "the program is not run without recordings" "" "$(ls ran 2>/dev/null)"

mkfifo input
# There is no event for a processor that comes on line while the program runs.
machine 0-1 1
echo "$one_processor" >root/sys/devices/system/cpu/online
# shellcheck disable=SC2016
begins "a processor on line" -- taskset -c "$one_processor" sh -c 'echo ready; read line'
echo "$one_processor,8000" >root/sys/devices/system/cpu/online
echo >&4
finishes 0
account "a processor on line"
says "a processor on line: a note" "note: 1 processor came on line during the run" err
equal "a processor on line: the recordings say so" 1 "$("$smile" report lost x-node0.rec x-node1.rec |
	grep -c 'not known  processor that came on line')"

# Node numbers with a gap, and a node without processors: each node has a recording.
machine 0-1 1
echo 0,3 >root/sys/devices/system/node/online
mv root/sys/devices/system/node/node1 root/sys/devices/system/node/node3
ends "a gap in the numbers of nodes" 0 sample -o gap --json x.json -- "$PROGRAMS/memory" threads 0
equal "a gap in the numbers of nodes: recordings" "./gap-node0.rec ./gap-node3.rec 2" \
	"$(find . -name 'gap*.rec' | sort | xargs) $(gojq .nodes x.json)"
equal "a gap in the numbers of nodes: a report" 0 "$("$smile" report pages gap-node0.rec gap-node3.rec >/dev/null; echo $?)"
find . -name 'gap*.rec' -delete
machine 0-1 1

# Signals that a process sends are passed on.
begins "a signal is passed on" -- sh -c 'echo ready; read line; exit 9'
kill -TERM $sampler
finishes 143
account "a signal is passed on"

# While smile does not read the ring of a processor, the ring has room for only 13107 faults: the lost ones are counted.
pages=32768
begins "a ring overruns" -- taskset -c "$one_processor" "$PROGRAMS/touch_pages" $pages
stands_still
echo >&4
check "the pages are touched" awaits has '^touched' out
kill -CONT $sampler
echo >&4
finishes 0
account "a ring overruns"
equal "a ring overruns: all pages had a fault, and some are lost" true \
	"$(gojq ".account.accesses >= $pages and .account.accesses < $pages + 10000 and $(left '^lost') > $pages / 2" x.json)"
says "a ring overruns: a note" "note: [0-9]* faults are lost" err

# ---- processes with rare operations

# worked NAME STATUS COMMAND...: runs a command that does the work.
worked() {
	title=$1 status=$2
	shift 2
	works "$title" "$status" -- "$@"
}
# all_sampled NAME REGION: each page of its memory must have a sample and such a region; all faults are accounted for.
all_sampled() {
	account "$1"
	equal "$1: all of its pages have samples, and are known" "512 $2" "$(pages_of x)"
}
kinds=$PROGRAMS/process_kinds
worked "a plain process" 0 "$kinds" plain
all_sampled "a plain process" private:
worked "the first thread ends first" 0 "$kinds" leader
all_sampled "the first thread ends first" private:
equal "the first thread ends first: no note says why there are no samples" 0 "$(grep -c 'there are no samples' err)"
worked "another thread executes a program" 0 "$kinds" thread_exec
account "another thread executes a program"
# The next scan detects the exec: first faults of the new program may be counted as faults before the exec.
equal "another thread executes a program: what was before, and behind it" "true true" \
	"$(gojq -n "$(left 'executed another') >= 512") $(gojq ".samples + $(left '^first fault') >= 512" x.json)"
equal "another thread executes a program: its log" 0 "$(grep -c 'have no names' err)"
worked "all files are closed" 0 "$kinds" closes
all_sampled "all files are closed" private:
equal "all files are closed: the block is logged" true "$(gojq '.log.blocks > 0' x.json)"
worked "another file is mapped there" 0 "$kinds" remaps
all_sampled "another file is mapped there" "private:/memfd:second (deleted)"
printf 'a\nb\n' | "$kinds" collapses >out
if [ $? -eq 77 ]; then
	skip "pages that become a huge page: this kernel makes none"
else
	worked "pages that become a huge page" 0 "$kinds" collapses
	account "pages that become a huge page"
	equal "pages that become a huge page: how much" true "$(gojq '.huge_bytes >= 2097152' x.json)"
	says "pages that become a huge page: a note" "note: .* kB of the program's memory lay in huge pages" err
fi
if [ "$(id -u)" -eq 0 ]; then
	worked "another user" 0 "$kinds" user
	all_sampled "another user" private:
fi
if echo | "$PROGRAMS/pages_32" >out 2>/dev/null; [ $? -eq 7 ]; then
	worked "a program of 32 bits" 7 "$PROGRAMS/pages_32"
	account "a program of 32 bits"
	"$smile" report pages --json x-node0.rec x-node1.rec >pages.json 2>err.report
	equal "a program of 32 bits: its pages have samples" 512 "$(gojq '[.pages[] | select(.page < 1048576)] | length' pages.json)"
else
	skip "a program of 32 bits: this kernel runs none"
fi

# ---- threads by name
# threads_begin NAME: waits until the memory has homes; the threads start with the next line.
threads_begin() {
	begins "$1" -- "$PROGRAMS/named_threads"
	is_looked_at
}
# threads_end: each counted sample must belong to a thread.
threads_end() {
	finishes 0
	account "$title"
	equal "$title: all samples are of threads" true "$(gojq '.samples >= 768 and
		.samples == ([.thread_names.rows[].samples] | add) and
		all(.thread_names.rows[]; .samples == (.by_node | add))' x.json)"
}
threads_begin "threads"
echo >&4
check "threads: they have written" awaits has '^touched' out
is_looked_at
printf '\n\n' >&4
threads_end
"$smile" report threads --json x-node0.rec x-node1.rec >out 2>err
equal "threads: the workers are one name, with bands" '["worker",3,768,true]' "$(gojq -c '.threads[0] | [.name, .threads,
	.pages, (.samples >= 768 and .samples_low_95 < .samples and .samples < .samples_high_95)]' out)"
"$smile" report threads x-node0.rec x-node1.rec >out 2>err
says "threads: a table" '^worker  *3 ' out
# The threads end while smile is stopped.
threads_begin "threads that nobody has seen"
stands_still
printf '\n\n' >&4
check "threads that nobody has seen: they have ended" awaits has '^ended' out
kill -CONT $sampler
echo >&4
threads_end
equal "threads that nobody has seen: they have no name" '[null,3]' \
	"$(gojq -c '.thread_names.rows[0] | [.name, .threads]' x.json)"
"$smile" report threads --csv x-node0.rec x-node1.rec >out 2>err
says "threads that nobody has seen: CSV" '^,3,768,' out

# ---- a file that is replaced before the program ends, or that is another file only for the program
check "the program has a build" test -n "$(readelf -n "$kinds" | sed -n 's/.*Build ID: //p')"
build_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}
# build_recorded FILE: the build id in the recordings.
build_recorded() {
	"$smile" report structures --json x-node0.rec x-node1.rec >out.json 2>err.report
	gojq -r --arg path "$(pwd)/$1" '.objects[] | select(.path == $path) | .build | sub("^build-id "; "")' out.json
}
cp "$kinds" replaced
begins "a file is replaced" -- ./replaced plain
cp "$PROGRAMS/memory" other
mv other replaced
printf '\n\n' >&4
finishes 0
equal "a file is replaced: the build is that of the program that ran" "$(build_of "$kinds")" "$(build_recorded replaced)"
equal "a file is replaced: it is there once, and not as one that was deleted" 0 \
	"$(gojq '[.structures[].name, .objects[].path] | map(select(test("deleted"))) | length' out.json)"
cp "$PROGRAMS/memory" mounted
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016
	printf 'a\nb\n' | "$smile" sample -o x --json x.json -- \
		unshare -m sh -c 'mount --bind "$1" mounted && exec ./mounted plain' sh "$kinds" >out 2>err
	equal "other mounts: the program ran" touched "$(tail -n 1 out)"
	equal "other mounts: the build is that of the program that ran" "$(build_of "$kinds")" "$(build_recorded mounted)"
else
	skip "other mounts: not permitted"
fi

# ---- a running process

# attached_begin COMMAND...: starts a process that waits for a line, and samples it. Leaves sampled and sampler.
attached_begin() {
	: >program.out
	"$@" <input >program.out 2>&1 &
	sampled=$!
	own $sampled
	exec 4>input
	check "attach: the process is ready" awaits has '^ready' program.out
	"$smile" sample -p $sampled -o x --json x.json 4>&- >out 2>err &
	sampler=$!
	own $sampler
	# When sampling has started, each processor has an event.
	check "attach: it is sampled" awaits events_are "$(getconf _NPROCESSORS_ONLN)"
}
events_are() {
	[ "$(readlink /proc/$sampler/fd/* 2>/dev/null | grep -c perf_event)" -ge "$1" ]
}
# attached_end NAME STATUS
attached_end() {
	wait $sampler
	equal "$1" "$2" $?
	disown $sampler
}
# gone: lets the process end, and waits for it.
gone() {
	exec 4>&-
	wait $sampled
	disown $sampled
}

attached_begin "$PROGRAMS/touch_pages" 3000
echo >&4
check "attach: the pages are touched" awaits has '^touched' program.out
kill -INT $sampler
attached_end "attach: Ctrl-C ends the sampling" 0
check "attach: the process goes on" kill -0 $sampled
account "attach"
equal "attach: all faults since then, and nobody's processor time" true \
	"$(gojq '.account.accesses >= 3000 and .account.accesses < 4000 and .program_ns == null' x.json)"
gone
attached_begin "$PROGRAMS/touch_pages" 3000
gone
attached_end "attach: the end of the process ends the sampling" 0
account "attach: the end of the process"
find . -name '*.rec*' -delete
attached_begin sh -c 'echo ready; read line; exec cat'
echo >&4
check "attach: another program" awaits has '^cat' /proc/$sampled/comm
kill -INT $sampler
attached_end "attach: another program: nothing is recorded" 2
says "attach: another program: a message" "executed another program" err
nothing "attach: another program: nothing is written"
gone
cp "$PROGRAMS/process_kinds" later
attached_begin ./later plain
looks_before=$(looks)
check "attach: it is looked at" awaits looked
cp "$PROGRAMS/memory" other
mv other later
kill -INT $sampler
attached_end "attach: a file is replaced" 0
equal "attach: a file is replaced: the build is that of the program that ran" "$(build_of "$PROGRAMS/process_kinds")" \
	"$(build_recorded later)"
echo >&4
echo >&4
gone
find . -name '*.rec*' -delete
# A process with the same name and file is the same program.
attached_begin "$PROGRAMS/process_kinds" again
echo >&4
check "attach: the same program again" awaits has '^memory' program.out
kill -INT $sampler
attached_end "attach: the same program again: nothing is recorded" 2
says "attach: the same program again: a message" "executed another program" err
nothing "attach: the same program again: nothing is written"
echo >&4
echo >&4
gone
refuses "attach: no such process" "no process\|No such process" sample -p $sampled
nothing "attach: no such process: nothing is written"

# Recordings of samples cannot be merged with other recordings.
"$smile" replay small.pcap -o exact.rec >/dev/null 2>&1
"$PROGRAMS/mksampled" known
refuses "with an exact recording" "exact.rec.*not of the same kind" report pages known-node1.rec exact.rec
refuses "behind an exact recording" "known-node1.rec.*not of the same kind" report pages exact.rec known-node1.rec
refuses "threads of an exact recording" "no names of threads.*smile sample" report threads exact.rec
refuses "view, behind an exact recording" "not of the same kind" view --json exact.rec known-node1.rec

suite_end
