#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The programs with threads that the tests run, and the papers' programs, have no data race: each program runs natively
# under ThreadSanitizer. A data race would make the test that runs the program fail at random. The test of the second
# thread of smile run also runs under ThreadSanitizer. May use: gcc, g++, setarch, timeout, cmocka.
#
# Left out:
#	OpenMP		ThreadSanitizer does not see how libgomp synchronizes threads
#	C11 threads	ThreadSanitizer does not intercept thrd_create()
#	kinds.c		its threads execute the same instructions on the same page; only accesses are counted
#	operators.cpp, threads.cpp heap
#			they request more memory than ThreadSanitizer's allocator allows
#	ends.c wait	the program waits until it is killed
#	guests		there KCSAN watches the driver (make check-debug-kernel)
#
# usage: tests/races/races_test.sh SCRATCH
set -u
[ $# -eq 1 ] || { echo "usage: $0 SCRATCH" >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
scratch_make "$1"

# posix.c misuses mutexes on purpose. setarch -R: the sanitizer needs addresses that are not randomized.
export TSAN_OPTIONS="exitcode=66 report_mutex_bugs=0"

# program EXPECTED "SOURCES AND FLAGS" [ARGUMENTS]...: compiles the program and runs it with each list of
# arguments. EXPECTED is its exit status if it has no data race.
program() {
	local expected=$1 name compiler=gcc arguments
	# shellcheck disable=SC2206 # words
	local sources=($2)
	shift 2
	name=$(echo "${sources[0]}" | tr '/.' '__')
	case ${sources[0]} in *.cpp) compiler=g++ ;; esac
	if ! "$compiler" -fsanitize=thread -g -O1 -Iinclude -I. -D_GNU_SOURCE -o "$scratch/$name" \
		"${sources[@]}" -pthread -lm 2>"$scratch/$name.errors"; then
		not_ok "${sources[0]}: compiles" "$(head -n 20 "$scratch/$name.errors")"
		return
	fi
	[ $# -gt 0 ] || set -- ''
	for arguments; do
		# shellcheck disable=SC2086 # words
		timeout -k 10 300 setarch -R "$scratch/$name" $arguments </dev/null >"$scratch/out" 2>"$scratch/err"
		status=$?
		if [ $status -eq "$expected" ] && ! grep -q '^WARNING: ThreadSanitizer' "$scratch/err"; then
			ok "${sources[0]} $arguments"
		else
			not_ok "${sources[0]} $arguments" "status $status, expected $expected" \
				"$(head -n 40 "$scratch/err")"
		fi
	done
}

# A program with a data race: if the sanitizer found nothing, this check would fail although the tests below pass.
cat >"$scratch/race.c" <<-'END'
	#include <pthread.h>
	static int shared;
	static void *add(void *unused) { return shared++, unused; }
	int main(void)
	{
		pthread_t thread;

		pthread_create(&thread, 0, add, 0);
		shared++;
		return pthread_join(thread, 0);
	}
END
gcc -fsanitize=thread -g -O1 -o "$scratch/race" "$scratch/race.c" -pthread &&
	setarch -R "$scratch/race" 2>"$scratch/err"
equal "a race is found" "66 1" "$? $(grep -c '^WARNING: ThreadSanitizer: data race' "$scratch/err")"

trace=lib/marks/marks.c
programs=tests/run/programs
program 0 $programs/buffers.c
program 0 "$programs/blocks.c $trace" small large grown aligned generations maps regions passed keys many forks handlers
program 0 $programs/counts.c
program 0 $programs/ends.c fork exec descriptors close
program 3 $programs/ends.c "exit 3"
program 0 $programs/escapes.c cancel alarm try
program 3 $programs/escapes.c exit
program 0 $programs/meets.c barrier condition many
program 0 $programs/order.c 4
program 0 $programs/polls.c sleep condition
program 0 $programs/roles.c lock atomic spin queue chunks created
program 0 "$programs/rounding.c -frounding-math"
program 0 "$programs/shares.c $trace" even same nearly phases once
program 0 $programs/turns.c condition semaphore child
program 0 $programs/threads.cpp

program 0 "tests/preload/posix.c -std=gnu11" team failing recursive waiting cancel stacks many detached
program 0 tests/preload/threads.cpp threads

program 0 "tests/place/programs/several.c $trace" print fork
program 3 "tests/place/programs/several.c $trace" exit

structures=tests/structures/programs
program 0 $structures/frames.c
program 0 $structures/frames.cpp
program 0 $structures/many.c
program 0 $structures/scopes.cpp

for name in sor fft radix gauss; do
	program 0 "run/workload/$name.c run/workload/workload.c run/workload/threads.c $trace" "--threads 4"
done
program 0 "run/workload/water.c run/workload/water_model.c run/workload/workload.c run/workload/threads.c $trace" \
	"--threads 4"

# The second thread of smile run.
machine=emu/machine
program 0 "tests/unit/machine/backlog_test.c $machine/backlog.c $machine/tally.c $machine/sparse.c -lcmocka
	-Wl,--wrap=pthread_create"
suite_end
