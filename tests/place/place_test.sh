#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile place on this machine: the program's behaviour is unchanged, errors name their line, and regions are found again
# in a process in which they have other addresses. With --nodes 1 one node is enough for all of this.
#
# usage: PROGRAMS=DIRECTORY tests/place/place_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
several=$PROGRAMS/several
# Libraries that the user's shell preloads, and its settings for malloc(), would affect the
# programs.
# shellcheck disable=SC2046
unset LD_PRELOAD $(env | sed -n 's/^\(MALLOC_[A-Z_]*\)=.*/\1/p')

# placed NAME STATUS ARGUMENTS...: run smile place --nodes 1 with these arguments. Writes out, err
# and json.
placed() {
	name=$1 expected=$2
	shift 2
	rm -f json
	timeout -k 10 $limit "$smile" place --nodes 1 --json json "$@" >out 2>err
	equal "$name" "$expected" $?
}

# result FILTER: print a value of the JSON document.
result() {
	gojq -r "$1" json | xargs
}

# wrong NAME PATTERN LINE: check that a placement file with this third line is refused, and that the
# message names the line.
wrong() {
	printf 'pages 16-19 node 0\nregion 0x10000+16384 named 0 grid\n%s\n' "$3" >wrong.place
	refuses "$1" "wrong.place: line 3.*$2" place --nodes 1 wrong.place -- true
}

# ---- the command line and the file
refuses "no file" "which placement file" place
refuses "no program" "which program" place no.place
refuses "no program behind --" "which program" place no.place --
refuses "a file that is not there" "no.place: No such file" place no.place -- true
refuses "an option that is none" "unrecognized option" place --fast no.place -- true
wrong "a line of no kind" "is none of" "page 16 node 0"
wrong "no node" "is none of" "pages 16-19"
wrong "pages from high to low" "is none of" "pages 19-16 node 0"
wrong "a default that is none" "is none of" "default round-robin"
wrong "a default of two policies" "is none of" "default first-touch single"
wrong "a word that is none" "is none of" "pages 16 node 0 shared"
wrong "a region of no kind" "a region is START" "region 0x10000+4096 stack 0"
wrong "a region without bytes" "a region is START" "region 0x10000 named 0 grid"
wrong "a region without a number" "a region is START" "region 0x10000+4096 named grid"
wrong "a region with too many words" "a region is START" "region 0x10000+4096 named 0 grid of points"
wrong "a mapping of no kind" "a region is START" "region 0x10000+4096 mapping 0 secret"
wrong "a byte that is none" "a region is START" "region 0x10000+4096 named 0 gr%zz"
wrong "a lock of no process" "is none of" "order 0xffffffffffffffff threads 0,1"
wrong "a number that is too large" "at most" "region 0x10000+4096 named 2000000 grid"
wrong "a program without a name" "program PATH" "program"
wrong "an object without a build" "object PATH BUILD" "object /bin/true"
printf 'pages 16-19 node 0\n' >bare.place
refuses "pages only by their addresses" "only by their addresses.*smile advise" \
	place --nodes 1 bare.place -- true
printf 'region 0x10000+16384 named 0 grid\n' >none.place
refuses "no page" "places no page" place --nodes 1 none.place -- true
# An editor may write a byte order mark.
printf '\357\273\277default first-touch\npages 16-19 node 0 own\nregion 0x10000+16384 named 0 grid\norder 0x1234 threads 0,1\n' >grid.place
refuses "more nodes than there are" "with memory" place --nodes 64 grid.place -- true

# ---- the program is unharmed
placed "a program without the region" 0 grid.place -- echo a "b c"
equal "its arguments and its output" "a b c" "$(cat out)"
says "an order of a lock that is no global data cannot be kept" "0x1234, under which.*is not in global data" err
says "what is not found is reported" "^grid  *4  *0  *0  *0  *0  *not found" err
placed "its status" 7 grid.place -- sh -c 'exit 7'
placed "its signal" 134 grid.place -- sh -c 'kill -ABRT $$'
says "a signal leaves nothing to look up" "ended by a signal" err
placed "a program that there is not" 127 grid.place -- ./none
: >not-executable
placed "a program that cannot be run" 126 grid.place -- ./not-executable
placed "its environment" 0 grid.place -- env
equal "it is as before, but for malloc's threshold" "MALLOC_MMAP_THRESHOLD_=131072" \
	"$(grep -e SMILE_PLACE -e LD_PRELOAD -e MALLOC out)"
echo in | placed "its input" 0 grid.place -- cat
equal "it reads that" in "$(cat out)"
"$smile" place -q --nodes 1 grid.place -- true >out 2>err
equal "-q prints no table" 1 "$(wc -l <err)"
if [ "$(cat /sys/devices/system/node/has_memory 2>/dev/null)" = 0 ]; then
	exits "one node: the program's status" 5 place grid.place -- sh -c 'echo here; exit 5'
	equal "one node: its output" here "$(cat out)"
	says "one node is reported" "one node with memory: the program runs as it would without" err
	exits "one node: a program that there is not" 127 place grid.place -- ./none
else
	skip "this machine has not one node" 4
fi

# Signals that another process sends to smile place are forwarded to the program. The program waits
# for the end of its input.
mkfifo input
# The pipe is also opened for reading, so that the open does not block if the program does not
# start.
exec 3<>input
"$smile" place -q --nodes 1 grid.place -- "$several" wait <input >out 2>err 3>&- &
pid=$!
own $pid
awaits has '^named' out
kill -TERM $pid
wait $pid
equal "SIGTERM is passed on" 143 $?
disown $pid
exec 3>&-

# ---- regions, from a recording
needs qemu-x86_64
ran "a program with several structures" 0 -q -o several -- "$several"
exits "its placement" 0 advise several-node?.rec -o several.place
for kind in data variable block named mapping; do
	says "the placement names a $kind" "^region 0x[0-9a-f]*+[0-9]* $kind " several.place
done
sed 's/ node [0-9]*/ node 0/' several.place >here.place
placed "all of it on node 0" 0 here.place -- "$several"
equal "globals, blocks, mapping and named region are found" \
	"anonymous mapping 0,named,globals,block 0,block 1,block 2,block 3" \
	"$(result '[.regions[] | select(.found and .looked_up) | .name | select(endswith("data") | not) | sub(".*(?<b>block [0-9])$"; "\(.b)")] |
		.[0:7] | join(",")')"
equal "each of their pages lies there" true \
	"$(result '[.regions[0:7][] | .placed == .pages and .absent + .moved_away == 0] | all')"
equal "the threads are counted" "4 0" "$(result '"\(.threads) \(.threads_unbound)"')"
placed "printed by the program itself" 0 here.place -- "$several" print
python3 "$OLDPWD/tests/place/compare.py" here.place out >compared
equal "they lie as the placement says" "0 0" "$(echo $? "$(grep -c differs compared)")"
placed "nodes that there are not" 0 several.place -- "$several"
equal "pages of other nodes are refused" true "$(result '[.regions[0:7][] |
	.placed + ([.refused[]] | add // 0) == .pages] | all')"
equal "in words" "no such node" "$(result '[.regions[].refused | keys[]] | unique | join(",")')"
placed "_exit()" 3 here.place -- "$several" exit
equal "looks up, too" true "$(result '.looked_up and .regions[2].placed == .regions[2].pages')"
placed "a child process" 0 here.place -- "$several" fork
equal "does not count" true "$(result '.looked_up and .threads == 4')"
placed "a program that the program runs" 0 here.place -- sh -c "$several; true"
equal "is left alone" false "$(result '[.regions[].found] | any')"
placed "a program that is linked statically" 0 here.place -- "$PROGRAMS/static"
says "cannot be placed" "library was not loaded" err

# The placement also names the last 16 pages of the mapping, which are never accessed.
mapping=$(sed -n 's/^region \(0x[0-9a-f]*+[0-9]*\) mapping .*/\1/p' here.place)
{
	cat here.place
	echo "bytes $mapping node 0"
} >absent.place
placed "a mapping of which all pages are named" 0 absent.place -- "$several"
equal "pages that were never touched are absent" "48 32 16" \
	"$(result '.regions[] | select(.kind == "private") | "\(.pages) \(.placed) \(.absent)"')"
sed 's/^\(region 0x[0-9a-f]*\)+[0-9]* mapping/\1+8192 mapping/' here.place >size.place
placed "a mapping of another size" 0 size.place -- "$several"
equal "is another mapping" false "$(result '.regions[] | select(.kind == "private") | .found')"

# ---- another build
placed "a program that was built again" 0 here.place -- "$PROGRAMS/rebuilt/several"
says "that is reported" "not the build that was recorded: 1 of its variables" err
equal "its variables are found by their names" "globals" \
	"$(result '.regions[] | select(.kind == "variable" and .found) | .name')"
equal "its blocks are not" "false" "$(result '[.regions[] | select(.kind == "block" and
	(.name | test("several"))) | .found] | any')"
equal "what has a name of its own is" true "$(result '[.regions[] | select(.kind == "named") | .found] | all')"

# ---- other arguments: a block that is four times as large
ran "data in quarters" 0 -q --no-constants -o quarters -- "$PROGRAMS/quarters" 0 1
exits "its placement" 0 advise quarters-node?.rec -o quarters.place
sed -i '/^pages/ s/ node [0-9]*/ node 0/' quarters.place
placed "the same arguments" 0 quarters.place -- "$PROGRAMS/quarters" 0 1
equal "nothing is said" 0 "$(grep -c arguments err)"
placed "other arguments" 0 quarters.place -- "$PROGRAMS/quarters" 0 4
says "are reported" "recorded with the arguments '0 1', not '0 4'" err
says "and that the block was scaled" "block 0 .* scaled to 256 pages instead of 64" err
equal "all of it is placed" "1048576 true" "$(result '.regions[] | select(.kind == "block") |
	"\(.found_bytes) \(.placed > 250)"')"
# Pages on random nodes follow no rule by which the placement could be scaled.
block=$(sed -n 's/^region \(0x[0-9a-f]*\)+[0-9]* block 0 .*/\1/p' quarters.place)
awk -v page="$((block / 4096))" 'BEGIN { srand(1); for (i = 0; i < 65; i++) printf "pages %d node %d\n", page + i,
	int(4 * rand()) }' >>quarters.place
placed "no rule" 0 quarters.place -- "$PROGRAMS/quarters" 0 4
says "is reported" "block 0 .* not placed: 256 pages instead of 64" err
placed "another program" 0 quarters.place -- "$several"
says "another program is reported" "a placement of another program, quarters" err

# ---- C++
ran "a program in C++" 0 -q -o operators -- "$PROGRAMS/operators"
exits "its placement" 0 advise operators-node?.rec -o operators.place
sed -i 's/ node [0-9]*/ node 0/' operators.place
placed "in place" 0 operators.place -- "$PROGRAMS/operators"
equal "its output" "no memory, as expected 2" "$(xargs <out)"
equal "its libraries are found, by their real names" 0 \
	"$(result '[.regions[] | select(.kind == "data" and (.found | not))] | length')"
equal "blocks of operator new are found" 2 \
	"$(result '[.regions[] | select(.kind == "block" and .found and .placed >= 8)] | length')"

# ---- threads that take their numbers under a lock
ran "a program with roles" 0 -q -o roles -- "$PROGRAMS/roles" lock show
recorded=$(tail -n 1 out)
exits "its placement" 0 advise roles-node?.rec -o roles.place
equal "the recorded order is not that of creation" true \
	"$([ "$recorded" != 0,1,2,3 ] && [ -n "$recorded" ] && echo true)"
sed -i 's/ node [0-9]*/ node 0/' roles.place
placed "with roles, in place" 0 roles.place -- "$PROGRAMS/roles" lock show
equal "threads have the numbers of the recorded run" "$recorded" "$(tail -n 1 out)"
sed 's/^order \(0x[0-9a-f]*\) threads [0-9,]*/order \1 threads 9,3,2,1,0/' roles.place >late.place
placed "with a thread that never comes" 0 late.place -- "$PROGRAMS/roles" lock show
says "the order is given up, and that is reported" "was too late at the lock" err

suite_end
