#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes that have a processor and a fifth node that has none: sample
# programs with memory of several kinds, and processes that may not use the whole machine, with
# smile sample. The host checks the files in the shared directory.
# shellcheck source=tests/guest/nodes_guest.sh
. /host/nodes_guest.sh

# sampled NAME ARGUMENTS...: run smile sample with these arguments.
sampled() {
	name=$1
	shift
	smile sample -o "/host/$name" --overhead 20 --json "/host/$name.json" "$@" >"$name.out" 2>"$name.err"
	echo $? >"/host/$name.status"
	cp "$name.out" "$name.err" /host
}

# enough NAME PAGES COMMAND...: repeat the command with more and more faults until PAGES pages have
# samples. On a busy host the sampler runs rarely, and the home of a page is known only some scans
# after the first access.
enough() {
	name=$1
	least=$2
	shift 2
	faults=4096
	until "$@" $faults && [ "$(smile report pages --csv /host/"$name"-node?.rec | wc -l)" -ge "$least" ]; do
		[ $faults -lt 1000000 ] || fail "$name: $least pages do not get samples"
		faults=$((2 * faults))
	done
}

balancing=/sys/kernel/debug/sched/numa_balancing
huge=/sys/kernel/mm/transparent_hugepage/enabled
set_to $balancing/scan_period_min_ms 200
set_to $balancing/scan_period_max_ms 200
set_to $huge never

# ---- the latencies of reads between the nodes
smile doctor --latency /host/here.json --json >/host/latency.json 2>/host/latency.err
echo $? >/host/latency.status

# ---- memory of other kinds: 1024 pages, and 256 of main()'s own
for kind in anonymous memfd sysv; do
	enough $kind 64 sampled $kind -- memory $kind
done
enough threads 900 sampled threads -- memory threads
set_to $huge madvise
sampled huge -- memory huge 768
enough small 900 sampled small --no-huge-pages -- memory huge
set_to $huge never

# ---- children: they are not in the recordings; one of them is sampled separately
set_to $huge never
mkfifo input
: >workers.out
smile sample -o /host/workers --json /host/workers.json -- process_kinds workers <input >workers.out 2>workers.err &
sampler=$!
exec 4>input
all_work() {
	[ "$(grep -c '^worker' workers.out)" -eq 4 ]
}
awaits all_work
worker=$(awk '$1 == "worker" && $2 == 2 { print $3 }' workers.out)
smile sample -o /host/worker --overhead 20 --json /host/worker.json -p "$worker" 4>&- 2>worker.err &
attached=$!
# While the process is sampled, each of its two threads has an event for each processor.
is_sampled() {
	[ "$(ls -l /proc/$attached/fd 2>/dev/null | grep -c perf_event)" -ge 8 ]
}
awaits is_sampled
begun=$(cut -d ' ' -f 10 "/proc/$worker/stat")
has_faults() {
	[ "$(cut -d ' ' -f 10 "/proc/$worker/stat")" -gt $((begun + 12 * 512)) ]
}
awaits has_faults
kill -INT $attached
wait $attached
echo $? >/host/worker.status
echo >&4
exec 4>&-
wait $sampler
echo $? >/host/workers.status
rm input
cp workers.out workers.err worker.err /host

# ---- programs with rights of their own, or that forbid others to trace them
set_to /proc/sys/kernel/perf_event_paranoid 2
mkdir nobody && chmod 777 nobody
cp /host/process_kinds rights && chmod 4755 rights
cp /host/process_kinds becomes && chown 65534 becomes && chmod 4755 becomes
lines() {
	printf 'a\nb\n'
}
(cd nobody && lines | as_nobody /host/smile sample -o rights -- /tmp/rights plain >/host/rights.out 2>/host/rights.err
	echo $? >/host/rights.status)
(cd nobody && lines | as_nobody /host/smile sample -o hidden --json hidden.json -- /host/process_kinds hidden \
	>/host/hidden.out 2>/host/hidden.err
	echo $? >/host/hidden.status
	cp hidden*.json hidden*.rec /host)
lines | smile sample -o /host/becomes -- /tmp/becomes plain >/host/becomes.out 2>/host/becomes.err
echo $? >/host/becomes.status

# ---- a container: a group of processes that may use two nodes
mkdir group && mount -t cgroup2 none group || fail "no control groups"
set_to group/cgroup.subtree_control +cpuset
mkdir group/two && set_to group/two/cpuset.cpus 0-1 && set_to group/two/cpuset.mems 0-1
in_group() {
	sh -c 'echo $$ >group/two/cgroup.procs && exec smile sample -o /host/cpuset --bind --overhead 20 \
		--json /host/cpuset.json -- pinned free 300 "$1"' sh "$1" >cpuset.out 2>cpuset.err
	echo $? >/host/cpuset.status
	cp cpuset.out cpuset.err /host
}
enough cpuset 300 in_group

# ---- a processor that is off line at first, so that its node has no processor, and that is put on
# line meanwhile
set_to /sys/devices/system/cpu/cpu3/online 0
enough offline 300 sampled offline --bind -- pinned free 300
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
