#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# libsisci, the shared library, over four guests of smile cluster: sisci_nodes.c, with a modelled latency. What each node says that it
# has issued to each other is what both nodes' cards have counted, exactly, and no card has lost anything. May use:
# smile, what `make cluster` makes.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/sisci_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh
smile=$B/bin/smile
nodes=4
trap 'rm -rf "$work"' EXIT

guest_link

# A load takes 100 us: sisci_nodes sees that none is faster.
status=0
LD_LIBRARY_PATH=$B timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes $nodes --latency read=100000 -o "$work/all" -- \
	"$B/tests/guest/sisci_nodes" 100000 >"$work/out" 2>"$work/err" </dev/null || status=$?
# The part "loss" is of accesses that fail.
[ "$status" = 1 ] || fail "status $status"
for part in 'all to all' locks 'data interrupts' DMA latency loss end; do
	[ "$(grep -c "^[0-9]*: ok $part\$" "$work/out")" = $nodes ] || fail "not all nodes say '$part'"
	echo "ok four nodes: $part"
done

# counted NODE: what its card has counted, "SOURCE,TARGET,READS,WRITES,LOCKS", sorted. Without the messages of the
# drivers, which begin before the other nodes record: the last 64 KB of 4 GB.
counted() {
	"$smile" report pages --csv "$work/all-node$1.rec" | awk -F, '
		NR == 1 {
			for (i = 1; i <= NF; i++) column[$i] = i
			next
		}
		$column["page"] % 1048576 < 1048560 {
			pair = $column["source"] "," $column["home"]
			reads[pair] += $column["reads"]
			writes[pair] += $column["writes"]
			locks[pair] += $column["locks"]
		}
		END { for (pair in reads) print pair "," reads[pair] "," writes[pair] "," locks[pair] }' | sort
}

sed -n 's/^[0-9]*: issued //p' "$work/out" | sort >"$work/issued"
[ "$(wc -l <"$work/issued")" = $((nodes * (nodes - 1))) ] || fail "not all nodes say what they have issued"
for ((node = 0; node < nodes; node++)); do
	counted "$node" >"$work/counted"
	# What it has issued, and what the others have issued to it.
	grep -E "^($node,|[0-9]+,$node,)" "$work/issued" | diff - "$work/counted" >"$work/difference" || {
		cat "$work/difference"
		fail "node $node has not counted what was issued"
	}
	grep -qE "^$node: .* accepted = .* delivered \+ 0 lost" "$work/err" || fail "the account of node $node"
	"$smile" report lost --csv "$work/all-node$node.rec" >"$work/account" || fail "the account of node $node"
	grep -q "^value,accesses_failed,$((node < nodes - 1)),," "$work/account" ||
		fail "node $node: $(grep accesses_failed "$work/account")"
done
echo "ok what is issued is what both cards have counted: $(awk -F, '{ n += $3 + $4 + $5 } END { print n }' \
	"$work/issued") transactions"
