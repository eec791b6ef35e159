#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile diff on recordings of which each access is known. fake_qemu.c runs in place of QEMU.
#
# usage: RUN_BIN=DIRECTORY tests/diff/diff_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
fake_qemu "$RUN_BIN"

record() {
	prefix=$1
	shift
	timeout -k 10 $limit "$smile" run -q -o "$prefix" "$@" >out 2>err || not_ok "recording $prefix"
}

record a -- "$any" threads 4 10
record b --place node:2 -- "$any" threads 4 10
record eight --nodes 8 -- "$any" threads 4 10

# --- the same
json "a view and itself" 0 smile.diff/1 diff --json a-node?.rec -- a-node?.rec
equal "are not apart" "0 0 0 5" "$(of '"\(.apart) \(.apart_percent) \(.moved) \(.pages_compared)"')"
exits "and do not fail" 0 diff --fail-over 0 a-node?.rec -- a-node?.rec
says "as text" "no page differs" out

# --- all on node 2: page t is written 160 times by node t, read 160 times by node t - 1
json "pages that moved" 0 smile.diff/1 diff --json a-node?.rec -- b-node?.rec
equal "four have" 4 "$(of .moved)"
cat >wanted <<'END'
65536 [0,2] [[0,0,0,160],[160,0,0,160]] [160,320] [160,160] [0,160] [0,0] 160
65537 [1,2] [[160,0,0,0],[160,160,0,0]] [160,320] [160,160] [0,160] [0,0] 160
65538 [2,2] [[0,160,0,0],[0,160,0,0]] [160,160] [160,160] [0,0] [0,0] 0
65539 [3,2] [[0,0,160,0],[0,0,0,160]] [160,160] [160,0] [0,160] [0,0] 320
65540 [0,2] [[0,30,30,30],[30,30,0,30]] [90,90] [30,30] [30,30] [30,30] 60
END
gojq -r '.pages | sort_by(.page)[] |
	"\(.page) \(.home) \(.by_node) \(.accesses) \(.reads) \(.writes) \(.locks) \(.apart)"' out >got
equal "each page, side by side" "$(cat wanted)" "$(cat got)"
equal "the furthest apart comes first" "65539 65536 65537 65540 65538" "$(of '[.pages[].page] | join(" ")')"
equal "sums" "[730,1050] 700" "$(of '"\(.accesses) \(.apart)"')"
equal "transfers" "[[0,160,0,0],[30,0,160,0],[30,0,0,160],[190,0,0,0]]" "$(of '.transfers[0] | tojson')"
equal "regions" "heap 5 4 [730,1050]" "$(of '.regions[] | "\(.name) \(.pages) \(.moved) \(.accesses)"')"
json "a threshold" 0 smile.diff/1 diff --json --threshold 160 a-node?.rec -- b-node?.rec
equal "leaves out what is nearer" "65539 65536 65537" "$(of '[.pages[].page] | join(" ")')"
exits "as text" 0 diff a-node?.rec -- b-node?.rec -n 2
says "homes" " 3 > 2 " out
says "signs" " +160 " out
says "more" "and 2 more that differ" out
says "the sum" "700 accesses apart: 95.89% of the first's 730" out

# --- more nodes than columns: pairs of them. Thread t runs on node t, and all 20 write page 4 of node 4.
record many --nodes 20 -- "$any" threads 20 10
record moved --nodes 20 --place node:2 -- "$any" threads 20 10
exits "as text, of 20 nodes" 0 diff many-node*.rec -- moved-node*.rec -n 3
says "pairs instead of a matrix" "transactions from node to node, of 20 nodes:" out
exits "as rows" 0 diff --csv=transfers many-node*.rec -- moved-node*.rec
tail -n +2 out | awk -F, '$3 != $4 { d = $4 - $3; print (d < 0 ? -d : d), $1, $2, $3, $4 }' |
	sort -k1,1nr -k2,2n -k3,3n >pairs
"$smile" diff many-node*.rec -- moved-node*.rec -n 3 >out 2>err
equal "more pairs differ than are shown" true "$([ "$(wc -l <pairs)" -gt 3 ] && echo true)"
equal "the furthest apart come first" "$(head -n 3 pairs | cut -d' ' -f2-)" \
	"$(awk '/^FROM +TO/ { on = 1; next } on && NF != 5 { exit } on { print $1, $2, $3, $4 }' out)"
says "and how many are left" "and $(($(wc -l <pairs) - 3)) more pairs that differ" out

# --- as a check
exits "further apart than allowed" 1 diff --fail-over 95.8 a-node?.rec -- b-node?.rec
exits "not further apart than allowed" 0 diff --fail-over 95.9 a-node?.rec -- b-node?.rec
exits "two recordings need no --" 0 diff a-node0.rec a-node0.rec
exits "two different ones differ" 1 diff --fail-over 0 a-node0.rec b-node0.rec

# --- recordings that cannot be compared
refuses "machines of two sizes" "no recording of node 4 in the first" diff a-node?.rec -- eight-node?.rec
refuses "one recording" "which recordings are of the first" diff a-node0.rec
refuses "three without --" "FIRST... -- SECOND" diff a-node0.rec a-node1.rec b-node0.rec
refuses "nothing behind --" "no recording behind --" diff a-node0.rec --
refuses "nothing in front of it" "no recording in front of --" diff -- a-node0.rec
refuses "no percentage" "is no percentage" diff --fail-over x a-node0.rec b-node0.rec
refuses "a file that is no recording" "small.pcap" diff small.pcap a-node0.rec
exits "with types" 0 replay -o plain.rec small.pcap
exits "without types" 0 replay --typed-tags off -o untyped.rec small.pcap
refuses "with types and without" "one of the two does not count reads, writes and locks separately" \
	diff plain.rec untyped.rec
exits "help" 0 diff --help
says "help says what it is" "usage: smile diff" out
suite_end
