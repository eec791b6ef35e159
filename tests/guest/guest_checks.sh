# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Functions that the scripts in a guest share: run.sh copies this file beside each script, which sources it as
# /smile/checks. May use: busybox.
output=/tmp/output

# fail WORDS: end the script, with the output of the last command.
fail() {
	echo "FAILED: $*"
	[ ! -s "$output" ] || sed 's/^/    /' "$output"
	exit 1
}

# within WORDS COMMAND...: repeat the command until it succeeds, for at least two minutes.
within() {
	words=$1 tries=0
	shift
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 12000 ] || fail "never: $words"
		usleep 10000
	done
}

# expect STATUS PATTERN COMMAND...: check that the command ends with this status, and prints a line
# that matches the pattern.
expect() {
	expected=$1 pattern=$2
	shift 2
	status=0
	"$@" >"$output" 2>&1 || status=$?
	[ "$status" -eq "$expected" ] || fail "$*: status $status instead of $expected"
	grep -q -e "$pattern" "$output" || fail "$*: says nothing of '$pattern'"
	echo "ok $* -> $(grep -m 1 -e "$pattern" "$output")"
}
