#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Runs guest tests, one after the other. Each test is a script on the host that calls run.sh. Prints the
# result of each test: ok NAME, not ok NAME, or, for a status of 77, skipped 1: NAME, and a count at the
# end. The output of a failed test is printed; a test also fails if it takes too long or leaves a process
# behind (tests/harness/owner.c). However often this script is called, the number of guests that run at the
# same time is at most two more than the number of processors, as check.sh has it. May use: sh, flock, and
# everything that the tests use.
#
# Usage: [B=build] [GUEST=DIR] [OWNER=FILE] tests/guest/tests.sh TEST...; exits 0 if none failed
# (SMILE_TALLY=FILE: for tests/harness/total.sh, as tests/harness/run.sh has it)

set -u

B=${B:-build}
GUEST=${GUEST:-$B/guest}
export B GUEST
owner=${OWNER:-build/tests/owner}
tally=${SMILE_TALLY:-/dev/null}
unset SMILE_TALLY BUILT MAKEFLAGS MFLAGS MAKELEVEL
# As in tests/harness/run.sh.
export SMILE_MACHINE=smile1998
logs=$GUEST/logs
mkdir -p "$logs"
pid=''
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
# Above the longest time-out that a test gives run.sh, which reports more about a guest that hangs. run.sh
# multiplies its time-out for a slow kernel.
slow=1
# shellcheck disable=SC1091
[ ! -e "$GUEST/needs" ] || . "$GUEST/needs"
limit=$((3000 * slow))

end() {
	trap '' INT TERM HUP
	[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ $# -eq 0 ]; then
	echo "guest tests: none given" >&2
	exit 1
fi
[ -x "$owner" ] || { echo "$0: $owner is not there: make $owner" >&2; exit 2; }

# take_slot: wait until fewer guests run than the limit; then take a slot until this shell closes
# descriptor 8.
slots=$(($(nproc) + 2))
take_slot() {
	while :; do
		slot=0
		while [ $((slot += 1)) -le $slots ]; do
			exec 8>"$B/guest-slot-$slot"
			flock -n 8 && return
		done
		sleep 1
	done
}

for test in "$@"; do
	name=$(basename "$test" .sh)
	title="guest/$name.sh"
	[ "$GUEST" = "$B/guest" ] || title="$title ($(basename "$GUEST"))"
	take_slot
	"$owner" -t "$limit" -r "$logs/$name.times" "$test" </dev/null >"$logs/$name.log" 2>&1 8>&- &
	pid=$!
	wait "$pid"
	status=$?
	pid=''
	exec 8>&-
	read -r seconds used <"$logs/$name.times"
	echo "time $seconds $used $title" >>"$tally"
	case $status in
	0)
		ok "$name ($seconds s)"
		# Cases that the test skipped.
		reasons "$logs/$name.log" >"$logs/$name.skipped"
		while read -r count why; do
			skip "$name: $why" "$count"
			echo "skip $count $title: $why" >>"$tally"
		done <"$logs/$name.skipped"
		;;
	77)
		skip "$name: $(tail -n 1 "$logs/$name.log")"
		echo "skip 1 $title: $(tail -n 1 "$logs/$name.log")" >>"$tally"
		;;
	*)
		not_ok "$name (status $status, $seconds s, $logs/$name.log):" "$(cat "$logs/$name.log")"
		;;
	esac
done
echo "count $passed $failed $skipped" >>"$tally"
suite_end
