#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes: a program under smile sample, whose four threads use a quarter of an array each; what
# the kernel says of its pages; and what is refused. Files on the share are what the host judges.
set -u
# What is sampled is the program that was just built.
export PATH="/host:$PATH"
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
mkfifo input
: >/host/pinned.out
faults_of >/host/faults.before
smile sample -o /host/pinned --overhead 20 --json /host/pinned.json -- pinned <input >/host/pinned.out 2>/host/pinned.err &
sampler=$!
exec 4>input
awaits grep -q '^computes' /host/pinned.out
# Each page has faults: the kernel has counted many more than it has pages, in several scans.
begun=$(faults_of)
enough() {
	[ $(($(faults_of) - begun)) -gt 8192 ]
}
awaits enough
echo >&4
awaits grep -q '^stands' /host/pinned.out
program=$(pidof pinned)
cat "/proc/$program/numa_maps" >/host/pinned.numa_maps
cat "/proc/$program/maps" >/host/pinned.maps
echo >&4
wait $sampler
echo $? >/host/pinned.status
faults_of >/host/faults.after
# Names come from the program's file, which has this path here alone.
smile report structures --json /host/pinned-node?.rec >/host/structures.json || fail "no report"
