#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes that have a processor and a fifth that has none: programs with memory of several kinds,
# and processes that may not use all of the machine, under smile sample. Files on the share are what the host judges.
set -u
export SMILE_LIBDIR=/host PATH="/host:$PATH"
cd /tmp || exit 1

fail() {
	echo "$*"
	exit 1
}

# awaits COMMAND...: it succeeds, within five minutes.
awaits() {
	tries=3000
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "waited in vain: $*"
		usleep 100000
	done
}

set_to() {
	echo "$2" >"$1" || fail "$1 cannot be set"
}

# sampled NAME ARGUMENTS...: of smile sample.
sampled() {
	name=$1
	shift
	smile sample -o "/host/$name" --overhead 20 --json "/host/$name.json" "$@" >"$name.out" 2>"$name.err"
	echo $? >"/host/$name.status"
	cp "$name.out" "$name.err" /host
}

balancing=/sys/kernel/debug/sched/numa_balancing
huge=/sys/kernel/mm/transparent_hugepage/enabled
set_to $balancing/scan_period_min_ms 200
set_to $balancing/scan_period_max_ms 200
set_to $huge never

# ---- how long reads take between the nodes
smile doctor --latency /host/here.json --json >/host/latency.json 2>/host/latency.err
echo $? >/host/latency.status

# ---- memory of other kinds. The home of a page is known some scans after it was touched for the first time.
for kind in anonymous memfd sysv; do
	sampled $kind -- memory $kind 8192
done
sampled threads -- memory threads 20480
set_to $huge madvise
sampled huge -- memory huge 768
sampled small --no-huge-pages -- memory huge 20480
set_to $huge never

# ---- a container: a group of processes that may use two nodes
mkdir group && mount -t cgroup2 none group || fail "no control groups"
set_to group/cgroup.subtree_control +cpuset
mkdir group/two && set_to group/two/cpuset.cpus 0-1 && set_to group/two/cpuset.mems 0-1
sh -c 'echo $$ >group/two/cgroup.procs && exec smile sample -o /host/cpuset --bind --overhead 20 \
	--json /host/cpuset.json -- pinned free 300 4096' >cpuset.out 2>cpuset.err
echo $? >/host/cpuset.status
cp cpuset.out cpuset.err /host

# ---- a processor that is off line, so that its node has none, and comes on line meanwhile
set_to /sys/devices/system/cpu/cpu3/online 0
sampled offline --bind -- pinned free 300 4096
mkfifo input
: >online.out
smile sample -o /host/online --json /host/online.json -- sh -c 'echo ready; read line; exit 5' \
	<input >online.out 2>/host/online.err &
sampler=$!
exec 4>input
awaits grep -q '^ready' online.out
set_to /sys/devices/system/cpu/cpu3/online 1
echo >&4
wait $sampler
echo $? >/host/online.status
