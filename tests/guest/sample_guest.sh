#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes: a program under smile sample, whose four threads use a quarter of an array each; what
# the kernel says of its pages; and what is refused. Files on the share are what the host judges.
set -u
# What is sampled is the program that was just built.
export SMILE_LIBDIR=/host PATH="/host:$PATH"
cd /tmp || exit 1

fail() {
	echo "$*"
	exit 1
}

# awaits COMMAND...: it succeeds, within two minutes.
awaits() {
	tries=1200
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "waited in vain: $*"
		usleep 100000
	done
}

# set FILE VALUE: of the kernel.
set_to() {
	echo "$2" >"$1" || fail "$1 cannot be set"
}

# faults_of: hint faults that the kernel has counted on all nodes.
faults_of() {
	sed -n 's/^numa_hint_faults //p' /proc/vmstat
}

balancing=/sys/kernel/debug/sched/numa_balancing
mount -t debugfs debugfs /sys/kernel/debug
set_to /sys/kernel/mm/transparent_hugepage/enabled never
set_to $balancing/scan_period_min_ms 200
set_to $balancing/scan_period_max_ms 200

# ---- what is refused: the program does not run, and nothing is written
set_to /proc/sys/kernel/numa_balancing 0
smile sample -o /host/refused -- touch /host/ran 2>/host/off.err
echo $? >/host/off.status
smile doctor --json >/host/doctor_off.json
set_to /proc/sys/kernel/numa_balancing 1
set_to /proc/sys/kernel/perf_event_paranoid 3
mkdir nobody && chmod 777 nobody
(cd nobody && as_nobody /host/smile sample -o refused -- touch ran 2>/host/nobody.err; echo $? >/host/nobody.status
	ls >/host/nobody.files)
set_to /proc/sys/kernel/perf_event_paranoid 2
(cd nobody && as_nobody /host/smile sample -o permitted --json - -- true >/host/permitted.json 2>/host/permitted.err
	echo $? >/host/permitted.status; ls >/host/permitted.files)
smile doctor --json >/host/doctor_on.json
smile sample -o /host/once -- true 2>/host/once.err
echo $? >/host/once.status
smile sample -o /host/absent -- ./absent 2>/host/absent.err
echo $? >/host/absent.status

# ---- a program whose threads use a quarter each

# pinned_begin NAME COMMAND...: the program is run by this command, until its threads compute.
pinned_begin() {
	name=$1
	shift
	rm -f input
	mkfifo input
	: >"/host/$name.out"
	"$@" pinned <input >"/host/$name.out" 2>"/host/$name.err" &
	command=$!
	exec 4>input
	awaits grep -q '^computes' "/host/$name.out"
}

# pinned_end: its threads end, the kernel's list of its memory is kept, then it ends.
pinned_end() {
	echo >&4
	awaits grep -q '^stands' "/host/$name.out"
	cat "/proc/$(pidof pinned)/numa_maps" >"/host/$name.numa_maps"
	echo >&4
	exec 4>&-
	wait $command
	echo $? >"/host/$name.status"
}

faults_of >/host/faults.before
pinned_begin pinned smile sample -o /host/pinned --overhead 20 --json /host/pinned.json --
# Each page has faults: the kernel has counted many more than it has pages, in several scans.
begun=$(faults_of)
enough() {
	[ $(($(faults_of) - begun)) -gt 8192 ]
}
awaits enough
pinned_end
faults_of >/host/faults.after
# Names come from the program's file, which has this path here alone.
smile report structures --json /host/pinned-node?.rec >/host/structures.json || fail "no report"

# ---- from samples to a placement, which is applied: without balancing, which would do the same
smile advise -o /host/pinned.place --json /host/pinned-node?.rec >/host/advice.json || fail "no advice"
set_to /proc/sys/kernel/numa_balancing 0
pinned_begin plain env
pinned_end
pinned_begin placed smile place --no-binding -q /host/pinned.place --
pinned_end
