#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile advise --verify on programs that distribute the work among their threads at run time, and on programs
# that share their data: the advice is confirmed, or a message gives the reason why it is not. Needs QEMU.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/advise/programs_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
needs qemu-x86_64
TMPDIR=$(pwd)
export TMPDIR

# program NAME MODE [OPTIONS]: record the program, and request verified advice. out has the advice as
# JSON, advice.txt as text.
program() {
	name=$1 mode=$2
	shift 2
	timeout -k 10 300 "$smile" run -q "$@" -o "$mode" --json run.json -- "$RUN_PROGRAMS/$name" "$mode" >log 2>err
	equal "$name $mode is recorded" 0 $?
	"$smile" advise --json --verify -o "$mode.place" "$mode"-node?.rec >out 2>err
	status=$?
	equal "$name $mode: advice, verified; status 1 if it became slower" \
		"smile.advise/1 $(of 'if .to_move > 0 and .verified.cycles > $t.cycles then 1 else 0 end')" "$(of .schema) $status"
	equal "$name $mode: by its own prediction it is not slower" true \
		"$(of '$t.predicted_cycles <= $t.cycles')"
}
# holds WHAT: check that the measured run time is within 10 percent of the predicted one.
holds() {
	equal "$1: measured is within 10 % of predicted" "true null" "$(of '"\(.verified.cycles |
		. > 0.9 * $t.predicted_cycles and . < 1.1 * $t.predicted_cycles_at_most) \(.verified.difference)"' \
		)"
}
of() {
	gojq -r ".time as \$t | $1" out
}

# --- threads that meet: each interval between meetings takes as long as its busiest node
for mode in barrier condition many; do
	program meets $mode
	equal "threads that meet, $mode: measured is within 2 % of predicted, and that is one number" "true true null" \
		"$(of '"\(.verified.cycles / $t.predicted_cycles | . > 0.98 and . < 1.02) \(
		$t.predicted_cycles_at_most / $t.predicted_cycles | . < 1.02) \(.verified.difference)"')"
	equal "threads that meet, $mode: it is faster" true "$(of .verified.faster)"
done

# --- threads that wait for a lock: the time of waiting is taken from the recorded run, and a
# message says so
program critical lock --machine smile1998 --place first-touch
equal "waits for a lock: the range holds" true "$(of '.verified.cycles >= $t.predicted_cycles_at_least and
	.verified.cycles <= $t.predicted_cycles_at_most')"
equal "waits for a lock: it is faster, and the range is no wider than threefold" "true true" "$(of '"\(.verified.faster) \(
	$t.predicted_cycles_at_most < 3 * $t.predicted_cycles_at_least)"')"
equal "waits for a lock: the run has them, and the lock" "true 16" "$(gojq -r '.lock_waits | "\(
	.cycles > 0 and .cycles == .locks[0].cycles) \(.locks[0].turns)"' run.json)"
equal "waits for a lock: how long, and where" true "$(of '.notes |
	any(test("wait for locks for [1-9][0-9]*% of the predicted time, mostly at critical.c:[0-9]+ .add.: "))')"
exits "waits for a lock: as text" 0 advise --verify lock-node?.rec
says "waits for a lock: it is said before the run" "^smile advise: note: threads wait for locks for [1-9]" err
says "waits for a lock: so is the range" "^predicted: .*; 0.* to 0.* s, by how long threads wait$" out

# --- sleep takes as long wherever pages lie
program sleeps time --machine smile1998 --place first-touch
holds "a program that sleeps"
equal "a program that sleeps: it is faster, but not by its sleep" "true true" "$(of '"\(.verified.faster) \(
	$t.predicted_cycles > 0.3 * $t.cycles)"')"

# --- pools of memory and boxes for messages: their locks do not distribute work, and do not widen the
# predicted range
for mode in own queue; do
	program pools $mode --machine smile1998 --place first-touch
	holds "pools and boxes, $mode"
	equal "pools and boxes, $mode: the range is no wider than a tenth" true \
		"$(of '$t.predicted_cycles_at_most < 1.1 * $t.predicted_cycles_at_least')"
	of '.roles[] | select(.words | test("take work|hands out")) | .call' >$mode.named
done
equal "pools and boxes: no lock is named" "" "$(cat own.named)"
equal "a queue beside them: what it does not hand out is not called so" false "$(of '.data[] | select(.name == "rows") |
	.action | test("handed out")')"
equal "a queue beside them: it alone is named" 1 "$(grep -c '^pools.c:[0-9]* (queue_rows)$' queue.named)$(sed 1d queue.named)"

# --- numbers taken under a lock: with the tables placed, thread 3 takes the first number; in the
# recorded run it took the last one
program roles lock
order=$(gojq -r '.roles[0].threads | join(",")' run.json)
equal "a lock gives roles: all threads, each once" "0 1 2 3" "$(gojq -r '.roles[0].threads | sort | join(" ")' run.json)"
equal "the lock and the line are named" "lock roles.c" "$(of '.roles[0] | "\(.name) \(.call | split(":")[0])"')"
equal "the placement file holds the order" "$order" "$(sed -n 's/^order 0x[0-9a-f]* threads \([0-9,]*\) #.*/\1/p' lock.place)"
holds "numbers under a lock"
equal "numbers under a lock: it is faster" true "$(of .verified.faster)"
sed '/^order/d' lock.place >pages.place
timeout -k 10 300 "$smile" run -q --place pages.place -o pages --json pages.json -- "$RUN_PROGRAMS/roles" lock >log 2>err
equal "without the order threads come in another" false \
	"$(gojq --arg o "$order" '(.roles[0].threads | map(tostring) | join(",")) == $o' pages.json)"
equal "and the program is slower than with it" true \
	"$(gojq --argjson c "$(of .verified.cycles)" '.cycles > 1.5 * $c' pages.json)"
timeout -k 10 300 "$smile" run -q --place lock.place -o kept --json kept.json -- "$RUN_PROGRAMS/roles" lock >log 2>err
equal "with it they come in this one" "$order" "$(gojq -r '.roles[0].threads | join(",")' kept.json)"

# An order that cannot be kept, because a thread waits for the program's end, is abandoned.
sed 's/^\(order 0x[0-9a-f]* threads\) [0-9,]*/\1 9,0,1,2,3/' lock.place >none.place
timeout -k 10 300 "$smile" run -q --place none.place -o none --json none.json -- "$RUN_PROGRAMS/roles" lock >log 2>err
equal "an order with a thread that never comes: the program ends well" 0 $?
says "and that is reported" "the order of the lock at 0x[0-9a-f]* is given up.*thread 9" err

# --- numbers that threads receive when they are created: no order is needed
program roles created
holds "numbers at creation"
equal "numbers at creation: no roles" 0 "$(of '.roles | length')"

# --- an atomic counter, and a spin lock of the program's own: the advice names the instruction, and the placement
# keeps the order of its executions.
# Without constants: which thread polls a spin lock when it becomes free depends on the addresses of the program's
# words, which no placement determines.
for mode in atomic spin; do
	program roles $mode --no-constants
	order=$(gojq -r '.roles[0].threads | join(",")' run.json)
	equal "$mode: the instruction gives roles" "true 0 1 2 3" \
		"$(gojq -r '.roles[0] | "\(.atomic) \(.threads | sort | join(" "))"' run.json)"
	equal "$mode: the line is named, and what to change" true "$(of '.roles[0].words |
		test("by the atomic operation at roles.c:[0-9]+ .*give each thread its number")')"
	equal "$mode: the placement file holds the order" "$order" \
		"$(sed -n 's/^order 0x[0-9a-f]* threads \([0-9,]*\) # atomic operation.*/\1/p' $mode.place)"
	holds "$mode"
	equal "$mode: it is faster" true "$(of .verified.faster)"
	timeout -k 10 300 "$smile" run -q --no-constants --place $mode.place -o kept --json kept.json -- \
		"$RUN_PROGRAMS/roles" $mode >log 2>err
	equal "$mode: threads come in that order" "$order" "$(gojq -r '.roles[0].threads | join(",")' kept.json)"
	timeout -k 10 300 "$smile" run -q --no-constants -o again --json again.json -- "$RUN_PROGRAMS/roles" $mode >log 2>err
	equal "$mode: two runs are the same" "$(gojq .cycles run.json)" "$(gojq .cycles again.json)"
done

# --- a work queue
for mode in queue chunks; do
	program roles $mode
	equal "$mode: it is named, and what to change" true "$(of '.roles[0].words |
		test("take work (under the lock lock|by the atomic operation at) .* 204 times.*always its own")')"
	equal "$mode: it is said where the work is handed out, and how to be independent of the order" "true true" "$(of '"\(
		.notes | any(test("the work is handed out at roles.c:[0-9]+ .take.*may then not apply"))) \(.data[] |
		select(.name == "rows") | .action | test("be independent of the order: interleave"))"')"
	equal "$mode: the range holds" true "$(of '.verified.cycles >= $t.predicted_cycles_at_least and
		.verified.cycles <= $t.predicted_cycles_at_most')"
	equal "$mode: as predicted, or why not is reported" true "$(of '.verified | .difference != null or
		(.cycles > 0.9 * $t.predicted_cycles and .cycles < 1.1 * $t.predicted_cycles_at_most)')"
	equal "$mode: not slower" true "$(of '.verified.cycles <= .time.cycles')"
	exits "$mode: as text" 0 advise --verify "$mode"-node?.rec
	says "$mode: it is said before the run" "^smile advise: note: the work is handed out at roles.c" err
done

# --- a queue for each thread, from which other threads also take work; or one queue for all threads, after a meeting:
# they are not recognised as queues
for mode in queues later; do
	program roles $mode
	equal "$mode: the work may be handed out there, and how to be independent of the order" "true true" "$(of '"\(
		.notes | any(test("the work may be handed out at roles.c:[0-9]+ .take.*may then not apply"))) \(.data[] |
		select(.name == "rows") | .action | test("the work may be handed out at.*be independent of the order"))"')"
	equal "$mode: the range holds" true "$(of '.verified.cycles >= $t.predicted_cycles_at_least and
		.verified.cycles <= $t.predicted_cycles_at_most')"
	equal "$mode: no order is kept" 0 "$(grep -c '^order' "$mode.place")"
	# Which thread takes which work depends on the addresses of the program's words, so the verified run may be
	# slower.
	"$smile" advise --verify "$mode"-node?.rec >out 2>err
	status=$?
	equal "$mode: as text" "$(grep -c '^the program became slower' out)" $status
	says "$mode: as text: it is verified" '^verified: ' out
	says "$mode: it is said before the run" "^smile advise: note: the work may be handed out at roles.c" err
done

# --- a loop of OpenMP whose chunks threads take
program openmp dynamic
equal "a dynamic loop: the line at which work is handed out" true \
	"$(of '.roles | any(.loop and (.call | test("^openmp.c:[0-9]+ .run_dynamic.$")) and (.words | test("from the loop at")))')"
equal "a dynamic loop: the range holds" true "$(of '.verified.cycles >= $t.predicted_cycles_at_least and
	.verified.cycles <= $t.predicted_cycles_at_most')"
equal "a dynamic loop: no order is kept" 0 "$(grep -c '^order' dynamic.place)"

# --- a work queue, with memory that the threads allocate for each task: other threads use it in the
# next run, so it is placed on the node that accesses it first
program buffers own
holds "memory for each task"
equal "memory for each task: faster, by first touch" "true true" "$(of '"\(.verified.cycles < 0.1 * .time.cycles) \(
	.first_touch)"')"
equal "memory for each task: what to do, and when nothing" true "$(of '.data[0].action |
	test("^let each thread write .*; if the program does so, first touch, .* is enough$")')"
equal "memory for each task: the placement file leaves it to first touch" "true true 0" "$(grep -q \
	'^default first-touch$' own.place && echo true) $(grep -q '^pages [0-9]*-.* own ' own.place && echo true) $(
	grep '^pages [0-9]*-' own.place | grep -vc ' own ')"
timeout -k 10 300 "$smile" run -q --place own.place -o own --json placed.json -- "$RUN_PROGRAMS/buffers" >log 2>err
equal "memory for each task: the result says that it was the policy" first-touch "$(gojq -r .placement placed.json)"
json "memory for each task: advice on that run" 0 smile.advise/1 advise --json -o again.place own-node?.rec
equal "memory for each task: recorded so, it stays so" true "$(of .first_touch)"
# Which thread takes which task depends on the addresses of the libraries, and so on the machine: named.place has each
# page on another node than that of the recorded run.
awk '/ own / { sub("node " $4, "node " ($4 + 1) % 4) } { print }' own.place >turned.place
sed '/^default/d' turned.place >named.place
timeout -k 10 300 "$smile" run -q --place turned.place -o turned --json turned.json -- "$RUN_PROGRAMS/buffers" >log 2>err
equal "memory for each task: with that line, its pages' nodes do not count" true \
	"$(gojq --argjson c "$(gojq .cycles placed.json)" '.cycles < 1.1 * $c' turned.json)"
timeout -k 10 300 "$smile" run -q --place named.place -o named --json named.json -- "$RUN_PROGRAMS/buffers" >log 2>err
equal "memory for each task: slower without that line" true \
	"$(gojq --argjson c "$(gojq .cycles placed.json)" '.cycles > 10 * $c' named.json)"

# --- evenly shared: the pages stay spread
program shares even
holds "evenly shared"
equal "evenly shared: not slower" true "$(of '.verified.cycles <= .time.cycles')"
equal "evenly shared: the table stays on all nodes" "4 true" "$(of '[.runs[] | select(.pages > 0 and .truly_shared)] |
	"\([.[].node] | unique | length) \([.[] | .pages] | add > 30)"')"
# --- moving gains less than 5 percent: the advice is to change nothing
program shares same
equal "a little is not worth a change: all stays, and why is said" "0 true true" "$(of '"\(.to_move) \(
	.notes | any(test("shorten the run by [0-4][.][0-9]%, less than 5%"))) \(
	.verified.cycles == .time.cycles)"')"
program shares nearly
holds "nearly evenly shared"
equal "nearly evenly shared: each page where it has two thirds" "cyclic 0 1 2 3" "$(of '.data[] |
	select(.name == "table") | "\(.layout) \([.parts[].node] | sort | join(" "))"')"
# --- phases that disagree: the placement follows one of them, because with a compromise for each
# page both would wait
program shares phases
holds "phases that disagree"
equal "phases that disagree: faster, by the accesses of a phase" "true phase" "$(of '"\(.verified.cycles <
	0.75 * $t.cycles) \(.data[] | select(.name == "table") | .choice)"')"
equal "phases that disagree: what to do, and for which phase" true "$(of '.data[] | select(.name == "table") |
	.action | test("write that part first, as phase (first|second) uses it")')"
says "and the placement file has the reason" "as phase first needs it, which shortens" phases.place
equal "read-only data: what copies would save, and take" "true 393216" "$(of '.data[] | select(.name == "table") |
	"\(.copies_gain_cycles > 0.3 * $t.cycles) \(.copies_bytes)"')"
program shares once
holds "one phase of many rounds"
equal "one phase of many rounds has its way" "blocks 3 0 1 2" "$(of '.data[] | select(.name == "table") |
	"\(.layout) \([.parts[].node] | join(" "))"')"

suite_end
