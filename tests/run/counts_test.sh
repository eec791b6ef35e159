#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Counting recordings of smile run: each count is the sum of the card's records, for programs and
# configurations of all kinds; what depends on records asks for them; what ends early keeps its counts.
#
# usage: RUN_PROGRAMS=DIRECTORY RUN_SUMS=FILE tests/run/counts_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
programs=$RUN_PROGRAMS
needs qemu-x86_64
limit=120
QEMU_CPU=max
export QEMU_CPU

# sums FILE: of its dump; $block: bytes of a block, if ranges are longer than a word.
block=0
sums() {
	"$smile" dump "$1" | "$RUN_SUMS" $block
}

# pages PREFIX: of its recordings, without what memory is called.
pages() {
	"$smile" report pages --json "$1"-node?.rec | jq -c '.pages[] | del(.region)'
}

# equals NAME ARGUMENTS...: two runs with these, one of which records the cards' records, have the same
# sums in the recordings of all nodes. $verb: by which command.
verb=run
equals() {
	title=$1
	shift
	rm -f c-node*.rec r-node*.rec
	ends "$title" 0 $verb -q -o c "$@"
	ends "$title, records" 0 $verb -q --records -o r "$@"
	lines=0 bad=
	for file in c-node*.rec; do
		sums "$file" >a
		sums "r${file#c}" >b
		cmp -s a b || bad="$bad $file"
		lines=$((lines + $(wc -l <a)))
	done
	equal "$title: each count is the sum of the records" "" "$bad"
	if [ $lines -gt 10 ]; then ok "$title: there are counts"; else not_ok "$title: there are counts"; fi
	kinds=$("$smile" dump c-node0.rec | grep -c '"kind":"dynamic"')
	equal "$title: no record of the array" 0 "$kinds"
	pages c >a
	pages r >b
	if [ -s a ] && cmp -s a b; then ok "$title: the same pages"; else not_ok "$title: the same pages"; fi
}

# --- every program of tests/run/programs that shares data, and whose order is not the host's. Under the
# sanitizers matrix_test.sh runs them, and the configurations below cover what counts.
equal_programs() {
	for program in kinds c11 threads matrix shared counts "openmp static" "openmp tasks" "tasks depend" \
		"order 9" "turns condition" "tries mutex" "blocks small" "ends exit 0" "ends fork" \
		"meets barrier" "roles lock" "shares phases"; do
		# shellcheck disable=SC2086
		equals "$program" -- "$programs/"$program
	done
}
[ "${TEST_KIND:-}" = sanitize ] || equal_programs

# --- every workload
verb=sim
equals sor sor --size 64 --iterations 3
equals fft fft --size 1024
equals radix radix --size 8192
equals gauss gauss --size 48
equals water water --size 27
verb=run

# --- configurations that lose nothing
set -- -- "$programs/shares" phases 2
for block in 64 12 4096; do
	equals "aligned ranges of $block bytes" --range $block --aligned on "$@"
done
block=0
equals "untyped tags" --typed-tags off "$@"
equals "writes and locks alone" --types write,lock "$@"
equals "incoming alone" --direction in "$@"
equals "responses" --packets responses "$@"
equals "static counters" --static event=0 --static page=65536 "$@"
equals "phases by the timer" --timer 5ms:5 --phase-events 0,5 "$@"
equals "narrow node ids" --node-ids narrow "$@"
equals "no phase but the timer's" --timer 12ms:5 --phase-events 5 "$@"
equals "a cache" --cache 4K,64,2 "$@"
equals "pages that move" --place migrate:2ms "$@"
equals "a capture" --capture x "$@"
equals "few counters" --counters 1 "$@"
ends "ranges that are not aligned" 0 run -q --range 64 -o c "$@"
pages c >a
ends "ranges that are not aligned, records" 0 run -q --records --range 64 -o r "$@"
pages r >b
if [ -s a ] && cmp -s a b; then ok "ranges that are not aligned: the same pages"; else
	not_ok "ranges that are not aligned: the same pages"; fi

# --- size: at most 32 bytes for each block of a page and source in a phase, whatever the accesses
ends "a recording's size" 0 run -q -o c "$@"
for file in c-node*.rec; do
	blocks=$("$smile" dump "$file" | sed -n 's/.*"source":\([0-9]*\).*"address":\([0-9]*\).*"phase":\([0-9]*\).*/\1 \2 \3/p' |
		sort -u | wc -l)
	# The header says how many units of 16 bytes there are, marks included.
	bytes=$((16 * $(od -An -tu8 -j16 -N8 "$file")))
	if [ "$blocks" -gt 100 ] && [ "$bytes" -le $((32 * blocks + 16 * 3)) ]; then ok "a recording's size: $file"; else
		not_ok "a recording's size: $file" "$bytes bytes of $blocks blocks"; fi
done

# --- what ends early keeps what was counted, and says until when
# delivered PREFIX: sum of the counts in its recordings.
delivered() {
	"$smile" report pages --json "$1"-node?.rec 2>/dev/null | jq '[.pages[].accesses[]] | add // 0' |
		grep . || echo 0
}
for signal in INT KILL; do
	rm -f end-node?.rec
	: >out
	"$smile" run -o end -- "$programs/shares" endless >out 2>err &
	pid=$!
	own $pid
	# A checkpoint has come.
	some_counted() { [ "$(delivered end)" -gt 1000 ]; }
	awaits some_counted
	seen=$(delivered end)
	if [ $signal = INT ]; then
		kill -INT $pid
	else
		# The process that does the work, of which the first is the guard.
		kill -KILL "$(xargs <"/proc/$pid/task/$pid/children")"
	fi
	wait $pid 2>/dev/null
	disown $pid
	left=$(delivered end)
	if [ "$left" -ge "$seen" ] && [ "$seen" -gt 1000 ]; then
		ok "SIG$signal: what was counted is there"
	else
		not_ok "SIG$signal: what was counted is there" "$left of $seen"
	fi
	"$smile" report lost end-node0.rec >out 2>err
	if [ $signal = INT ]; then
		says "SIG$signal: the account holds" "the account holds" out
	else
		says "SIG$signal: until when" "Its counts are exact up to" out
	fi
done

# --- without memory for more, the run ends, keeps what was counted, and says until when
no_memory() {
	rm -f end-node?.rec
	# Far more keys than it touches until it has no more memory, however late that is: 10 s of them.
	"$smile" sim radix --size 16777216 --check none -q -o end >out 2>err &
	pid=$!
	own $pid
	awaits some_counted
	worker=$(xargs <"/proc/$pid/task/$pid/children")
	kill -STOP "$worker"
	seen=$(delivered end)
	# No more than it has now.
	prlimit --pid "$worker" --as=$((1024 * $(awk '/^VmSize/ { print $2 }' "/proc/$worker/status")))
	kill -CONT "$worker"
	wait $pid
	status=$?
	disown $pid
	equal "no memory: status" 2 $status
	says "no memory: is the reason" "Cannot allocate memory" err
	says "no memory: until when" "what is recorded ends at [0-9.]* s of simulated time" err
	left=$(delivered end)
	if [ "$left" -ge "$seen" ] && [ "$seen" -gt 1000 ]; then ok "no memory: what was counted is there"; else
		not_ok "no memory: what was counted is there" "$left of $seen"; fi
	"$smile" report lost end-node0.rec >out 2>err
	says "no memory: the account holds" "the account holds" out
}
if [ "${TEST_KIND:-}" = sanitize ]; then
	skip "no memory: the sanitizers' own allocator ends the program" 5
else
	no_memory
fi

suite_end
