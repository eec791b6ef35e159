#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench: from the driver to the histogram, in the guest, by mmap and by read(), in turn, on cards
# that get the same capture in one boot; the better of three rounds each counts, since the first also
# pays for translating the code. The ratios hold within that run. The
# processor is emulated, so the rates say nothing about a real machine.
#
# Usage: [B=build] tests/bench/guest_bench.sh CAPTURE (a regular, writable file)
set -eu
capture=$(realpath "$1")
cd "$(dirname "$0")/../.."
B=${B:-build}

set --
chardevs=
for n in 0 1 2 3 4 5; do
	set -- "$@" --card "blink=blink$n,node=0"
	chardevs="$chardevs -chardev pipe,id=blink$n,path=$capture"
done
# shellcheck disable=SC2086 # a list of options
tests/guest/run.sh --name bench --timeout 300 --memory 1024 --quiet "$@" \
	tests/bench/guest_bench_guest.sh -- $chardevs \
	>"$B/guest/bench.log" 2>&1 || {
	cat "$B/guest/bench.log"
	exit 1
}

echo
awk '
	$1 == "bench" {
		if (!($2 in seconds) || $4 < seconds[$2]) {
			records[$2] = $3
			seconds[$2] = $4
			cpu[$2] = $5
			interrupts[$2] = $6
		}
	}
	function row(name, text) {
		rate = records[name] / seconds[name]
		if (!first)
			first = rate
		printf "%-34s %12d %10.2f %10.2f %12.3f %10.1f %8.2f\n", text, records[name], \
			seconds[name], cpu[name], rate / 1e6, \
			interrupts[name] * 1e6 / records[name], rate / first
	}
	BEGIN {
		printf "%-34s %12s %10s %10s %12s %10s %8s\n", "driver to histogram, in the guest", \
			"records", "seconds", "CPU s", "Mrecords/s", "irq/Mrec", "ratio"
	}
	END {
		if (!("dev" in seconds) || !("read" in seconds))
			exit 1
		row("dev", "by mmap (dev:)")
		row("read", "by read() (read:)")
		print "\nratio: records per second against the first row, best of 3 rounds each. CPU s: of the"
		print "program, user and system. One counter (the trace-writing monitor): each event is a record."
	}' "$B/guest/bench.log"
