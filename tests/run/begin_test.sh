#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile run, with QEMU, the tracer and real programs: how a run treats the files of another run, which
# processes and programs are followed, and the messages about differences between QEMU and a processor.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/run/begin_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
programs=$RUN_PROGRAMS
needs qemu-x86_64
executes=$programs/executes

# --- two runs with the same name
"$smile" run -q -o two -- "$programs/ends" wait >waits.out 2>waits.err &
pid=$!
own $pid
awaits has waiting waits.out
ran "the second of two runs of one name" 2 -q -o two --json two.json -- "$executes" store
says "the second of two runs: the file, and the remedy" "two-node0.rec is being written.*-o" err
equal "the second of two runs: its program has done nothing" "" "$(cat out)"
equal "the second of two runs: no summary" "" "$(ls two.json 2>/dev/null)"
ran "another name at the same time" 0 -q -o other --capture other -- "$executes" store
kill -INT $pid
wait $pid
equal "the first of two runs: goes on to its end" 130 $?
disown $pid
exits "the first of two runs: its recordings are complete" 0 report lost two-node0.rec two-node3.rec
ran "a run after it" 0 -q -o two -- "$executes" store

# --- recordings of an earlier run, if a new run cannot start
cp two-node0.rec before.rec
echo "pages 1 node 4" >no-node.place
ran "a placement that the machine cannot have" 2 -q --nodes 4 -o two --capture two --place no-node.place -- \
	"$executes" store
says "a placement that the machine cannot have: what becomes of older recordings" "older recordings are unchanged" err
if cmp -s before.rec two-node0.rec && ! ls two-node*.pcap >none 2>&1; then
	ok "a run that cannot begin: older recordings are as they were"; else
	not_ok "a run that cannot begin: older recordings are as they were"; fi

# shellcheck disable=SC2016 # for the other shell
(sh -c 'ulimit -f 1000; exec "$@"' sh "$smile" run -q -o two -- "$executes" store 2>&1; echo "status $?") | cat >out
says "a limit on the length of files: the remedy" "no memory to be shared.*ulimit -f" out
says "a limit on the length of files: an error" "^status 2$" out

# shellcheck disable=SC2016 # for the other shell
(sh -c 'ulimit -n 9; exec "$@"' sh timeout -k 10 $limit "$smile" run -q -o two -- "$executes" store 2>&1
	echo "status $?") | cat >out
says "a limit on open files: the remedy" "limit on the number of open files.*ulimit -n" out
says "a limit on open files: the run ends, and is an error" "^status 2$" out
# There are enough open files for the recordings, but not for the captures of all nodes.
ran "captures" 0 -q --nodes 8 -o many --capture many -- "$executes" store
for file in many-*; do cp "$file" "$file.kept"; done
for limit_files in 10 12 14 16 18 20 22; do
	# shellcheck disable=SC2016 # for the other shell
	sh -c 'ulimit -n $1; shift; exec "$@"' sh $limit_files timeout -k 10 $limit "$smile" run -q --nodes 8 -o many \
		--capture many -- "$executes" store >out 2>err
	equal "a limit of $limit_files open files" 2 $?
	says "a limit of $limit_files open files: what becomes of older recordings" "older recordings are unchanged" err
	for file in many-node?.rec many-node?.pcap; do
		cmp "$file" "$file.kept" || echo differs
	done >out
	equal "a limit of $limit_files open files: older recordings are as they were" "" "$(cat out)"
done
# shellcheck disable=SC2016 # for the other shell
sh -c 'ulimit -n 14; exec "$@"' sh timeout -k 10 $limit "$smile" run -q --nodes 8 -o fresh -- "$executes" store \
	>out 2>err
equal "a limit of open files: no new recordings" "" "$(ls fresh-* 2>/dev/null)"
ran "a summary that would overwrite a recording" 2 -q -o two --json two-node0.rec -- "$executes" store
says "a summary that would overwrite a recording is refused" "two-node0.rec is a file of the run, too" err
if cmp -s before.rec two-node0.rec; then ok "and the recording is as it was"; else
	not_ok "and the recording is as it was"; fi

# --- recordings of an earlier run that had more nodes
ran "a run with eight nodes" 0 -q --nodes 8 -o nodes -- "$executes" store
cp nodes-node7.rec nodes-node6.rec
echo mine >nodes-node9.rec
ran "a run with four, of the same name" 0 -q -o nodes -- "$executes" store
says "fewer nodes: what was removed" "removed 3 recordings of an earlier run" err
equal "fewer nodes: what is not of such a run stays" "nodes-node6.rec nodes-node9.rec" \
	"$(ls nodes-node[4-9].rec | xargs)"
exits "fewer nodes: the recordings are of one run" 0 report pages nodes-node[0-3].rec
exits "recordings of two runs" 2 report pages nodes-node0.rec other-node1.rec
says "recordings of two runs: called that" "from another run" err

# --- programs that are executed. A prefix executes the program in its own process, or in a child.
# accesses NAME: the number of accesses of the last program that was executed
accesses() {
	gojq -r '[.programs[] | select(.program | endswith("executes")) | .accesses] | last' "$1.json"
}
# all_counted TITLE: check the last run, x.json: its counts are complete.
all_counted() {
	equal "$1: complete, and every account holds" "true true" \
		"$(gojq -r '"\(.complete) \(all(.checks[]; .holds))"' x.json)"
}
# followed TITLE ARGUMENTS...: run with these arguments. The last program that they execute makes
# its stores, which must be counted.
followed() {
	title=$1
	shift
	ran "$title" 0 -q -o x --json x.json "$@"
	equal "$title: it is executed" stored "$(tail -n 1 out)"
	equal "$title: its accesses are counted" "$alone" "$(accesses x)"
	all_counted "$title"
}
ran "a program alone" 0 -q -o x --json x.json -- "$executes" store
alone=$(accesses x)
equal "a program alone: one program, and 1500 stores" "1 true" \
	"$(gojq -r '.programs | "\(length) \(.[0].accesses >= 1500)"' x.json)"
for prefix in "env A=b" "env -i" nice "taskset -c $one_processor" "timeout 300" nohup \
	"numactl --interleave=all" setsid "ionice -c 3" "xargs -n 1"; do
	if command -v "${prefix%% *}" >/dev/null; then
		if [ "${prefix%% *}" = xargs ]; then
			# shellcheck disable=SC2086
			echo store | followed "$prefix" -- $prefix "$executes"
		else
			# shellcheck disable=SC2086
			followed "$prefix" -- $prefix "$executes" store
		fi
	else
		skip "$prefix: not there"
	fi
done
# stdbuf preloads a library, whose accesses also count.
if command -v stdbuf >/dev/null; then
	ran "stdbuf" 0 -q -o x --json x.json -- stdbuf -oL "$executes" store
	equal "stdbuf: its accesses are counted" true "$([ "$(accesses x)" -ge "$alone" ] && echo true)"
	all_counted "stdbuf"
else
	skip "stdbuf: not there"
fi
followed "four prefixes" -- env nice nohup env "$executes" store
equal "four prefixes: each is one program of one process, with addresses of its own" "5 0 5" \
	"$(gojq -r '.programs | "\(length) \(map(.process) | max) \(map(.first_address) | unique | length)"' x.json)"
"$smile" report structures --json x-node*.rec >structures.json 2>/dev/null
equal "four prefixes: the program's data has its name" data \
	"$(gojq -r '.structures[] | select(.name == "data") | .name' structures.json)"
followed "execve by a thread" -- "$executes" thread "$executes" store
followed "execve of a descriptor" -- "$executes" at "$executes" store
followed "execve of /proc/self/exe" -- "$executes" self
followed "system(3)" -- "$executes" shell "'$executes' store"
# shellcheck disable=SC2016
printf '#!/bin/sh\n"$1" store\n"$1" store & wait\n"$1" store | cat\n' >follow.sh && chmod +x follow.sh
followed "a script" -- ./follow.sh "$executes"
equal "a script: each program that it has started, in a process of its own" "3 3" \
	"$(gojq -r --argjson alone "$alone" '[.programs[] | select(.accesses == $alone)] |
	"\(length) \(map(.process) | unique | length)"' x.json)"
if command -v make >/dev/null; then
	printf 'all: a b c\na b c:\n\t@%s store\n' "$executes" >Makefile
	followed "a Makefile" -- env MAKEFLAGS= make -j3
	equal "a Makefile: three programs" 3 \
		"$(gojq --argjson alone "$alone" '[.programs[] | select(.accesses == $alone)] | length' x.json)"
else
	skip "a Makefile: no make"
fi
followed "eight children, as of mpirun" -- "$executes" spawn 8 "$executes" store
equal "eight children: each has its own memory" "8 8" "$(gojq -r --argjson alone "$alone" '[.programs[] |
	select(.accesses == $alone)] | "\(length) \(map(.first_address) | unique | length)"' x.json)"
"$smile" report structures --json x-node*.rec >structures.json 2>/dev/null
equal "eight children: the heap of each is of the line that made it" true "$(gojq '[.structures[] |
	select(.kind == "heap" and (.file // "" | endswith("executes.c")))] | length > 0' structures.json)"

# --- if a program is not followed, the run is incomplete
cp "$executes" ./other-machine && printf '\267\0' | dd of=other-machine bs=1 seek=18 conv=notrunc 2>dd.err
ran "a program that cannot be executed" 127 -q -o x --json x.json -- "$executes" exec ./nothing
all_counted "a program that cannot be executed"
if [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1; then
	ran "a static program that is executed" 1 -q -o x --json x.json -- env /bin/busybox true
	says "a static program that is executed: named" "busybox, which runs natively and is not traced" err
	equal "a static program that is executed: incomplete" false "$(gojq .complete x.json)"
	exits "a static program that is executed: its recordings say so" 1 report lost x-node0.rec
	says "a static program that is executed: why" "not all of the run is counted: 1 program .*not traced" out
	exits "a static program that is executed: views show the rest" 0 report pages x-node0.rec
	says "a static program that is executed: views say so" "not all of the run is counted: 1 program" err
	exits "a static program that is executed: smile top shows the rest" 0 top --batch x-node0.rec
	says "a static program that is executed: smile top says so" "run not complete" out
	says "a static program that is executed: smile top says why" "not all of the run is counted: 1 program" out
	ran "a static program that is executed, allowed" 0 -q --allow-incomplete -o x --json x.json -- \
		env /bin/busybox true
	equal "a static program that is executed, allowed: incomplete" false "$(gojq .complete x.json)"
	ran "a static program that is executed and fails" 1 -q --allow-incomplete -o x -- env /bin/busybox false
else
	skip "a static program that is executed"
fi

# --- the program's stack, processor and libraries
# shellcheck disable=SC2016
if sh -c 'ulimit -S -s unlimited' 2>/dev/null; then
	sh -c 'ulimit -S -s unlimited; exec "$@"' sh timeout -k 10 $limit "$smile" run -q -o x --json x.json -- \
		env "$executes" stack 512 >out 2>err
	equal "a stack without limit, of a program that is executed" "0 1 on the stack" "$? $(cat out)"
	all_counted "a stack without limit"
else
	skip "a stack without limit: not allowed"
fi
ran "an instruction of AVX-512" 132 -q -o x -- "$executes" avx512
says "an instruction of AVX-512: the cause and the remedy" "AVX-512.*-march=x86-64-v3" err
ran "an instruction of AVX-512 of a child" 132 -q -o x -- sh -c "'$executes' avx512; exit \$?"
says "an instruction of AVX-512 of a child: the cause and the remedy" "AVX-512.*-march=x86-64-v3" err
for how in usual deep apart; do
	ran "a plug-in, loaded $how" 0 -q -o x --json x.json -- "$executes" plugin "$programs/locks.so" $how
	cp err "$how.err"
	gojq .replay.acquisitions x.json >$how
done
equal "a plug-in that is bound deeply: its locks are seen" "100 100" "$(cat usual deep | xargs)"
says "a plug-in that is bound deeply: said that it is not" "RTLD_DEEPBIND" deep.err
says "a plug-in in a namespace of its own: said" "dlmopen" apart.err

suite_end
