#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Counting recordings of runs that end early, by a signal or because memory is missing: they keep the counts,
# and a message gives the time until which they are complete. Not under the sanitizers, whose own allocator
# ends the program if memory is missing.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/run/early_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
traced_programs

# delivered PREFIX: print the sum of the counts in the recordings PREFIX-node*.rec.
delivered() {
	"$smile" report pages --json "$1"-node?.rec 2>/dev/null | gojq '[.pages[].accesses[]] | add // 0' |
		grep . || echo 0
}
for signal in INT KILL; do
	rm -f end-node?.rec
	: >out
	"$smile" run -o end -- "$programs/shares" endless >out 2>err &
	pid=$!
	own $pid
	# Wait for a checkpoint.
	some_counted() { [ "$(delivered end)" -gt 1000 ]; }
	awaits some_counted
	seen=$(delivered end)
	if [ $signal = INT ]; then
		kill -INT $pid
	else
		# The first process is a guard; its child does the work.
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

# --- if memory is missing, the run ends, keeps its counts, and reports until when they are complete
rm -f end-node?.rec
# Touch far more keys than fit in memory, so that memory is missing at some time: 10 s of keys.
"$smile" sim radix --size 16777216 --check none -q -o end >out 2>err &
pid=$!
own $pid
awaits some_counted
worker=$(xargs <"/proc/$pid/task/$pid/children")
kill -STOP "$worker"
seen=$(delivered end)
# The worker may not use more memory than it uses now.
prlimit --pid "$worker" --as=$((1024 * $(awk '/^VmSize/ { print $2 }' "/proc/$worker/status")))
kill -CONT "$worker"
wait $pid
status=$?
disown $pid
equal "no memory: status" 2 $status
says "no memory: is the reason" "no memory is left: smile run has allocated [0-9]* MB" err
says "no memory: the remedy" "let it count less: fewer phases (--sample-phases)" err
says "no memory: until when" "the recordings end at [0-9.]* s of simulated time" err
left=$(delivered end)
if [ "$left" -ge "$seen" ] && [ "$seen" -gt 1000 ]; then ok "no memory: what was counted is there"; else
	not_ok "no memory: what was counted is there" "$left of $seen"; fi
"$smile" report lost end-node0.rec >out 2>err
says "no memory: the account holds" "the account holds" out
suite_end
