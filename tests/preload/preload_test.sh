#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The preload library in programs of all kinds: each thread makes the expected reports in the expected order, and the
# program prints the same with and without the library.
#
# usage: tests/preload/preload_test.sh BUILD
set -u
B=$(realpath "$1")
programs=$B/tests/preload
dir=$programs/scratch
export LC_ALL=C
unset LD_PRELOAD SMILE_TRACED SMILE_TRACE_ALLOC
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
scratch_make "$dir"

# observe ALLOC PROGRAM [ARGUMENT]: run the program with the observer. $dir/calls and $dir/threads
# have its reports; $dir/with and $dir/without have its output with and without the library.
observe() {
	alloc=$1
	shift
	rm -f "$dir/calls" "$dir/names"
	: >"$dir/names"
	(
		program=$programs/$1
		shift
		timeout -k 10 300 "$program" "$@" 2>&1
		echo "exit $?"
	) | sort >"$dir/without"
	(
		program=$programs/$1
		shift
		timeout -k 10 300 env SMILE_TRACED=1 SMILE_TRACE_ALLOC="$alloc" SMILE_NAMES="$dir/names" \
			SMILE_OBSERVE="$dir/calls" LD_PRELOAD="$programs/observed.so" \
			"$program" "$@" 2>&1
		echo "exit $?"
	) | sort >"$dir/with"
	awk -f tests/preload/sequence.awk "$dir/names" "$dir/calls" >"$dir/threads"
}

same_output() {
	[ "$(wc -l <"$dir/without")" -gt 1 ] && diff "$dir/without" "$dir/with"
}

# calls NAME PROGRAM [ARGUMENT] <WANTED: one check of the calls, and one of the program's output.
calls() {
	title=$1
	shift
	observe 0 "$@"
	cat >"$dir/wanted"
	check "$title" diff "$dir/wanted" "$dir/threads"
	check "$title: prints the same" same_output
}

calls "threads, a mutex, a barrier" posix team <<END
main: START CREATE:T1 CREATE:T2 CREATE:T3 JOIN:T1 wait JOIN:T2 wait JOIN:T3 wait
T1: BEGIN +plain -plain +plain -plain barrier/3 wait
T2: BEGIN +plain -plain +plain -plain barrier/3 wait
T3: BEGIN +plain -plain +plain -plain barrier/3 wait
END

# Each of the three threads takes its lock twice, from two call sites that are the same in all
# threads.
sites() {
	awk '$3 == 25 { all++; thread[$2 " " $4]++; site[$4] } END {
		for (s in site) sites++
		for (t in thread) pairs++
		print all, sites, pairs }' "$dir/calls"
}
equal "where a thread takes a lock is reported" "6 2 6" "$(sites)"
calls "calls that fail are not reported" posix failing <<END
main: START +checked +plain +readers/shared +spin CREATE:T1 JOIN:T1 wait -spin -readers -plain -checked +readers -readers
T1: BEGIN +readers/shared -readers
END
calls "a recursive mutex is reported once" posix recursive <<END
main: START +again -again +again -again
END
calls "conditions" posix waiting <<END
main: START +plain CREATE:T1 -plain +plain -plain +plain -plain JOIN:T1 wait +checked -checked
T1: BEGIN +plain -plain
END
calls "a thread that is cancelled in a wait, and one that exits" posix cancel <<END
main: START CREATE:T1 JOIN:T1 wait CREATE:T2 JOIN:T2 wait
T1: BEGIN +plain -plain +plain -plain
T2: BEGIN
END
calls "a thread that is cancelled in a join" posix cancel_join <<END
main: START +checked CREATE:T1 CREATE:T2 JOIN:T2 wait -checked JOIN:T1
T1: BEGIN +checked -checked
T2: BEGIN +plain JOIN:T1 wait -plain
END
calls "C11" c11 <<END
main: START +plain CREATE:T1 -plain +plain -plain +plain -plain JOIN:T1 wait +plain +again CREATE:T2 JOIN:T2 wait -again -plain +plain -plain
T1: BEGIN +plain -plain
T2: BEGIN
END
calls "processes: what they share, and what lies at the same address" processes <<END
main: START FORK:T1 barrier/2 wait +mutex -mutex +spin -spin +readers -readers +own -own JOIN:T1 wait FORK:T2 JOIN:T2 wait FORK:T3 JOIN:T3 wait
T1: BEGIN barrier/2 wait +mutex -mutex +spin -spin +readers -readers +other -other
T2: BEGIN
T3: BEGIN
END
check "programs that it executes run without the library" grep -x clean "$dir/with"
calls "C++" cxx threads <<END
main: START +mutex CREATE:T1 -mutex +mutex -mutex JOIN:T1 wait
T1: BEGIN +mutex -mutex
END

observe 0 posix stacks
# The end of the main thread's stack that libc reports is below the environment.
check "stacks: the main thread's, a usual one, one of another size, one of the program's" sh -c "
	awk '\$3 == 0 { print \$4 } \$3 == 1 { print \$5, \$6 }' '$dir/calls' >'$dir/stacks'
	awk '\$2 == \"stack\" { low = \$1 } \$2 == \"stack_end\" { print low, \$1 }' '$dir/names' |
		sed '1s/ .*//' | diff - '$dir/stacks' && [ \$(wc -l <'$dir/stacks') -eq 4 ]"
observe 0 posix many
check "eighteen hundred threads print the same" same_output
check "each has its own key, made and waited for once" sh -c "
	awk '\$3 == 2 { made[\$4]++ } \$3 == 3 { joined[\$4]++ } \$3 == 1 { begun[\$4]++ }
		END {
			for (key in made) { keys++; bad += made[key] != 1 || begun[key] > 1 }
			for (key in joined) { joins++; bad += joined[key] != 1 || !(key in made) }
			print keys, joins, bad; exit !(keys == 1810 && joins == 1800 && bad == 0)
		}' '$dir/calls'"

observe 0 posix detached
check "threads that are on their own at once print the same" same_output
check "each of them was made" [ "$(awk '$3 == 2' "$dir/calls" | wc -l)" -eq 1000 ]

# A team's barrier has no name.
calls "OpenMP: regions" openmp region <<END
main: START CREATE:T1 CREATE:T2 other/3 other/3 wait other/3 wait other/3 other/3 wait
T1: BEGIN other/3 other/3 wait other/3 other/3 other/3
T2: BEGIN other/3 other/3 wait other/3 other/3 other/3
END
calls "OpenMP: loops" openmp loops <<END
main: START CREATE:T1 CREATE:T2 other/3 other/3 wait other/3 other/3 wait other/3 other/3 wait other/3 other/3 wait other/3 other/3 wait other/3 other/3 wait other/3 wait
T1: BEGIN other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 wait other/3
T2: BEGIN other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 other/3 wait other/3
END
calls "OpenMP: sections" openmp sections <<END
main: START CREATE:T1 other/2 other/2 wait other/2 other/2 wait
T1: BEGIN other/2 other/2 other/2 other/2
END
calls "OpenMP: critical sections and locks" openmp locks <<END
main: START CREATE:T1 other/2 +other -other +other -other +lock -lock +nest +nest -nest -nest other/2 wait +lock -lock +nest +nest -nest -nest
T1: BEGIN other/2 +other -other +other -other +lock -lock +nest +nest -nest -nest other/2
END
calls "OpenMP: reductions of tasks" openmp reductions <<END
main: START CREATE:T1 CREATE:T2 other/3 other/3 wait
T1: BEGIN other/3 other/3
T2: BEGIN other/3 other/3
END
calls "OpenMP: one thread does not wait" openmp alone <<END
main: START
END
observe 0 openmp single
check "OpenMP: single: prints the same" same_output
# Any thread may run the block with the copy; this thread waits in another way than the others.
check "OpenMP: single: all come to each barrier" sh -c "
	[ \$(grep -c . '$dir/threads') -eq 3 ] && ! grep -v 'other/3.*other/3.*other/3.*other/3.*other/3' \
		'$dir/threads' && [ \$(grep -o 'other/3' '$dir/threads' | wc -l) -eq 15 ]"
observe 0 openmp nested
check "OpenMP: teams in teams: prints the same" same_output
# Two times two teams of two threads, and an outer team with a barrier of its own.
check "OpenMP: teams in teams: each barrier has its team's number of arrivals" sh -c "
	awk '\$3 == 7 { arrived[\$4]++; all++; bad += \$5 != 2 }
		END { for (id in arrived) { ids++; bad += arrived[id] % 2 }
			print ids, all, bad; exit !(ids == 3 && all == 14 && !bad) }' '$dir/calls'"
observe 0 fortran
check "Fortran: prints the same" same_output
check "Fortran: OpenMP's barriers and locks" sh -c "
	sed 's/ wait//g; /^main/s/\\(.* other.3\\) .*/\\1/; s/^main: START CREATE:T1 CREATE:T2 //
		s/^T[12]: BEGIN //' '$dir/threads' | sort | uniq -c | grep -x \
		' *3 other/3 other/3 other/3 other/3 +other -other +other -other +other +other -other -other other/3'"
check "every region and barrier of the installed libgomp is ours" sh -c "
	ldd '$programs/openmp' | awk '/libgomp/ { print \$3 }' >'$dir/path'
	nm -D --defined-only \$(cat '$dir/path') | sed 's/.* //; s/@.*//' |
		grep -E '^GOMP_(parallel.*|barrier.*|(loop|sections)_end|(loop|sections)_end_cancel)\$' |
		grep -v -E '_start\$|^GOMP_parallel_end\$' | sort -u >'$dir/theirs'
	nm -D --defined-only '$B/smile-preload.so' | sed 's/.* //' | sort >'$dir/ours'
	[ \$(wc -l <'$dir/theirs') -ge 17 ] && ! comm -23 '$dir/theirs' '$dir/ours' | grep ."

inside() {
	awk 'NF == 2 && $2 == "code" { low = $1 } NF == 2 && $2 == "code_end" { high = $1 }
		NF == 8 && $3 == 13 && length($6) == length(low) && $6 >= low && $6 < high { n++ }
		END { print n + 0 }' "$dir/names" "$dir/calls"
}

observe 1 heap_calls
check "the heap: prints the same" same_output
echo "main: START ALLOCATE:100 FREE ALLOCATE:100000 FREE ALLOCATE:100008 FREE ALLOCATE:150 FREE ALLOCATE:10 FREE ALLOCATE:128 FREE ALLOCATE:129 FREE ALLOCATE:130 FREE ALLOCATE:260 FREE" >"$dir/wanted"
check "the heap: every block, one that could not grow reported as new" diff "$dir/wanted" "$dir/threads"
check "the heap: each by its caller" [ "$(inside)" -eq 9 ]
observe 1 own_heap
check "a heap of the program's own: prints the same" same_output
check "a heap of the program's own: nothing is reported" sh -c "
	grep -q . '$dir/calls' && ! awk '\$3 == 13 || \$3 == 14' '$dir/calls' | grep ."
observe 1 cxx heap
check "operator new: prints the same" same_output
check "operator new: every block" grep -q \
	'^main: START.* ALLOCATE:4 ALLOCATE:1000 ALLOCATE:192 ALLOCATE:500 FREE FREE FREE FREE .*ALLOCATE:4 FREE' \
	"$dir/threads"
check "operator new: by the program, and what is libstdc++'s own is not" sh -c "
	[ $(inside) -eq 5 ] && [ \$(awk '\$3 == 13' '$dir/calls' | wc -l) -gt 5 ]"
observe 0 heap_calls
check "SMILE_TRACE_ALLOC=0: no block is reported" [ "$(cat "$dir/threads")" = "main: START" ]

for kind in region region_static; do
	observe 0 $kind
	check "$kind: prints the same" same_output
	check "$kind: names and phases, cut where they end" awk '
		$3 == 5 { name[++names] = $4 " " $5 " " $6 " " $7 " " $8 }
		$3 == 4 { phase[++phases] = $4 " " $5 " " $6 " " $7 " " $8 }
		$3 == 6 { place = $4 " " $5 " " $6 }
		END {
			for (i = 1; i <= names; i++) print name[i]
			for (i = 1; i <= phases; i++) print phase[i]
			print place
			exit !(names == 3 && phases == 2 &&
				name[1] == "100000000000 2000 7473726966 0 0" &&
				name[2] == "100000002000 1000 6f20656d616e2061 742065726f6d2066 657774206e6168" &&
				name[3] == "100000003000 1000 7327646c696863 0 0" &&
				phase[1] == "65766c6f73 0 0 0 0" &&
				phase[2] == "2065736168702061 616e2065736f6877 6f6c20736920656d 616874207265676e 7472696874206e" &&
				place == "100000000000 1388 3")
		}' "$dir/calls"
	env SMILE_TRACED=1 LD_PRELOAD="$B/smile-preload.so" "$programs/$kind" where >"$dir/first" 2>&1
	env SMILE_TRACED=1 LD_PRELOAD="$B/smile-preload.so" "$programs/$kind" where >"$dir/second" 2>&1
	check "$kind: the same addresses in every run" sh -c "
		grep -x 'traced 1 at 0x100000000000 0x100000002000 0x100000004000' '$dir/first' &&
			cmp '$dir/first' '$dir/second'"
	check "$kind: without the tracer" sh -c "
		'$programs/$kind' where | grep -q '^traced 0 at 0x[0-9a-f]'"
done

timeout -k 10 300 "$programs/copy" >"$dir/without"
timeout -k 10 300 env LD_PRELOAD="$B/smile-preload.so" "$programs/copy" >"$dir/with"
check "memory and string functions: libc's pass" grep -q '[0-9] checks' "$dir/without"
check "and so do ours" cmp "$dir/without" "$dir/with"
check "they are ours" sh -c "
	timeout -k 10 300 env LD_DEBUG=bindings LD_PRELOAD='$B/smile-preload.so' '$programs/copy' 2>&1 |
		grep -c -E 'copy.* to .*smile-preload.so.*(mem|str)' | grep -v -x 0"
check "they call nothing but __chk_fail, and use no data" sh -c "
	for name in copy string; do
		nm -u '$B/run/preload/'\$name.o
		nm '$B/run/preload/'\$name.o | grep -i ' [bdr] '
	done | grep -v -x ' *U __chk_fail' | grep . && exit 1
	nm -u '$B/run/preload/memory/copy.o' | grep -q __chk_fail"
check "the tracer gets their addresses" sh -c "
	observed=\$(readelf -SW '$programs/observed.so' | sed 's/\\[ */[/' |
		awk '\$2 == \"smile_copy\" { print \$6 }')
	awk -v bytes=\"\$observed\" '
		function hex(text,   i, n) {
			for (i = 1; i <= length(text); i++)
				n = n * 16 + index(\"0123456789abcdef\", substr(text, i, 1)) - 1
			return n
		}
		\$3 == 0 { found = hex(\$7) - hex(\$6) == hex(bytes) && hex(bytes) > 1000 }
		END { exit !found }' '$dir/calls'"

observe 0 posix team
env LD_PRELOAD="$programs/observed.so" SMILE_OBSERVE="$dir/silent" "$programs/posix" team | sort >"$dir/with"
check "without SMILE_TRACED nothing is reported" sh -c "
	grep -v '^exit' '$dir/without' | diff - '$dir/with' && [ ! -e '$dir/silent' ]"
env LD_PRELOAD="$programs/observed.so" SMILE_TRACED=1 SMILE_OBSERVE="$dir/silent" \
	"$programs/static" team | sort >"$dir/with"
check "a static program runs as ever" sh -c "
	grep -v '^exit' '$dir/without' | diff - '$dir/with' && [ ! -e '$dir/silent' ]"
check "the library needs libc alone" sh -c "
	readelf -d '$B/smile-preload.so' | grep NEEDED >'$dir/needed'
	grep -q 'libc\\.so' '$dir/needed' && ! grep -v 'libc\\.so' '$dir/needed'"

rm -rf "$dir"
suite_end
