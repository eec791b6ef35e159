#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile run, with programs in several languages that print the known numbers of their accesses: every count and
# every identity, on machines of all kinds. repeat_test.sh compares the results of several runs.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/run/matrix_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
traced_programs

# All memory is on a node without threads, so every access is remote and in the recordings.
apart="--nodes 5 --threads 0,1,2,3 --place node:4"

# known NAME: the recordings x* must contain exactly the accesses that the program has printed.
known() {
	grep '^known ' out | sort -u >wanted
	"$smile" report pages --json x-node*.rec >pages.json 2>err
	gojq -r --rawfile wanted wanted '
		def of($all; $node): if $node == "*" then ($all // [0] | add)
			else ($all // [])[$node | tonumber] // 0 end;
		(.pages | map({key: "\(.page)", value: .}) | from_entries) as $pages |
		$wanted | split("\n")[] | select(. != "") | split(" ") |
		$pages[.[1]] as $page |
		"known \(.[1]) \(.[2]) \(of($page.reads; .[2])) \(of($page.writes; .[2])) " +
		"\(of($page.locks; .[2]))"' pages.json >got
	if [ -s wanted ] && cmp -s wanted got; then
		ok "$1: $(wc -l <wanted) known counts"
	else
		not_ok "$1: known counts" "$(diff wanted got | head -n 12)"
	fi
}

# --- known counts, in all languages
# shellcheck disable=SC2086
{
	accounted "instructions of all kinds" 0 $apart -- "$programs/kinds" && known "instructions"
	accounted "C11 threads" 0 $apart -- "$programs/c11" && known "C11 threads"
	accounted "C++ threads" 0 $apart -- "$programs/threads" && known "C++ threads"
	accounted "OpenMP in Fortran" 0 $apart -- "$programs/matrix" && known "OpenMP in Fortran"
	accounted "processes" 0 $apart -- "$programs/shared" && known "processes"
	for how in static dynamic guided sections single ordered tasks regions orders; do
		accounted "OpenMP, $how" 0 $apart -- "$programs/openmp" $how && known "OpenMP, $how"
	done
	for how in tree depend loop group before now copies priority many regions single; do
		accounted "tasks, $how" 0 $apart -- "$programs/tasks" $how && known "tasks, $how"
	done
	accounted "iterations that wait for others" 0 $apart -- "$programs/openmp" doacross
	says "iterations that wait for others: reported" "when iterations that wait for other iterations continue" err
	known "iterations that wait for others"
	for how in reduction cancel event; do
		accounted "tasks of libgomp, $how" 0 $apart -- "$programs/kept" $how
		says "tasks of libgomp, $how: reported" "which thread executes which task" err
		known "tasks of libgomp, $how"
	done
}

accounted "small blocks of several threads" 0 $apart -- "$programs/blocks" small
equal "small blocks of several threads: of the heap, all that is not global" "global heap" "$(
	"$smile" report pages --json x-node?.rec | gojq -r '[.pages[].region.kind] | unique | sort_by(
		. != "global") | join(" ")')"

# --- if a result depends on the host, a message reports this
accounted "more small blocks than a heap holds" 0 -- "$programs/blocks" many
says "more small blocks than a heap holds: reported" "at which addresses threads get memory" err
accounted "a semaphore that is tried" 0 -- "$programs/ends" try
says "a semaphore that is tried: reported" "is free, without waiting for it" err

# --- no thread may wait forever for its turn
accounted "handlers of a fork while others get memory" 0 -- "$programs/blocks" forks
accounted "a signal's handler while it gets memory" 0 -- "$programs/blocks" handlers
accounted "cancelled while it waits" 0 -- "$programs/escapes" cancel
accounted "a signal's handler while it waits" 0 -- "$programs/escapes" alarm
accounted "a signal's handler ends a wait" 0 -- "$programs/escapes" interrupt
accounted "handlers of signals need an aligned stack" 0 -- "$programs/handlers"
equal "handlers of signals need an aligned stack: as without smile run" "$("$programs/handlers")" "$(cat out)"
accounted "code that is written while it runs" 0 -- "$programs/code"
equal "code that is written while it runs: as without smile run" "$("$programs/code")" "$(cat out)"
accounted "results of system calls" 0 -- "$programs/results"
equal "results of system calls: as without smile run" "$("$programs/results")" "$(cat out)"
accounted "a lock that was tried" 0 -- "$programs/escapes" try
accounted "an interpreter's lock while a thread sleeps in the kernel" 0 -- "$programs/interpreter"
equal "an interpreter's lock while a thread sleeps in the kernel: all steps" 160 "$(cat out)"
for seed in 1 2 3 4 5 6 7 8; do
	accounted "random meetings of threads, $seed" 0 -- "$programs/syncs" $seed $((seed % 3))
	equal "random meetings of threads, $seed: as without smile run" \
		"$("$programs/syncs" $seed $((seed % 3)))" "$(cat out)"
done
accounted "a named semaphore of four processes" 0 -- "$programs/named" share
equal "a named semaphore of four processes: how often they had it" 100 "$(cat out)"
accounted "a semaphore that a child opens by its name" 0 -- "$programs/named" open
equal "a semaphore that a child opens by its name: waits" 2 "$(cat out)"
for how in mutex rwlock barrier semaphore condition; do
	accounted "a $how in memory that two processes map" 0 --machine smile1998 -- "$programs/mapped" $how
	equal "a $how in memory that two processes map: how often they met" 60 "$(cat out)"
	equal "a $how in memory that two processes map: no other order on the host" 0 "$(grep -c "no thread could" err)"
done
# Without turns, a wait would last until the thread's channel is full. This takes some milliseconds.
for how in pause yield barrier; do
	accounted "threads that wait by reading memory, $how" 0 --machine server2 -- "$programs/spins" $how
	equal "threads that wait by reading memory, $how: all tickets" 160 "$(cat out)"
	equal "threads that wait by reading memory, $how: short waits" true "$(gojq '.time_ns < 1e6' x.json)"
done
# The stack does not count, so a wait ends only when the thread has executed enough instructions to
# report its work.
accounted "threads that wait by reading their stacks" 0 --machine server2 -- "$programs/spins" queue
equal "threads that wait by reading their stacks: all tickets" 160 "$(cat out)"
equal "threads that wait by reading their stacks: the length of the waits" true "$(gojq '.time_ns < 1e8' x.json)"
accounted "the process ends while threads wait" 3 -- "$programs/escapes" exit
accounted "turns are off" 0 --host-order -- "$programs/order" 9
accounted "tasks and regions, turns are off" 0 --host-order -- "$programs/tasks" regions

# --- machines of all kinds have the same accesses, and all counts are complete
accounted "four nodes" 0 -- "$programs/kinds"
accesses=$(gojq .accesses x.json)
if [ "$accesses" -gt 1000 ]; then ok "four nodes: accesses"; else not_ok "four nodes: accesses"; fi
machine() {
	title=$1
	shift
	accounted "$title" 0 "$@" -- "$programs/kinds"
	equal "$title: the same accesses" "$accesses" "$(gojq .accesses x.json)"
}
machine "one node" --nodes 1
equal "one node: nothing is remote" 0 "$(gojq .remote x.json)"
machine "two nodes" --nodes 2
machine "sixty-four nodes" --nodes 64
machine "threads in blocks" --nodes 2 --threads block:4
equal "threads in blocks: node of each thread" "0 0 1 1" "$(gojq -r '[.by_thread[].node] | join(" ")' x.json)"
machine "threads by a list" --nodes 8 --threads 7,1
equal "threads by a list: node of each thread" "7 1 7 1" "$(gojq -r '[.by_thread[].node] | join(" ")' x.json)"
machine "pages in blocks" --place block
machine "pages by first touch" --place first-touch
machine "pages on one node" --place node:3
equal "pages on one node: all other accesses are remote" 0 \
	"$(gojq '[.by_node[] | select(.node != 3) | .local | add] | add' x.json)"
echo "pages 0-68719476735 node 2" >place
machine "pages by a file" --place place
machine "a cache" --cache 4K,64,2
if [ "$(gojq .cache_hits x.json)" -gt 0 ]; then ok "a cache: hits"; else not_ok "a cache: hits"; fi
machine "caches in front of all memory" --caches l1=1K/64/2,llc=4K/64/4
if [ "$(gojq '[.by_node[].write_backs] | add' x.json)" -gt 0 ]; then ok "caches: lines are written back"; else
	not_ok "caches: lines are written back"; fi
machine "a server of two sockets" --machine server2
machine "a server of four sockets" --machine server4
machine "caches, a capture, and responses" --caches l1=1K/64/2,llc=4K/64/4 --capture x --packets responses
machine "caches, and pages that move" --caches l1=1K/64/2,llc=4K/64/4 --place migrate:2ms
machine "a capture, and responses" --capture x --packets responses

# --- ends
for code in 0 1 42; do
	accounted "exit status $code" $code -- "$programs/ends" exit $code
done
# A period is a millisecond of simulated time. When the wait begins, less than a millisecond
# remains.
for how in sleep condition; do
	accounted "a thread that polls, $how" 0 -- "$programs/polls" $how
	looks=$(cat out) most=$(gojq '(.time_ns / 1e6 | floor) + 1' x.json)
	[ $how = condition ] && most=$((2 * most))
	if [ "$looks" -ge 2 ] && [ "$looks" -le "$most" ]; then
		ok "a thread that polls, $how: once in a period"
	else
		not_ok "a thread that polls, $how: once in a period" "$looks times, at most $most"
	fi
done
accounted "a segmentation fault" 139 -- "$programs/ends" segv
exits "a segmentation fault: the recordings are complete" 0 report lost x-node*.rec
accounted "no descriptor but its own" 0 --capture x -- "$programs/ends" descriptors
equal "no descriptor but its own: as many as without" "$("$programs/ends" descriptors)" "$(cat out)"
accounted "all descriptors closed" 0 --capture x -- "$programs/ends" close
rm -f x-node*.rec x.json
: >out
"$smile" run -o x --json x.json -- "$programs/ends" wait >out 2>err &
pid=$!
own $pid
awaits has waiting out
worker=$(xargs <"/proc/$pid/task/$pid/children")
kill -KILL "$(xargs <"/proc/$worker/task/$worker/children")"
wait $pid
equal "SIGKILL from outside" 2 $?
disown $pid
equal "SIGKILL from outside: every account holds" true \
	"$(gojq '(.checks | length > 6) and all(.checks[]; .holds)' x.json)"
exits "SIGKILL from outside: the recordings are not complete" 1 report lost x-node*.rec
suite_end
