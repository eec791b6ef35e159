#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Runs guest tests, one after the other, each a script on the host that calls run.sh, and tells
# which passed: ok NAME, not ok NAME, or, for a status of 77, skip NAME, and a count at the end. A
# test that fails has its output printed. May use: sh, and whatever the tests do.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/tests.sh TEST...; exits 0 if none failed
# (SMILE_TALLY=FILE: appends the sums to FILE, as tests/run.sh does)

set -u

B=${B:-build}
GUEST=${GUEST:-$B/guest}
export B GUEST
logs=$GUEST/logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0

if [ $# -eq 0 ]; then
	echo "guest tests: none given" >&2
	exit 1
fi
for test in "$@"; do
	name=$(basename "$test" .sh)
	begin=$(date +%s)
	"$test" </dev/null >"$logs/$name.log" 2>&1
	status=$?
	seconds=$(($(date +%s) - begin))
	case $status in
	0)
		passed=$((passed + 1))
		echo "ok $name ($seconds s)"
		;;
	77)
		skipped=$((skipped + 1))
		echo "skip $name: $(tail -n 1 "$logs/$name.log")"
		;;
	*)
		failed=$((failed + 1))
		echo "not ok $name (status $status, $seconds s, $logs/$name.log):"
		sed 's/^/    /' "$logs/$name.log"
		;;
	esac
done
[ -z "${SMILE_TALLY:-}" ] || echo "$passed $failed $skipped" >>"$SMILE_TALLY"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
