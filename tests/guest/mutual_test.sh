#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Nodes of smile cluster access each other at the same time, while their cards count each word; both
# rings are usually full. sisci_mutual.c compares each word, and both cards must count exactly the
# accesses that each node reports. The test uses small and large inboxes, and both rings. One
# program counts its own accesses, but does not read the records; it must still end, and its loss
# must be reported. May use: smile, the products of `make cluster`.
#
# With MUTUAL_ROUNDS, as `make check-mutual-long` sets it: up to eight nodes, and more inboxes. MUTUAL_ROUNDS is the
# number of rounds of two nodes; with more nodes there are fewer rounds, so that the number of all transactions is the
# same.
#
# Usage: [B=build] [GUEST=DIR] [MUTUAL_ROUNDS=N] tests/guest/mutual_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh
mkdir "$work/share"
cp "$B/tests/guest/sisci_mutual" "$work/share"

# Each node records all words separately, so that there are as many records as accesses.
cat >"$work/share/record" <<'END'
exec smile record -d dev:0 --range 4 --ring "$1" -o "/host/node$SMILE_NODE.rec" -- /host/sisci_mutual "$2"
END

# mutual NODES RING INCOMING ROUNDS
mutual() {
	local status=0 rounds=$4
	rm -f "$work"/share/*.rec
	timeout -k 5 3600 "$smile" cluster --guest "$work/guest" --nodes "$1" --adapter "incoming=$3" \
		--share "$work/share" -- sh /host/record "$2" "$rounds" >"$work/out" 2>"$work/err" </dev/null || status=$?
	[ "$status" = 0 ] || fail "status $status of $1 nodes, ring $2, incoming=$3"
	[ "$(grep -c "^[0-9]*: ok $rounds rounds\$" "$work/out")" = "$1" ] || fail "not all nodes have done all rounds"
	counted_as_issued "$work/share/node" "$1"
	echo "ok $1 nodes, ring $2, incoming=$3: $(awk -F, '{ n += $3 + $4 + $5 } END { print n }' \
		"$work/issued") transactions"
}

# A program that counts its own accesses must not wait for its own reads of the records.
self() {
	local status=0
	LD_LIBRARY_PATH=$B timeout -k 5 600 "$smile" cluster --guest "$work/guest" --nodes 2 -- \
		"$B/tests/guest/sisci_self" >"$work/out" 2>"$work/err" </dev/null || status=$?
	[ "$status" = 0 ] || fail "status $status of a program that counts itself"
	[ "$(grep -c '^[01]: ok end$' "$work/out")" = 2 ] || fail "not both nodes have ended"
	echo "ok a program that counts itself"
}

self
mutual 2 host 64 17
mutual 3 card 16 17
if [ -n "${MUTUAL_ROUNDS:-}" ]; then
	for nodes in 2 4 8; do
		# Each node accesses all others.
		rounds=$((MUTUAL_ROUNDS * 2 / nodes / (nodes - 1)))
		for ring in card host; do
			mutual "$nodes" "$ring" 64 "$rounds"
			mutual "$nodes" "$ring" 4096 "$rounds"
		done
	done
fi
