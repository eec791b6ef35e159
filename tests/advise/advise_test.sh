#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile advise on recordings of which each access is known. The costs and the advice were computed by
# hand. Also the placement file, the prediction, --verify, and messages. fake_qemu.c runs in place of
# QEMU.
#
# usage: RUN_BIN=DIRECTORY FEEDER=FILE tests/advise/advise_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
fake_qemu "$RUN_BIN"
TMPDIR=$(pwd)
export TMPDIR

# runs: print one line for each run of pages: page, pages, homes, node, truly shared, cycles now and
# cycles as advised.
runs() {
	gojq -r '.runs[] | "\(.page) \(.pages) \(.homes) \(.node) \(.truly_shared) \(.cycles)
		\(.advised_cycles)"' out | paste -d ' ' - - | tr -s ' \t' ' '
}

# --- four threads: thread t writes page t 16 times a round and reads page t + 1; all threads use page
# 4
timeout -k 10 $limit "$smile" run -q -o four -- "$any" threads 4 10 >out 2>err
equal "a program of known accesses is recorded" 0 $?
json "advice is one document" 0 smile.advise/1 advise --json four-node?.rec
# Page t has 160 local writes and 160 remote reads now. On the reader's node, it would have 160 local reads and 160
# remote writes. On any node, page 4 has the remote accesses of three nodes: 10 reads, 10 writes and 10 locks each.
cat >wanted <<'END'
65536 1 [1,0,0,0] 3 false 160160 3360
65537 1 [0,1,0,0] 0 false 160160 3360
65538 1 [0,0,1,0] 1 false 160160 3360
65539 1 [0,0,0,1] 2 false 160160 3360
65540 1 [1,0,0,0] 0 true 60630 60630
END
runs >got
equal "each page's cost, now and where it costs least" "$(cat wanted)" "$(cat got)"
equal "sums" "5 4 1 1400 701270 74070" \
	"$(of '"\(.pages) \(.to_move) \(.truly_shared) \(.accesses) \(.cycles) \(.advised_cycles)"')"
equal "local accesses are known, and nothing is missing" "true true 2" \
	"$(of '"\(all(.runs[]; .local_known)) \(all(.runs[]; .all_seen)) \(.notes | length)"')"
equal "how long threads wait for locks" true "$(of '.notes[0] | test("^threads wait for locks for [1-9]")')"
equal "against what the gain is" true "$(of '.notes[1] | test("against pages placed round-robin.*--place first-touch")')"
equal "cycles are those that the run reports" \
	"$("$smile" run -q -o again --json - -- "$any" threads 4 10 2>err | gojq '[.by_node[] |
		.local_cycles + (.remote_cycles | add)] | add')" "$(of .cycles)"
equal "the recorded work was used" false "$(of .time.work_estimated)"

# --- by variable: only the heap has a name
equal "by variable: sums" "heap 5 4 4 1 1400 701270 74070" "$(of '.data[] | "\(.name) \(.pages) \(.wrong_node)
	\(.to_move) \(.truly_shared) \(.accesses) \(.cycles) \(.advised_cycles)"' | tr -s ' \t\n' ' ' | sed 's/ $//')"
equal "by variable: one block a node" "blocks 0-0:3 1-1:0 2-2:1 3-3:2" "$(of '.data[] | "\(.layout) \([.parts[] |
	"\(.first)-\(.last):\(.node)"] | join(" "))"')"
words="4 of 5 pages lie on the wrong node; split: page 0 -> node 3, page 1 -> node 0, page 2 -> node 1, page 3 -> node 2; moving 4 saves 89.4% of 701,270 cycles"
equal "by variable: in words" "$words" "$(of '.data[].words')"

# --- by phase: of ten rounds, four are in the second half
json "advice on one phase" 0 smile.advise/1 advise --json --phase "second half" four-node?.rec
equal "each page's cost in that phase" "64064 1344 64064 1344 64064 1344 64064 1344 24252 24252" \
	"$(of '.runs[] | "\(.cycles) \(.advised_cycles)"')"
refuses "a phase that there is not" "no phase 'third'" advise --phase third four-node?.rec

# --- other weights: reads as cheap as writes leave a tie, and then a page stays
json "advice by other weights" 0 smile.advise/1 advise --json \
	--latency smile1998,read=20,write=20,lock=20 four-node?.rec
# The shared page is placed on the node with the most other work.
equal "of two nodes that weigh the same the home has it" "0 0 3360 true" \
	"$(of '"\([.runs[:4][].to_move] | add) \(.runs[0].node) \(.runs[0].cycles) \(.to_move < 2)"')"
equal "what was measured by other weights is no run time" null "$(of .time)"
json "advice by weights of writes" 0 smile.advise/1 advise --json \
	--latency smile1998,read=20,write=1000 four-node?.rec
equal "where writes weigh more, pages stay with the writer" "0 0" \
	"$(of '"\([.runs[:4][].to_move] | add) \(.runs[1].node - 1)"')"
json "a page that gains too little stays" 0 smile.advise/1 advise --json --min-gain 156801 four-node?.rec
equal "and costs what it does" "0 701270 701270" "$(of '"\(.to_move) \(.cycles) \(.advised_cycles)"')"
json "one that gains enough does not" 0 smile.advise/1 advise --json --min-gain 156800 four-node?.rec
equal "all of them" 4 "$(of .to_move)"
json "what truly shared means can be said" 0 smile.advise/1 advise --json --shared 25 four-node?.rec
equal "25 percent are enough" 0 "$(of .truly_shared)"

# --- the placement file
exits "a placement file is written" 0 advise four-node?.rec -o four.place
says "the table names data" "^heap  *[0-9,]*  *5  *4  *4  *1  *1,400  *701,270  *74,070  *89.4%" out
# Where lines are broken depends on the terminal's width.
equal "what to do is reported in words" 1 "$(tr -s '\n ' ' ' <out | grep -cF "heap: $words")"
equal "the command of the recorded run is reported" 1 "$(tr -s '\n ' ' ' <out |
	grep -cF "run it: smile run --place four.place -o placed -- $any threads 4 10")"
says "the table says what is truly shared" "stays, truly shared" out
says "the table reports the file" "written: four.place" out
grep -v '^#' four.place | sed 's/ *#.*//' | grep . >got
cat >wanted <<END
program $any threads%0a4%0a10
pages 65536 node 3
pages 65537 node 0
pages 65538 node 1
pages 65539 node 2
pages 65540 node 0
order 0x20000100 threads 0,1,2,3
END
equal "its lines" "$(cat wanted)" "$(cat got)"
says "they say why" "pages 65536 node 3 # 0: 98.0% of the cost is node 3's; from 0, saves 156,800" four.place
says "they say what is shared" "65540 node 0 # 4: truly shared, 25.0%" four.place
timeout -k 10 $limit "$smile" run -q -o placed --place four.place --json - -- "$any" threads 4 10 >out 2>err
equal "smile run takes it, and cycles are what was predicted" "74070" \
	"$(of '[.by_node[] | .local_cycles + (.remote_cycles | add)] | add')"
json "there is nothing more to gain" 0 smile.advise/1 advise --json placed-node?.rec
equal "no page is to move" "0 74070 74070" "$(of '"\(.to_move) \(.cycles) \(.advised_cycles)"')"
refuses "a placement file that cannot be written" "cannot write none/x" \
	advise four-node?.rec -o none/x

# --- verify
json "the recorded program is run again" 0 smile.advise/1 advise --json --verify four-node?.rec
equal "as predicted" "0 74070 74070 true" "$(of '.verified | "\(.exit_status) \(.access_cycles)
	\(.predicted_access_cycles) \(.faster)"')"
# With the placement, the threads wait for the lock about as long as in the recorded run.
equal "the time is between the two predicted" true "$(of '.verified.cycles > .time.predicted_cycles_at_least
	and .verified.cycles < 1.05 * .time.predicted_cycles_at_most')"
equal "nothing is left behind" 0 "$(find . -name 'smile-advise-*' | wc -l)"
for signal in TERM HUP; do
	: >err
	setpriv --pdeathsig KILL "$smile" advise --verify four-node?.rec -- "$any" sleep >out 2>err &
	runner=$!
	awaits has sleeping err
	kill -s $signal $runner
	wait $runner 2>/dev/null
	equal "SIG$signal: status" 2 $?
	says "SIG$signal: reported" 'interrupted: the placement is not verified' err
	equal "SIG$signal: nothing is left behind" 0 "$(find . -name 'smile-advise-*' | wc -l)"
done
json "one phase is verified" 0 smile.advise/1 advise --json --verify --phase "second half" four-node?.rec
equal "by that phase" "29628 29628" \
	"$(of '.verified | "\(.access_cycles) \(.predicted_access_cycles)"')"
exits "verified, as text" 0 advise --verify four-node?.rec
says "predicted against measured" "verified: .*74,070 predicted, 74,070 measured" out
json "a program that ends with an error is a finding" 1 smile.advise/1 \
	advise --json --verify four-node?.rec -- "$any" exit 3
equal "its status is reported, and no gain" "3 true false null" \
	"$(of '.verified | "\(.exit_status) \(.ended_early) \(.faster) \(.difference)"')"
exits "the same, as text" 1 advise --verify four-node?.rec -- "$any" exit 3
says "it ended early: that is no measurement" "^not verified: the program ended with status 3" out
equal "so there is no other" 0 "$(grep -c -e '^verified' -e speed-up.*verified -e '^difference' out)"
json "a program that got slower is a finding" 1 smile.advise/1 \
	advise --json --verify four-node?.rec -- "$any" threads 4 200
equal "and reported" "0 false" "$(of '.verified | "\(.exit_status) \(.faster)"')"
exits "a program that cannot be run: status" 2 advise --verify four-node?.rec -- ./none
says "a program that cannot be run: reported" "the run with the placement failed with status 127" err

# --- eight nodes, two threads on each, other options of the run
timeout -k 10 $limit "$smile" run -q --nodes=2 --threads block:4 -o 'a b' --place node:1 --latency sci2006 \
	--json x.json -- "$any" threads 4 10 >out 2>err
json "options of the recorded run are kept" 0 smile.advise/1 advise --json --verify 'a b'-node?.rec
equal "its machine, its threads" "2 sci2006 true true" \
	"$(of '"\(.nodes) \(.latency.model) \(.verified.access_cycles == .advised_cycles)
		\(.verified.faster)"')"
rm -f x.json
exits "its command has them, too" 0 advise 'a b'-node?.rec -o 'two words'
equal "quoted as a shell needs it" 1 "$(tr -s '\n ' ' ' <out | grep -cF "smile run --place 'two words' -o placed")"
equal "and its machine" 1 "$(tr -s '\n ' ' ' <out | grep -cE -- "-o placed .*--nodes=2 .*-- $any threads 4 10")"
exits "and not where results go" 0 advise --verify 'a b'-node?.rec
equal "the summary is not written again" no "$(test -e x.json && echo yes || echo no)"

# --- the command on the page must be run in the directory of the run, because the program's path
# may be relative
mkdir sub
timeout -k 10 $limit "$smile" run -q -o sub/x -- "$any" threads 4 10 >out 2>err
equal "recordings in a directory" 0 $?
place=$(realpath sub)
(cd sub && "$smile" view --json x-node?.rec) >out 2>err
equal "the page names what was recorded into another directory from anywhere" \
	"smile advise $place/x-node0.rec $place/x-node1.rec $place/x-node2.rec $place/x-node3.rec -o placement" \
	"$(of '.advice.command | split(" && ")[0]')"
"$smile" view --json four-node?.rec >out 2>err
equal "and what was recorded into this one as short as it can" \
	"smile advise four-node0.rec four-node1.rec four-node2.rec four-node3.rec -o placement" \
	"$(of '.advice.command | split(" && ")[0]')"

# --- data that a card does not have
"$smile" replay -o card.rec small.pcap >out 2>err
json "a recording of a card" 0 smile.advise/1 advise --json card.rec
# Page 1 of node 1: a write of node 0. Page 2: a lock of node 3. Page 40: three reads of node 2, two
# writes of node 1.
cat >wanted <<'END'
1 1 [0,1,0,0] 0 false 20 1
2 1 [1,0,0,0] 3 false 1000 1
40 1 [1,0,0,0] 2 false 3040 43
END
runs >got
equal "bounds: what the home itself does is not known" "$(cat wanted)" "$(cat got)"
equal "that is reported, of each page" "false,false false,true false,true null" \
	"$(of '([.runs[] | "\(.local_known),\(.all_seen)"] | join(" ")) + " \(.time)"')"
exits "the same as text" 0 advise card.rec -o card.place
says "what is not known is reported" "cards do not see a node's accesses to its own memory, and for 3 pages" out
says "what is missing is reported" "the recordings of the home nodes of 1 pages are not given" out
says "there is no command for cards" "for .smile run --place card.place." out
says "what is not known makes gains bounds" "saves at most" out
says "the model is reported" "smile1998 is used" err
says "the placement file reports it, too" "^# Note: cards do not see" card.place
refuses "there is no run time to compare with" "record with .smile run." advise --verify card.rec
json "recordings of some nodes" 0 smile.advise/1 advise --json four-node0.rec four-node1.rec
equal "pages of the others are only partly seen" "true true false true" \
	"$(of '[.runs[].all_seen] | join(" ")')"

# --- a page with two homes, as in recordings of cards
printf '%s\n' "reads 10 1 0 100" "reads 10 0 1 100" "reads 10 1 0 101" "reads 10 0 1 101" end |
	"$FEEDER" twice.rec >out
json "a recording that has each page on two homes" 0 smile.advise/1 advise --json twice.rec
equal "each of both has a row of its own" "100 0 1 100 1 0 101 0 1 101 1 0" \
	"$(of '.runs[] | "\(.page) \(.homes | index(1)) \(.node)"')"
equal "no layout is recognised" "mixed 0" "$(of '.data[] | "\(.layout) \(.parts | length)"')"
exits "the same as text" 0 advise twice.rec
equal "it is said that there is none" 1 \
	"$(tr -s '\n ' ' ' <out | grep -cF "no blocks were recognised")"
exits "a web page of it, too" 0 view twice.rec -o twice.html

# --- a command with control characters of a terminal
timeout -k 10 $limit "$smile" run -q -o red -- "$any" threads 4 10 "$(printf "it's\\033[31m\\302\\233red")" \
	>out 2>err
exits "a recorded command with control characters" 0 advise red-node?.rec -o red.place
equal "they are reported as bash takes them" 1 \
	"$(grep -cF "threads 4 10 'it'\''s'\$'\033''[31m'\$'\302\233''red'" out)"
equal "and none is left" "" "$(tr -d '\n\40-\176' <out | od -An -c)"

# --- the network: with a topology, the cost of a table on one node is the load of the ringlet that leads to this node
# table TOPOLOGY...: sixteen threads that read the same table, which lies on node 0; advice, verified.
table() {
	timeout -k 10 $limit "$smile" run -q --nodes 16 --place node:0 --latency smile1998,read=40,write=40,lock=40 "$@" \
		-o table --json table.json -- "$any" table 16 20 >log 2>err
	json "a table for all, $*: advice, verified" 0 smile.advise/1 advise --json --verify table-node*.rec
}
table
equal "without a network: all pages stay, since spreading gains less than 5 %" "0 true null" "$(of '"\(.to_move) \(
	.notes | any(test("less than 5%"))) \(.network)"')"
for topology in torus:4x4 ringlets:4 ring; do
	table --network $topology
	equal "$topology: the table is spread" "interleave true" "$(of '"\(.data[].choice) \(.to_move == 30)"')"
	equal "$topology: that is faster, by what is predicted within 10 %" "true true" "$(of '"\(.verified.faster) \(
		.verified.cycles / .time.predicted_cycles | . > 0.9 and . < 1.1)"')"
	equal "$topology: the busiest link is the recorded one" "$(gojq -c '.network.busiest | [.ringlet, .from, .to]' \
		table.json)" "$(of '.network.busiest | [.ringlet, .from, .to]' | tr -d ' \n')"
	equal "$topology: and has the recorded load within 1 %" true "$(gojq --argjson l "$(of .network.busiest.load)" \
		'.network.busiest.load / $l | . > 0.99 and . < 1.01' table.json)"
	equal "$topology: it is named, now and then" true "$(of '.notes | any(test("network '$topology': the busiest link " +
		"leads from .* to .*, and carries packets for 7[0-9].[0-9]% of the recorded time; with the placement it would lead from"))')"
done
equal "the ring's gain is small: all its links carry the table wherever it lies" true \
	"$(of '.time.predicted_cycles > 0.8 * .time.cycles')"
exits "as text" 0 advise table-node?.rec table-node1?.rec
says "as text: the busiest link is named, too" "^note: network ring: the busiest link leads from " out

# --- usage
refuses "no recording" "which recordings" advise
refuses "no such option" "unrecognized option" advise --none four-node0.rec
refuses "a program without --verify" "only --verify runs a program" advise four-node0.rec -- "$any"
refuses "nothing behind --" "is none after --" advise --verify four-node0.rec --
refuses "--shared is a percentage" "--shared" advise --shared 101 four-node0.rec
refuses "weights that are invalid" "more than a remote read" \
	advise --latency smile1998,local=1001 four-node?.rec
refuses "by smile run, too" "more than a remote read" run --latency smile1998,local=1001 -o x -- "$any" exit 0
# A remote write, for which the thread does not wait, can cost less than an access to local memory.
timeout -k 10 $limit "$smile" run -q --latency numa2,local=160 -o posted -- "$any" threads 4 10 >out 2>err
json "local memory that costs more than a posted write: advice, verified" 0 smile.advise/1 advise --json --verify \
	posted-node?.rec
# Page t has 160 local writes and 160 remote reads now. On the reader's node, the reads cost 160 x (280 - 160) cycles
# less.
equal "cycles of a page, now and on its reader's node" "[[70400,32000],[70400,32000],[70400,32000],[70400,32000]]" \
	"$(gojq -c '[.runs[:4][] | [.cycles, .advised_cycles]]' out)"
equal "they are what the run has" true "$(of '.verified | .access_cycles == .predicted_access_cycles')"
json "the same by other weights" 0 smile.advise/1 advise --json --latency numa2,local=160 four-node?.rec
equal "are the same cycles" "70400 32000" "$(of '.runs[0] | "\(.cycles) \(.advised_cycles)"')"
refuses "weights that cannot be verified" "give one of them" advise --verify --latency cxl four-node?.rec
refuses "a file that is no recording" "small.pcap" advise small.pcap
refuses "recordings of different runs" "cannot be merged" advise four-node0.rec placed-node1.rec
"$smile" replay -o none.rec empty.pcap >out 2>err
refuses "nothing was accessed" "nothing was accessed" advise none.rec
exits "help" 0 advise --help
says "help says what it is" "usage: smile advise" out
suite_end
