#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of static counters, timer, ring and widths on the command line: options, records, reports, usage.
#
# What lives here: checks of static counters, each in one or two lines, with captures in which every frame is known
# (mkcapture.c).
#
# usage: tests/tools/static_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# static NAME EXPECTED OPTIONS...: the static counters' records of a replay: kind, type, index,
# count, and the counted page or event.
static() {
	name=$1 expected=$2
	shift 2
	"$smile" replay small.pcap -o static.rec "$@" >out 2>err && "$smile" dump static.rec >out 2>err
	equal "$name" "$expected" "$(grep -E '"kind":"(static|overflow)"' out |
		sed 's/^{"kind":"static",//; s/"cause":"swap",//; s/"source":0,//; s/}$//')"
}

# --- the events that a counter counts
static "page" \
	'"type":"any","index":0,"count":5,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40
static "page and words" \
	'"type":"any","index":0,"count":2,"destination":0,"address":163844,"length_bytes":12' \
	--static page=40,bottom=1,top=3
static "page and its first word" \
	'"type":"any","index":0,"count":3,"destination":0,"address":163840,"length_bytes":4' \
	--static page=40,top=0
static "address: one word" \
	'"type":"any","index":0,"count":3,"destination":0,"address":163840,"length_bytes":4' \
	--static address=0x28000
static "address and bytes" \
	'"type":"any","index":0,"count":5,"destination":0,"address":163840,"length_bytes":8' \
	--static address=163840,bytes=8
static "types" \
	'"type":"write","index":0,"count":2,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40,types=write
static "several types" \
	'"type":"any","index":0,"count":2,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40,types=write+lock
static "packets=responses" \
	'"type":"any","index":0,"count":2,"destination":0,"address":163840,"length_bytes":4096,"response":true' \
	--static page=40,packets=responses
static "packets=all" \
	'"type":"any","index":0,"count":7,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40,packets=all
static "node" \
	'"type":"any","index":0,"count":1,"destination":1,"address":4096,"length_bytes":4096' \
	--static node=1,page=1
static "the own node is the default" \
	'"type":"any","index":0,"count":1,"source":1,"destination":1,"address":4096,"length_bytes":4096' \
	--node 1 --static page=1
static "event" '"type":"event","index":0,"count":1,"event":5' --static event=5
static "from a global event" \
	'"type":"any","index":0,"count":1,"destination":1,"address":4096,"length_bytes":4096' \
	--static node=1,page=1,from=g0
static "from a global event that comes too late" '' --static page=40,from=g0
static "until a global event" \
	'"type":"any","index":0,"count":5,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40,until=g0
static "from another counter's access, which counts" \
	'"type":"any","index":0,"count":2,"destination":0,"address":163840,"length_bytes":4096
"type":"write","index":1,"count":2,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40,from=m1 --static page=40,types=write
static "until another counter's access, which counts" \
	'"type":"any","index":0,"count":4,"destination":0,"address":163840,"length_bytes":4096
"type":"write","index":1,"count":2,"destination":0,"address":163840,"length_bytes":4096' \
	--static page=40,until=m1 --static page=40,types=write
sixteen=$(i=0 && while [ $i -lt 16 ]; do echo "--static page=40,top=$i"; i=$((i + 1)); done)
# shellcheck disable=SC2086
exits "sixteen counters" 0 replay small.pcap -o sixteen.rec $sixteen
equal "sixteen counters: a record each" 16 "$("$smile" dump sixteen.rec | grep -c '"kind":"static"')"
says "the summary says what they counted" "static counters: 78 counted = 78 delivered" err
says "beside the dynamic array" "7 accepted = 7 delivered + 0 lost" err
exits "--static-only" 0 replay small.pcap -o only.rec --static page=40 --static-only
equal "--static-only: no dynamic record" 0 "$("$smile" dump only.rec | grep -c dynamic)"
says "--static-only: all is filtered" "0 accepted = 0 delivered" err
equal "--static-only: no warning" 0 "$(grep -c warning err)"
exits "a counter that counts nothing" 0 replay small.pcap -o none.rec --static page=77
says "a counter that counts nothing: a warning" "warning: no static counter" err
exits "no static counters: none in the summary" 0 replay small.pcap -o plain.rec
equal "no static counters: not in the summary" 0 "$(grep -c static err)"
json "the summary as JSON" 0 smile.recording/1 replay small.pcap -o json.rec --static page=40 --json
says "the summary as JSON: static counts" '"static_counted":5,"static_delivered":5' out

# --- impossible specifications
bad() {
	refuses "--static $1" "$2" replay small.pcap -o no.rec --static "$1"
}
bad "" "'' is none of node, page"
bad "page=40," "'' is none of node, page"
bad "pages=40" "'pages' is none of node, page"
bad "page" "page needs a value"
bad "page=" "page: '' is no number from 0 to 1048575"
bad "page=1048576" "from 0 to 1048575"
bad "page=40,page=41" "page is given twice"
bad "node=1" "give page, address, variable or event"
bad "page=1,node=65536" "node: '65536' is no number from 0 to 65535"
bad "page=40,address=0" "page and address both"
bad "address=2" "address: '2' is no multiple of 4"
bad "address=0x100000000" "from 0 to 4294967292"
bad "address=0,bytes=6" "bytes: '6' is no multiple of 4"
bad "address=0,bytes=0" "from 4 to 4096"
bad "address=0xffc,bytes=8" "end beyond the page"
bad "address=0,top=3" "words of a page"
bad "page=1,bytes=8,top=3" "bytes gives the size, and so do"
bad "page=1,bottom=5,top=3" "bottom 5 is above top 3"
bad "page=1,top=1024" "top: '1024' is no number from 0 to 1023"
bad "page=1,types=fetch" "types: 'fetch' is none of read, write, lock"
bad "page=1,types=read,write" "'write' is none of node, page"
bad "page=1,packets=some" "packets: 'some' is none of requests, responses, all"
bad "event=16" "event: '16' is no number from 0 to 15"
bad "event=1,page=2" "combine it only with from and until"
bad "event=1,from=3" "neither gN, global event N, nor mN"
bad "event=1,from=g16" "'16' is no number from 0 to 15"
bad "event=1,until=m1" "there is no counter 1"
bad "event=1,until=m0" "until=g1 is that event"
# shellcheck disable=SC2086
refuses "seventeen counters" "only 16 static counters" \
	replay small.pcap -o no.rec $sixteen --static page=1
refuses "--static-only without --static" "without a --static" replay small.pcap -o no.rec --static-only
if [ -e no.rec ]; then not_ok "what is refused creates no file"; else
	ok "what is refused creates no file"; fi

# --- timer and TIME records, by the time stamps from 1 to 11 us
"$smile" replay small.pcap -o timer.rec --timer 3us:4 --time 5us >out 2>err
"$smile" dump timer.rec | grep -e timer -e '"time"' >out
cat >expected <<'END'
{"kind":"event","event":4,"raised":"timer","phase":false,"node":0,"time_ns":4000}
{"kind":"time","time_ns":6000}
{"kind":"event","event":4,"raised":"timer","phase":false,"node":0,"time_ns":7000}
{"kind":"event","event":4,"raised":"timer","phase":false,"node":0,"time_ns":10000}
{"kind":"time","time_ns":11000}
END
equal "--timer and --time: the records" "$(cat expected)" "$(cat out)"
"$smile" replay small.pcap -o timer.rec --timer 4us >out 2>err
json "--timer marks phases" 0 smile.phases/1 report phases --json timer.rec
says "--timer marks phases: by time" \
	'"event":0,"end_ns":5000,"accesses":2},.*"end_ns":9000,"accesses":4},' out
for period in 5 5min us 0us -1us "5 us" 5us4 4295s; do
	refuses "--timer $period" "timer: " replay small.pcap -o no.rec --timer "$period"
done
refuses "--timer of an event that it cannot raise" "timer: event: '16'" \
	replay small.pcap -o no.rec --timer 5us:16
refuses "--time 5" "500us, 10ms or 1s" replay small.pcap -o no.rec --time 5
for period in 10ms: 10ms:garbage 10ms:3; do
	refuses "--time $period" "time: '$period' is no time" \
		replay small.pcap -o no.rec --time $period
	refuses "--latency $period" "latency: '$period' is no time" \
		replay small.pcap -o no.rec --latency $period
done
refuses "--timer with an empty event" "timer: event: ''" replay small.pcap -o no.rec --timer 10ms:
refuses "--timer with two events" "timer: event: '1:2'" \
	replay small.pcap -o no.rec --timer 10ms:1:2
refuses "--timer with too many digits" "timer: '00*us:1' is no time" \
	replay small.pcap -o no.rec --timer 000000000000000000000000000000000000000us:1
exits "periods in ms and s" 0 replay small.pcap -o timer.rec --timer 4294s:15 --time 1ms

# --- ring and widths
"$smile" replay small.pcap -o card.rec --static page=40 --timer 3us >out 2>err
exits "--ring host" 0 replay small.pcap -o host.rec --static page=40 --timer 3us --ring host \
	--watermark 100 --latency 1ms
"$smile" dump --raw card.rec >a
"$smile" dump --raw host.rec >b
if [ -s a ] && cmp -s a b; then ok "--ring host: the same records"; else
	not_ok "--ring host: the same records"; fi
refuses "--ring moon" "neither host nor card" replay small.pcap -o no.rec --ring moon
refuses "--watermark 0" "from 1 to 16777216" replay small.pcap -o no.rec --watermark 0
refuses "--latency soon" "no time such as" replay small.pcap -o no.rec --latency soon
"$smile" replay far.pcap -o far.rec --node-ids narrow >out 2>err
json "--node-ids narrow: 65535 is 31" 0 smile.pages/1 report pages --json far.rec
says "--node-ids narrow: 32 nodes" '"nodes":32,' out
refuses "--node-ids narrow with a wide node" "node 32 is out of range" \
	replay small.pcap -o no.rec --node 32 --node-ids narrow
refuses "--node-ids narrow with a static counter of a wide node" \
	"home node 32, and narrow node ids end with 31" \
	replay small.pcap -o no.rec --static node=32,page=1 --node-ids narrow
refuses "--node-ids narrow with a static counter of a high page" "pages end with 65535" \
	replay small.pcap -o no.rec --static page=65536 --node-ids narrow
exits "--node-ids narrow with the last node and page" 0 \
	replay small.pcap -o narrow.rec --static node=31,page=65535 --node-ids narrow
refuses "--node-ids short" "neither narrow nor wide" replay small.pcap -o no.rec --node-ids short
exits "record takes the same options" 0 record -d emu:small.pcap -o record.rec --static page=40 \
	--timer 3us --ring host
"$smile" dump --raw record.rec >b
if cmp -s a b; then ok "record and replay give the same records"; else
	not_ok "record and replay give the same records"; fi

# --- record: a counter that is read with reset, or only reset, while the card runs
exits "--read-static" 0 record -d emu:small.pcap -o read.rec --static page=40 --static event=5 \
	--read-static 0:1us --read-static 1:10s
equal "--read-static: a header" "seconds,counter,count" "$(head -n 1 out)"
equal "--read-static: the readings are all that was counted" "0 5 1 1" "$(
	awk -F, 'NR > 1 { sum[$2] += $3 } END { print 0, sum[0], 1, sum[1] }' out)"
equal "--read-static: a last reading at the end" 1 "$(grep -c '^[0-9.]*,1,1$' out)"
equal "--read-static: the recording has it all" 5 "$("$smile" report static --json read.rec | gojq '.counters[0].total')"
exits "--read-static: the account holds" 0 report lost read.rec
exits "--read-static --json" 0 record -d emu:small.pcap -o read.rec --static page=40 --read-static 0:1us --json
equal "--read-static --json: lines, the summary last" "smile.static-read/1 smile.recording/1 5" \
	"$(gojq -rs '"\(.[0].schema) \(.[-1].schema) \([.[].count // 0] | add)"' out)"
exits "--reset-static" 0 record -d emu:small.pcap -o read.rec --static page=40 \
	--reset-static 0:1us --read-static 0:10s
equal "--reset-static: readings begin after it" "0" "$(sed -n '2s/.*,//p' out)"
equal "--reset-static: the recording has it all" 5 "$("$smile" report static --json read.rec | gojq '.counters[0].total')"
for bad in 0 0: 0:5 x:5ms 16:5ms 0:0us :5ms; do
	refuses "--read-static $bad" "read-static: " record -d emu:small.pcap -o no.rec --static page=40 \
		--read-static "$bad"
done
refuses "--read-static of a counter that is not there" "no static counter 1: --static makes them" \
	record -d emu:small.pcap -o no.rec --static page=40 --read-static 1:5ms
refuses "--reset-static without --static" "no static counter 0" \
	record -d emu:small.pcap -o no.rec --reset-static 0:5ms

# --- report static
"$smile" replay small.pcap -o static.rec --static page=40,types=read+write --static event=5,from=g0 \
	--static node=1,page=1,packets=all,from=m0,until=g15 >out 2>err
json "report static --json" 0 smile.static/1 report static --json static.rec
equal "report static --json: the format" '{"schema":"smile.static/1","counters":[{"counter":0,"counts":{"node":0,"page":40,"address":163840,"length_bytes":4096,"types":["read","write"],"packets":"requests"},"from":null,"until":null,"total":5},{"counter":1,"counts":{"global_event":5},"from":{"global_event":0},"until":null,"total":1},{"counter":2,"counts":{"node":1,"page":1,"address":4096,"length_bytes":4096,"types":["read","write","lock"],"packets":"all"},"from":{"node":0,"page":40,"address":163840,"length_bytes":4096,"types":["read","write"],"packets":"requests"},"until":{"global_event":15},"total":1}],"phases":[{"phase":0,"open":false,"event":0,"end_ns":9000,"counts":[5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},{"phase":1,"open":true,"event":null,"end_ns":null,"counts":[0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0]}]}' "$(cat out)"
exits "report static" 0 report static static.rec
says "report static: a range" "^ *0  read+write requests *node 0 0x28000-0x28fff  - *- *5$" out
says "report static: a global event" "^ *1  global event 5 *-  *g0 *- *1$" out
says "report static: from and until" "^ *2  read+write+lock packets *node 1 0x1000-0x1fff *m0 *g15 *1$" out
says "report static: by phase" "^ *0  0.009000 *5 *0 *0$" out
says "report static: the open phase" "^ *1 *open *0 *1 *1$" out
says "report static: a legend" "^legend: " out
exits "report static without phases" 0 report static only.rec
says "report static: a total" " 5$" out
exits "report static of a recording without counters" 0 report static plain.rec
says "report static: none was in use" "no static counter was in use" out
json "report static --json of a recording without counters" 0 smile.static/1 \
	report static --json plain.rec
refuses "an option of another view" "--bands has no effect with the view static" report static --bands static.rec
exits "the accesses are those of the dynamic array" 0 report pages --json static.rec
says "the accesses are counted once" '"page":40,"home":0,"accesses":\[0,2,3,0\]' out

# --- several recordings
"$smile" replay small.pcap -o only.rec --static page=40 --static-only >out 2>err
"$smile" replay small.pcap -o one.rec --node 1 --static node=1,page=1 >out 2>err
exits "transfers of one node" 0 report transfers --json one.rec
alone=$(cat out)
says "transfers of one node: those to node 0, too" '"transactions":\[\[0,1,0,0\],\[2,0,0,0\]' out
exits "transfers with a recording of static counters alone" 0 report transfers --json only.rec one.rec
equal "static counters alone hide no transactions" "$alone" "$(cat out)"
exits "report static of two" 0 report static only.rec one.rec
says "report static of two: whose" "static counters of the first, only.rec, are shown" err
says "report static of two: the first one's" "^ *0  read+write+lock requests *node 0 .* 5$" out
exits "report static of two, the first without" 0 report static plain.rec one.rec
says "report static of two, the first without: whose" "the first, plain.rec, are shown" err
says "report static of two, the first without: named" "no static counter was in use in plain.rec;" out
json "report static --json of two" 0 smile.static/1 report static --json only.rec one.rec
says "report static --json of two: whose" "the first, only.rec, are shown" err
exits "report static of one" 0 report static only.rec
equal "report static of one: no note" "" "$(cat err)"
"$smile" replay small.pcap -o narrow.rec --node-ids narrow >out 2>err
refuses "a narrow and a wide recording" "cannot be merged: .*narrow" report pages narrow.rec one.rec

# --- report lost: the whole account
json "report lost --json" 0 smile.lost/1 report lost --json static.rec
says "report lost --json: static counters" '"static_counted":7,"static_delivered":7' out
equal "report lost --json: the checks" "events packets delivered lost marks static records " \
	"$(grep -o '"check":"[a-z]*","holds":true' out | cut -d '"' -f 4 | tr '\n' ' ')"
exits "report lost" 0 report lost static.rec
equal "report lost: seven checks hold" 7 "$(grep -c '^holds ' out)"
says "report lost: of the records" \
	"records in the recording = records that the card has written: 9 = 9" out
says "report lost: of the static counters" "static delivered = static counted: 7 = 7" out
# The last record is the STATIC record of counter 2: change its count from 1 to 2.
cp static.rec wrong.rec
patch wrong.rec $(($(wc -c <wrong.rec) - 14)) 002
exits "a static count that is wrong is a finding" 1 report lost wrong.rec
says "a static count that is wrong: which check" "^BROKEN .*static delivered = static counted: 8 != 7" out
says "a static count that is wrong: the account" "does not hold" out
json "a static count that is wrong: --json" 1 smile.lost/1 report lost --json wrong.rec
says "a static count that is wrong: --json" '"balanced":false.*"check":"static","holds":false' out

# --- damage
cp static.rec kind.rec
patch kind.rec $(($(wc -c <kind.rec) - 15)) 001
exits "a static record of an impossible cause" 2 dump kind.rec
says "a static record of an impossible cause: named" "record [0-9]*: .*static counter 2" err
suite_end
