# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Shared by the tests of smile sample on this machine, which source this file first. Trees of /sys and /proc describe a
# machine with two nodes, on which programs run.
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"

# machine NODES BALANCING: makes a tree that describes such a machine. Both of its nodes have a processor of this
# machine.
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

# begins NAME ARGUMENTS...: starts smile sample with these arguments, into x*, and waits until its program, which reads
# the pipe "input", is ready. Leaves sampler; file 4 is the pipe.
begins() {
	title=$1
	shift
	find . -name '*.rec*' -delete
	: >out
	"$smile" sample -o x --json x.json "$@" <input >out 2>err &
	sampler=$!
	own $sampler
	exec 4>input
	check "$title: it is ready" awaits has '^ready' out
}
# finishes STATUS: smile sample must end with this status.
finishes() {
	wait $sampler
	equal "$title: the status" "$1" $?
	disown $sampler
	exec 4>&-
}
# is_looked_at: waits until smile sample has read the homes of all its pages.
is_looked_at() {
	looks_before=$(looks)
	check "$title: it is looked at" awaits looked
}
# stands_still: stops smile sample until it receives SIGCONT.
stands_still() {
	kill -STOP $sampler
	check "$title: the sampling stands still" awaits has '^State:[[:space:]]*T' /proc/$sampler/status
}
# works NAME STATUS ARGUMENTS...: starts a process of process_kinds, which writes memory, and writes it again by faults.
works() {
	title=$1 status=$2
	shift 2
	begins "$title" "$@"
	is_looked_at
	echo >&4
	check "$title: it has written again" awaits has '^touched' out
	echo >&4
	finishes "$status"
}
# pages_of PREFIX: the pages with samples in the memory that the program's output names, and their regions.
pages_of() {
	read -r _ address bytes <<-END
		$(grep ^memory out)
	END
	"$smile" report pages --json "$1-node0.rec" "$1-node1.rec" >pages.json 2>err.report
	gojq -r --argjson first $((address / 4096)) --argjson count $((bytes / 4096)) '[.pages[] | select(.page >= $first and
		.page < $first + $count)] | "\(length) \([.[].region | .kind + ":" + .name] | unique | join(" "))"' pages.json
}

looks() {
	awk '/^voluntary_ctxt_switches/ { print $2 }' /proc/$sampler/status
}
# Two complete scans have been made since then, so that the homes of all pages are known.
looked() {
	[ "$(looks)" -ge $((looks_before + 4)) ]
}
