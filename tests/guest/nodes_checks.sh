# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Functions for the tests in a guest with several NUMA nodes, which source this file at the top of
# the tree. The file sets B, GUEST, smile and share, the directory that the guest shares. A debug
# kernel needs more memory than the nodes have, so the file then ends the test.
B=${B:-build}
GUEST=${GUEST:-$B/guest}
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
[ ! -e "$GUEST/needs" ] || { echo "not on a debug kernel"; exit 77; }
smile=$(realpath "$B/bin/smile")
test=${0##*/}
test=${test%_test.sh}
scratch_make "$GUEST/$test-share"
share=$scratch
cp "$B/smile-place.so" tests/guest/nodes_guest.sh "$share"

# nodes_run NODES PROCESSORS MB FILE...: run the part of this test that is for the guest. The guest
# has NODES nodes of MB megabytes each; the first PROCESSORS nodes have one processor each. The
# shared directory contains the files. If the guest fails, the test ends.
nodes_run() {
	local nodes=() node processor
	[ $# -eq 3 ] || cp "${@:4}" "$share"
	for ((node = 0; node < $1; node++)); do
		processor=cpus=$node,
		[ "$node" -lt "$2" ] || processor=
		nodes+=(-object "memory-backend-ram,id=memory$node,size=$3M"
			-numa "node,nodeid=$node,${processor}memdev=memory$node")
	done
	check "the guest" tests/guest/run.sh --name "$test" --no-module --smp "$2,sockets=$2" --memory $(($1 * $3)) \
		--share "$share" ${IMAGE:+--image "$IMAGE"} "tests/guest/${test}_guest.sh" -- "${nodes[@]}"
	[ "$failed" -eq 0 ] || { suite_end; exit 1; }
}

# says NAME PATTERN FILE: check that a line of FILE in the shared directory matches PATTERN.
says() {
	if grep -q -e "$2" "$share/$3"; then ok "$1"; else not_ok "$1" "$(cat "$share/$3")"; fi
}

# counted NAME COUNTER: print the increase of this counter of /proc/vmstat between the guest's counters() of
# NAME.before and NAME.after.
counted() {
	awk -v "counter=$2" '$1 == counter { n = $2 - n; rows++ } END { if (rows == 2) print n }' \
		"$share/$1.before.vmstat" "$share/$1.after.vmstat"
}
