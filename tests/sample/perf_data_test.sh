#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile sample --import, on perf.data files that perf_data.py writes: the contents of the recordings, the
# refusals, and a comparison with the output of perf itself for the same files. Also tests of --source memory, on trees
# of /sys that list processors' events; one of these events represents an event that any machine has.
#
# usage: PROGRAMS=DIRECTORY tests/sample/perf_data_test.sh SMILE MKCAPTURE SCRATCH
set -u
generator=$(realpath "$(dirname "$0")/perf_data.py")
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"

# made CASE FILE...: runs perf_data.py with these arguments; it writes FILE.
made() {
	python3 "$generator" "$@" || not_ok "perf_data.py $1"
}
variable() {
	nm "$PROGRAMS/two_arrays" | awk -v name="$1" '$3 == name { print name "=" $1 }'
}
# takes NAME CASE ARGUMENTS...: the file must be imported, as x. Leaves out, err, x.json.
takes() {
	name=$1 case=$2
	shift 2
	find . -name '*.rec*' -delete
	[ -e "$case.data" ] || made "$case" "$case.data"
	ends "$name" 0 sample --import "$case.data" -o x --json x.json "$@"
	equal "$name: all samples are accounted for" true "$(gojq '.account | .accesses ==
		.counted + ([.left_out[].accesses] | add)' x.json)"
}
# left REASON: the number of samples that are left out for this reason.
left() {
	gojq "[.account.left_out[] | select(.reason | test(\"$1\")) | .accesses] | add" x.json
}
# declines NAME PATTERN CASE: the file must be refused with a message that matches, and nothing is written.
declines() {
	name=$1 pattern=$2 case=$3
	find . -name '*.rec*' -delete
	[ -e "$case.data" ] || made "$case" "$case.data"
	refuses "$name" "$case.data: .*$pattern" sample --import "$case.data" -o x
	equal "$name: nothing is written" "" "$(find . -name '*.rec*')"
}

# ---- Intel: two nodes, loads and stores, a program with variables
made intel intel.data "$PROGRAMS/two_arrays" "$(variable left)" "$(variable right)"
takes "intel" intel
equal "intel: the account" "80 65 14 2 11 4 0" "$(gojq -r '"\(.samples) \(.transactions) \(.remote) \(.pages) \(
	.account.left_out | map(select(.reason | test("^lost"))) | .[0].accesses - 4) \(
	.account.left_out | map(select(.reason | test("node is not known"))) | .[0].accesses) \(.moves)"' x.json)"
equal "intel: what is not counted" "4 6 2 1 1 2 3 8 15 0" "$(left 'node is not known') $(left '^another process') $(
	left 'executed another') $(left 'unknown node') $(left 'no recording') $(left 'of the kernel$') $(
	left 'no address') $(left 'does not say') $(left '^lost') $(left 'could not be read')"
equal "intel: the mark" 'memory ["cpu/mem-loads,ldlat=30/P",97,1000] ["cpu/mem-stores/P",10,500]' "$(gojq -r \
	'.sampled | "\(.source) \(.events[] | [.event, .samples, .period] | tojson)"' x.json | xargs -d '\n' |
	sed 's/ memory//')"
equal "intel: whose samples" "100 prog numabox true" "$(gojq -r '.imported |
	"\(.process) \(.name) \(.hostname) \(.command_line | test("mem record"))"' x.json)"
equal "intel: a band of the remote share" true "$(gojq '.remote_share_low_95 < .remote_share and
	.remote_share < .remote_share_high_95 and (.remote_share - 14 / 65 | fabs) < 1e-9' x.json)"
equal "intel: what is not known: throttled, and not cut off" '["time in which the kernel had stopped the sampling"]' \
	"$(gojq -c '[.account.left_out[] | select(.accesses == null) | .reason]' x.json)"
says "intel: losses are shown" "note: 15 samples are lost" err
says "intel: so is throttling" "stopped the sampling 1 time" err
says "intel: and pages without a home" "note: 4 samples are of pages.*--source memory" err
"$smile" report pages --json x-node*.rec >out 2>err
equal "intel: pages" '[[0,[36,14],[35,14],[0,0],[1,0],[31,14]],[1,[0,30],[0,20],[0,10],[0,0],[0,20]]]' \
	"$(gojq -c '[.pages[] | [.home, .accesses, .reads, .writes, .locks, .transactions.accesses]]' out)"
equal "intel: pages: each figure has a band" true "$(gojq 'all(.pages[]; . as $page | all("", "reads_", "writes_", "locks_";
	$page[. + "low_95"] as $low | $page[. + "high_95"] as $high | ($page.transactions[. + "low_95"] | length == 2) and
	($low | length == 2) and all(range(2); $low[.] < $high[.])) and (.transactions | .remote_share_low_95 <= .remote_share
	and .remote_share <= .remote_share_high_95))' out)"
"$smile" report pages --csv x-node*.rec >out 2>err
equal "intel: pages: CSV: as many columns as names" 1 "$(awk -F, '{ print NF }' out | sort -u | wc -l)"
says "intel: pages: CSV: bands" 'low_95,high_95,transaction_low_95,transaction_high_95,reads_low_95,.*transaction_locks_high_95$' out
"$smile" report structures --json x-node*.rec >out 2>err
equal "intel: variables" '["left",[36,14],31,true] ["right",[0,30],0,true]' "$(gojq -c '.structures[] |
	[.name, .accesses, .transactions.accesses[0], (.reads_low_95 | length == 2)]' out | sort | xargs -d '\n')"
equal "intel: types of qualified arrays" '"volatile int [4096]" "volatile int [4096]"' \
	"$(gojq -c '.structures[].type' out | xargs -d '\n')"
"$smile" view --json x-node*.rec >out 2>err
equal "intel: view: all samples, and those beyond the caches" '[80,65]' \
	"$(gojq -c '.summary | [.accesses, .transactions.accesses]' out)"
"$smile" report structures --csv x-node*.rec >out 2>err
equal "intel: variables: CSV: as many columns as names" 1 "$(sed 's/"[^"]*"//g' out | awk -F, '{ print NF }' | sort -u |
	wc -l)"
"$smile" report structures x-node*.rec >out 2>err
says "intel: variables: a table" 'left .* 49 \[36-65\] .* 45 \[32-61\]' out
says "intel: variables: the legend" 'Transactions = samples that no cache' out
"$smile" report phases --json x-node*.rec >out 2>err
equal "intel: phases" '[80,65,true]' "$(gojq -c '.phases[0] | [.accesses, .transactions.accesses,
	.transactions.low_95 < 65 and .transactions.high_95 > 65]' out)"
"$smile" report pages --json x-node*.rec >out 2>err
page=$(gojq .pages[0].page out)
"$smile" report phases --page "$page" --json x-node*.rec >out 2>err
equal "intel: phases of a page" '[[36,14],[31,14],2,true]' "$(gojq -c '.phases[0] | [.accesses, .transactions.accesses,
	(.transactions.low_95 | length), .transactions.high_95[0] > 31]' out)"
"$smile" report phases --page "$page" --csv x-node*.rec >out 2>err
equal "intel: phases of a page: CSV: as many columns as names" "3 1" \
	"$(wc -l <out) $(awk -F, '{ print NF }' out | sort -u | wc -l)"
"$smile" report lost --json x-node*.rec >out 2>err
equal "intel: lost" '["samples",122,80]' "$(gojq -c '.account | [.unit, .accesses, .counted]' out)"
"$smile" advise --json x-node*.rec >out 2>err
equal "intel: advice rests on transactions" '[65,[[0,true],[1,true]]]' "$(gojq -c '[.samples, [.runs[] |
	[.node, .share_low_95 > 0.5]]]' out)"

# ---- latencies of accesses
made weights weights.data "$PROGRAMS/two_arrays" "$(variable left)" "$(variable right)"
takes "latencies" weights
says "latencies: the account" "^latency, .* local 118 \[107-129\], remote 360 \[331-389\]$" err
equal "latencies: samples that say none have none" '["local",21] ["remote",20]' \
	"$(gojq -c '.latency.served[] | [.served, .samples]' x.json | xargs -d '\n')"
"$smile" report latency x-node*.rec >out 2>err
says "latencies: a table: by variable, with bands" '^left  *two_arrays.c:[0-9]*  *120 \[110-130\]  *360 \[331-389\]$' out
says "latencies: a table: one sample has no band" '^right .* 77 \[not known\]  *-$' out
says "latencies: a table: all" '^all .* 118 \[107-129\] .* 360 \[331-389\]$' out
says "latencies: a table: the legend" 'Estimates: \[A-B\] behind a mean' out
"$smile" report latency --json x-node*.rec >out 2>err
equal "latencies: JSON" '[["left",[["local",20,120,110,130],["remote",20,360,331,389]]],["right",[["local",1,77,null,null]]]]' \
	"$(gojq -c '[.structures[] | [.name, [.latency[] | [.served, .samples, .cycles, (.cycles_low_95 // empty | floor),
	(.cycles_high_95 // empty | ceil)] | if length == 3 then . + [null, null] else . end]]]' out)"
equal "latencies: JSON: pages" '[["left",2],["right",1]]' "$(gojq -c '[.pages[] | [.name, (.latency | length)]]' out)"
"$smile" report latency --csv x-node*.rec >out 2>err
says "latencies: CSV" '^[0-9]*,left,remote,20,12\..*,360,331\..*,388\.' out
says "latencies: CSV: what is not known is empty" '^[0-9]*,right,local,1,.*,77,,$' out

# ---- other processors, machines and files
made larger_attr larger_attr.data "$PROGRAMS/two_arrays" "$(variable left)" "$(variable right)"
takes "attributes of a newer perf" larger_attr
equal "attributes of a newer perf: the same" "80 65 14" "$(gojq -r '"\(.samples) \(.transactions) \(.remote)"' x.json)"
takes "amd" amd
equal "amd" "50 25 15 40 ibs_op//" "$(gojq -r '"\(.samples) \(.transactions) \(.remote)"' x.json) $(left 'no address') $(
	gojq -r '.sampled.events[0].event' x.json)"
"$smile" report pages --json x-node*.rec >out 2>err
equal "amd: a page that moved has two homes" '[[0,[10,0]],[1,[15,0]]] 25' "$(gojq -c '[.pages[] | [.home,
	.transactions.accesses]]' out) $(gojq '[.pages[] | .accesses | add] | add - 25' out)"
takes "four nodes" four
equal "four nodes: the home is said by its own node" "55 50 30 9" "$(gojq -r '"\(.samples) \(.transactions) \(.remote)"' \
	x.json) $(left 'node is not known')"
takes "several nodes in a socket" shared_sockets
equal "several nodes in a socket: local is no node" "0 64" "$(gojq .samples x.json) $(left 'node is not known')"
says "several nodes in a socket: a note" "no samples of accesses whose page has a known home" err
takes "physical addresses" physical
"$smile" report pages --json x-node*.rec >out 2>err
equal "physical addresses: homes of all pages whose memory a node has" '[[3,[5,9,0,0],9],[2,[0,0,3,0],3]] 2' \
	"$(gojq -c '[.pages[] | [.home, .accesses, (.transactions.accesses | add)]]' out) $(left 'node is not known')"
takes "a copy of a program" forked
equal "a copy of a program: its name, its samples, its memory" "300 prog 50 3" "$(gojq -r '"\(.imported.process) \(
	.imported.name) \(.samples)"' x.json) $(left '^another process')"
"$smile" report pages x-node*.rec >out 2>err
says "a copy of a program: the heap that it began with" 'heap' out
takes "a copy of a program, and -p" forked -p 100
equal "-p says whose samples" "100 1" "$(gojq -r '"\(.imported.process) \(.samples)"' x.json)"
refuses "-p of a process without samples" "no samples of process 7" sample --import forked.data -p 7 -o x
takes "all that a sample can hold" wide
equal "all that a sample can hold" "7 7 4" "$(gojq -r '"\(.samples) \(.transactions) \(.remote)"' x.json)"
takes "events of several forms" mixed
equal "events of several forms" "3 2" "$(gojq .samples x.json) $(left 'no address')"
made other_build other_build.data "$PROGRAMS/two_arrays"
takes "another build of the program" other_build
"$smile" report structures --json x-node*.rec >out 2>err
equal "another build of the program: it is said" "build-id 0102030405060708090a0b0c0d0e0f1011121314 true" \
	"$(gojq -r '.objects[] | select(.path | test("two_arrays")) | "\(.build) \(.message != "")"' out)"
takes "a sample that is too short" short_sample
equal "a sample that is too short" "16 1" "$(gojq .samples x.json) $(left 'could not be read')"
find . -name '*.rec*' -delete
made plain plain.data
ends "without -o" 0 sample -q --import plain.data
equal "without -o: named after the process" "./prog-node0.rec ./prog-node1.rec" "$(find . -name '*.rec' | sort | xargs)"

# ---- Arm SPE: the result of perf inject for its packets
declines "packets of Arm SPE" "perf inject --itrace=M -i FILE -o OTHER.*--import OTHER" spe
declines "samples of Arm SPE, each twice" "several samples.*perf inject --itrace=M" spe_twice
# spe NAME CASE: the samples of spe_accesses().
spe() {
	takes "$1" "$2"
	equal "$1: samples, transactions, those at other nodes" "45 36 9" \
		"$(gojq -r '"\(.samples) \(.transactions) \(.remote)"' x.json)"
	equal "$1: the event that the processor has sampled, and its period" '["arm_spe_0//",45,1024]' \
		"$(gojq -c '.sampled.events[] | [.event, .samples, .period]' x.json)"
	"$smile" report pages --json x-node*.rec >out 2>err
	equal "$1: pages" '[[0,[29,9],[25,9],[4,0],[20,9]],[1,[0,7],[0,7],[0,0],[0,7]]]' \
		"$(gojq -c '[.pages[] | [.home, .accesses, .reads, .writes, .transactions.accesses]]' out)"
	"$smile" report lost x-node*.rec >out 2>err
	says "$1: the recordings say that losses are not known" 'not known  packet of Arm SPE' out
}
spe "samples of Arm SPE" spe_converted
# For stores, a later perf may name more sources.
equal "samples of Arm SPE: what served them" '["unknown",4] ["cache",5] ["local",27] ["elsewhere",9]' \
	"$(gojq -c '.latency.served[] | [.served, .samples]' x.json | xargs -d '\n')"

takes "a large file" many
equal "a large file: all of it" "300000 300000 150000" "$(gojq -r '"\(.samples) \(.transactions) \(.remote)"' x.json)"

# ---- truncated files
bytes=$(wc -c <plain.data)
data=$(od -An -t u8 -j 40 -N 16 plain.data)
# shellcheck disable=SC2086
set -- $data
head -c $(($1 + $2 - 100)) plain.data >cut.data
find . -name '*.rec*' -delete
export SMILE_SAMPLE_ROOT="$scratch/none"
refuses "cut off, on another machine" "does not list the processors of each node" sample --import cut.data -o x
mkdir -p root/sys/devices/system/node/node0 root/sys/devices/system/node/node1
echo 0-1 >root/sys/devices/system/node/online
echo 0-1 >root/sys/devices/system/node/node0/cpulist
echo 2-3 >root/sys/devices/system/node/node1/cpulist
SMILE_SAMPLE_ROOT=$scratch/root
takes "cut off" cut
equal "cut off: what is there" "14 1" "$(gojq -r '"\(.samples)"' x.json) $(grep -c 'those of this machine' err)"
says "cut off: the loss" "cut off: 160 bytes of records are missing" err
"$smile" report lost x-node*.rec >out 2>err
says "cut off: the recordings say so" "not known  record that the file lacks" out
# perf writes the size of the data when it ends.
{
	head -c 48 plain.data
	head -c 8 /dev/zero
	tail -c +57 plain.data
} | head -c $(($1 + $2)) >unfinished.data
takes "not completed" unfinished
says "not completed: said" "file was not completed" err
equal "not completed: what is there" 16 "$(gojq .samples x.json)"
unset SMILE_SAMPLE_ROOT
for size in 0 3 15 50 120 300; do
	head -c $size plain.data >short.data
	refuses "cut off after $size bytes" "short.data: it is not a perf.data\|ends within\|cut off\|damaged" \
		sample --import short.data -o x
done
check "the file is longer than all of these" test "$bytes" -gt 300

# ---- refused files
declines "no addresses" "no addresses.*perf mem record" no_address
declines "no data source" "perf mem record" no_source
declines "no processor" "perf mem record --sample-cpu" no_cpu
declines "no time" "do not give their time" no_time
declines "a field of the future" "not known here" unknown_field
declines "no samples" "has no samples" no_samples
declines "samples of another event" "3 samples of event page-faults are not of memory accesses.*perf mem record" other_event
declines "another kind of machine" "ppc64le" other_machine
declines "one node" "one node" one_node
export SMILE_SAMPLE_ROOT="$scratch/none"
declines "no nodes" "does not list the processors" no_nodes
unset SMILE_SAMPLE_ROOT
declines "compressed" "without -z" compressed
declines "an impossible size" "damaged" damaged
printf '2ELIFREP' >swapped.data
tail -c +9 plain.data >>swapped.data
declines "the other byte order" "another byte order" swapped
printf 'PERFILE2\020\000\000\000\000\000\000\000' >pipe.data
declines "a pipe's form" "written to a pipe: .*-o FILE" pipe
echo "no file of perf's, but a text that is longer than sixteen bytes" >text.data
declines "no file of perf's" "not a perf.data file" text
refuses "no such file" "absent.data cannot be read" sample --import absent.data
refuses "a folder" "not a perf.data file" sample --import .
refuses "a program, too" "give one of them" sample --import plain.data true
refuses "a source, too" "source has no effect" sample --import plain.data --source memory
refuses "threads that are bound" "bind has no effect" sample --import plain.data --bind
refuses "an overhead" "overhead has no effect" sample --import plain.data --overhead 1
refuses "a folder that is not there" "absent/x-node0.rec" sample --import plain.data -o absent/x

# ---- comparison with perf
if command -v perf >/dev/null; then
	for case in intel amd wide mixed; do
		perf script -i $case.data -F tid,cpu,time,event,addr,weight,data_src 2>/dev/null |
			awk '$4 != "dummy:HG:" && NF > 5 { print $1, $2, $3, $4, $5, $6, $NF }' | sort >perf.list
		"$PROGRAMS/list_samples" $case.data | sort >own.list
		check "$case: perf reads the same samples" diff perf.list own.list
		check "$case: some" test -s own.list
	done
	if perf inject --itrace=M -i spe.data -o spe_injected.data 2>err; then
		spe "Arm SPE, by perf inject" spe_injected
		"$PROGRAMS/list_samples" spe_injected.data | sort >own.list
		perf script -i spe.data --itrace=M -F tid,cpu,time,event,addr,weight,data_src 2>/dev/null |
			awk 'NF > 5 { print $1, $2, $3, $4, $5, $6, $NF }' | sort >perf.list
		check "Arm SPE: perf makes the same samples of the packets" diff perf.list own.list
		equal "Arm SPE: all" 45 "$(wc -l <own.list)"
		made spe_physical spe_physical.data
		perf inject --itrace=M -i spe_physical.data -o spe_home.data 2>err
		takes "Arm SPE, physical addresses" spe_home
		"$smile" report pages --json x-node*.rec >out 2>err
		equal "Arm SPE, physical addresses: homes" '[1,1]' "$(gojq -c '[.pages[].home]' out)"
		made spe_losing spe_losing.data
		equal "Arm SPE: perf says what the packets' file has lost" 1 \
			"$(perf report --stdio -i spe_losing.data 2>&1 | grep -c 'AUX data lost 3 times out of 3')"
	else
		skip "this perf does not read Arm SPE: $(head -n 1 err)"
	fi
	if perf record -q -e page-faults -c 1 -d --sample-cpu -o real.data -- ls / >/dev/null 2>&1; then
		"$PROGRAMS/list_samples" real.data | sort >own.list
		perf script -i real.data -F tid,cpu,time,event,addr,data_src 2>/dev/null |
			awk 'NF > 5 { print $1, $2, $3, $4, $5, $6, 0 }' | sort >perf.list
		check "a file of perf's own: the same samples" diff perf.list own.list
		check "a file of perf's own: some" test -s own.list
		refuses "a file of perf's own" "one node\|are not of memory accesses" sample --import real.data -o x
		perf record -q -e page-faults -c 1 -d -o real.data -- ls / >/dev/null 2>&1
		refuses "a file of perf's own without processors" "sample-cpu" sample --import real.data -o x
		perf record -q -e page-faults -c 1 -o real.data -- ls / >/dev/null 2>&1
		refuses "a file of perf's own without addresses" "no addresses" sample --import real.data -o x
	else
		skip "perf is not permitted here: no file of its own"
	fi
else
	skip "perf is not there: nothing to compare with"
fi

suite_end
