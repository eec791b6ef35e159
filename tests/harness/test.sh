# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh
# The harness of the suites in shell, which source it. test.mjs, test.py and test.h are the harnesses for the
# other languages; most tests in C use cmocka.
#
# What lives here: named checks, their count, and the closing line of a suite, which run.sh reads.
# Needs sh.

passed=0 failed=0 skipped=0

# scratch_make DIRECTORY: create an empty directory for the suite. Sets scratch to its path.
scratch_make() {
	rm -rf "${1:?}"
	mkdir -p "$1" && scratch=$(realpath "$1") || exit 2
}

ok() {
	passed=$((passed + 1))
	echo "ok $1"
}

# not_ok NAME [TEXT...]: also prints the standard error of the last command, if it is in the file err.
not_ok() {
	failed=$((failed + 1))
	echo "not ok $1"
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/  /'
	sed 's/^/  stderr: /' err 2>/dev/null | head -n 5
}

# skip WHY [COUNT]: skip COUNT checks, by default one.
skip() {
	skipped=$((skipped + ${2:-1}))
	echo "skipped ${2:-1}: $1"
}

# equal NAME EXPECTED GOT
equal() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected: $2" "got:      $3"; fi
}

# check NAME COMMAND...: check that the command succeeds. If it fails, its output is printed. Needs
# scratch_make.
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

# suite_end: the last command of a suite, and its exit status.
suite_end() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}

# reasons LOG: print a line for each reason for which the programs of this output have skipped checks: the number of
# checks, and the reason. cmocka prints only the tests' names, each twice.
reasons() {
	sed -n 's/^skipped \([0-9][0-9]*\): /\1 /p; s/^skipped: /1 /p' "$1"
	sed -n 's/^\[  SKIPPED \] \([A-Za-z_][A-Za-z_0-9]*\)$/1 \1/p' "$1" | sort -u
}
