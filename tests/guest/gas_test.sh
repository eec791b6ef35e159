#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of libsmile-gas in guests of smile cluster: gas_nodes.c on one, two and four nodes, and with
# a node that does not join; gas_seen.c with the nodes' cards. May use: smile, the products of `make
# cluster`.
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

# nodes COUNT PROGRAM PARTS...: check that the program with its argument succeeds on all nodes, and
# that each node prints "ok" for each part.
nodes() {
	local count=$1 status=0 part program
	read -ra program <<<"$2"
	shift 2
	LD_LIBRARY_PATH=$B timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes "$count" --kill-on-bad-exit -- \
		"$B/tests/guest/${program[0]}" "${program[@]:1}" >"$work/out" 2>"$work/err" </dev/null || status=$?
	# Accesses to a node that ends may fail; the command reports such failures.
	if [ "$status" = 1 ] && [[ " $* " == *" loss "* ]]; then
		grep -q -v "accesses to nodes' memory have failed" "$work/err" || status=0
	fi
	[ "$status" = 0 ] || fail "status $status of $count nodes"
	for part; do
		[ "$(grep -c "^[0-9]*: ok $part\$" "$work/out")" = "$count" ] || fail "not all $count nodes say '$part'"
		echo "ok $count nodes: $part"
	done
}

alone='layouts reductions locks moves'
nodes 1 "gas_nodes all" $alone
nodes 2 "gas_nodes all" $alone differences 'too large' mismatch loss
nodes 4 "gas_nodes all" $alone differences 'too large' mismatch loss
nodes 2 "gas_nodes missing" missing
nodes 2 gas_seen "counted when it is seen"
nodes 4 gas_seen "counted when it is seen"
