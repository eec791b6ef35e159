#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of the papers' programs on this machine: results, options, marks; and their own checks, which must
# find a wrong result.
#
# usage: tests/workload/workload_test.sh B
set -u
if [ $# -ne 1 ] || [ ! -x "$1/workload/sor" ]; then
	echo "usage: $0 B, where the programs are built: make check-workload" >&2
	exit 2
fi
programs=$(realpath "$1/workload")
faulty=$(realpath "$1/tests/workload/faulty")
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
scratch_make "$1/tests/workload/scratch"
cd "$scratch" || exit 2

# run PROGRAM ARGUMENTS...: leaves out, err, status and sum, the checksum.
run() {
	program=$1
	shift
	timeout -k 10 300 "$programs/$program" "$@" >out 2>err
	status=$?
	sum=$(sed -n "s/^$program: checksum \([0-9a-f]\{16\}\)$/\1/p" out)
}

# correct NAME CHECKSUM PROGRAM ARGUMENTS...: the program must report a correct result and this checksum (-: any).
correct() {
	name=$1 expected=$2
	shift 2
	run "$@"
	[ "$expected" = - ] && expected=$sum
	if [ $status -eq 0 ] && [ -n "$sum" ] && [ "$sum" = "$expected" ] && [ ! -s err ] &&
		[ "$(tail -n 1 out)" = "$1: correct" ]; then
		ok "$name"
	else
		not_ok "$name" "status $status, checksum $sum, wanted 0 and $expected" "$(cat out)"
	fi
}

# refuses NAME PATTERN PROGRAM ARGUMENTS...: status 2, nothing on stdout, and one line that matches
# PATTERN.
refuses() {
	name=$1 pattern=$2
	shift 2
	run "$@"
	if [ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -q -e "^$1: .*$pattern" err; then
		ok "$name"
	else
		not_ok "$name" "status $status, wanted 2 and one line with '$pattern'" "$(cat out)"
	fi
}

# ---- the same result for each number of threads, placement and kind of phases

# same PROGRAM ARGUMENTS...
same() {
	run "$@" --threads 1
	reference=$sum
	for threads in 1 2 3 4 8; do
		correct "$* --threads $threads" "$reference" "$@" --threads $threads
	done
	correct "$* --layout placed" "$reference" "$@" --layout placed
	correct "$* --phases fine" "$reference" "$@" --phases fine
	correct "$* again" "$reference" "$@"
}

same sor --size 64 --iterations 3
same fft --size 1024
same radix --size 5000
same gauss --size 50
same gauss --size 50 --rows cyclic
same water --size 27 --iterations 4

# The result has the same bits on every host; tests/sim/sim_test.sh expects the same checksum.
correct "sor: a known result" 851c9a0f36491258 sor --size 64 --iterations 3

# ---- other sizes

# Another problem must have another result, which shows that the checksums depend on the result.
run sor --size 64 --iterations 3
first=$sum
run sor --size 64 --iterations 4
if [ -n "$sum" ] && [ "$sum" != "$first" ]; then
	ok "sor: another iteration, another checksum"
else
	not_ok "sor: another iteration, another checksum" "$first and $sum"
fi
for program in sor fft radix gauss water; do
	correct "$program: as in the papers" - "$program"
done
correct "sor: more threads than rows" - sor --size 3 --iterations 1 --threads 8
correct "fft: more threads than rows" - fft --size 4 --threads 8
correct "fft: 65536 points" - fft --size 65536
correct "radix: fewer keys than threads" - radix --size 1 --threads 8
correct "gauss: more threads than rows" - gauss --size 2 --threads 8
correct "gauss: more threads than rows, in turn" - gauss --size 2 --threads 8 --rows cyclic
correct "water: two molecules" - water --size 2 --threads 8
correct "water: odd number of molecules" - water --size 125 --iterations 1 --threads 3

# ---- the calls that they make to the tracer

# marks PROGRAM ARGUMENTS...: leaves in err the calls that the library of trace_none.c printed.
marks() {
	program=$1
	shift
	SMILE_TRACE_TELL=1 "$faulty/$program" "$@" >out 2>err
}

# phases: the names of the reported phases, in order, with commas.
phases() {
	sed -n 's/^phase //p' err | tr '\n' ','
}

for program in sor fft radix gauss water; do
	marks "$program"
	equal "$program: phases" "init,$program,check," "$(phases)"
	equal "$program: no placement of its own" 0 "$(grep -c '^place' err)"
	marks "$program" --layout placed
	for node in 0 1 2 3; do
		if grep -q "^place .* on $node\$" err; then
			ok "$program: data placed on node $node"
		else
			not_ok "$program: data placed on node $node" "nothing reported"
		fi
	done
done
marks sor --iterations 2 --phases fine
equal "sor: fine phases" "init,sor,iteration 1,iteration 2,check," "$(phases)"
marks sor --layout placed
equal "sor: one region, 64 bytes and the grid" "alloc grid 1048640" "$(grep '^alloc' err)"
equal "sor: blocks begin 64 bytes into a page" 4 "$(grep -c '^place 262144 of page offset 64 on' err)"
marks fft --phases fine
equal "fft: fine phases" \
	"init,fft,transpose 1,rows 1,transpose 2,rows 2,transpose 3,check," "$(phases)"
marks radix --phases fine
equal "radix: fine phases" "init,radix,count 1,rank 1,move 1,count 2,rank 2,move 2,check," "$(phases)"

# ---- wrong options

for program in sor fft radix gauss water; do
	refuses "$program: no threads" "--threads 0: .* from 1 to 256" "$program" --threads 0
	refuses "$program: too many threads" "--threads 257" "$program" --threads 257
	refuses "$program: no number" "--threads 4x" "$program" --threads 4x
	refuses "$program: less than none" "--size -1" "$program" --size -1
	refuses "$program: too large" "--size 99999999999999999999" "$program" --size 99999999999999999999
	refuses "$program: unknown layout" "default or placed" "$program" --layout best
	refuses "$program: unknown phases" "coarse or fine" "$program" --phases some
	refuses "$program: unknown option" "unrecognized option" "$program" --fast
	refuses "$program: no argument" "requires an argument" "$program" --threads
	refuses "$program: an operand" "512 is not an option" "$program" 512
	refuses "$program: no fault outside tests" "unrecognized option" "$program" --fault
	refuses "$program: pages do not move between threads" "takes no --adapt" "$program" --adapt 2
	refuses "$program: unknown check" "full or none" "$program" --check some
	run "$program" --check none
	equal "$program: --check none says so" "0 $program: not checked" "$status $(tail -n 1 out)"
	equal "$program: --check none knows no result" "" "$sum"
	run "$program" --help
	if [ $status -eq 0 ] && grep -q "^usage: $program" out && [ ! -s err ]; then
		ok "$program: --help"
	else
		not_ok "$program: --help" "status $status"
	fi
done
refuses "fft: not a power of 4" "power of 4" fft --size 2048
refuses "fft: no iterations" "takes no --iterations" fft --iterations 2
refuses "sor: no rows" "takes no --rows" sor --rows cyclic
refuses "gauss: unknown rows" "block or cyclic" gauss --rows odd

# ---- their checks find errors

# finds PROGRAM PATTERN ARGUMENTS...: the program is correct without its fault, and must find the fault.
finds() {
	program=$1 pattern=$2
	shift 2
	"$faulty/$program" "$@" >out 2>err
	equal "$program: without the fault ($*)" 0 $?
	"$faulty/$program" "$@" --fault >out 2>err
	status=$?
	if [ $status -eq 1 ] && [ "$(tail -n 1 out)" = "$program: WRONG" ] &&
		grep -q -e "$pattern" out; then
		ok "$program: its check finds the fault ($*)"
	else
		not_ok "$program: its check finds the fault ($*)" "status $status, wanted 1" "$(cat out)"
	fi
}

for threads in 1 4; do
	finds sor "DIFFERS from" --size 64 --iterations 3 --threads $threads
	finds fft "back within [0-9.]" --size 1024 --threads $threads
	finds radix "OTHER KEYS" --size 5000 --threads $threads
	finds gauss "residual [0-9.]" --size 50 --threads $threads
	finds water "DIFFER from" --size 27 --threads $threads
done

suite_end
