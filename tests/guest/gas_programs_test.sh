#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The programs of the papers on a global address space, in guests of smile cluster. The results must
# be those of smile run, bit for bit. The cards' counts by page, source and kind of access must also
# be the same, except those of barrier words and locks. Programs that move their pages must have the
# same results, with a tenth of the remote accesses after three phases. May use: smile, the
# programs, the products of `make cluster`.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/gas_programs_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

# cluster NODES OPTION... -- COMMAND...
cluster() {
	local nodes=$1
	shift
	timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes "$nodes" --kill-on-bad-exit "$@" \
		>"$work/out" 2>"$work/err" </dev/null || fail "status $? of $*"
}

checksum() {
	sed -n 's/^\(0: \)\{0,1\}[a-z]*: checksum //p' "$1"
}

# rows FIRST KIND RECORDING...: print the accesses of other nodes by page of the space,
# "PAGE,HOME,SOURCE,READS,WRITES,LOCKS", sorted. Page 0 of the space is page FIRST in the rows of
# kind KIND.
rows() {
	local first=$1 kind=$2
	shift 2
	"$smile" report pages --csv "$@" | awk -F, -v first="$first" -v kind="$kind" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["region_kind"] == kind && $column["region"] !~ /^messages/ {
			page = $column["region_offset_bytes"] / 4096 - first
			if (kind == "named") page += $column["region_start"] / 4096
			print page "," $column["home"] "," $column["source"] "," $column["reads"] "," \
				$column["writes"] "," $column["locks"]
		}' | sort
}

# The regions of a run start at page run_first, those of a space at page space_first. The first two
# pages of a segment are for barriers and locks, the third page for the list of moves. The other
# pages belong to the space.
run_first=$((0x100000000000 / 4096))
space_first=$((0x200000000000 / 4096))
segment_first=3

# same NODES PROGRAM OPTION...: check that the cluster has the same result and counts as smile run.
# $work/library receives the rows of the pages that the library itself uses.
same() {
	local nodes=$1 program=$2
	shift 2
	rm -f "$work"/*.rec
	"$smile" run --nodes "$nodes" -o "$work/run" -- "$B/workload/$program" --threads "$nodes" "$@" \
		>"$work/out" 2>"$work/err" </dev/null || fail "smile run $program $*"
	checksum "$work/out" >"$work/expected"
	cluster "$nodes" -o "$work/cluster" -- "$B/workload/nodes/$program" "$@"
	checksum "$work/out" | diff "$work/expected" - >"$work/difference" || fail "another result: $program $*"
	rows $run_first named "$work"/run-node?.rec >"$work/counted"
	rows $space_first named "$work"/cluster-node?.rec | diff "$work/counted" - >"$work/difference" || {
		cat "$work/difference"
		fail "other counts: $program $*"
	}
	[ "$(wc -l <"$work/counted")" -gt 1 ] || fail "nothing was counted"
	rows $segment_first segment "$work"/cluster-node?.rec >"$work/library"
	! grep -v '^-' "$work/library" || fail "pages of the space that are not at its addresses"
	names
	echo "ok $nodes nodes, $program $*: result $(cat "$work/expected"), $(wc -l <"$work/counted") rows"
}

# names: check that the regions have the same names as under smile run.
names() {
	local what
	for what in run cluster; do
		"$smile" report structures --json "$work/$what"-node?.rec |
			gojq -r '.structures[] | select(.kind == "named") | "\(.name) \(.bytes)"' | sort >"$work/$what.names"
	done
	diff "$work/run.names" "$work/cluster.names" >"$work/difference" || fail "other names: $(cat "$work/difference")"
}

# barriers NODES MEETINGS: check that each node has stored exactly two words in each other node's memory
# for each meeting.
barriers() {
	local home source
	for ((home = 0; home < $1; home++)); do
		for ((source = 0; source < $1; source++)); do
			[ "$home" = "$source" ] || echo "-3,$home,$source,0,$(($2 * 2)),0"
		done
	done | sort | diff - <(grep '^-3,' "$work/library") >"$work/difference" || {
		cat "$work/difference"
		fail "other counts of barriers"
	}
}

# There are two meetings to share the space, two barriers around the iterations, two barriers in
# each iteration, and one meeting to close the space.
same 4 sor --size 64 --iterations 3 --layout placed
barriers 4 11
[ "$(grep -vc '^-3,' "$work/library")" = 0 ] || fail "sor takes no locks"
same 4 sor --size 100 --iterations 2
same 2 sor --size 50 --iterations 4 --layout placed
barriers 2 13
same 4 gauss --size 64 --layout placed
barriers 4 $((5 + 63 + 64))
same 4 water --size 64 --iterations 1 --layout placed
# The start has one barrier, and each step has three. To take a lock is one transaction, and to
# release it is another.
barriers 4 9
awk -F, '$1 == -2 && $2 != $3 { rows++; if ($5 != $6 || $4 < $6) exit 1 } END { exit rows != 12 }' "$work/library" ||
	fail "the words of locks: $(cat "$work/library")"

# Run two programs in turn. A space must not find the segments of the previous space.
mkdir "$work/share"
cp "$B/workload/nodes/fft" "$B/workload/nodes/radix" "$work/share"
{ "$B/workload/fft" --size 1024 && "$B/workload/radix" --size 5000; } >"$work/alone"
for _ in 1 2; do checksum "$work/alone"; done >"$work/expected"
LD_LIBRARY_PATH=$B cluster 4 --share "$work/share" -- sh -c \
	'for n in 1 2; do /host/fft --size 1024 && /host/radix --size 5000 || exit; done'
checksum "$work/out" | diff "$work/expected" - >"$work/difference" || fail "another result: fft, radix"
echo "ok fft and radix, twice in one cluster"

# adaptive PROGRAM OPTION...: check that pages move, and that the result is the same as without
# moves.
adaptive() {
	local program=$1
	shift
	"$B/workload/$program" "$@" >"$work/alone"
	checksum "$work/alone" >"$work/expected"
	cluster 4 -- "$B/workload/nodes/$program" "$@" --adapt "$period"
	checksum "$work/out" | diff "$work/expected" - >"$work/difference" || fail "another result: $program $*"
	fallen
	echo "ok $program $*: $(sed -n 's/^0: .*phase \([134]\): \([0-9]*\) remote.*/phase \1: \2/p' "$work/out" |
		tr '\n' ' ')remote accesses"
}

# Check that the fourth phase has at most a tenth of the first phase's remote accesses, and that
# pages have moved.
fallen() {
	awk '$3 == "phase" { remote[$4 + 0] = $5; moved += $8 }
		END { exit !(moved > 0 && remote[1] > 1000 && remote[4] != "" && remote[4] * 10 <= remote[1]) }' "$work/out" ||
		fail "remote accesses do not fall"
}

period=8 adaptive gauss --size 64
period=3 adaptive water --size 64 --iterations 4

# SOR, as make cluster-demo runs it. Its first phase has as many accesses as an iteration with smile
# run.
DEMO=$work/demo GUEST_FILES=$work/guest timeout -k 5 300 tests/demo/cluster_demo.sh >"$work/out" 2>"$work/err" ||
	fail "the demonstration"
fallen
[ "$(grep -c '^0: sor: checksum a62dd238f71da81c$' "$work/out")" = 2 ] || fail "the demonstration's result"
grep -q '^0: sor: phase 1: 72291 remote accesses, ' "$work/out" || fail "the first iteration"
echo "ok make cluster-demo: $(grep -c ' phase ' "$work/out") iterations"
