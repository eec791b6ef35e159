#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Searches console logs for a kernel's error report: a warning with a stack, a BUG, an oops, a report
# of KASAN, KCSAN, UBSAN, lockdep, kmemleak, a hung task or a stall, a panic. Prints the first report of
# each log with the lines after it. May use: grep, sed, awk.
#
# Three kinds of reports are ignored. The first is a data race (KCSAN) without a function of a module of
# ours in any of its stacks: the kernel itself has such races, by the strict rules of the debug kernel's
# configuration. The second is a data race of one of these functions with any caller, on private data of
# the sanitizer:
#
#	ktime_get_mono_fast_ns	its reader reads the time while it is set, and reads it again
#	try_to_grab_pending	reads a work's owner while the owner starts the work, and then takes a lock
#	poll_schedule_timeout	clears its wake flag while it is woken, and tests the condition again
#
# The third is one report of lockdep without a function of a module of ours in any stack: the hot-plug
# service for PCI Express takes its own reset_lock and the lock of all buses, pci_rescan_remove_lock, in
# either order, when the first slot loses its card. After this report lockdep is off.
#
# Usage: tests/guest/splat.sh LOG...; exits 1 if there is a report, 2 if a log cannot be read.

set -u

# Each pattern is the start of a kernel message, after the time stamp if it has one.
patterns='cut here ]|WARNING: |BUG: |kernel BUG at |Oops: |Call Trace:|KASAN: |KCSAN: |KFENCE: '
patterns="$patterns|UBSAN: |general protection fault|unable to handle|Kernel panic|Bad page"
patterns="$patterns|INFO: task .* blocked|INFO: possible|INFO: rcu|INFO: lockdep|INFO: trying"
patterns="$patterns|rcu: .*(stall|starved)|soft lockup|hard LOCKUP|refcount_t: |DMA-API: "
patterns="$patterns|list_(add|del) corruption|scheduling while atomic|sleeping function"
patterns="$patterns|nobody cared|unreferenced object|cannot create duplicate|lock held when returning"
patterns="$patterns|stack-protector|possible memory leak|double fault|Objects remaining"
# kmemleak also reports that its own allocation failed, which does not matter.
patterns="$patterns|kmemleak: ([0-9]+ new|Kernel memory leak detector disabled)|ODEBUG: "
patterns="$patterns|BUG [^ ]+ \((Not t|T)ainted"

# Prints the log, line by line, without the ignored reports: without the titles of races, and without
# the title and stack of the locks. Only complete reports are ignored: a truncated report may concern
# one of our modules. The other lines of ignored reports are kept, so that another report between
# these lines is not lost.
judge() {
	LC_ALL=C awk '
		{ line[NR] = $0 }
		/BUG: KCSAN: / {
			title = NR
			ours = below = 0
			theirs = /data-race in ktime_get_mono_fast_ns\+[^ ]*[ \r]*$/ ||
				/data-race in try_to_grab_pending \/ worker_thread[ \r]*$/ ||
				/data-race in poll_schedule_timeout[^ ]* \/ pollwake[ \r]*$/
			next
		}
		# The interrupted function, further down in the stack, has no part in the race.
		/ by (task|interrupt)/ { below = 0 }
		/ asm_[a-z]/ { below = 1 }
		/\[smile_(monitor|adapter)/ && !below { ours = 1 }
		/==========/ && title {
			if (!ours || theirs)
				line[title] = ""
			title = 0
		}
		/WARNING: possible circular locking dependency detected/ {
			circle = NR
			module = reset = rescan = stack = 0
		}
		circle && /\[smile_(monitor|adapter)/ { module = 1 }
		# The requested lock and the held lock are each named before any stack.
		circle && / \(&ctrl->reset_lock\)\{.* at: pciehp_/ { reset = 1 }
		circle && / \(pci_rescan_remove_lock\)\{.* at: / { rescan = 1 }
		circle && /Call Trace:/ { stack = NR }
		circle && stack && /<\/TASK>/ {
			if (reset && rescan && !module)
				line[circle] = line[stack] = ""
			circle = 0
		}
		END {
			for (i = 1; i <= NR; i++)
				print line[i]
		}' "$1"
}

status=0
for log in "$@"; do
	[ -r "$log" ] || {
		echo "splat: cannot read $log" >&2
		exit 2
	}
	line=$(judge "$log" | grep -a -n -m 1 -E "$patterns" | cut -d : -f 1)
	[ -n "$line" ] || continue
	status=1
	echo "splat: the kernel complained, $log line $line:"
	sed -n "$line,$((line + 60))p" "$log" | tr -d '\r' | sed 's/^/    /'
done
exit "$status"
