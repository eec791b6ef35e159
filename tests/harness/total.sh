#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Close a whole `make check`: print its slowest tests, the skipped checks with their reasons, and in the last
# line the sums of its tally, which tests/harness/run.sh and tests/guest/tests.sh have written.
#
# usage: tests/harness/total.sh TALLY STATUS
set -u
tally=$1 status=$2
touch "$tally"

printf '\nThe slowest tests: seconds passed, of processor time\n'
grep '^time ' "$tally" | sort -k 2,2nr | head -n 10 | while read -r _ passed used name; do
	printf '%8s %8s  %s\n' "$passed" "$used" "$name"
done
# Suites end in any order; the output is sorted, so that it is the same each time.
if grep -q '^skip ' "$tally"; then
	printf '\nSkipped\n'
	grep '^skip ' "$tally" | sort -k 3 | while read -r _ count why; do
		printf '%8s  %s\n' "$count" "$why"
	done
fi
awk -v status="$status" '
	$1 == "count" { passed += $2; failed += $3; skipped += $4 }
	$1 == "skip" { explained += $2 }
	END {
		if (explained < skipped)
			printf "%8d  for no reason that was given\n", skipped - explained
		if (status && !failed)
			failed = 1
		printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}' "$tally"
