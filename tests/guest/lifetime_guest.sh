#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, add and remove cards while they are used. At the end, the kernel must have lost no
# memory or other resource. DRIVER_CYCLES is the number of cycles (400), DRIVER_SEED repeats a run.
# May use: busybox, driver_test.
set -eu
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks

cycles=${DRIVER_CYCLES:-400}
# A small ring, so that adding a card takes little time.
export DRIVER_OPTION=ring_records=1024

# Print the resources that the kernel uses, "NAME NUMBER". MemFree does not include the free pages
# in each processor's lists, whose number changes by 2 MB.
memory() {
	# Memory that the kernel can free immediately does not count as used.
	for _ in 1 2; do
		sync
		echo 3 >/proc/sys/vm/drop_caches
		for cache in /sys/kernel/slab/*/shrink; do
			echo 1 >"$cache" 2>/dev/null || :
		done
		sleep 1
	done
	awk '
		FILENAME == "/proc/slabinfo" && FNR > 2 { print "slab:" $1, $2, $5 }
		FILENAME == "/proc/meminfo" && /^(Slab|SUnreclaim|VmallocUsed|Percpu|PageTables|KernelStack):/ {
			print "kB:" $1, $2
		}
		FILENAME == "/proc/meminfo" && /^(MemFree|Buffers|Cached):/ { free += $2 }
		FILENAME == "/proc/zoneinfo" && $1 == "count:" { free += 4 * $2; lists++ }
		END { if (lists) print "kB:free:", free }
	' /proc/slabinfo /proc/meminfo /proc/zoneinfo
}

# of_driver FILE WHAT: check that FILE does not name the driver.
of_driver() {
	! grep smile_monitor "$1" >"$output" || fail "the driver is gone, and has left $2"
}

nothing_left() {
	of_driver /proc/interrupts "an interrupt"
	of_driver /proc/iomem "a resource"
	of_driver /proc/devices "device numbers"
	of_driver /proc/modules "itself"
	of_driver /proc/vmallocinfo "virtual memory"
	for place in /dev /sys/class /sys/bus/pci/drivers /sys/bus/event_source/devices; do
		ls "$place" >/tmp/list
		of_driver /tmp/list "an entry in $place"
	done
}

rmmod smile_monitor
echo "---- warming up"
modprobe smile_monitor $DRIVER_OPTION
DRIVER_CYCLES=$((cycles > 200 ? cycles / 5 : 30)) driver_test cycle
rmmod smile_monitor
nothing_left
memory >/tmp/before

echo "---- $cycles cycles"
modprobe smile_monitor $DRIVER_OPTION
DRIVER_CYCLES=$cycles driver_test cycle
rmmod smile_monitor
nothing_left

# The test detects a loss of one object, or of one page, in every other cycle, but no smaller loss:
# in the slab from which a processor allocates, all objects count as used. If the kernel records
# each allocation for its checks, the amount of free memory is not compared; kmemleak then searches
# for lost memory. The cache of these records (debug_objects_cache) is not compared either.
records=0
[ ! -e /sys/kernel/debug/kmemleak ] || records=1
nothing_lost() {
	memory >/tmp/after
	awk -v cycles="$cycles" -v records="$records" -v processors="$(grep -c '^processor' /proc/cpuinfo)" '
		FNR == NR { before[$1] = $2; next }
		$1 == "slab:debug_objects_cache" { next }
		$1 ~ /^slab:/ {
			counted++
			grown = $2 - before[$1]
			limit = (cycles > 200 ? cycles / 2 : 100) + processors * $3
		}
		$1 ~ /^kB:/ {
			counted++
			sizes++
			grown = $1 == "kB:free:" ? before[$1] - $2 : $2 - before[$1]
			limit = cycles > 250 ? cycles * 2 : 500
			print $1, before[$1], "->", $2
			if ($1 == "kB:free:" && records)
				grown = 0
		}
		grown > limit {
			print $1, "has grown by", grown, "instead of at most", limit
			bad = 1
		}
		END { exit bad || counted < 50 || sizes != 7 }
	' /tmp/before /tmp/after >"$output"
}
# The kernel frees much memory later. Lost memory is never freed.
tries=0
until nothing_lost; do
	tries=$((tries + 1))
	[ "$tries" -lt 30 ] || fail "memory is lost"
done
cat "$output"
echo "ok nothing is lost"

modprobe smile_monitor
driver_test stream
