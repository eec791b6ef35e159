# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Shared by the tests of smile sample on this machine, which source this file first. Trees of /sys and /proc describe a
# machine with two nodes, on which programs run.
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"

# machine NODES BALANCING: a tree that looks like it. Both of its nodes have a processor of this machine.
machine() {
	rm -rf root
	mkdir -p root/sys/devices/system/node/node0 root/sys/devices/system/node/node1 root/sys/devices/system/cpu \
		root/proc/sys/kernel
	echo "$1" >root/sys/devices/system/node/online
	cat /sys/devices/system/cpu/online >root/sys/devices/system/node/node0/cpulist
	: >root/sys/devices/system/node/node1/cpulist
	cat /sys/devices/system/cpu/online >root/sys/devices/system/cpu/online
	echo "$2" >root/proc/sys/kernel/numa_balancing
	SMILE_SAMPLE_ROOT=$(pwd)/root
	export SMILE_SAMPLE_ROOT
}

looks() {
	awk '/^voluntary_ctxt_switches/ { print $2 }' /proc/$sampler/status
}
# Two looks have begun and ended since then, so that the homes of all pages are known.
looked() {
	[ "$(looks)" -ge $((looks_before + 4)) ]
}
