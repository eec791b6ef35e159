# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Shared by the tests in a guest of several NUMA nodes, which source this file at the top of the tree. It sets B, GUEST,
# smile and share, the guest's shared folder. It ends the test on a debug kernel, which needs more memory than the nodes
# have.
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

# nodes_run NODES PROCESSORS MB FILE...: run the guest's part of this test, with these files on the share, in a guest
# with NODES nodes of MB megabytes each. The first PROCESSORS nodes have one processor each. If the guest fails, the
# test ends.
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

# says NAME PATTERN FILE: check that this file of the share has a line that matches PATTERN.
says() {
	if grep -q -e "$2" "$share/$3"; then ok "$1"; else not_ok "$1" "$(cat "$share/$3")"; fi
}

# counted NAME COUNTER: print the increase of this counter of /proc/vmstat between the guest's counters() of
# NAME.before and NAME.after.
counted() {
	awk -v "counter=$2" '$1 == counter { n = $2 - n; rows++ } END { if (rows == 2) print n }' \
		"$share/$1.before.vmstat" "$share/$1.after.vmstat"
}
