#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile stat -e, -d, --readings and --slices: counts with bands, compared with the known counts of a capture
# and of a program.
#
# What lives here: as in cli_test.sh, one check in one or two lines. The capture is that of `smile sim sor`.
# Needs gojq and qemu-x86_64, and perf_event_open for software events.
#
# usage: tests/stat/count_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/../tools/command_checks.sh"

# --- readings of any program: an event that is always read, two that are read in turn, one that is never read
{
	echo interval,dt_s,event,value
	awk 'BEGIN { for (k = 1; k <= 200; k++) {
		level = k % 40 < 20 ? 100 : 300
		print k ",0.01,all," level
		print k ",0.01," (k % 2 ? "odd," 2 * level : "even," 3 * level) } }'
} >turns.csv
json "readings by turns" 0 smile.stat/1 stat --readings turns.csv --json
cp out turns.json
equal "what was always read is exact" '["all",40000,40000,40000,false,1,false]' \
	"$(gojq -c '.events[0] | [.event, (.count, .low_95, .high_95 | floor), .estimated, (.read_share | floor), .flag]' turns.json)"
equal "the others are within their bands, and near" '[true,true]' "$(gojq -c '[.events[1:][] |
	(if .event == "odd" then 80000 else 120000 end) as $truth |
	.estimated and .low_95 <= $truth and $truth <= .high_95 and
	(.count / $truth - 1 | fabs) < 0.02 and .read_share > 0.49 and .read_share < 0.51]' turns.json)"
equal "time and intervals" '[20,200]' "$(gojq -c '[(.seconds * 10 | round), .intervals]' turns.json)"
exits "as a table" 0 stat --readings turns.csv --color never
says "exact" '^ *40,000 *exact *100 %  all' out
says "estimated" '^ *~[0-9,]* *[0-9,]* to [0-9,]* *50 %  odd' out
says "with a legend" 'legend: ~ = estimated' out
exits "as CSV, with the state of each interval" 0 stat --readings turns.csv --csv -o state.csv
equal "rows" "event,count,low_95,high_95,read_share,flag all,40000,40000,40000,1,0" \
	"$(head -n 2 out | paste -sd' ')"
equal "a row for each event and interval" \
	"601 interval,dt_s,event,value,estimate,sd,next,next_sd 1,0.01,all,100,100,0" \
	"$(wc -l <state.csv) $(head -n 2 state.csv | paste -sd' ' | cut -d, -f1-13)"
# 9 of 199 intervals start with another level.
equal "each with a prediction of the next interval: near it, and most within their bands" "199 1 1" "$(awk -F, '
	$3 != "all" { next }
	seen++ { n++; d = $4 - next_one; if (d < 0) d = -d
		near += d < 40; within += d < 1.96 * next_sd }
	{ next_one = $7; next_sd = $8 }
	END { print n, (near >= 185), (within >= 180) }' state.csv)"
exits "the state as readings" 0 stat --readings state.csv --csv
cp out again.csv
exits "are the same as those" 0 stat --readings turns.csv --csv
check "and give the same" cmp out again.csv
# Rates by interval: a hit rate, one of whose events is read in every second interval.
{
	echo interval,dt_s,event,value
	awk 'BEGIN { for (k = 1; k <= 400; k++) {
		misses = (k % 40 < 20 ? 5000 : 15000) + k * 7919 % 49
		print k ",0.01,IFU_IFETCH," 20 * misses
		if (k % 2) print k ",0.01,IFU_IFETCH_MISS," misses } }'
} >hits.csv
exits "rates of each interval" 0 stat --readings hits.csv --rates rates.csv
equal "exact where both were read, else with bands that hold it" \
	"interval,dt_s,rate,unit,value,sd,low_95,high_95,flag 200 1 1 0" "$(head -n 1 rates.csv) $(awk -F, '
	$3 != "L1 instruction hit rate" { next }
	$1 % 2 { exact += $6 == 0 && $5 == 0.95; next }
	$1 > 40 { n++; within += $7 <= 0.95 && 0.95 <= $8; wide += $8 - $7 < 0.2; flags += $9 }
	END { print exact, (within >= 0.9 * n), (wide >= 0.8 * n), flags + 0 }' rates.csv)"
exits "and with --live" 0 stat --readings hits.csv --rates live_rates.csv --live --json
equal "after it has learned, the same but for the parameters" "1 1" "$(awk -F, '
	$3 != "L1 instruction hit rate" { next }
	$1 % 2 { n++; exact += $6 == 0 && $5 == 0.95; next }
	$1 > 40 { m++; within += $7 <= 0.95 && 0.95 <= $8 }
	END { print (exact == n), (within >= 0.9 * m) }' live_rates.csv)"
equal "also as objects" '[0.95,0.95,0.95,false]' "$(gojq -c 'select(.interval == 399) | .rates[] |
	select(.rate == "L1 instruction hit rate") | [.value, .low_95, .high_95, .flag]' out)"
equal "what was not read is an estimate alone, and never negative" "200 0" "$(awk -F, '
	NR > 1 && $4 == "" { n++; if ($5 == "" || $6 == "" || $5 < 0) bad++ }
	END { print n, bad + 0 }' state.csv)"
# With samples of an earlier run, which read all events.
{
	echo set,dt_s,event,value
	for event in all odd even; do
		awk -v event=$event 'BEGIN { for (k = 1; k <= 200; k++)
			print "1,0.02," event "," 2 * (k % 50 < 20 ? 100 : 300) * (event == "all" ? 1 : event == "odd" ? 2 : 3) }'
	done
} >earlier.csv
json "with an earlier run" 0 smile.stat/1 stat --readings turns.csv --earlier earlier.csv --json
equal "within their bands" '[true,true]' "$(gojq -c '[.events[1:][] |
	(if .event == "odd" then 80000 else 120000 end) as $truth |
	.low_95 <= $truth and $truth <= .high_95 and (.count / $truth - 1 | fabs) < 0.02]' out)"
grep -v ,even, earlier.csv >without.csv
refuses "an event that it does not have" '--earlier has no samples of event even' \
	stat --readings turns.csv --earlier without.csv
refuses "an earlier run for nothing" '--earlier has no effect with --fit' stat --earlier earlier.csv --fit earlier.csv
# A single reading is a count without a band; rates use only known events.
{
	echo interval,dt_s,event,value
	printf '%s\n' 1,1,IFU_IFETCH,8.4e6 1,1,IFU_IFETCH_MISS,2.77e4 1,1,L2_LINES_IN,2.53e4 \
		1,1,DCU_LINES_IN,7.4e4 1,1,cache-misses,5 1,1,cache-references,4 2,1,once,7
} >few.csv
json "a single reading" 0 smile.stat/1 stat --readings few.csv --json
equal "has no band" '[["count","estimated","event","flag","read_share"],14]' \
	"$(gojq -c '.events[] | select(.event == "once") | [keys, .count]' out)"
printf '1,1,IFU_IFETCH,8.4e6\n1,1,IFU_IFETCH_MISS,2.77e4\n1,1,L2_LINES_IN,2.53e4\n1,1,DCU_LINES_IN,7.4e4\n1,1,cache-misses,5\n1,1,cache-references,4\n' |
	sed '1i interval,dt_s,event,value' >rates.csv
json "rates" 0 smile.stat/1 stat --readings rates.csv --json
equal "of 2006, by hand, and one that cannot be, with its flag" \
	'[["L1 instruction hit rate",0.9967,false],["L2 hit rate",0.7512,false],["L1-L2 bandwidth",3.2544,false],["L2-memory bandwidth",0.8096,false],["cache miss rate",1.25,true]]' \
	"$(gojq -c '[.rates[] | [.rate, (.value * 10000 | round / 10000), .flag]]' out)"
printf '1,1,node-loads,400\n1,1,node-load-misses,100\n1,1,node-stores,50\n1,1,node-store-misses,40\n' |
	sed '1i interval,dt_s,event,value' >remote.csv
json "local against remote memory" 0 smile.stat/1 stat --readings remote.csv --json
equal "loads and stores of other NUMA nodes' memory" '[["remote load rate",0.25],["remote store rate",0.8]]' \
	"$(gojq -c '[.rates[] | [.rate, .value]]' out)"
json "rates of the user's" 0 smile.stat/1 stat --readings rates.csv --json --rate 'misses=IFU_IFETCH_MISS+L2_LINES_IN' \
	--rate 'of all=DCU_LINES_IN/DCU_LINES_IN+IFU_IFETCH_MISS' --rate 'a line=cache-misses+DCU_LINES_IN/cache-references'
equal "a sum by the second, a share, and a ratio" \
	'[["misses","/s",53000,false],["of all","",0.7276,false],["a line","",18501.25,false]]' \
	"$(gojq -c '[.rates[:3][] | [.rate, .unit, (.value * 10000 | round / 10000), .flag]]' out)"
exits "one of an event that is not there" 0 stat --readings rates.csv --rate 'none=DCU_LINES_IN/nothing'
says "is left out, which is said" '--rate none is left out: not all of its events are counted' err
seq 1000 | sed 's/$/,1,,/; 1s/^/interval,dt_s,event,value\n/' >unread.csv
refuses "intervals without any reading" 'unread.csv has no reading' stat --readings unread.csv
refuses "a rate without a sum" "'none' is not NAME=" stat --readings rates.csv --rate none
refuses "a rate without a name" "'=a/b' is not NAME=" stat --readings rates.csv --rate =a/b
refuses "a sum with an event twice" 'each of them once' stat --readings rates.csv --rate x=a+a/b
refuses "a sum of five" 'a sum is 1 to 4 events' stat --readings rates.csv --rate x=a+b+c+d+e
refuses "rows without rates" '--rate has no effect with --csv without --rates' stat --readings rates.csv --csv --rate x=a/b
exits "as a table" 0 stat --readings rates.csv
says "the flag is explained" '^! = .*a rate below 0 or above 1' out

# --- a program's software events, read several hundred times while it starts processes: if a process starts
# or ends during a read, the read is repeated
"$smile" stat -e page-faults,task-clock -I 1 --json -- sh -c 'i=0; while [ $i -lt 400 ]; do
	/bin/true; i=$((i + 1)); done; exit 3' >out 2>err
status=$?
if [ $status -eq 2 ] && grep -q 'not permitted\|No such file' err; then
	skip "perf_event_open is not permitted" 25
else
	equal "the program's exit status" 3 $status
	equal "its events, exact, and its children's" '["page-faults","task-clock"] true' \
		"$(gojq -c '[.events[].event]' out) $(gojq '[.events[] | .read_share == 1 and
			.low_95 == .count and .count > 1000] | all' out)"
	exits "SIGHUP is passed on to the program" 129 stat -e page-faults --json -- sh -c 'kill -HUP $PPID; exec sleep 1000'
	equal "after SIGHUP the counts are printed" true "$(gojq '.events[0].count > 0' out)"
	"$smile" stat -e page-faults -I 20 --live --json -- sh -c 'i=0; while [ $i -lt 40 ]; do
		/bin/true; i=$((i + 1)); done' >out 2>err
	equal "live: its intervals add up to its total" true "$(gojq -s '(.[:-1] | map(.events[0].count) | add) == .[-1].events[0].count' out)"
	# In rotation, by groups that are read together: software events, since any machine has them,
	# and only those that any user may count.
	"$smile" stat -e page-faults,task-clock,minor-faults,cpu-clock --counters 2 -I 3 -o groups.csv --json -- sh -c '
		i=0; while [ $i -lt 600 ]; do /bin/true; i=$((i + 1)); done' >out 2>err
	equal "groups: status" 0 $?
	equal "groups: each is estimated" '[true]' "$(gojq -c '[.events[] | .estimated and .read_share > 0.1 and .read_share < 0.9 and
		.low_95 <= .count and .count <= .high_95 and .count > 0] | unique' out)"
	# The kernel counts a page fault at its start and a minor fault at its end. An interval can end between the
	# two in each of the two processes, and, when a process ends, between the additions of its two counts.
	equal "groups: two in each interval, and two that are read together fit" "true" "$(awk -F, '
		NR > 1 { n[$1] += $4 != "" }
		NR > 1 && $4 != "" { v[$1, $3] = $4 }
		END { for (t in n) { total++; bad += n[t] != 2
			if (!((t, "page-faults") in v) || !((t, "minor-faults") in v)) continue
			pairs++; d = v[t, "page-faults"] - v[t, "minor-faults"]; apart += d > 2 || d < -2 }
		if (total > 10 && pairs && !bad && 4 * apart <= pairs) print "true"
		else print total " " pairs " " bad " " apart }' groups.csv)"
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ] && setpriv --bounding-set=-all true 2>setpriv.err; then
		setpriv --bounding-set=-all "$smile" stat -e page-faults,context-switches -- /bin/true >out 2>err
		equal "without a privilege: that the kernel is left out is said once" 1 \
			"$(grep -c 'only outside the kernel.*perf_event_paranoid=1' err)"
	else
		skip "without a privilege: not here"
	fi
	# From counting to fitting to filtering. Intervals that the host's load has made longer or shorter are no
	# samples, so the program ends when a fifth of a hundred intervals are near the median.
	cat >sampled.sh <<-'END'
		until grep -o '"seconds":[0-9.]*' live | cut -d : -f 2 | sort -g | awk '{ length_s[NR] = $1 }
			END { median = length_s[int(NR / 2) + 1]
				for (i in length_s) near += length_s[i] > 0.97 * median && length_s[i] < 1.03 * median
				exit NR < 100 || near < 20 }'; do
			/bin/true
		done
	END
	"$smile" stat -e page-faults,task-clock -I 10 --samples perf_samples.csv -o perf_state.csv --live --json -- \
		sh sampled.sh >live 2>err
	equal "samples of a program: status" 0 $?
	exits "they are fitted" 0 stat --fit perf_samples.csv
	cp out perf_p.csv
	exits "and the state is filtered with that" 0 stat --filter perf_state.csv --parameters perf_p.csv
	equal "with an estimate of each interval" "2 $(awk -F, 'NR > 1 { n[$1] } END { for (t in n) k++; print k }' perf_state.csv)" \
		"$(awk -F, 'NR > 1 && $3 != "" && $4 >= 0 { n[$2]++ } END { for (e in n) { k++; last = n[e] } print k, last }' out)"
	exits "an earlier run by its samples" 0 stat --readings perf_state.csv --earlier perf_samples.csv
	# In rotation, an event stays on a counter for several intervals, so that its samples are consecutive.
	"$smile" stat -e page-faults,task-clock,minor-faults --counters 1 -I 1 --samples stay.csv -o stays.csv -- sh -c '
		i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i + 1)); done' >out 2>err
	equal "samples in rotation: status" 0 $?
	# Or for a multiple of 64, if the next round starts with the same event.
	equal "samples in rotation: an event stays for 64 intervals" "1 1" "$(awk -F, '
		NR > 1 && $4 != "" { if ($3 != last) { if (last != "" && n % 64) bad = 1; n = 0; turns++ } last = $3; n++ }
		END { print (turns > 1), !bad }' stays.csv)"
	equal "samples in rotation: a set is of one event" "1" "$(awk -F, '
		NR > 1 { if (($1 in event) && event[$1] != $3) mixed = 1; event[$1] = $3 } END { print !mixed }' stay.csv)"
	# The whole machine: this shell is a part of it.
	"$smile" stat -a -e context-switches,page-faults -I 20 --json -- sh -c '
		i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i + 1)); done' >out 2>err
	status=$?
	if [ $status -eq 2 ] && grep -q 'perf_event_paranoid=0' err; then
		skip "events of the whole machine are not permitted" 2
	else
		equal "the whole machine: status" 0 $status
		equal "exact, and more than the program's" '[true,true]' \
			"$(gojq -c '[.events[] | .read_share == 1 and .count > 50]' out)"
	fi
	equal "groups: without --counters all are exact" '[1]' "$("$smile" stat --json -e page-faults,task-clock,minor-faults,context-switches \
		-- true | gojq -c '[.events[].read_share | floor] | unique')"
	"$smile" stat -e page-faults --csv -- true >out 2>err
	equal "a short program" 0 $?
	equal "its time is that from its begin on, whoever has the processor then" true \
		"$("$smile" stat -e page-faults -I 1000 --json -- sleep 0.1 | gojq '.seconds >= 0.1')"
	"$smile" stat -e page-faults -- /nonexistent/program >out 2>err
	equal "one that is not there" 127 $?
	says "is named" '/nonexistent/program cannot be run: No such file' err
	refuses "no such event" 'event no-such-event: .*libpfm4 has no such event' \
		stat -e no-such-event -o left.csv -- true
	equal "no such event: no file is left" "" "$(ls left.csv 2>/dev/null)"
fi
refuses "an event twice" 'page-faults is given twice' stat -e page-faults,page-faults -- true
printf 'interval,dt_s,event,value\n1,0.02,a,-5\n' >negative.csv
refuses "a count below 0" 'negative.csv:2: value -5: no count is below 0' stat --readings negative.csv
refuses "no time" "'soon' is no time in milliseconds" stat -e page-faults -I soon -- true
for option in --output --rates --samples --plot; do
	refuses "a result that cannot be written, $option" 'cannot write missing/x: No such file' \
		stat -e page-faults $option missing/x -- touch ran
done
if "$smile" stat -e page-faults -- true >out 2>err; then
	refuses "an event without samples of an earlier run" '--earlier has no samples of event page-faults' \
		stat -e page-faults --earlier earlier.csv -- touch ran
else
	skip "no permission for events of a program" 1
fi
equal "before the program runs" "" "$(ls ran 2>/dev/null)"
if [ "$(nproc)" -ge 2 ] && "$smile" stat -a -e page-faults -- true >out 2>err; then
	exits "two processors" 0 stat -C 0-1 -e page-faults,major-faults -I 10 --json -- true
	equal "have events of their own" '["cpu0: page-faults","cpu0: major-faults","cpu1: page-faults","cpu1: major-faults"]' \
		"$(gojq -c '[.events[].event]' out)"
	"$smile" stat -C 0,1 -e page-faults,major-faults -I 10 --json -- \
		sh -c 'for i in $(seq 20); do /bin/true; done' >out 2>err
	equal "and rates" '["cpu0: major faults of all","cpu1: major faults of all"]' "$(gojq -c '[.rates[].rate]' out)"
	equal "that are of each processor" true "$(gojq '([.events[] | select(.event | endswith(" page-faults")) | .count] |
		add) > 100' out)"
else
	skip "processors: one alone, or no permission for the whole machine" 4
fi
refuses "no such processor" 'there is no processor 9999' stat -C 0,9999 -e page-faults -- true
refuses "no list" "'1-0' is no list of processors" stat -C 1-0 -e page-faults -- true
refuses "all processors, and some" 'give one of them' stat -a -C 0 -e page-faults -- true
refuses "processors of a card" '--cpu has no effect with a card' stat -C 0 -d emu:x --static page=1
refuses "whose events?" 'whose events.*or -a' stat -e page-faults
refuses "the whole machine's card" '--all-cpus has no effect with a card' stat -a -d emu:x --static page=1
refuses "samples of slices" '--samples has no effect with the slices' stat -d slices:x --samples s.csv
for option in --samples --rates; do
	"$smile" stat --readings turns.csv $option /nonexistent/file >out 2>err
	equal "$option to nowhere: status" 2 $?
	says "$option to nowhere: message" 'cannot write /nonexistent/file: No such file' err
done
refuses "a card's events without a card" '--static needs a card' stat --static page=1
refuses "a card without events" 'which events of the card' stat -d emu:x
refuses "too many counters" 'a card has 16' stat -d emu:x --static page=1 --counters 17
refuses "sets that need each other" 'need all events in one set' \
	stat -d emu:x --counters 1 --static page=1 --static page=2,from=m0
refuses "no capture" 'emu:FILE' stat -d emu: --static page=1
refuses "a capture that is not there" 'missing.pcap' stat -d emu:missing.pcap --static page=1
# --- the cluster, as far as a machine without an adapter can show it; tests/guest/stat_cluster_test.sh tests the rest
printf 'event,sigma,beta,mean,r\na,2,1,10,0\n' >cluster.csv
printf 'interval,dt_s,event,value\n1,1,a,12.5\n' >one.csv
refuses "a cluster without an adapter" 'no working SCI adapter .*modprobe smile_adapter' \
	stat --cluster --readings one.csv --parameters cluster.csv --nodes 2
refuses "a cluster of how many?" 'how many nodes are there. Give --nodes' \
	stat --cluster --readings one.csv --parameters cluster.csv
refuses "a cluster without parameters" '--cluster needs the processes of its events' \
	stat --cluster --readings one.csv --nodes 2
refuses "events without a process" 'event cpu-clock is not in cluster.csv' \
	stat --cluster -e cpu-clock --parameters cluster.csv --nodes 2 -- true
refuses "a cluster's capture" 'the card must be a device' \
	stat --cluster -d emu:x --static page=1 --parameters cluster.csv --nodes 2
refuses "the truth of too many" '--truth needs all events at once' \
	stat --cluster -d dev:0 $(for i in $(seq 17); do echo --static page=$i; done) --truth t.csv \
	--parameters cluster.csv --nodes 2
refuses "a cluster of what?" 'no action is given' stat --cluster --parameters cluster.csv --nodes 2
refuses "a picture of a cluster" '--plot has no effect with --cluster' \
	stat --cluster --readings one.csv --parameters cluster.csv --plot p.svg
refuses "nodes of one" '--nodes has no effect with one node alone' stat --readings one.csv --nodes 2
refuses "a capture beside a processor" '-e together with -d: the card must be a device' \
	stat -e page-faults -d emu:x --static page=1 -- true
refuses "live of nothing" '--live has no effect with --fit' stat --live --fit earlier.csv
refuses "slices of a program" 'is too much' stat -d slices:x -- true
refuses "static events of slices" '--static has no effect with the slices of a capture' stat -d slices:x --static page=1
refuses "no length" 'longer than 0 ms' stat --slices x -I 0

# --- a card's static events in rotation, compared with all of them at the same time
if command -v qemu-x86_64 >/dev/null; then
	"$smile" sim sor --size 64 --iterations 40 --capture sor --node 0 --node-ids narrow --check none -q \
		>/dev/null 2>err
	# Page numbers as the card has them: within their nodes.
	specs="--static node=0,page=0,types=read --static node=0,page=4,types=read --static node=1,page=1,types=read
		--static node=1,page=1,types=write --static node=0,page=0 --static node=1,page=1"
	# shellcheck disable=SC2086
	card() { "$smile" stat -d emu:sor-node0.pcap --node-ids narrow -I 0.25 $specs --json "$@" >out 2>err; }
	card
	equal "all at once: status" 0 $?
	cp out exact.json
	equal "are exact, and there are some" '[true]' "$(gojq -c '[.events[] | .read_share == 1 and .low_95 == .high_95 and
		.count > 500] | unique' exact.json)"
	exits "a page that the capture has not" 0 stat -d emu:sor-node0.pcap -I 0.25 --static node=0,page=9 --json
	says "nothing was counted, and why that may be" 'counted nothing. .*--node-ids narrow' err
	exits "the same with narrow node ids" 0 stat -d emu:sor-node0.pcap --node-ids narrow -I 0.25 \
		--static node=0,page=60000 --json
	says "nothing was counted" 'counted nothing$' err
	card --static a_name:node=0,page=0
	equal "an event with a name" '["a_name",true]' "$(gojq -c '[.events[6].event,
		.events[6].count == .events[4].count]' out)"
	card --counters 2
	equal "by turns: status" 0 $?
	equal "most bands hold the exact count; none is negative" true "$(gojq -n --slurpfile exact exact.json \
		--slurpfile turns out '[range(6) as $i | $exact[0].events[$i].count as $truth |
		$turns[0].events[$i] | .low_95 <= $truth and $truth <= .high_95] |
		map(select(.)) | length >= 4')"
	equal "read for a third of the time" '[true]' "$(gojq -c '[.events[] | .read_share > 0.3 and
		.read_share < 0.37 and .estimated and .low_95 >= 0] | unique' out)"
	# The counts of the card must be those of replay.
	"$smile" replay sor-node0.pcap --node-ids narrow --static node=0,page=0,types=read -o sor.rec 2>err
	"$smile" report static --json sor.rec >static.json 2>err
	equal "as replay counts it" "$(gojq '[.. | objects | select(has("total")) | .total] | first' static.json)" \
		"$(gojq '.events[0].count' exact.json | sed 's/\.0*$//')"
	# From counting to fitting to filtering, with names that have commas.
	card --samples card_samples.csv -o card_state.csv
	equal "samples: status" 0 $?
	exits "samples of a card are fitted" 0 stat --fit card_samples.csv
	cp out card_p.csv
	exits "and its state is filtered with that" 0 stat --filter card_state.csv --parameters card_p.csv
	equal "near what was read: of six events, in all intervals" "6 True" "$(python3 -c '
import csv, math
def rows(path):
    return list(csv.DictReader(open(path)))
read, errors, spreads = {}, {}, {}
for row in rows("card_state.csv"):
    read[row["interval"], row["event"]] = float(row["value"])
for row in rows("out"):
    errors.setdefault(row["event"], []).append(float(row["estimate"]) - read[row["interval"], row["event"]])
for (_, event), value in read.items():
    spreads.setdefault(event, []).append(value)
def rms(values, mean=0):
    return math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
print(len(errors), sum(map(len, errors.values())) == len(read) and all(
    rms(errors[e]) < rms(spreads[e], sum(spreads[e]) / len(spreads[e])) for e in errors))')"
	card --earlier card_samples.csv --counters 2
	equal "an earlier run by its samples: status" 0 $?
	equal "most bands hold the exact count" true "$(gojq -n --slurpfile exact exact.json \
		--slurpfile turns out '[range(6) as $i | $exact[0].events[$i].count as $truth |
		$turns[0].events[$i] | .low_95 <= $truth and $truth <= .high_95] |
		map(select(.)) | length >= 4')"
	card --counters 2 --samples turns_samples.csv
	equal "samples by turns: status" 0 $?
	equal "samples by turns: two events a set, which follow each other" "{2} True" "$(python3 -c '
import csv
sets = {}
for row in csv.DictReader(open("turns_samples.csv")):
    sets.setdefault(row["set"], []).append(row["event"])
print({len(set(events)) for events in sets.values()}, max(map(len, sets.values())) / 2 >= 32)')"
	exits "slices" 0 stat --slices sor-node0.pcap -I 0.25 --events 3
	equal "of three events, the same number each" "1" "$(awk -F, 'NR > 1 { n[$3]++ }
		END { for (e in n) { k++; if (last && n[e] != last) bad = 1; last = n[e] } print k == 3 && !bad }' out)"
	cp out slices.csv
	exits "are samples for --fit" 0 stat --fit slices.csv
	# As a source: if all slices are read, the counts are exact; if some are read in rotation, they are estimated.
	json "slices as a source" 0 smile.stat/1 stat -d slices:sor-node0.pcap -I 0.25 --events 6 --json
	equal "are exact" '[[1,false]]' "$(gojq -c '[.events[] | [(.read_share | floor), .estimated]] | unique' out)"
	equal "and what --slices prints" "$(awk -F, 'NR > 1 { n[$3] += $4 } END { for (e in n) print e, n[e] }' slices.csv | sort)" \
		"$(gojq -r '.events[:3][] | "\(.event) \(.count | floor)"' out | sort)"
	cp out truth.json
	json "by turns" 0 smile.stat/1 stat -d slices:sor-node0.pcap -I 0.25 --events 6 --counters 2 --json
	equal "most bands hold the truth" true "$(gojq -n --slurpfile truth truth.json --slurpfile turns out '
		[range(6) as $i | $truth[0].events[$i].count as $n | $turns[0].events[$i] |
		.estimated and .low_95 <= $n and $n <= .high_95] | map(select(.)) | length >= 4')"

	# --live: each interval as it ends.
	exits "live: as text" 0 stat -d slices:sor-node0.pcap -I 0.25 --events 3 --counters 1 --live -o live.csv
	says "live: a heading" '^# *time, s *count *95 % band  event' out
	says "live: not read" '^ *0.000250 *not read *1>0:read' out
	says "live: exact" '^ *0.000250 *[0-9]* *exact  ' out
	says "live: estimated" '^ *[0-9.]* *~[0-9]* *[0-9]* to [0-9]*  0>1:read' out
	says "live: totals at the end" '^~[0-9,]* *[0-9,]* to [0-9,]* *3[34] %  0>1:read' out
	equal "live: the state file has all intervals" "$(gojq .intervals truth.json) 3" \
		"$(awk -F, 'NR > 1 { n[$1]++ } END { for (t in n) { k++; m[n[t]] } for (e in m) print k, e }' live.csv)"
	equal "live: what was read is exact" 0 "$(awk -F, 'NR > 1 && $4 != "" && ($5 != $4 || $6 != 0)' live.csv | wc -l)"
	equal "live: what was not is mostly known" true "$(awk -F, 'NR > 1 && $4 == "" { n++; k += $5 != "" && $6 > 0 }
		END { print (k > 0.8 * n) ? "true" : k " of " n }' live.csv)"
	exits "live: as CSV" 0 stat -d slices:sor-node0.pcap -I 0.25 --events 3 --counters 1 --live --csv
	equal "live: a row for each interval and event, and no totals" \
		"interval,time_s,dt_s,event,count,low_95,high_95,read $(wc -l <live.csv)" "$(head -n 1 out) $(wc -l <out)"
	exits "live: as JSON" 0 stat -d slices:sor-node0.pcap -I 0.25 --events 3 --counters 1 --live --json
	equal "live: an object a line, totals last" "smile.stat.interval/1 smile.stat/1 $(gojq .intervals truth.json)" \
		"$(gojq -rs '[(map(.schema) | unique[]), (map(select(.interval)) | length)] | map(tostring) | join(" ")' out)"
	equal "live: what is not known is absent" '["event","read"]' "$(head -n 1 out | gojq -c '.events[] | select(.read | not) | keys' | sort -u)"
	equal "live: of a card, too" 0 "$(card --counters 2 --live; echo $?)"
	equal "live: an object an interval, and the totals" true \
		"$(gojq -s 'map(select(.interval)) as $n | ($n | length) == .[-1].intervals and ($n | length) > 100' out)"
else
	skip "qemu-x86_64 is not there" 43
fi

suite_end
