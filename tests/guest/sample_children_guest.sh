#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes: sample programs that start other programs, with smile sample
# --children. Save the kernel's data about their pages and faults. The host checks the files in the
# shared directory.
# shellcheck source=tests/guest/nodes_guest.sh
. /host/nodes_guest.sh

# Files in the shared directory are slow, and smile sample reads the programs' files.
cp /host/pinned /host/process_kinds /host/as_nobody /host/smile-place.so .
export SMILE_LIBDIR=/tmp PATH="/tmp:$PATH"

balancing=/sys/kernel/debug/sched/numa_balancing
# The home of a page that waits for its hint fault cannot be queried. On a busy host, queries are
# rare, and the first one is late.
set_to $balancing/scan_delay_ms 16000
set_to $balancing/scan_period_min_ms 1000
set_to $balancing/scan_period_max_ms 1000
set_to /sys/kernel/mm/transparent_hugepage/enabled never
mkfifo input

# sampled NAME COMMAND...: run the command with smile sample in the background. Its standard input
# is the pipe of descriptor 4.
sampled() {
	name=$1
	shift
	: >"$name.out"
	smile sample --children -o "/host/$name" --overhead 100 --json "/host/$name.json" "$@" <input >"$name.out" \
		2>"$name.err" &
	sampler=$!
	exec 4>input
}
ended() {
	exec 4>&-
	wait $sampler
	echo $? >"/host/$name.status"
	cp "$name.out" "$name.err" /host
}
faults_of() {
	cut -d ' ' -f 10,12 "/proc/$1/stat" | tr ' ' +
}

# ---- a script that runs a program, whose four threads use a quarter of an array each
# shellcheck disable=SC2016
sampled script -- sh -c 'true; pinned; echo $? >/host/pinned.status; sh -c "exit 6"'
awaits grep -q '^computes' script.out
program=$(pidof pinned)
enough() {
	for task in /proc/"$program"/task/*; do
		[ "${task##*/}" = "$program" ] || [ "$(cut -d ' ' -f 10 "$task/stat")" -gt $((12 * 256)) ] || return 1
	done
}
awaits enough
echo >&4
awaits grep -q '^stands' script.out
cat "/proc/$program/numa_maps" >/host/script.numa_maps
echo "$program $(($(faults_of "$program")))" >/host/script.kernel
echo >&4
ended

# ---- four workers, each with memory on the wrong node
# Each worker writes 512 pages again and again. If it writes all of them during a scan, the scan causes a fault at
# each page.
sampled workers -- process_kinds workers
all_work() {
	[ "$(grep -c '^worker' workers.out)" -eq 4 ]
}
awaits all_work
list=$(awk '{ print $3 }' workers.out)
all_have_faults() {
	for worker in $list; do
		[ "$(cut -d ' ' -f 10 "/proc/$worker/stat")" -gt $((12 * 512)) ] || return 1
	done
}
awaits all_have_faults
# While the workers are stopped, no pages move.
# shellcheck disable=SC2086
kill -STOP $list
all_stand() {
	for worker in $list; do
		grep -q '^State:[[:space:]]*[Tt]' "/proc/$worker/task/"*/status || return 1
		! grep -q '^State:[[:space:]]*[RS]' "/proc/$worker/task/"*/status || return 1
	done
}
awaits all_stand
for worker in $list; do
	cat "/proc/$worker/numa_maps" >"/host/worker$worker.numa_maps"
	echo "$worker $(($(faults_of "$worker")))" >>/host/workers.kernel
done
# shellcheck disable=SC2086
kill -TERM $list
# shellcheck disable=SC2086
kill -CONT $list
echo >&4
ended

# ---- a child that executes a setuid program: the kernel does not sample it
cp process_kinds setuid && chmod 4755 setuid || fail "there is no setuid program"
sampled setuid -- sh -c 'as_nobody ./setuid plain; exit $?'
printf '\n\n' >&4
ended

# ---- a child that ends immediately, and 500 such children one after another
sampled once -- sh -c 'true; exit 4'
ended
sampled many -- process_kinds many
awaits grep -q '^ready' many.out
# shellcheck disable=SC2012
ls -l /proc/$sampler/fd | wc -l >/host/many.files
echo >&4
ended
