# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
# Shared by the packaging suites, on top of tests/harness/test.sh. They source this file with the scratch
# directory, which is emptied.
#
# What lives here: their environment, a comparison as a check's command, and their end.

PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
scratch_make "$1"

# same EXPECTED GOT: check that both texts are equal and not empty
same() {
	[ -n "$1" ] && [ "$1" = "$2" ] && return
	printf 'expected:\n%s\ngot:\n%s\n' "$1" "$2"
	return 1
}

# packaging_end: the last command of a suite. The suite's files are removed if all checks have
# passed.
packaging_end() {
	[ "$failed" -ne 0 ] || rm -rf "$scratch"
	suite_end
}
