#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile sample --children on a tree of /sys that describes a machine with two nodes: each process has its own
# recordings, with its own pages, names and account, and the sum of the accounts is the kernel's count. The nodes of the
# pages that workers use are tested in tests/guest/sample_children_test.sh.
#
# usage: PROGRAMS=DIRECTORY tests/sample/children_test.sh SMILE MKCAPTURE SCRATCH
set -u
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/sample/sample_checks.sh
. "$(dirname "$0")/sample_checks.sh"
kinds=$PROGRAMS/process_kinds
kinds_source=$here/programs/process_kinds.c

# ---- the command line
for option in --bind "--place x"; do
	# shellcheck disable=SC2086
	refuses "$option and --children" "${option%% *} is for the threads and the memory of one program" \
		sample --children $option -- touch ran
done
refuses "a process that runs, and --children" "children has no effect on a process that runs" sample -p 1 --children
refuses "a file, and --children" "children has no effect on the samples in a file" sample --import absent --children
equal "they are not run" "" "$(ls ran 2>/dev/null)"

machine 0-1 1
"$smile" sample -o once -- true >out 2>err
if [ $? -eq 2 ]; then
	skip "perf is not permitted: no program is run"
	suite_end
	exit
fi
mkfifo input

# ---- two samplings with one prefix
"$smile" sample -o twice -- sh -c 'echo ready; read -r line; true' <input >first.out 2>first.err &
first=$!
own $first
exec 4>input
check "the first of two samplings: it runs" awaits has '^ready' first.out
"$smile" sample -o twice -- true >out 2>err
equal "the second of two samplings: status" 2 $?
says "the second of two samplings: the file is named" "another program is writing twice-node" err
exec 4>&-
wait $first
equal "the first of two samplings: status" 0 $?
disown $first
equal "the first of two samplings: its recordings" "twice-node0.rec twice-node1.rec" "$(echo twice-node*)"
rm -f twice-node*

# total NAME: all faults must be accounted for, by reason and by process. Each process has a recording for each node,
# whose account is also complete.
total() {
	equal "$1: all faults are accounted for" true "$(gojq '.account | .accesses > 0 and
		.accesses == .counted + ([.left_out[].accesses] | add)' x.json)"
	equal "$1: the samples are those of the processes" true "$(gojq '.samples == ([.processes[].samples] | add) and
		.remote == ([.processes[].remote] | add) and .account.accesses >= ([.processes[].accesses] | add)' x.json)"
	gojq -r '.processes[].recordings' x.json | sort >prefixes
	equal "$1: each process has a recording for each node" "$(sed 's/.*/.\/&-node0.rec .\/&-node1.rec/' prefixes | xargs)" \
		"$(find . -name 'x*.rec*' | sort | xargs)"
	while read -r prefix; do
		"$smile" report lost --json "$prefix-node0.rec" "$prefix-node1.rec" >lost.json 2>err.report
		equal "$1: the account of $prefix" true "$(gojq --slurpfile all x.json --arg prefix "$prefix" '.account as $a |
			($all[0].processes[] | select(.recordings == $prefix)) as $row | $a.accesses == $row.accesses and
			$a.counted == $row.samples and
			$a.accesses == $a.counted + ([$a.left_out[].accesses] | map(. // 0) | add)' lost.json)"
	done <prefixes
}
# sampled NAME STATUS ARGUMENTS...: smile sample --children must end with this status, and its accounts must be
# complete.
sampled() {
	title=$1 status=$2
	shift 2
	find . -name '*.rec*' -delete
	ends "$title" "$status" sample --children -o x --json x.json "$@"
	total "$title"
}
# worked NAME STATUS COMMAND...: runs a command that does the work, with --children.
worked() {
	title=$1 status=$2
	shift 2
	works "$title" "$status" --children -- "$@"
	total "$title"
}
# of_process FILTER [NAME]: the filter's result for the row of the process with this name, or of the child in the
# output.
of_process() {
	gojq -r --arg name "${2-}" --argjson child "$(awk '/^child/ { print $2 }' out | grep . || echo 0)" \
		".processes[] | select(if \$name == \"\" then .process == \$child else .name == \$name and .parent != null end) |
		$1" x.json
}

# ---- fork and exec
# shellcheck disable=SC2016
worked "a script" 3 sh -c '"$1" plain; exit 3' sh "$kinds"
equal "a script: the program's row" "false true" "$(of_process '"\(.copy) \(.ended)"' process_kinds)"
prefix=$(of_process .recordings process_kinds)
equal "a script: the program's name has its number" "x.$(of_process .process process_kinds)" "$prefix"
equal "a script: all pages have samples" "512 private:" "$(pages_of "$prefix")"
equal "a script: what it was before" true "$("$smile" report lost --json "$prefix-node0.rec" |
	gojq '[.account.left_out[] | select(.reason | test("executed another one")) | .accesses] | add > 0')"
equal "a script: its command line" "$kinds plain" "$("$smile" view --json "$prefix-node0.rec" "$prefix-node1.rec" |
	gojq -r .origin.command_line)"
equal "a script: a program's advice can be tried" "0 no" "$("$smile" advise --verify "$prefix-node0.rec" \
	"$prefix-node1.rec" >verify.out 2>verify.err; echo $?) $(grep -o 'there is no placement' verify.err | cut -d ' ' -f 3)"
worked "a copy" 5 "$kinds" forks
equal "a copy: its row" "true true process_kinds" "$(of_process '"\(.copy) \(.ended) \(.name)"')"
equal "a copy: its recordings have its exit status" 5 \
	"$("$smile" view --json "$(of_process .recordings)-node0.rec" 2>err.report | gojq .run.exit_status)"
equal "a copy: all pages have samples" "512 private:" "$(pages_of "$(of_process .recordings)")"
equal "a copy: its parent has no samples of these" "0 " "$(pages_of x)"
worked "a copy that another thread has started" 5 "$kinds" thread_forks
equal "a copy that another thread has started: its row" "true true process_kinds" \
	"$(of_process '"\(.copy) \(.ended) \(.name)"')"
equal "a copy that another thread has started: all pages have samples" "512 private:" "$(pages_of "$(of_process .recordings)")"

worked "a daemon" 5 "$kinds" daemon
equal "a daemon: its row" "true process_kinds" "$(of_process '"\(.copy) \(.name)"')"
equal "a daemon: all pages have samples" "512 private:" "$(pages_of "$(of_process .recordings)")"
worked "shared memory" 5 "$kinds" shares
equal "shared memory: each process has its own samples there, and it is called shared" "512 shared: 512 shared:" \
	"$(pages_of x) $(pages_of "$(of_process .recordings)")"
printf '%s plain\n' "$kinds" >no_interpreter
chmod +x no_interpreter
worked "a script that names no interpreter" 0 sh -c './no_interpreter; :'
equal "a script that names no interpreter: all pages have samples" "512 private:" \
	"$(pages_of "$(of_process .recordings process_kinds)")"
# shellcheck disable=SC2016
worked "a thread of a child executes a program" 0 sh -c '"$1" thread_exec; :' sh "$kinds"
equal "a thread of a child executes a program: it is sampled" 0 "$(gojq .processes_not_sampled x.json)"
equal "a thread of a child executes a program: what was before" true \
	"$(gojq '[.account.left_out[] | select(.reason | test("executed another")) | .accesses] | add >= 512' x.json)"
worked "a copy, again" 5 "$kinds" forks

copy=$(of_process .recordings)-node0.rec
refuses "a copy's advice: no placement file" "is a copy of its parent.*smile place" advise -o copy.place \
	"$copy" "${copy%0.rec}1.rec"
equal "a copy's advice: nothing is written" "" "$(ls copy.place 2>/dev/null)"
exits "two processes are compared" 0 diff --json x-node0.rec "$copy"
equal "two processes are compared: samples of each" "true true" "$(gojq -r '[.structures[] | select(.samples[1] >= 512)] |
	"\(length == 1) \(.[0].samples[0] < 512)"' out)"
child=${copy#x.} child=${child%-node0.rec}
for command in "report pages" "view --json" advise "top --batch"; do
	# shellcheck disable=SC2086
	refuses "$command: recordings of two processes" "$copy is of process $child, and x-node0.rec of process [0-9]*: two \
processes .*; give the recordings of one process: x-node\*.rec or ${copy%-node0.rec}-node\*.rec" $command x-node0.rec "$copy"
done
# To try a child's advice, the program itself is run, without the process that started it.
"$PROGRAMS/mksampled" child child
refuses "a child's advice: without its parent" "did not run with the placement" advise --verify --runs 1 \
	child-node0.rec child-node1.rec
says "a child's advice: a note" 'note: another program has started this one when it was sampled' err
rm -f child-node?.rec
refuses "a copy's advice: not verified" "is a copy of its parent.*smile place" advise --verify \
	"$copy" "${copy%0.rec}1.rec"

# ---- children that the kernel or the library cannot follow
unlogged='note: 1 process without names of heap blocks and phases'
if unshare -fp true 2>/dev/null; then
	worked "a namespace of processes" 0 unshare -fp "$kinds" closes
	prefix=$(of_process .recordings process_kinds)
	equal "a namespace of processes: its block has a name" 1 "$("$smile" report structures --json "$prefix-node0.rec" \
		"$prefix-node1.rec" 2>err.report | gojq '[.structures[] | select(.kind == "heap" and .accesses[0] > 256)] | length')"
	equal "a namespace of processes: no note" 0 "$(grep -c "$unlogged" err)"
	worked "a /proc of its own" 0 unshare -fp --mount-proc "$kinds" plain
	equal "a /proc of its own: all pages have samples" "512 private:" \
		"$(pages_of "$(of_process .recordings process_kinds)")"
	says "a /proc of its own: a note" "$unlogged.*a /proc of its own" err
	equal "a /proc of its own: the account says so" 1 "$(gojq .processes_without_log x.json)"
else
	skip "a namespace of processes: not permitted"
fi
if echo | "$PROGRAMS/pages_32" >out 2>/dev/null; [ $? -eq 7 ]; then
	# shellcheck disable=SC2016
	worked "a child of 32 bits" 7 sh -c '"$1"; exit $?' sh "$PROGRAMS/pages_32"
	equal "a child of 32 bits: all pages have samples" 512 "$(of_process .samples pages_32)"
	says "a child of 32 bits: a note" "$unlogged.*of 32 bits" err
else
	skip "a child of 32 bits: this kernel runs none"
fi
# A setuid program may read private data: when the user nobody executes one, the kernel ends the sampling.
cp "$(command -v id)" "$kinds" .
cp "$kinds" no_setuid
if chmod 4755 id process_kinds && [ "$("$PROGRAMS/as_nobody" ./id -u 2>/dev/null)" = 0 ]; then
	# shellcheck disable=SC2016
	worked "a setuid child" 0 sh -c '"$1" ./process_kinds plain; :' sh "$PROGRAMS/as_nobody"
	says "a setuid child: a warning names it" \
		'warning: the kernel has ended the sampling of process [0-9]*, since .*/process_kinds' err
	says "a setuid child: a note" 'note: 1 process without samples from some time on' err
	equal "a setuid child: the account says so" "1 1" \
		"$(gojq -r '"\(.processes_not_sampled) \(.processes_without_samples)"' x.json)"
	# shellcheck disable=SC2016
	begins "a thread of a child that executes a setuid program" --children -- \
		sh -c '"$1" ./no_setuid thread_exec ./process_kinds; :' sh "$PROGRAMS/as_nobody"
	is_looked_at
	printf '\n\n' >&4
	finishes 0
	total "$title"
	equal "a thread of a child that executes a setuid program: it is not sampled" 1 "$(gojq .processes_not_sampled x.json)"
	# shellcheck disable=SC2016
	worked "a setuid child that forks" 0 sh -c '"$1" ./process_kinds forks; :' sh "$PROGRAMS/as_nobody"
	equal "a setuid child that forks: both are not sampled" 2 "$(gojq .processes_not_sampled x.json)"
else
	skip "a setuid child: this user, or this file system, makes none"
fi
# The user nobody samples, and executes a program that this user may not read.
mkdir -p nobody && chmod 777 nobody && cp no_setuid nobody/unreadable && chmod 711 nobody/unreadable
if (cd nobody && "$PROGRAMS/as_nobody" "$smile" sample -q -o x -- true) >out 2>err; then
	printf 'a\nb\n' | (cd nobody && "$PROGRAMS/as_nobody" "$smile" sample -q --children -o x --json x.json -- \
		sh -c './unreadable plain; exit 4') >out 2>err
	equal "a child that may not be read: the status" 4 $?
	says "a child that may not be read: a warning names it" \
		'the kernel has ended the sampling of process [0-9]*, since unreadable changes .*, or may not be read' err
	equal "a child that may not be read: the account says so" 1 "$(gojq .processes_not_sampled nobody/x.json)"
else
	skip "a child that may not be read: nobody may not sample here"
fi
rm -rf nobody
worked "no setuid child" 5 "$kinds" forks
equal "no setuid child: all are sampled" 0 "$(gojq .processes_not_sampled x.json)"

# ---- children that end immediately
begins "500 children" --children -- "$kinds" many
# The sampler has open files for the processors, the log, and the standard files, but none for a process.
equal "500 children: the files that are open" true "$(gojq -n \
	"$(find /proc/$sampler/fd -mindepth 1 | wc -l) < 2 * $(nproc --all) + 32")"
echo >&4
finishes 0
total "500 children"
equal "500 children: each is a process with recordings, or counted as one without" 500 \
	"$(gojq '.processes_without_samples + .processes_with_fewest_samples + (.processes | length) - 1' x.json)"
equal "500 children: few, or none, of which nothing is known" true "$(gojq '.account as $a | ($a.left_out[] |
	select(.reason == "process without recordings") | .accesses) == .others' x.json)"
says "500 children: those without samples are counted" 'processes without samples, and so without recordings: [0-9]' err

# ---- a child that ended before its memory could be examined, since the sampler was stopped
begins "nobody looks" --children -- "$kinds" thread_ends
stands_still
echo >&4
check "nobody looks: the child has written, and ended" awaits has '^touched' out
kill -CONT $sampler
echo >&4
finishes 0
total "nobody looks"
equal "nobody looks: its faults are counted, by its name" "true null 1" "$(gojq -r '(.account.left_out[] |
	select(.reason == "process without recordings") | .accesses) as $n | "\($n >= 512 and $n == .others) \(
	.others_of[0].name) \(.others_of[0].processes)"' x.json)"
says "nobody looks: a note" 'of processes without recordings, since they had ended before their memory was examined' err

# ---- the log of a process contains only its own entries
# shellcheck disable=SC2016
worked "a program that allocates" 0 sh -c '"$1" closes; :' sh "$kinds"
prefix=$(of_process .recordings process_kinds)
"$smile" report structures --json "$prefix-node0.rec" "$prefix-node1.rec" >out.json 2>err.report
equal "a program that allocates: its block has the line that wanted it" \
	"process_kinds.c:$(grep -n 'block = malloc' "$kinds_source" | cut -d : -f 1)" \
	"$(gojq -r '.structures[] | select(.kind == "heap" and .accesses[0] > 256) | .name | split(" ")[0]' out.json)"
equal "a program that allocates: the shell has its own log" true "$("$smile" view --json x-node0.rec x-node1.rec |
	gojq '.run.log.blocks < 100 and .run.threads == 1')"
worked "a copy that allocates" 5 "$kinds" forks
equal "a copy that allocates: it has a log" 1 "$("$smile" view --json "$(of_process .recordings)-node0.rec" |
	gojq '.run.threads')"

# ---- followed processes behave as if they were not followed
# shellcheck disable=SC2016
sampled "a signal" 143 -- sh -c 'sh -c "kill -TERM \$\$"; exit $?'
cat >stops.sh <<'END'
sh -c 'kill -STOP $$; exit 7' &
child=$!
# A followed process is stopped at other moments, too, so this stop does not show that it has stopped itself.
while kill -CONT $child 2>/dev/null; do sleep 0.1; done
wait $child
END
sampled "a child that is stopped and continued" 7 -- sh stops.sh
sampled "a program that is not there" 3 -- sh -c './absent; exit 3'
sampled "a prefix" 5 -- sh -c 'env A=1 sh -c "exit 5"; exit $?'
# The child waits for a line, and writes a file after the sampling has ended.
mkfifo later
sampled "a child that outlives the program" 3 -- \
	sh -c 'sh -c "read line; echo \$line >went_on" <>later & exit 3'
says "a child that outlives the program: a note" 'note: 1 process had not ended when the program ended' err
timeout 60 sh -c 'echo here >later'
check "a child that outlives the program: it goes on" awaits has '^here' went_on
# Signals while children run. The children then read the end of the pipe, and end.
# shellcheck disable=SC2016
begins "the program is killed" --children -- sh -c '"$1" plain; :' sh "$kinds"
kill -KILL "$(pgrep -P $sampler)"
finishes 137
total "the program is killed"
says "the program is killed: a note" 'note: 1 process had not ended when the program ended' err
# shellcheck disable=SC2016
begins "the sampling is to end" --children -- sh -c '"$1" plain; :' sh "$kinds"
kill -TERM $sampler
finishes 143
total "the sampling is to end"
says "the sampling is to end: a note" 'note: 1 process had not ended when the program ended' err
# The disk becomes full when some processes already have their recordings.
if unshare -m true 2>/dev/null; then
	title="a full disk"
	mkdir -p disk
	: >out
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs -o size=20k none disk && "$@"; status=$?; ls disk >files; exit $status' \
		sh "$smile" sample --children -o disk/x --json x.json -- "$kinds" forks <input >out 2>err &
	full=$!
	own $full
	exec 4>input
	check "a full disk: it is ready" awaits has '^ready' out
	sampler=$(pgrep -P $full)
	is_looked_at
	echo >&4
	check "a full disk: it has written again" awaits has '^touched' out
	echo >&4
	sampler=$full
	finishes 2
	equal "a full disk: what is there is complete" "x-node0.rec x-node1.rec" "$(xargs <files)"
	says "a full disk: what is missing" 'No space left on device: what was written of disk/x.[0-9]*-node\*.rec is removed' err
	says "a full disk: what there is" 'of 2 processes 1 have recordings, which are complete: disk/x-node\*.rec;' err
else
	skip "a full disk: not permitted"
fi
# The source is the processors' samples. This machine has none, but the accounts must still be complete.
device=root/sys/bus/event_source/devices/cpu
mkdir -p $device/events $device/format
echo 1 >$device/type
echo config:0-7 >$device/format/event
echo event=0x02 >$device/events/mem-loads
ends "memory" 0 sample --children --source memory -o x --json x.json -- sh -c 'ls /; ls /'
total "memory"
equal "memory: of all processes" true "$(gojq '.account.accesses > 0 and .sampled.events[0].samples ==
	.account.accesses' x.json)"
machine 0-1 1

# Without --children, the note names this option.
find . -name '*.rec*' -delete
ends "without the option" 0 sample -o x --json x.json -- sh -c '/bin/true; /bin/true'
says "without the option: a note" 'do not count: true [0-9]* (2 processes).*--children records these' err
equal "without the option: no list" null "$(gojq -c .processes x.json)"

suite_end
