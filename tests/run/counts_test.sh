#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Counting recordings of smile run: each count is the sum of the card's records, for programs and configurations of
# all kinds; commands that need records request them in a message. early_test.sh tests runs that end early.
#
# usage: RUN_PROGRAMS=DIRECTORY RUN_SUMS=FILE tests/run/counts_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
traced_programs

# sums FILE: print the sums of the dump of FILE. $block: bytes of a block, if ranges are longer than
# a word.
block=0
sums() {
	"$smile" dump "$1" | "$RUN_SUMS" $block
}

# pages PREFIX: print the pages of the recordings PREFIX-node*.rec, without the names of memory.
pages() {
	"$smile" report pages --json "$1"-node?.rec | gojq -c '.pages[] | del(.region)'
}

# equals NAME ARGUMENTS...: make two runs with these arguments, one of which records the cards'
# records. Both must have the same sums in the recordings of all nodes. $verb: the command to run.
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

# --- each program of tests/run/programs whose threads share data, and whose order does not depend
# on the host
for program in kinds c11 threads matrix shared counts "openmp static" "openmp tasks" "tasks depend" \
	"order 9" "turns condition" "tries mutex" "blocks small" "ends exit 0" "ends fork" \
	"meets barrier" "roles lock" "shares phases"; do
	# shellcheck disable=SC2086
	equals "$program" -- "$programs/"$program
done

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
equals "caches in front of all memory" --caches l1=1K/64/2,llc=4K/64/4 "$@"
equals "pages that move" --place migrate:2ms "$@"
equals "a capture" --capture x "$@"
equals "few counters" --counters 1 "$@"
ends "ranges that are not aligned" 0 run -q --range 64 -o c "$@"
pages c >a
ends "ranges that are not aligned, records" 0 run -q --records --range 64 -o r "$@"
pages r >b
if [ -s a ] && cmp -s a b; then ok "ranges that are not aligned: the same pages"; else
	not_ok "ranges that are not aligned: the same pages"; fi

# --- size: in a phase, each block of a page and source needs at most 32 bytes, however often it is
# accessed
ends "a recording's size" 0 run -q -o c "$@"
for file in c-node*.rec; do
	blocks=$("$smile" dump "$file" | sed -n 's/.*"source":\([0-9]*\).*"address":\([0-9]*\).*"phase":\([0-9]*\).*/\1 \2 \3/p' |
		sort -u | wc -l)
	# The header contains the number of units of 16 bytes, including marks.
	bytes=$((16 * $(od -An -tu8 -j16 -N8 "$file")))
	if [ "$blocks" -gt 100 ] && [ "$bytes" -le $((32 * blocks + 16 * 3)) ]; then ok "a recording's size: $file"; else
		not_ok "a recording's size: $file" "$bytes bytes of $blocks blocks"; fi
done

suite_end
