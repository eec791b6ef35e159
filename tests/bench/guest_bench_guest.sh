#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: a line for each source: bench NAME RECORDS SECONDS CPU-SECONDS INTERRUPTS.
set -eu

card=0
for source in dev read dev read dev read; do
	begin=$(cut -d ' ' -f 1 /proc/uptime)
	{ time -p smile record -d $source:$card --until-link-down --counters 1 -o run.rec; } 2>log ||
		{ cat log; exit 1; }
	end=$(cut -d ' ' -f 1 /proc/uptime)
	records=$(sed -n 's/.*: \([0-9,]*\) records;.*/\1/p' log | tr -d ,)
	cpu=$(awk '$1 == "user" || $1 == "sys" { sum += $2 } END { print sum }' log)
	interrupts=$(cat /sys/class/smile_monitor/smile_monitor$card/device/interrupts)
	echo "bench $source $records $(echo "$begin $end" | awk '{ print $2 - $1 }') $cpu $interrupts"
	card=$((card + 1))
done
