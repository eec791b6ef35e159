# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh
# What all shell suites with named checks share: sourced once $scratch names a directory, which is
# made anew.
#
# What lives here: the count, a command as a check, and the line that a suite closes with. Needs sh.

rm -rf "${scratch:?}"
mkdir -p "$scratch" || exit 2
passed=0 failed=0 skipped=0

ok() {
	passed=$((passed + 1))
	echo "ok $1"
}

# not_ok NAME LINE...: and what the last command said on standard error, if err has it.
not_ok() {
	failed=$((failed + 1))
	echo "not ok $1"
	shift
	printf '  %s\n' "$@"
	sed 's/^/  stderr: /' err 2>/dev/null | head -n 5
}

# skip WHY [COUNT]: so many checks, or one, are left out.
skip() {
	skipped=$((skipped + ${2:-1}))
	echo "skipped ${2:-1}: $1"
}

# equal NAME EXPECTED GOT
equal() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected: $2" "got:      $3"; fi
}

# check NAME COMMAND...: the command succeeds. What it says is shown if it does not.
check() {
	name=$1
	shift
	if "$@" >"$scratch/output" 2>&1; then
		ok "$name"
	else
		failed=$((failed + 1))
		echo "not ok $name"
		sed 's/^/  /' "$scratch/output" | tail -n 40
	fi
}

# checks_end: the last command of a suite, its exit status.
checks_end() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}
