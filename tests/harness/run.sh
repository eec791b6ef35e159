#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Run test programs one after another and add up their closing lines.
#
# What lives here: the code that adds up the results of test programs. The last line of a program is either
# "[  PASSED  ] N test(s).", as cmocka prints it, or "N passed, N failed, N skipped". A program counts as failed if it
# exits with an error, ends without such a line, runs no test, takes too long, leaves a process behind
# (tests/harness/owner.c), or if its shell has not found a command (tests/harness/unknown_commands.sh). A program that
# skips checks prints the reason in lines "skipped: WHY", or "skipped N: WHY" for N checks.
#
# usage: [OWNER=FILE] [TEST_SECONDS=N] [TEST_KIND=WORD] tests/harness/run.sh PROGRAM...
#
# SMILE_TALLY=FILE: appends the sums, and for each program its time and its reasons for skipping, to FILE, which
# tests/harness/total.sh reads. TEST_KIND is appended to the names in this file.
set -u
owner=${OWNER:-build/tests/owner}
tally=${SMILE_TALLY:-/dev/null}
harness=$(dirname "$0")
# Most tests of `smile run` compare counts with those of the papers' machine. Tests of the default machine unset this
# variable.
export SMILE_MACHINE=smile1998
# The programs do not write to the tally, and their calls of make are independent of the calling
# make.
unset SMILE_TALLY BUILT MAKEFLAGS MFLAGS MAKELEVEL
pid=
# shellcheck source=tests/harness/test.sh
. "$harness/test.sh"
work=$(mktemp -d) || exit 2
log=$work/log

end() {
	trap '' INT TERM HUP
	[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null
	rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

[ -x "$owner" ] || { echo "$0: $owner is not there: make $owner" >&2; exit 2; }

# name PROGRAM: print its path below tests/, without its interpreter and its arguments.
name() {
	echo "$1${TEST_KIND:+ ($TEST_KIND)}" |
		sed -E 's,^(node|python3) ,,; s,^([^ ]*/)?tests/,,; s,^([^ ]*) [^(]*,\1 ,; s, $,,'
}

for program in "$@"; do
	title=$(name "$program")
	printf '== %s\n' "$program"
	rm -f "$work/times"
	# A word with a space is a program with arguments. It runs in the background, so that a signal
	# ends it immediately.
	# shellcheck disable=SC2086
	"$owner" -t "${TEST_SECONDS:-1200}" -r "$work/times" $program >"$log" 2>&1 &
	pid=$!
	wait $pid
	status=$?
	pid=
	own=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$log" |
		tail -n 1)
	if [ -z "$own" ]; then
		ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
		bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
		skip=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
		own="${ok:-0} ${bad:-0} ${skip:-0}"
	fi
	# shellcheck disable=SC2086
	IFS=' ' read -r p f s <<END
$own
END
	if "$harness/unknown_commands.sh" "$log" >"$work/unknown"; then
		sed 's/^/   unknown command: /' "$work/unknown"
		f=$((f + 1))
	fi
	if [ $((p + f + s)) -eq 0 ]; then
		echo "   ran no test, exited with $status"
		f=1
	elif [ $status -ne 0 ] && [ "$f" -eq 0 ]; then
		echo "   exited with $status"
		f=1
	fi
	if [ "$f" -ne 0 ]; then
		cat "$log"
	fi
	printf '   %d passed, %d failed, %d skipped\n' "$p" "$f" "$s"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	[ ! -s "$work/times" ] || echo "time $(cat "$work/times") $title" >>"$tally"
	[ "$s" -eq 0 ] || reasons "$log" | while read -r count why; do
		echo "skip $count $title: $why"
	done | tee -a "$tally"
done
echo "count $passed $failed $skipped" >>"$tally"
suite_end && [ $((passed + skipped)) -gt 0 ]
