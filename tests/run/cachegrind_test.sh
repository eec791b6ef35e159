#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The caches of smile run compared with those of cachegrind: misses of the papers' programs, with one thread, in a first
# and a last level of the same geometry. Skipped if valgrind is missing.
#
# Some differences are removed from cachegrind's counts, or tolerated:
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"

needs valgrind qemu-x86_64
# Both runs must use the same functions of libm.
QEMU_CPU=max
export QEMU_CPU

# placed FILE COMMAND...: run the command, and write the offset of the program's stack in its page
# to FILE.
placed() {
	file=$1
	shift
	LD_PRELOAD="$RUN_PROGRAMS/stack_place.so" STACK_PLACE=$PWD/$file "$@"
}

# ours CACHES PROGRAM ARGUMENTS: print the misses of the first and the last level with smile run.
ours() {
	caches=$1
	shift
	placed our-place timeout -k 10 $limit "$smile" run -q --stacks --machine server2 --nodes 1 --caches "$caches" \
		-o ours --json ours.json -- "$@" >/dev/null 2>err || return
	gojq -r '[.by_node[].hits_by_level[1:][] | .reads + .writes + .locks] as $behind |
		"\(.cache_misses + ($behind | add)) \(.cache_misses)"' ours.json
}

# theirs PROGRAM ARGUMENTS: print the misses with cachegrind in the functions that smile run counts.
# The stack has the same offset as in the last call of ours().
theirs() {
	padding=0
	for run in 1 2; do
		placed their-place timeout -k 10 $limit env PADDING="$(head -c $padding /dev/zero | tr '\0' x)" \
			valgrind -q --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=8192,4,64 --LL=131072,32,64 \
			--cachegrind-out-file=their.cg "$@" >/dev/null 2>err || return
		padding=$((($(cat their-place) - $(cat our-place)) & 4095))
		[ $padding -gt 0 ] || break
	done
	[ $padding -eq 0 ] || return
	awk '
		/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i }
		/^fl=/ { file = $0 }
		/^fn=/ { counts = file ~ /run\/workload/ || file ~ /(^|\/)(string|math|multiarch)\// ||
			$0 ~ /=(__)?(mem|str)[a-z]+(_|$)/ || $0 ~ /=(__)?(sin|cos|exp|log|pow)/ }
		/^[0-9]/ && counts {
			first += $at["D1mr"] + $at["D1mw"]
			last += $at["DLmr"] + $at["DLmw"]
		}
		END { print first + 0, last + 0 }' their.cg
}

# alike LEVEL A B: compare two counts. LEVEL is 1 for the first level, 2 for the last.
alike() {
	awk -v level="$1" -v a="$2" -v b="$3" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a > 0 && d <= (level == 1 ? 0.03 * a : 0.05 * a + 100))
	}'
}

geometry=l1=8K/64/4,llc=128K/64/32
# compare NAME ARGUMENTS
compare() {
	name=$1
	shift
	# shellcheck disable=SC2046
	set -- "$WORKLOADS/$name" --threads 1 "$@"
	got=$(ours $geometry "$@")
	expected=$(theirs "$@")
	for level in 1 2; do
		a=$(echo "$expected" | cut -d ' ' -f $level) b=$(echo "$got" | cut -d ' ' -f $level)
		title="$name: misses of the $([ $level = 1 ] && echo first || echo last) level"
		if alike $level "${a:-0}" "${b:-0}"; then ok "$title"; else
			not_ok "$title" "cachegrind: ${a:-none}" "smile run:  ${b:-none}"; fi
	done
}
compare sor --size 128
compare fft --size 4096
compare radix --size 16384
compare gauss --size 96
compare water --size 64

# With other caches, the misses must differ by more than the tolerance: half the first level, two
# ways in it, and half the last level.
ours $geometry "$WORKLOADS/fft" --threads 1 --size 4096 >/dev/null
expected=$(theirs "$WORKLOADS/fft" --threads 1 --size 4096)
other() {
	got=$(ours "$2" "$WORKLOADS/fft" --threads 1 --size 4096)
	a=$(echo "$expected" | cut -d ' ' -f "$1") b=$(echo "$got" | cut -d ' ' -f "$1")
	if [ -z "$a" ] || [ -z "$b" ] || alike "$1" "$a" "$b"; then
		not_ok "fft: $2 has other misses" "cachegrind: $expected" "smile run:  $got"
	else ok "fft: $2 has other misses"; fi
}
other 1 l1=4K/64/4,llc=128K/64/32
other 1 l1=8K/64/2,llc=128K/64/32
other 2 l1=8K/64/4,llc=64K/64/16

suite_end
