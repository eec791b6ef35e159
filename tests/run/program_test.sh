#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile run, with QEMU, the tracer and real programs: known counts, the same result in each run, and
# all ways in which programs can end.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/run/program_test.sh SMILE MKCAPTURE SCRATCH
set -u
sources=$(cd "$(dirname "$0")" && pwd)/programs
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/run_checks.sh"
programs=$RUN_PROGRAMS
needs qemu-x86_64

# --- known counts. Page p is on node p mod 4. The recordings do not contain accesses by the page's
# own node.
ran "a program of known accesses" 0 -o counts --json counts.json -- "$programs/counts"
first=$(cat out)
for k in 0 1 2 3 4; do
	awk -v page=$((first + k)) -v k=$k 'BEGIN {
		home = page % 4
		for (t = 0; t < 4; t++) {
			w = t == k ? 100 : 0
			r = k < 4 && (t + 1) % 4 == k ? 200 : 0
			l = k == 4 ? 7 : 0
			if (t == home)
				w = r = l = 0
			reads = reads sep r; writes = writes sep w; locks = locks sep l
			sep = ","
		}
		printf "%d %d r[%s] w[%s] l[%s]\n", page, home, reads, writes, locks
	}'
done | grep -v 'r\[0,0,0,0\] w\[0,0,0,0\] l\[0,0,0,0\]' >wanted
"$smile" report pages --json counts-node?.rec | gojq -r --argjson first "$first" '.pages[] |
	select(.page >= $first and .page < $first + 5) |
	"\(.page) \(.home) r\(.reads) w\(.writes) l\(.locks)"' >got
if [ -s wanted ]; then ok "counts: something is remote"; else not_ok "counts: something is remote"; fi
equal "counts: every access, by page, node and type" "$(cat wanted)" "$(cat got)"
equal "counts: the account holds" true "$(gojq 'all(.checks[]; .holds)' counts.json)"
says "counts: reported" "^checked: " err
"$smile" report pages --json counts-node?.rec | gojq -r --argjson first "$first" \
	'[.pages[] | select(.page == $first + 1) | .region.kind] | .[0]' >got
equal "counts: the pages are the heap's" heap "$(cat got)"
identity "counts" counts.json
equal "counts: the recording has the same account" "$(gojq -c .account counts.json)" \
	"$("$smile" report lost --json counts-node0.rec | gojq -c .account)"
exits "counts: the account as a text" 0 report lost counts-node0.rec
says "counts: all accesses" "^the program's accesses: .* not counted:" out

# --- memory of all kinds: each access must count
head -c 65536 /dev/zero >zeros
view() {
	"$smile" run -q --nodes 2 --place first-touch --json "$1-$2.json" -o "$1" -- "$programs/views" "$1" zeros "$2" ${4:-} \
		>out 2>err || cat err
	gojq -r "$3" "$1-$2.json"
}
for kind in anonymous locked before-main readable-file executable-file writable-file file-made-writable made-readable own-file \
	protected-globals read-only-globals opened-constants thread-local thread-local-first constants shared; do
	few=$(view $kind 1000 .accesses) many=$(view $kind 5000 .accesses)
	identity "$kind" $kind-1000.json
	equal "$kind: each access counts" 4000 $((many - few))
	few=$(view $kind 1000 .accesses 2) many=$(view $kind 5000 .accesses 2)
	equal "$kind, in a child's child: each access counts" 4000 $((many - few))
	identity "$kind, in a child's child" $kind-1000.json
	equal "$kind, in a child's child: by process" "0 0 4000" "$(gojq -sr '[.[0].programs, .[1].programs] | transpose |
		map(.[1].accesses - .[0].accesses) | join(" ")' $kind-1000.json $kind-5000.json)"
done
for kind in thread-local thread-local-first; do
	"$smile" run -q --nodes 2 -o $kind -- "$programs/views" $kind zeros 5000 >out 2>err || cat err
	"$smile" report structures --csv $kind-node*.rec >out
	says "$kind: the accesses have its name" "^thread-local data,anonymous,.*,0,2500,2500,0,0,0$" out
done
for seed in 1 2 3 4; do
	for loads in 1000 2000; do
		"$smile" run -q --json mixes-$loads.json -o mixes -- "$programs/mixes" $seed zeros $loads >out 2>err || cat err
		identity "memory that changes at random, $seed, $loads" mixes-$loads.json
	done
	few=$(gojq .accesses mixes-1000.json) many=$(gojq .accesses mixes-2000.json)
	equal "memory that changes at random, $seed: each access counts" $(($(cat out) * 1000)) $((many - few))
done
identities "memory that changes at random" "$programs/mixes" 5 zeros 1000

# --- processes that start after the program has ended, as daemons may do on a busy machine
late() {
	: >out
	timeout -k 10 $limit "$smile" run -q --json late.json -o late -- "$programs/late" "$1" >out 2>err &
	local run=$!
	while ! grep -q '^end$' out && kill -0 $run 2>/dev/null; do sleep 0.1; done
	# If smile run forgot these processes, it would do so in this time.
	sleep 2
	# shellcheck disable=SC2046 # several numbers
	kill -CONT $(grep -v end out)
	wait $run || cat err
	gojq '.accesses' late.json
}
few=$(late 1000) many=$(late 3000)
equal "processes that begin late: each access counts" 16000 $((many - few))
identity "processes that begin late" late.json

# --- code that runs before and after main(): of the program, and of libraries that are linked,
# preloaded or loaded by a constructor. There are 8 places in the program and 5 in each library, and
# the functions that the loader calls in each.
early() {
	make_early() {
		gcc -O2 -DCHOICES=$1 -DLIBRARY -shared -fPIC -o linked.so "$sources/early.c" &&
			cp linked.so late.so && cp linked.so preloaded.so &&
			gcc -O2 -DCHOICES=$1 -o early "$sources/early.c" -Wl,--no-as-needed ./linked.so -lpthread
	}
	make_early "$1" >err 2>&1 || not_ok "code outside of main(): builds" "$(cat err)"
	"$smile" run -q -o early --json early.json -- env LOADS="$2" LATE="$PWD/late.so" LD_PRELOAD="$PWD/preloaded.so" \
		./early >out 2>err || cat err
	gojq '.programs[1].accesses' early.json
}
few=$(early 1000 1000) many=$(early 1000 2000) chosen=$(early 2000 1000)
equal "code outside of main(): each access counts" 23000 $((many - few))
equal "code that the loader calls: each access counts" 4000 $((chosen - few))
identity "code outside of main()" early.json
equal "code outside of main(): nothing is unknown" true "$(gojq .complete early.json)"

# --- an independent count, by valgrind. It counts an atomic addition as a load, and an exchange as
# two accesses.
if command -v valgrind >/dev/null; then
	lackey() {
		valgrind --tool=lackey --trace-mem=yes --log-file=/dev/stdout "$@" 2>&1 | awk -F, '/^ [LSM] / {
			words = int(($2 + 7) / 8)
			all += $1 ~ /^ M/ ? 2 * words : words
		} END { print all }'
	}
	gcc -O0 -o rounds-slow "$sources/rounds.c" 2>err || not_ok "an independent count: builds" "$(cat err)"
	for program in "$programs/rounds" ./rounds-slow; do
		for rounds in 3 7; do
			lackey $program $rounds >lackey-$rounds
			"$smile" run -q -o rounds --json rounds-$rounds.json -- $program $rounds >out 2>err || cat err
		done
		equal "an independent count of all accesses, $(basename $program)" \
			$(($(cat lackey-7) - $(cat lackey-3) - 2 * (7 - 3))) \
			$(($(gojq .account.accesses rounds-7.json) - $(gojq .account.accesses rounds-3.json)))
		identities "$(basename $program)" $program 5
	done
else
	skip "an independent count: valgrind is not there"
fi

# First touch: after pages were released, their next access is a first access.
for kind in kept given-back replaced mapped-again moved moved-and-kept moved-away; do
	case $kind in kept | moved | moved-and-kept) wanted=4000 ;; *) wanted=0 ;; esac
	few=$(view $kind 100 .remote) many=$(view $kind 4100 .remote)
	equal "$kind: accesses to the first thread's node" $wanted $((many - few))
done

# --- the machine, as each interface reports it, and memory that the program itself places
ran "a program that asks for the machine" 0 --nodes 3 --place first-touch -o asks -- "$programs/asks"
first=$(sed -n 's/^page //p' out)
cat >wanted <<'END'
sysconf 3
affinity 3
getcpu 0 0 0
nodes allowed 7
/sys/devices/system/node/online: 0-2
/sys/devices/system/node/node1/cpulist: 1
/sys/devices/system/node/node1/distance: 20 10 20
/sys/devices/system/cpu/online: 0-2
/sys/devices/system/node: 3
/sys/devices/system/cpu: 3
/proc/cpuinfo, processor: 3
Mems_allowed_list:	0-2
/proc/self/status, Mems_allowed_list: 1
Cpus_allowed_list:	0-2
/proc/self/status, Cpus_allowed_list: 1
/proc/self/status, Pid: 1
moved to 1 2
bound to 2
no such node: -1
END
grep -v '^page ' out >got
equal "the answers" "$(cat wanted)" "$(cat got)"
# By page and home: bound pages, interleaved pages, and the accesses after the pages were moved.
"$smile" report pages --json asks-node?.rec | gojq -r --argjson first "$first" '[.pages[] |
	select(.page >= $first and .page < $first + 8) | "\(.page - $first):\(.home)"] | join(" ")' >got
equal "pages lie where the program has placed them" "0:2 1:2 3:2 5:2 6:1 7:2" "$(cat got)"
mkdir temporary
TMPDIR=$PWD/temporary "$smile" run -q --nodes 64 -o many -- "$programs/asks" >out 2>err
equal "64 nodes" 0 $?
equal "no folder is left behind" "" "$(ls temporary)"
# folder_of: the folder where QEMU finds the machine's files; the shell's process is not that of cat.
# shellcheck disable=SC2016
folder_of() {
	"$@" "$smile" run -q -o folder -- sh -c 'cat /proc/$$/cmdline; :' 2>err | tr '\0' '\n' | grep '/smile-machine[.]'
}
equal "the machine's files are where TMPDIR says" "$PWD/temporary" "$(dirname "$(folder_of env TMPDIR="$PWD/temporary")")"
if [ -w /dev/shm ]; then
	folder=$(folder_of env -u TMPDIR)
	equal "without TMPDIR they are in memory" /dev/shm "$(dirname "$folder")"
	check "and gone afterwards" test ! -e "$folder"
fi
# A killed run cannot remove its folder. The next run removes it, but not the folder of a run that continues.
# begin_run NAME: starts a run in its own process group; its process is $run.
begin_run() {
	# shellcheck disable=SC2016
	TMPDIR=$PWD/temporary setsid "$smile" run -q -o "$1" -- sh -c ': >'"$1"'.begun; read -r line' <hold >out 2>err &
	run=$!
	own $run
	awaits test -e "$1.begun"
}
mkfifo hold
exec 4<>hold
begin_run stays
stays=$run
folder=$(ls temporary)
begin_run killed
# dash does not accept -- here.
kill -KILL "-$run"
end_owned "$run"
equal "a run that is killed leaves its folder" 2 "$(ls temporary | wc -l)"
# The processes of the run have ended when no process holds the lock.
awaits flock -n "temporary/$(ls temporary | grep -vx "$folder")" true
TMPDIR=$PWD/temporary "$smile" run -q -o next -- true
equal "the next one removes it, and not that of a run that goes on" "$folder" "$(ls temporary)"
echo >&4
wait "$stays"
equal "that run goes on" 0 $?
disown "$stays"
equal "and removes its own" "" "$(ls temporary)"
exec 4>&-
ran "counts on one node" 0 --nodes 1 -o single --json single.json -- "$programs/counts"
equal "counts on one node: as many accesses, all local" "true" "$(gojq -s \
	'.[0].accesses == .[1].accesses and .[1].remote == 0' counts.json single.json)"

# --- homes of pages that are released, moved, mapped again, placed, or first written by the kernel
for how in replaced again overlapping segment moved placed written; do
	ran "homes, $how" 0 -q --machine server2 -o homes -- "$programs/homes" $how
	"$smile" report pages --json homes-node?.rec | gojq -r '.pages[] | select(.writes[1] == 100) |
		"home \(.page) \(.home)"' | sort >got
	equal "homes, $how: of all pages" "$(sort out)" "$(grep -x -F -f out got)"
done
# First touch does not put these pages on the node that accesses them, so the placement file must do
# it.
ran "advice on pages that the kernel writes first" 0 -q --machine server2 --caches none -o homes -- "$programs/homes" written
"$smile" advise homes-node?.rec -o homes.place >out 2>err
ran "with the advice" 0 -q --machine server2 --caches none --place homes.place -o homes --json homes.json -- \
	"$programs/homes" written
equal "with the advice: no access is remote" 0 "$(gojq .remote homes.json)"
ran "requests without effect" 0 -q --nodes 2 -o homes -- "$programs/homes" ignored
says "requests without effect: of a policy for memory" "set_mempolicy(2).*no effect, since --place" err
says "requests without effect: of all pages at once" "mlockall(2).*node that accesses it first" err
says "requests without effect: of a node for a thread" "sched_setaffinity(2).*no effect, since --threads" err

# --- the results are the same as without QEMU, and the flag "inexact" is set at the start
natively=$("$programs/rounding" | sed 1d)
ran "floating point" 0 -o rounding -- "$programs/rounding"
equal "floating point: inexact at the beginning" \
	"inexact at the beginning: main 1 thread 1 child 1" "$(sed -n 1p out)"
equal "floating point: lines" 4 "$(echo "$natively" | grep -c :)"
equal "floating point: the same as natively" "$natively" "$(sed 1d out)"

# --- the program finds the processors of the emulated machine, on each of its nodes
for nodes in 3 8; do
	ran "processors of $nodes nodes" 0 -q --nodes $nodes -o processors -- "$programs/processors"
	equal "processors of $nodes nodes: one each, for libc and OpenMP" \
		"$nodes $nodes $nodes $nodes $nodes, $nodes members" "$(sed -n 1,2p out | paste -s -d, | sed 's/,/, /')"
	equal "processors of $nodes nodes: in a thread's set" "$nodes $nodes 1 $nodes Invalid argument" "$(sed -n 3p out)"
	equal "processors of $nodes nodes: each can be requested, no other" "0 0 0 0 1" "$(sed -n 4p out)"
	# The threads of the region were created first, and a child process last.
	equal "processors of $nodes nodes: thread by thread" \
		"0:$(for i in 0 1 2 3 4 5; do printf ' %d' $(((nodes + i) % nodes)); done)" "$(sed -n 5p out)"
	cp out first
	timeout -k 10 $limit taskset -c "$one_processor" "$smile" run -q --nodes $nodes -o processors -- \
		"$programs/processors" >out 2>err
	equal "processors of $nodes nodes: the same on one of the host" "$(cat first)" "$(cat out)"
done
"$programs/processors" >first
SMILE_TRACED= LD_PRELOAD="$(dirname "$smile")/../smile-preload.so" "$programs/processors" >out
equal "processors without a tracer: the host's" "5 $(sed -n 1,4p first)" "$(wc -l <out) $(sed -n 1,4p out)"

# The program's thread 0, its threads 3 to 7, and a child process.
for how in "2,0,1 2: 2 0 1 2 0 1" "block:4 0: 1 2 2 2 2 2"; do
	ran "processors, --threads ${how%% *}" 0 -q --nodes 3 --threads "${how%% *}" -o processors -- "$programs/processors"
	equal "processors, --threads ${how%% *}: thread by thread" "${how#* }" "$(sed -n 5p out)"
done

# --- each run has the same result
for threads in 4 9; do
	ran "$threads threads with locks and barriers" 0 -o a --json a.json -- "$programs/order" $threads
	ran "$threads threads once more" 0 -q -o b --json b.json -- "$programs/order" $threads
	for node in 0 1 2 3; do
		"$smile" dump a-node$node.rec >a
		"$smile" dump b-node$node.rec >b
		if [ -s a ] && cmp -s a b; then ok "$threads threads, node $node: the same records"; else
			not_ok "$threads threads, node $node: the same records"; fi
	done
	for file in a.json b.json; do
		gojq 'del(.command_line, .recordings[].file)' $file >$file.same
	done
	if [ -s a.json.same ] && cmp -s a.json.same b.json.same; then ok "$threads threads: the same times"
	else not_ok "$threads threads: the same times" "$(diff a.json.same b.json.same | head -n 6)"; fi
done

# --- ends
ran "an exit status" 7 -o ends -- "$programs/ends" exit 7
ran "a program that crashes" 139 -o crash -- "$programs/ends" segv
exits "a program that crashes: the recordings are complete" 0 report lost crash-node0.rec \
	crash-node1.rec crash-node2.rec crash-node3.rec
ran "a program that aborts" 134 -o ends -- "$programs/ends" abort
ran "a program that forks" 0 -o fork -- "$programs/ends" fork
page=$(cat out)
	# Parent and child are on nodes 0 and 1. The recordings do not contain the accesses of the
	# process on the page's own node.
equal "a program that forks: its processes' accesses to shared memory" "$((page % 4 < 2 ? 50 : 100))" \
	"$("$smile" report pages --json fork-node?.rec | gojq --argjson page "$page" \
	'[.pages[] | select(.page == $page) | .accesses[]] | add')"
for how in leave leave-child; do
	ran "$how: a first thread that ends before another" 0 --place node:3 -o leave --json leave.json -- \
		"$programs/ends" $how
	page=$(cat out)
	equal "$how: all that the other one does is counted" "900 true" "$("$smile" report pages --json \
		leave-node?.rec | gojq -r --argjson page "$page" '[.pages[] | select(.page == $page) |
		.writes[]] | add') $(gojq .complete leave.json)"
done
ran "a program that executes another" 0 -o exec --json exec.json -- "$programs/ends" exec
equal "a program that executes another: that runs" executed "$(cat out)"
equal "a program that executes another: both are traced" 2 "$(gojq '.programs | length' exec.json)"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "${G_SLICE-none}"\n' >slices && chmod +x slices
ran "QEMU's memory" 0 -q -o slices -- ./slices
equal "QEMU's memory: nothing of it in the program's environment" none "$(cat out)"
G_SLICE=debug-blocks,all
export G_SLICE
ran "QEMU's memory, with a setting of the program's" 0 -q -o slices -- ./slices
unset G_SLICE
equal "QEMU's memory, with a setting of the program's: that stays" debug-blocks:all "$(cat out)"
printf '#!%s exit\n' "$programs/ends" >script && chmod +x script
ran "a script" 0 -o script -- ./script
: >out
"$smile" run -o wait -- "$programs/ends" wait >out 2>err &
pid=$!
own $pid
awaits has waiting out
kill -INT $pid
wait $pid
equal "Ctrl-C" 130 $?
disown $pid
says "Ctrl-C: the summary is there" "^checked: " err
exits "Ctrl-C: the recordings are complete" 0 report lost wait-node0.rec wait-node1.rec wait-node2.rec \
	wait-node3.rec

# --- a killed run leaves nothing behind
# stayed: the number of the four processes that are alive.
stayed() {
	sed -n 's/^staying //p' out | while read -r process; do
		grep -q '^State:[[:space:]]*[^ZX]' "/proc/$process/status" 2>/dev/null && echo "$process"
	done | wc -l
}
all_stay() { [ "$(stayed)" -eq 4 ]; }
none_stays() { [ "$(stayed)" -eq 0 ]; }
# killed NAME STATUS SIGNAL [worker]: sends the signal to smile run, or to the process that does its work.
killed() {
	rm -f stay-node?.rec
	: >out
	"$smile" run -q -o stay -- "$programs/ends" stay >out 2>err &
	pid=$!
	own $pid
	awaits all_stay
	equal "$1: four processes run before" 4 "$(stayed)"
	kill "-$3" "$(if [ $# -gt 3 ]; then cat /proc/$pid/task/$pid/children; else echo $pid; fi)"
	wait $pid
	equal "$1: exit status" "$2" $?
	disown $pid
	# After a process was killed, no other process may wait for its end.
	[ "$3" != KILL ] || awaits none_stays
	equal "$1: no process is left" 0 "$(stayed)"
}
killed "SIGTERM, a program that ignores it" 137 TERM
killed "SIGHUP, a program that ignores it" 137 HUP
killed "SIGKILL" 137 KILL
# closed: the worker process has written the recordings to their end, without its parent.
closed() {
	"$smile" report lost stay-node0.rec stay-node1.rec stay-node2.rec stay-node3.rec >lost 2>&1
	grep -q "^the account holds" lost
}
awaits closed
equal "SIGKILL: the recordings are closed" 0 $?
says "SIGKILL: the recordings say why they are not complete" "not all of the run is counted: the program was killed" lost
killed "SIGKILL of what does the work" 2 KILL worker
says "SIGKILL of what does the work: reported" "ended by signal 9, and the program with it" err

# --- threads whose order cannot be determined: they continue in the host's order, and a message
# reports it
accounted "threads that wait for pipes" 0 -- "$programs/waits" pipe 50
equal "threads that wait for pipes: they did the work" 5100 "$(cat out)"
says "threads that wait for pipes: reported" "waited in the kernel for an event that the tracer does not see" err
accounted "atomic instructions that QEMU executes alone" 0 -- "$programs/waits" misaligned 200
equal "atomic instructions that QEMU executes alone: they did the work" 800 "$(cat out)"
says "atomic instructions that QEMU executes alone: reported" "an order was taken from the host" err

if printf 'int main(void){return 0;}\n' | gcc -static -x c - -o static 2>/dev/null; then
	ran "a static program" 2 -- ./static
	says "a static program: named" "linked statically" err
else
	skip "a static program"
fi
suite_end
