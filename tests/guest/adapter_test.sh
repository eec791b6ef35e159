#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Two guests, in each an adapter and a card: adapter_pair.c, and both cards count the same. May use:
# run.sh.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/adapter_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
fabric=$(mktemp -d)
other=
trap 'kill "$other" 2>/dev/null || :; wait 2>/dev/null || :; rm -rf "$fabric"' EXIT

# node NUMBER ROLE
node() {
	tests/guest/run.sh --name "adapter$1" --timeout 300 --smp 1 --card "id=card,node=$1" \
		--env "ROLE=$2" --env "SMILE_NODE=$1" tests/guest/adapter_guest.sh -- \
		-device "smile-adapter,fabric=$fabric,node=$1,monitor=card"
}

node 1 owner >"$fabric/owner" &
other=$!
status=0
node 0 user || status=1
wait "$other" || status=1
sed 's/^/owner: /' "$fabric/owner"
[ "$status" = 0 ]

# Both cards have seen the same transfers between the nodes.
transfers() {
	sed -n 's/^TRANSFERS //p' "$GUEST/adapter$1/result.log" | tr -d '\r'
}
[ -n "$(transfers 0)" ] && [ "$(transfers 0)" = "$(transfers 1)" ] || {
	echo "node 0: $(transfers 0)"
	echo "node 1: $(transfers 1)"
	exit 1
}
echo "ok both cards: $(transfers 0)"
