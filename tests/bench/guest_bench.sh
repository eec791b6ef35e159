#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench: from the driver to the histogram, in the guest, by mmap and by read(). Two cards get the
# same capture and are recorded one after the other in one boot; the ratios hold within that run. The
# processor is emulated, so the rates say nothing about a real machine.
#
# Usage: [B=build] tests/bench/guest_bench.sh CAPTURE (a regular, writable file)
set -eu
capture=$(realpath "$1")
cd "$(dirname "$0")/../.."
B=${B:-build}

tests/guest/run.sh --name bench --timeout 300 --memory 1024 --quiet \
	--card blink=blink0,node=0 --card blink=blink1,node=0 \
	tests/bench/guest_bench_guest.sh -- \
	-chardev "pipe,id=blink0,path=$capture" -chardev "pipe,id=blink1,path=$capture" \
	>"$B/guest/bench.log" 2>&1 || {
	cat "$B/guest/bench.log"
	exit 1
}

echo
awk '
	$1 == "bench" {
		rate = $3 / $4
		if (!first)
			first = rate
		printf "%-34s %12d %10.2f %10.2f %12.3f %10.1f %8.2f\n", $2, $3, $4, $5, rate / 1e6, \
			$6 * 1e6 / $3, rate / first
		rows++
	}
	BEGIN {
		printf "%-34s %12s %10s %10s %12s %10s %8s\n", "driver to histogram, in the guest", \
			"records", "seconds", "CPU s", "Mrecords/s", "irq/Mrec", "ratio"
	}
	END {
		print "\nratio: records per second against the first row. CPU s: of the program, user and"
		print "system. One counter (the trace-writing monitor), so that each event is a record."
		exit rows != 2
	}' "$B/guest/bench.log"
