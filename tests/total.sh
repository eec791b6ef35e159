#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Add up the tally of a whole `make check` and close with one line. usage: tests/total.sh TALLY STATUS
set -u

awk -v status="$2" '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		if (status && !failed)
			failed = 1
		printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}' "$1"
