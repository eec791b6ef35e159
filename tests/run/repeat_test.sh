#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile run, with programs in several languages: each run has the same result, and every identity holds.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/run/repeat_test.sh SMILE MKCAPTURE SCRATCH
set -u
sources=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
traced_programs

# all_of DIRECTORY: put those results of the last run into DIRECTORY that must be the same in each
# run.
all_of() {
	rm -rf "$1"
	mkdir "$1"
	for file in x-node*.rec; do timeout -k 10 $limit "$smile" dump "$file" >"$1/$file"; done
	gojq 'del(.command_line, .recordings[].file)' x.json >"$1/json"
}

# same NAME ARGUMENTS...: make two runs. One of them runs on a single processor, together with a
# program that never waits. Both must have the same result, and nothing may depend on the host.
same() {
	title=$1
	shift
	accounted "$title" 0 "$@"
	equal "$title: nothing was the host's choice" "0 0 0" \
		"$(gojq -r '.replay | "\(.host_waits) \(.host_orders) \(.deadlocks)"' x.json)"
	all_of first
	rm -f x-node*.rec x.json
	taskset -c "$one_processor" sh -c 'while :; do :; done' &
	busy=$!
	own $busy
	timeout -k 10 $limit taskset -c "$one_processor" "$smile" run -o x --json x.json "$@" >out 2>err
	equal "$title, on one busy processor" 0 $?
	end_owned $busy
	all_of second
	if [ -s first/json ] && diff -r first second >differs; then
		ok "$title: the second run is the same"
	else
		not_ok "$title: the second run is the same" "$(head -n 8 differs | cut -c 1-200)"
	fi
}

same "mutexes and barriers" -- "$programs/order" 9
same "OpenMP" -- "$programs/openmp" static
same "a condition" -- "$programs/turns" condition
same "semaphores" -- "$programs/turns" semaphore
same "children" -- "$programs/turns" child
same "processes and semaphores" -- "$programs/shared"
same "OpenMP in Fortran" -- "$programs/matrix"
same "OpenMP, dynamic" -- "$programs/openmp" dynamic
same "OpenMP, guided" -- "$programs/openmp" guided
same "OpenMP, sections" -- "$programs/openmp" sections
same "OpenMP, single" -- "$programs/openmp" single
same "OpenMP, tasks" -- "$programs/openmp" tasks
same "OpenMP, regions in a region" -- "$programs/openmp" regions
same "OpenMP, the order of a loop" -- "$programs/openmp" ordered
same "OpenMP, the order of loops of all kinds" -- "$programs/openmp" orders
for how in tree depend loop group before now copies priority many regions single; do
	same "tasks, $how" -- "$programs/tasks" $how
done
same "C11 threads" -- "$programs/c11"
for how in mutex spin readers openmp nest; do
	same "a lock that is tried, $how" -- "$programs/tries" $how
done

for how in small large grown aligned generations maps regions passed keys openmp nested; do
	same "memory of several threads, $how" -- "$programs/blocks" $how
done

# --- threads that wait for each other at locks of all kinds
waits() {
	same "$1" -- "$programs/waits" $2
	equal "$1: it did the work" "$3" "$(cat out)"
	equal "$1: nothing is reported" "" "$(grep '^smile run: ' err | grep -v ': machine ')"
}
waits "a lock that one thread takes" "lock 3000" 3000
waits "a lock that one thread tries" "try 3000" 3000
equal "a lock that one thread tries: the program asks for no time" 0 "$(gojq .host.time x.json)"
waits "a semaphore that one thread takes" "semaphore 3000" 3000
waits "many locks" "locks 200" 800
waits "a lock before and after other threads" "later 100" 500
waits "a futex at which two threads alternate" "futex 50" 100
waits "a mutex made of a futex" "mutex 50" 200

# --- messages name the data of the host that the program reads, and no other data
host() {
	"$smile" run -o x --json x.json -- "$programs/host" $1 3 >out 2>err
	equal "from the host, $1: status" 0 $?
	equal "from the host, $1: what, and how often" "$2" "$(gojq -c '.host | with_entries(select(.value > 0))' x.json)"
	equal "from the host, $1: the summary" "$3" "$(sed -n 's/^from the host, [^:]*: //p' err)"
}
host time '{"time":3}' "clocks (3 times)"
host counter '{"time":3}' "clocks (3 times)"
host random '{"random":3}' "random numbers (3 times)"
host process '{"process":3}' "process ids, load, or processor (3 times)"
host file '{"file":3}' "files of /proc or /sys (3 times)"
gcc -O0 -pthread -o unoptimized "$sources/programs/host.c" 2>err || not_ok "programs/host.c builds with -O0" "$(cat err)"
for program in "$programs/host" ./unoptimized; do
	for how in nothing flag place pause; do
		name="a wait by reading memory, $how, ${program##*/}"
		"$smile" run -o x --json x.json -- "$program" $how 3 >out 2>err
		equal "$name: status" 0 $?
		# The program knows how many waits must be detected, and prints their number.
		[ $how != nothing ] || echo 0 0 >out
		read -r seen all <out
		equal "$name: it is seen, and nothing else" true "$(gojq -c --argjson seen "$seen" --argjson all "$all" \
			'.host | .memory >= $seen and .memory <= $all and .time + .random + .process + .file == 0' \
			x.json)"
	done
	says "$name: the summary" \
		'^from the host, .*: how often threads read memory while they waited for another thread to change it ([0-9]* times)' err
done

# --- messages name the system calls that QEMU does not execute, and no others
unsupported() {
	"$smile" run -o x --json x.json -- "$programs/unsupported" $1 >out 2>err
	equal "unsupported system calls, $1: status" 0 $?
	equal "unsupported system calls, $1: what, and how often" "$2" \
		"$(gojq -c '.unsupported | map([.call, .times])' x.json)"
	equal "unsupported system calls, $1: the summary" "$3" "$(sed -n 's/^not executed by QEMU, [^:]*: //p' err)"
}
unsupported "known free" '[]' ""
unsupported "trace trace" '[["ptrace",2]]' "ptrace (2 times)"
unsupported "process filter known" '[["clone",1],["prctl",1]]' "clone (1 time), prctl (1 time)"
# later WHAT CALL: later versions of QEMU execute this call.
later() {
	"$smile" run -o x -- "$programs/unsupported" "$1" >out 2>err
	if grep -qx "$1 1" out; then
		unsupported "$1" "[[\"$2\",1]]" "$2 (1 time)"
	else
		unsupported "$1" '[]' ""
	fi
}
later reaper prctl
later pidfd clone
unsupported "release" '[["madvise",1]]' "madvise (1 time)"
unsupported "namespace" '[["unshare",1]]' "unshare (1 time)"
unsupported "files fs newuts" '[["clone",3]]' "clone (3 times)"
unsupported "fork sighand clone3" '[]' ""
unsupported "tid" '[["clone3",1]]' "clone3 (1 time)"
unsupported "vfork" '[]' ""
says "vfork: a note" "vfork(2), which QEMU treats as fork(2)" err
unsupported "spawns fork" '[]' ""
if grep -q "posix_spawn\|vfork" err; then not_ok "posix_spawn: no note"; else ok "posix_spawn: no note"; fi
# The file is executable, but is no program.
echo text >no_program && chmod +x no_program
"$smile" run -o x --json x.json -- "$programs/unsupported" spawn >out 2>err
equal "posix_spawn of a file that is no program: it is not traced" 1 $?
says "posix_spawn of a file that is no program: a note" "could not execute its program" err
"$smile" run -o x --json x.json -- "$programs/unsupported" limit >out 2>err
equal "a limit of memory: it is named" 1 "$(gojq '.unsupported | map(.times) | add' x.json)"
says "a limit of memory: the summary" '^not executed by QEMU, .*: \(setrlimit\|prlimit64\) (1 time)$' err

# --- a thread that a library creates before the tracer's library is ready
gcc -O2 -shared -fPIC -DLIBRARY -o libconstructor.so "$sources/constructor.c" -lpthread 2>err &&
	gcc -O2 -o constructor "$sources/constructor.c" -L. -lconstructor -Wl,-rpath,"$PWD" 2>>err ||
	not_ok "a library's constructor: builds" "$(cat err)"
same "a thread of a library's constructor" -- ./constructor
equal "a thread of a library's constructor: nothing is reported" "" "$(grep '^smile run: ' err | grep -v ': machine ')"
equal "a thread of a library's constructor: it did the work" $((4096 * 35)) "$(cat out)"
suite_end
