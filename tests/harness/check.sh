#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The whole `make check`: builds everything, then runs the suites on all processors, searches for
# processes that are left behind, and closes with tests/harness/total.sh.
#
# Everything is built first, so that no two suites build the same file at the same time: make builds the targets of the
# suites with RUN=:, which runs no test. The suites then run with BUILT=yes, so that make does not build files that it
# otherwise always builds again. A long suite does not have to wait for such files.
#
# usage: SMILE_TALLY=FILE tests/harness/check.sh MAKE TARGET...
set -u
make=$1 owner=build/tests/owner
shift
jobs=
# The number of jobs is that of the calling make. By default, it is two more than the number of processors, because
# guests and browsers often sleep.
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
# If a build fails, the suite that needs its result reports this.
made built RUN=: "$@"
made tested BUILT=yes "$@"
printf '\n%s\n' "$took"
tests/harness/total.sh "$SMILE_TALLY" $status
