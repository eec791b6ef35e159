#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of smile sample on a machine with four nodes, each with a processor and 256 MB. Each quarter
# of an array must have only samples of the node whose thread uses it. Each fault must be counted or
# left out for a reason. The homes must be those in /proc/PID/numa_maps. A placement is made from
# these samples; with it, the pages must be on the nodes of their threads. The test also makes calls
# that are refused because the kernel does not balance, or does not permit perf.
#
# The references are the kernel's own data: /proc/PID/numa_maps, which `numastat -p` prints; the faults of the process
# in /proc/PID/stat, which the kernel counts at the same place as those of `perf stat -e page-faults`; the pages that
# each node has allocated, in /sys/devices/system/node/node*/numastat, which `numastat` prints; and numa_hint_faults
# and numa_pages_migrated of /proc/vmstat. The last two are counted for the whole machine: they include the program's
# faults and moved pages, and those of other processes.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/guest/nodes_checks.sh
. tests/guest/nodes_checks.sh
nodes_run 4 4 256 "$B"/tests/sample/{pinned,as_nobody} "$B/bin/smile"

status() {
	equal "$1" "$2" "$(cat "$share/$3.status")"
}

# ---- refused, with a remedy
status "balancing off: refused" 2 off
says "balancing off: the remedy" 'sysctl kernel.numa_balancing=1' off.err
equal "balancing off: nothing is run or written" "" "$(cd "$share" && ls refused* ran 2>/dev/null)"
equal "balancing off: doctor" "optional" "$(gojq -r '.checks[] | select(.check == "smile sample" and
	(.fix | test("numa_balancing=1"))) | .state' "$share/doctor_off.json")"
status "not permitted: refused" 2 nobody
says "not permitted: the remedy" 'kernel.perf_event_paranoid is 3.*sysctl kernel.perf_event_paranoid=2' nobody.err
equal "not permitted: nothing is run or written" "" "$(cat "$share/nobody.files")"
status "another user's process: refused" 2 foreign
says "another user's process: a message" "is another user's.*only root may" foreign.err
equal "another user's process: nothing is written" "" "$(cat "$share/foreign.files")"
status "permitted to everybody" 0 permitted
equal "permitted to everybody: not the kernel's faults" true "$(gojq .user_only "$share/permitted.json")"
says "permitted to everybody: a note" 'faults of system calls' permitted.err
equal "permitted to everybody: a recording for each node" "permitted-node0.rec permitted-node1.rec permitted-node2.rec \
permitted-node3.rec" "$(xargs <"$share/permitted.files")"
equal "doctor: can sample, by faults" ok "$(gojq -r '.checks[] | select(.check == "smile sample" and
	(.detail | test("^source faults: NUMA hint faults; not memory: "))) | .state' "$share/doctor_on.json")"
status "a program that ends at once" 0 once
says "a program that ends at once: a note" 'note: there are no samples' once.err
status "a placement of more than a node has" 3 large
# Since Linux 6.10, there is a policy that allows other nodes and that the kernel scans.
unscanned=1
[ "$(printf '%s\n' 6.10 "$(cat "$share/kernel")" | sort -V | head -n 1)" != 6.10 ] || unscanned=
equal "a placement of more than a node has: where it would not be scanned" "[${unscanned}] ${unscanned:-0}" \
	"$(gojq -c .placement.unscanned_nodes "$share/large.json") $(grep -c 'put on node 1 have no samples' "$share/large.err")"
status "a program that is not there" 127 absent
equal "a program that is not there: nothing is written" "" "$(cd "$share" && ls absent* 2>/dev/null | grep -v '\.[es]')"

# ---- a quarter for each thread
status "the program's status" 3 pinned
# judge NAME RUN [WORD]: check the samples of the run.
judge() {
	"$smile" report pages --json "$share/$2"-node?.rec >"$share/pages.json"
	"$B/tests/sample/homes" "$share/$2-node0.rec" >"$share/homes.json"
	if python3 tests/sample/judge.py "$share/$2.out" "$share/$2.numa_maps" "$share/pages.json" \
		"$share/$2.json" "$share/homes.json" ${3:+"$3"} >"$share/judged"; then
		ok "$1 ($(tail -n 1 "$share/judged"))"
	else
		not_ok "$1" "$(cat "$share/judged")"
	fi
}
judge "the samples" pinned
judge "an array on the heap: the samples" heap
equal "an array on the heap: called by who has called the wrapper, and a quarter for each node" \
	"pinned.c:$(grep -n 'used = checked_alloc' tests/sample/programs/pinned.c | cut -d : -f 1) (used_make) 4" \
	"$(gojq -r '.structures[] | select(.name | test("used_make")) | "\(.name) \([.accesses[] |
		select(. > 2 * 256)] | length)"' "$share/heap_structures.json")"
"$smile" report phases --json "$share"/heap-node?.rec >"$share/phases.json"
equal "phases: by name" '[null,"fill","compute"]' "$(gojq -c '[.phases[].name]' "$share/phases.json")"
equal "phases: samples are where the threads are" true "$(gojq '.phases | (.[2].accesses > 100) and
	(.[2].accesses > 9 * (.[0].accesses + .[1].accesses))' "$share/phases.json")"
status "attached: the sampling ends" 0 attach
status "attached: the program goes on" 3 attached
judge "attached: the samples" attached attached
# At first about three quarters of the pages are on wrong nodes, at the end fewer than one in
# twenty.
status "without a placement: the program's status" 3 plain
status "with the placement: the program's status" 3 placed
status "with the placement, on the heap: the program's status" 3 heap_placed
for run in plain placed heap_placed; do
	python3 tests/sample/wrong_pages.py "$share/$run.out" "$share/$run.numa_maps" >"$share/$run.wrong"
done
equal "without a placement: pages on a wrong node" true "$(gojq '. > 0.7' "$share/plain.wrong")"
equal "with the placement: pages on a wrong node" true "$(gojq '. < 0.05' "$share/placed.wrong")"
equal "with the placement, on the heap: pages on a wrong node" true "$(gojq '. < 0.05' "$share/heap_placed.wrong")"
equal "the advice says so" true \
	"$(gojq '.remote_share_high_95 > 0 and .advised_remote_share < 0.05' "$share/advice.json")"

status "threads are bound: the program's status" 3 free
equal "threads are bound: all of them" "5 5" "$(gojq -r '"\(.threads) \(.threads_bound)"' "$share/free.json")"
# Thread 0 is main(). It has only initialised the array.
first=$(($(awk '/^array/ { print $2; exit }' "$share/free.out") / 4096))
"$smile" report pages --json "$share"/free-node?.rec >"$share/free_pages.json"
equal "threads are bound: a quarter for each, in their order" "true true" "$(gojq -r --argjson first "$first" '
	[.pages[] | select(.page >= $first and .page < $first + 1024) |
	{owner: (((((.page - $first) / 256) | floor) + 1) % 4), accesses}] |
	"\(length > 512) \(all(.owner as $o | .accesses | add == .[$o]))"' "$share/free_pages.json")"
# The same program with smile run, where every access counts.
if type qemu-x86_64 >/dev/null 2>&1; then
	"$smile" run -q --machine smile1998 --nodes 4 -o "$share/exact" -- "$B/tests/sample/pinned" free 0.5 \
		>"$share/exact.out" 2>"$share/exact.err"
	"$smile" advise --json "$share"/exact-node?.rec >"$share/exact.json" 2>>"$share/exact.err"
	read -r placed agreed <<<"$(python3 tests/sample/agree.py "$share"/{free.out,free_advice.json,exact.out,exact.json})"
	equal "advice agrees with that of exact counts, on 95 % of the pages" true \
		"$(gojq -n "$placed > 64 and $agreed >= 0.95")"
	"$smile" advise --csv "$share"/exact-node?.rec >"$share/exact.csv" 2>>"$share/exact.err"
	read -r pages held <<<"$(python3 tests/sample/covered.py "$share"/{free.out,free_pages.json,exact.out,exact.csv})"
	equal "bands of shares hold those of exact counts, on 95 % of the pages" true \
		"$(gojq -n "$pages > 512 and $held >= 0.95")"
else
	skip "advice beside that of exact counts: no qemu-x86_64"
fi
if grep -qx '[01]' "$share/verify.status"; then ok "the placement is verified: the status"; else
	not_ok "the placement is verified: the status" "$(cat "$share/verify.status" "$share/verify.err")"; fi
# Which run is faster depends on the host's load.
equal "the placement is verified: its pages lie on their nodes" true "$(gojq '.verified | .runs == 2 and .looked_up and
	.pages > 64 and .placed > 0.95 * .pages and .exit_status == 3' "$share/free_advice.json")"
# On a busy host, queries of homes may be too late, so that a run has no samples. Then the reason
# must be reported.
equal "the placement is verified: the remote share, with bands" true "$(gojq '.verified.remote_share |
	if .change == null then .why | test("had no samples") else .with_low_95 < .with_high_95 and
	.without_low_95 < .without_high_95 and .difference_low_95 <= .difference and .difference <= .difference_high_95 and
	(.change == "unclear") == (.difference_low_95 <= 0 and .difference_high_95 >= 0) end' "$share/free_advice.json")"
equal "verified without balancing: why the remote share is not known" "null true" "$(gojq -r '.verified.remote_share |
	"\(.change) \(.why | test("kernel.numa_balancing"))"' "$share/verify_off.json")"
equal "the placement is verified: times" true "$(gojq '.verified | (.with_s + .without_s | all(. > 0.5)) and
	(.with_s[0] <= .with_s[1]) and (.with_s[1] <= .with_s[2])' "$share/free_advice.json")"

# ---- the kernel's counters
for run in pinned heap; do
	# Before exec, the program was a child of smile sample. At its end, a few more faults occur.
	read -r minor major <"$share/$run.page_faults"
	equal "$run: its page faults are those of the kernel" true "$(gojq --argjson kernel $((minor + major)) \
		'.account.accesses - $kernel | . < 512 and . > -512' "$share/$run.json")"
	# Each page of the array is used by one thread. After its allocation it has only hint
	# faults, and at most one more fault each time the kernel moves it, because kernels later
	# than 6.1 first map such a page for reading.
	"$smile" report pages --json "$share/$run"-node?.rec >"$share/pages.json"
	read -r _ address bytes <<<"$(grep ^array "$share/$run.out")"
	equal "$run: the kernel has counted the hint faults of the array" true "$(gojq --argjson first $((address / 4096)) \
		--argjson count $((bytes / 4096)) --argjson kernel "$(counted $run numa_hint_faults)" \
		--argjson moved "$(counted $run numa_pages_migrated)" '[.pages[] | select(.page >= $first and
		.page < $first + $count) | .accesses | add] | add | (. > 2 * $count) and . <= $kernel + $moved' \
		"$share/pages.json")"
	equal "$run: the kernel has moved the pages that were seen moved" true "$(gojq \
		--argjson kernel "$(counted $run numa_pages_migrated)" '.moves <= $kernel and $kernel > 256' "$share/$run.json")"
done
# A quarter has 256 pages.
for run in placed heap_placed; do
	equal "$run: each node has given a quarter" "4 true" "$(paste "$share/$run".{before,after}.allocated |
		awk '{ n++; least = n == 1 || $2 - $1 < least ? $2 - $1 : least } END {
			print n, (least > 243 ? "true" : least) }')"
done
equal "the array has its name, and a quarter for each node" "array 4" "$(gojq -r '.structures[] | select(.name ==
	"array") | "\(.name) \([.accesses[] | select(. > 2 * 256)] | length)"' "$share/structures.json")"

suite_end
