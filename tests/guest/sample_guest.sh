#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes: sample a program whose four threads use a quarter of an array each,
# with smile sample. Save the kernel's data about its pages. Also make calls that must be refused.
# The host checks the files in the shared directory.
# shellcheck source=tests/guest/nodes_guest.sh
. /host/nodes_guest.sh

balancing=/sys/kernel/debug/sched/numa_balancing
set_to /sys/kernel/mm/transparent_hugepage/enabled never
set_to $balancing/scan_period_min_ms 200
set_to $balancing/scan_period_max_ms 200

# ---- refused calls: the program does not run, and nothing is written
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
(cd nobody && as_nobody /host/smile sample -p $$ -o refused 2>/host/foreign.err; echo $? >/host/foreign.status
	ls -- *refused* >/host/foreign.files 2>/dev/null)
smile doctor --json >/host/doctor_on.json
smile sample -o /host/once -- true 2>/host/once.err
echo $? >/host/once.status
# A placement of more memory than the node has.
printf '%s\n' 'pages 16-999999 node 1' 'region 0x10000+4095934464 mapping 0 private' >large.place
smile sample -o /host/large --place large.place --json /host/large.json -- pinned free 0.1 \
	>/host/large.out 2>/host/large.err
echo $? >/host/large.status
uname -r >/host/kernel
smile sample -o /host/absent -- ./absent 2>/host/absent.err
echo $? >/host/absent.status

# ---- a program whose threads use a quarter each

# pinned_begin NAME COMMAND...: run the program with this command, and wait until its threads
# compute. Its output is not written to the shared directory, where a file may appear shorter than
# it is.
pinned_begin() {
	name=$1 array=
	[ "${1#heap}" = "$1" ] || array=heap
	shift
	rm -f input
	mkfifo input
	: >"$name.out"
	counters "$name.before"
	"$@" pinned $array <input >"$name.out" 2>"/host/$name.err" &
	command=$!
	exec 4>input
	awaits grep -q '^computes' "$name.out"
}

# pinned_end: end the program's threads, save the kernel's list of its memory and its counters, then
# end the program.
pinned_end() {
	echo >&4
	awaits grep -q '^stands' "$name.out"
	cp "$name.out" /host
	program=$(pidof pinned)
	cat "/proc/$program/numa_maps" >"/host/$name.numa_maps"
	cut -d ' ' -f 10,12 "/proc/$program/stat" >"/host/$name.page_faults"
	counters "$name.after"
	echo >&4
	exec 4>&-
	wait $command
	echo $? >"/host/$name.status"
}

pinned_begin pinned smile sample -o /host/pinned --overhead 20 --json /host/pinned.json --
# faults_each: print the faults of each thread except the first, sorted. A quarter has 256 pages.
# Each page has one fault in each scan during which its thread accesses the whole quarter.
faults_each() {
	program=$(pidof pinned)
	for task in /proc/"$program"/task/*; do
		[ "${task##*/}" = "$program" ] || cut -d ' ' -f 10 "$task/stat"
	done | sort -n
}
enough() {
	[ "$(faults_each | head -n 1)" -gt $((begun + 12 * 256)) ]
}
begun=0
awaits enough
pinned_end
# The names come from the program's file, which has this path only in the guest.
smile report structures --json /host/pinned-node?.rec >/host/structures.json || fail "no report"

# ---- the same with the array on the heap, allocated by a wrapper
pinned_begin heap smile sample -o /host/heap --overhead 20 --json /host/heap.json --
begun=0
awaits enough
pinned_end
smile report structures --json /host/heap-node?.rec >/host/heap_structures.json || fail "no report"

# ---- the same program, sampled while it already runs
pinned_begin attached env
smile sample -o /host/attached --overhead 20 --json /host/attached.json -p "$(pidof pinned)" 4>&- 2>/host/attached.log &
sampler=$!
# While the program is sampled, each of its five threads has an event for each processor.
sampled() {
	[ "$(ls -l /proc/$sampler/fd 2>/dev/null | grep -c perf_event)" -ge 20 ]
}
awaits sampled
begun=$(faults_each | tail -n 1)
awaits enough
kill -INT $sampler
wait $sampler
echo $? >/host/attach.status
pinned_end

# ---- threads that choose no processor are bound as by smile place; the runs with and without
# binding are measured
smile sample -o /host/free --bind --overhead 20 --json /host/free.json -- pinned free 300 $((24 * 256)) >/host/free.out 2>/host/free.err
echo $? >/host/free.status
smile advise --json --verify --runs 2 /host/free-node?.rec -- pinned free 1 >/host/free_advice.json 2>/host/verify.err
echo $? >/host/verify.status

# ---- from samples to a placement, which is applied without balancing, because balancing would move
# the pages in the same way
smile advise -o /host/pinned.place --json /host/pinned-node?.rec >/host/advice.json || fail "no advice"
smile advise -o /host/heap.place /host/heap-node?.rec >/dev/null || fail "no advice"
set_to /proc/sys/kernel/numa_balancing 0
smile advise --json --verify --runs 1 /host/free-node?.rec -- pinned free 0.2 >/host/verify_off.json 2>/host/verify_off.err ||
	[ $? -eq 1 ] || fail "not verified: $(cat /host/verify_off.err)"
pinned_begin plain env
pinned_end
pinned_begin placed smile place --no-binding -q /host/pinned.place --
pinned_end
pinned_begin heap_placed smile place --no-binding -q /host/heap.place --
pinned_end
