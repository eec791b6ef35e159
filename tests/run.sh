#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Run test programs one after another and add up what they closed with.
#
# What lives here: the one place that turns many closing lines into one. A program closes either as
# cmocka does ("[  PASSED  ] N test(s).") or with "N passed, N failed, N skipped". One that exits
# with an error or closes with neither counts as failed, and so does one that ran nothing.
#
# usage: tests/run.sh PROGRAM...    (SMILE_TALLY=FILE: append the sums to FILE)
set -u
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

for program in "$@"; do
	printf '== %s\n' "$program"
	# A word with a space is a program with arguments.
	# shellcheck disable=SC2086
	$program >"$log" 2>&1
	status=$?
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
	if [ $((p + f + s)) -eq 0 ]; then
		echo "   ran no test"
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
done
if [ -n "${SMILE_TALLY:-}" ]; then
	echo "$passed $failed $skipped" >>"$SMILE_TALLY"
fi
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
