#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Looks for a kernel's complaint in console logs: a warning with a stack, a BUG, an oops, a report
# of KASAN, UBSAN, lockdep, kmemleak, a hung task or a stall, a panic. Prints the first of each log
# with what follows it. May use: grep, sed.
#
# Usage: tests/guest/splat.sh LOG...; exits 1 if there is one, 2 if a log cannot be read.

set -u

# Each is the beginning of something the kernel prints, after the time stamp if any.
patterns='cut here ]|WARNING: |BUG: |kernel BUG at |Oops: |Call Trace:|KASAN: |KCSAN: |KFENCE: '
patterns="$patterns|UBSAN: |general protection fault|unable to handle|Kernel panic|Bad page"
patterns="$patterns|INFO: task .* blocked|INFO: possible|INFO: rcu|INFO: lockdep|INFO: trying"
patterns="$patterns|rcu: .*(stall|starved)|soft lockup|hard LOCKUP|refcount_t: |DMA-API: "
patterns="$patterns|list_(add|del) corruption|scheduling while atomic|sleeping function"
patterns="$patterns|nobody cared|kmemleak: |cannot create duplicate|lock held when returning"
patterns="$patterns|stack-protector|possible memory leak|double fault|Objects remaining"

status=0
for log in "$@"; do
	[ -r "$log" ] || {
		echo "splat: cannot read $log" >&2
		exit 2
	}
	line=$(grep -a -n -m 1 -E "$patterns" "$log" | cut -d : -f 1)
	[ -n "$line" ] || continue
	status=1
	echo "splat: the kernel complained, $log line $line:"
	sed -n "$line,$((line + 60))p" "$log" | tr -d '\r' | sed 's/^/    /'
done
exit "$status"
