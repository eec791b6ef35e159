#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Runs several commands, one after the other, each of which closes with "N passed, N failed, N skipped". All
# commands are run, and the last line has the sums. Fails if one command fails, or closes without such a line.
#
# usage: tests/harness/parts.sh COMMAND... (each with its arguments in one word)
set -u
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
passed=0 failed=0 skipped=0

for part; do
	# shellcheck disable=SC2086 # a command with its arguments
	{
		$part 2>&1
		echo $? >"$work/status"
	} | tee "$work/log"
	read -r status <"$work/status" || status=1
	sums=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$work/log" | tail -n 1)
	IFS=' ' read -r p f s <<END
${sums:-0 0 0}
END
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
		echo "failed, status $status: $part"
		f=1
	elif [ $((p + f + s)) -eq 0 ]; then
		echo "failed, ran no test: $part"
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
