#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# libsisci, the shared library, over four guests of smile cluster: sisci_nodes.c, with a modelled latency.
# The cards have counted exactly the accesses that each node reports for each other node, and no card
# has lost records. May use: smile, the products of `make cluster`.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/sisci_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh
nodes=4

# A load takes 100 us: sisci_nodes checks that no load is faster.
status=0
LD_LIBRARY_PATH=$B timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes $nodes --latency read=100000 -o "$work/all" -- \
	"$B/tests/guest/sisci_nodes" 100000 >"$work/out" 2>"$work/err" </dev/null || status=$?
# Part "loss" has accesses that fail.
[ "$status" = 1 ] || fail "status $status"
for part in 'all to all' locks 'data interrupts' DMA latency loss end; do
	[ "$(grep -c "^[0-9]*: ok $part\$" "$work/out")" = $nodes ] || fail "not all nodes say '$part'"
	echo "ok four nodes: $part"
done

counted_as_issued "$work/all-node" "$nodes"
for ((node = 0; node < nodes; node++)); do
	"$smile" report lost --csv "$work/all-node$node.rec" >"$work/account" || fail "the account of node $node"
	grep -q "^value,accesses_failed,$((node < nodes - 1)),," "$work/account" ||
		fail "node $node: $(grep accesses_failed "$work/account")"
done
echo "ok what is issued is what both cards have counted: $(awk -F, '{ n += $3 + $4 + $5 } END { print n }' \
	"$work/issued") transactions"
