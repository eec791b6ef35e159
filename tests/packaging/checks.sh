# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
# What the packaging suites share: sourced with the scratch directory, which is made anew.
#
# What lives here: checks by name, and their count. A check's output is shown if it fails.

# What make above us says of jobs and directories is not for the makes that are tested.
unset MAKEFLAGS MFLAGS MAKELEVEL
PATH=$PATH:/usr/sbin:/sbin
scratch=$(realpath -m "$1")
rm -rf "$scratch"
mkdir -p "$scratch" || exit 2
passed=0 failed=0 skipped=0

# check NAME COMMAND...
check() {
	local name=$1
	shift
	if "$@" >"$scratch/output" 2>&1; then
		passed=$((passed + 1))
		echo "ok $name"
	else
		failed=$((failed + 1))
		echo "not ok $name"
		tail -n 40 "$scratch/output" | sed 's/^/    /'
	fi
}

skip() {
	skipped=$((skipped + 1))
	echo "skip $1"
}

# equal EXPECTED GOT: neither of them empty
equal() {
	[ -n "$1" ] && [ "$1" = "$2" ] && return
	printf 'expected:\n%s\ngot:\n%s\n' "$1" "$2"
	return 1
}

# checks_end: the last command of a suite, its exit status. What it made is removed if all went well.
checks_end() {
	[ -z "${SMILE_TALLY:-}" ] || echo "$passed $failed $skipped" >>"$SMILE_TALLY"
	[ "$failed" -ne 0 ] || rm -rf "$scratch"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}
