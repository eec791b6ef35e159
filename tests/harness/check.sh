#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The whole `make check`: builds everything, then runs the suites on all processors, searches for
# processes that are left behind, and closes with tests/harness/total.sh.
#
# Everything is built first, so that no two suites build the same file at the same time: the targets of the
# suites are made with RUN=:, which runs no test. Then, with BUILT=yes, files that are normally always made
# again are not made: otherwise a long suite that waits for them would start after all others.
#
# usage: SMILE_TALLY=FILE tests/harness/check.sh MAKE TARGET...
set -u
make=$1 owner=build/tests/owner
shift
jobs=
# The jobs of the calling make; otherwise two more jobs than processors, because guests and browsers
# often sleep.
case " ${MAKEFLAGS:-} " in
*" -j"* | *--jobserver*) ;;
*) jobs=-j$(($(nproc) + 2)) ;;
esac
export SMILE_NEEDS_BROWSER=1

rm -f "$SMILE_TALLY"
# made WHAT ARGUMENTS...: run make with these arguments; prints the time that it took.
made() {
	what=$1
	shift
	"$owner" -r "$SMILE_TALLY.times" "$make" --no-print-directory -k -Otarget $jobs "$@"
	status=$?
	read -r seconds used <"$SMILE_TALLY.times"
	took="${took:+$took; }$what in $seconds s, of processor time $used s"
}
took=
# A build that fails is reported where its result is needed.
made built RUN=: "$@"
made tested BUILT=yes "$@"
printf '\n%s\n' "$took"
tests/harness/total.sh "$SMILE_TALLY" $status
