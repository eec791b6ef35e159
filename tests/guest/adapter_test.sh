#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Two guests, each with an adapter and a card, run adapter_pair.c. Both cards must have the same
# counts. May use: run.sh.
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
		-device pcie-pci-bridge,id=bridge \
		-device "smile-adapter,fabric=$fabric,node=$1,monitor=card,bus=bridge,addr=1"
}

node 1 owner >"$fabric/owner" &
other=$!
status=0
node 0 user || status=1
wait "$other" || status=1
sed 's/^/owner: /' "$fabric/owner"
[ "$status" = 0 ]

# pages NODE: print how many accesses to the segment the card of this node counted. Both nodes must
# print the same.
pages() {
	sed -n 's/^PAGES //p' "$GUEST/adapter$1/result.log" | tr -d '\r'
}
# The accesses of adapter_pair.c: 256 stores and loads, 100 locks, and 3000 bytes by DMA in 17
# blocks. The report gives both pages the name of the segment.
name='segment,segment 7 of node 1,4294967296'
expected="1048576,1,0,612,256,256,100,$name,0 1048577,1,0,17,0,17,0,$name,4096 "
[ "$(pages 0)" = "$expected" ] && [ "$(pages 1)" = "$expected" ] || {
	echo "node 0: $(pages 0)"
	echo "node 1: $(pages 1)"
	echo "expected: $expected"
	exit 1
}
echo "ok both cards: $(pages 0)"
