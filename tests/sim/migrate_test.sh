#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Pages that move while a program runs: how long it takes in simulated time, which does not depend on the
# host. Never more than 1 % longer than without moves, whatever the size, nodes and period; and at the
# papers' sizes at most 20 % longer than with the placement by hand, SOR at most 30 %: its first cycles
# depend on the compiler, and it takes 18 to 26 % longer (docs/papers.md).
#
# usage: tests/sim/migrate_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
needs qemu-x86_64

# cycles ARGUMENTS...: of a workload, and pages moved.
cycles() {
	timeout -k 10 "$limit" "$smile" sim "$@" --check none -q --json - 2>err |
		jq -r '"\(.cycles) \(.part.cycles) \(.migration.moves // 0)"'
}

# bounded WORKLOAD SIZE NODES...: at most 1 % slower with so many nodes.
bounded() {
	workload=$1 size=$2
	shift 2
	for nodes; do
		stay=$(cycles $workload --size $size --nodes $nodes)
		for period in 1ms 10ms phase; do
			moved=$(cycles $workload --size $size --nodes $nodes --phases fine --place migrate:$period)
			equal "$workload of $size, $nodes nodes, $period: at most 1 % slower" true "$(echo "$stay $moved" |
				awk '{ print (NF == 6 && $1 > 0 && $4 <= 1.01 * $1) ? "true" : $0 }')"
			total=$((total + ${moved##* }))
		done
	done
}

total=0
for size in 32 64 128; do
	bounded sor $size 2 4 8
done
bounded sor 256 4
bounded gauss 64 2 4 8
bounded water 32 2 4 8
bounded fft 1024 2 4 8
bounded radix 1024 2 4 8
if [ $total -gt 500 ]; then ok "and pages did move"; else not_ok "and pages did move: $total"; fi

for workload in sor gauss water; do
	percent=20
	[ $workload = sor ] && percent=30
	placed=$(cycles $workload --layout placed)
	moved=$(cycles $workload --place migrate)
	equal "$workload: at most $percent % slower than placed by hand" true "$(echo "$placed $moved" |
		awk -v p=$percent '{ print (NF == 6 && $2 > 0 && $6 > 0 && $5 <= (1 + p / 100) * $2) ? "true" : $0 }')"
done
suite_end
