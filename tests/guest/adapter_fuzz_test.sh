#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of the isolation between sessions and nodes, with two guests that have one adapter each.
# Processes start and end exports, connections and transfers at random (adapter_fuzz.c). Meanwhile,
# the QEMU of one guest is stopped and continued. On debug kernels the test has 1000 rounds, on
# other kernels only a few. May use: run.sh.
#
# Usage: [B=build] [GUEST=DIR] [ROUNDS=N] tests/guest/adapter_fuzz_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
case $GUEST in
*kasan | *kcsan) rounds=1000 timeout=7200 ;;
*) rounds=20 timeout=600 ;;
esac
rounds=${ROUNDS:-$rounds}
fabric=$(mktemp -d)
other='' pauser='' pause=0
trap 'kill -CONT "$(cat "$fabric/pid1" 2>/dev/null)" 2>/dev/null || :; kill $other $pauser 2>/dev/null || :; wait 2>/dev/null || :; rm -rf "$fabric"' EXIT

# node NUMBER OTHER
node() {
	tests/guest/run.sh --name "adapter_fuzz$1" --timeout "$timeout" --smp 2 \
		--card "id=card,node=$1" --env "ROUNDS=$rounds" --env "OTHER=$2" \
		tests/guest/adapter_fuzz_guest.sh -- \
		-device "smile-adapter,fabric=$fabric,node=$1" -pidfile "$fabric/pid$1"
}

# Stop a node during its accesses, and continue it. The other node gets no response meanwhile. One
# of four pauses is longer than the time for which the other node's driver waits for the end of an
# access.
pauses() {
	local pid
	while [ ! -s "$fabric/pid1" ]; do sleep 0.1; done
	pid=$(cat "$fabric/pid1")
	while kill -STOP "$pid" 2>/dev/null; do
		pause=$((pause + 1))
		sleep $((pause % 4 ? 0 : 2)).3
		kill -CONT "$pid" 2>/dev/null || break
		sleep 1
	done
}

node 1 0 >"$fabric/output" &
other=$!
pauses &
pauser=$!
status=0
node 0 1 || status=1
wait "$other" || status=1
kill "$pauser" 2>/dev/null || :
sed 's/^/node 1: /' "$fabric/output"
exit "$status"
