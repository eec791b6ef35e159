#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile sweep: flushes and extensions compared with numbers computed by hand, with `smile replay` of the same
# traffic, and with an independent program (blink.py) for the traffic of an FFT, and for an external FFT's capture
# if it exists; usage; the plot.
#
# What lives here: as in cli_test.sh, one check in one or two lines, over captures in which every frame is
# known (mkcapture.c). Needs gojq, and gnuplot for the plot.
#
# usage: tests/sweep/sweep_test.sh SMILE MKCAPTURE SCRATCH
set -u
fft=$(realpath ../shared/captures/fft16k-node0.pcap.xz 2>/dev/null)
count=$(realpath "$(dirname "$0")/../tools/blink.py")
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/../tools/command_checks.sh"

command -v gojq >/dev/null || { echo "sweep_test.sh needs gojq"; exit 1; }
for kind in sweep foreign; do
	"$make" $kind.pcap $kind || { echo "mkcapture $kind failed"; exit 1; }
done

# points: prints each configuration of the JSON document in out as counters/range: flushes extensions.
points() {
	gojq -r '[.points[] | "\(.counters)/\(.range_bytes):\(.flushes) \(.extensions)"] | join(", ")' out
}

# swept NAME EXPECTED ARGUMENTS...
swept() {
	name=$1 expected=$2
	shift 2
	"$smile" sweep --json "$@" >out 2>err
	equal "$name" "0 $expected" "$? $(points)"
}

# --- numbers computed by hand, with Dynamic Coverage LRU and one counter always free
swept "one counter writes a trace" "1/4:8 0, 1/4096:8 0" \
	--page 5 --counters 1 --range 4,4096 sweep.pcap
swept "two counters" "2/4:8 0, 2/8:7 1, 2/4096:6 2" \
	--page 5 --counters 2 --range 4,8,4096 sweep.pcap
swept "four counters" "4/4:6 0, 4/8:5 1, 4/4096:3 3" \
	--page 5 --counters 4 --range 4,8,4096 sweep.pcap
swept "untyped tags" "2/4:8 0, 2/4096:5 3, 4/4:6 0, 4/4096:2 3" \
	--page 5 --typed-tags off --counters 2,4 --range 4,4096 sweep.pcap
swept "ranges grow over a block's border" "16/8:1 1" --page 7 --counters 16 --range 8 sweep.pcap
swept "and do not if aligned" "16/8:2 0" \
	--page 7 --aligned on --counters 16 --range 8 sweep.pcap
swept "types" "1/4:3 0, 16/4:2 0" --page 5 --types write --counters 1,16 --range 4 sweep.pcap
swept "a whole node, both ways" "1/4:11 0" --node 0 --counters 1 --range 4 sweep.pcap
swept "page and home" "1/4:8 0" --page 5 --node 0 --counters 1 --range 4 sweep.pcap

"$smile" sweep --json sweep.pcap >out 2>err
equal "the busiest page, the papers' configurations, the time from frame to frame" \
	'[5,0,8,77,0.000011]' \
	"$(gojq -c '[.page, .node, .accesses, (.points | length), .seconds]' out)"
equal "bytes, drained and rate" '[128,0,11636363]' \
	"$(gojq -c '.points[0] | [.bytes, .drained, (.bytes_per_second | floor)]' out)"
"$smile" sweep --json --seconds 0.5 --page 5 sweep.pcap >out 2>err
equal "what is left in the counters at the end" '[0,1,3,5,5,5,5]' \
	"$(gojq -c '[.points[] | select(.range_bytes == 8) | .drained]' out)"
equal "--seconds" '[0.5,256]' "$(gojq -c '[.seconds, .points[0].bytes_per_second]' out)"
json "a document" 0 smile.sweep/1 sweep --counters 4 --range 8 sweep.pcap --json
exits "tables" 0 sweep --page 5 sweep.pcap
says "what is swept" '^page 5 at its home, node 0: 8 accesses$' out
equal "four tables of seven rows" 28 "$(grep -cE '^ +(1|2|4|8|16|32|64)  ' out)"
"$smile" sweep --json - <sweep.pcap >out 2>err
equal "standard input" "8" "$(gojq .accesses out)"

# --- the same numbers from the recordings of smile replay
# smile replay also records global events in the capture; a sweep has none.
replayed() {
	"$smile" replay "$1" --json -o replayed.rec --counters "$2" --range "$3" --phase-events none \
		>replayed.json 2>err
	gojq -c --argjson events "$("$smile" dump replayed.rec | grep -c '"kind":"event"')" \
		'[.records - $events, .events_accepted]' replayed.json
}

# whole CAPTURE: a sweep of a node and replays of its capture must agree for each configuration.
whole() {
	"$smile" sweep --node 0 --json --counters 1,2,16,64 --range 4,64,4096 "$1" >out 2>err
	equal "replay reports the same of $1" \
		"$(for counters in 1 2 16 64; do
			for range in 4 64 4096; do replayed "$1" $counters $range; done
		done)" \
		"$(gojq -c '.accesses as $n | .points[] | [.flushes, $n]' out)"
	[ "$(gojq '.points | length' out)" = 12 ] || not_ok "twelve configurations of $1"
}
whole sweep.pcap

# --- recordings
"$smile" replay sweep.pcap -o trace.rec --counters 1 --range 4 2>err
"$smile" sweep --json --page 5 sweep.pcap | gojq -c .points | sed 's/,"bytes_per_second":[^}]*//g' >capture.json
"$smile" sweep --json --page 5 trace.rec | gojq -c .points | sed 's/,"bytes_per_second":[^}]*//g' >recording.json
equal "a trace-writing recording reports as much as the capture" "$(cat capture.json)" \
	"$(cat recording.json)"
[ -s capture.json ] || not_ok "a sweep to compare"
"$smile" replay sweep.pcap -o trace.rec --counters 1 --range 4 --typed-tags off 2>err
swept "recorded untyped" "4/4:6 0, 4/4096:2 3" --page 5 --counters 4 --range 4,4096 trace.rec
says "and said so" 'untyped' err
refuses "recorded untyped, asked for types" 'untyped tags' sweep --types read trace.rec
"$smile" replay sweep.pcap -o counted.rec 2>err
refuses "a recording of counts" '16 counters.*--counters 1 --range 4' sweep counted.rec
"$smile" replay sweep.pcap -o responses.rec --counters 1 --packets responses 2>err
refuses "a recording of responses" 'responses.*--packets requests' sweep responses.rec

# --- several files: whose B-Link it is
"$make" far.pcap far
refuses "two nodes and no word" 'B-Link is it? Give --node' sweep far.pcap
swept "two nodes and a word" "1/4:1 0" --page 1 --node 0 --counters 1 --range 4 far.pcap
refuses "no node's B-Link" "foreign.pcap is not from one node's B-Link" sweep foreign.pcap
refuses "one node twice" 'node 0, like an earlier file' sweep sweep.pcap small.pcap
refuses "a page that no node accesses" 'page 99 at its home' sweep --page 99 sweep.pcap
refuses "a page of another node" 'page 6 at its home' sweep --page 6 sweep.pcap
refuses "another node" 'node 3' sweep --node 3 sweep.pcap

# --- usage
refuses "no file" 'which traffic' sweep
refuses "no such file" 'nowhere.pcap' sweep nowhere.pcap
refuses "a counter too many" "--counters: '65' is no number from 1 to 64" \
	sweep --counters 1,65 sweep.pcap
refuses "an odd range" 'no multiple of 4' sweep --range 4,6 sweep.pcap
refuses "an empty item" "--range: ''" sweep --range 4,,8 sweep.pcap
refuses "a number twice" 'twice' sweep --counters 4,4 sweep.pcap
refuses "no time" 'need a time above 0' sweep --seconds 0 sweep.pcap
refuses "an unknown type" "types" sweep --types reads sweep.pcap
head -c 300 sweep.pcap >cut.pcap
refuses "a capture cut off in a frame" 'cut.pcap is cut off' sweep cut.pcap
exits "--help" 0 sweep --help
says "which reports the options" '--counters LIST' out

# --- a signal ends it
# When smile has opened the file, it handles signals. Before that, the shell's child has the file open.
mkfifo endless
exec 3<>endless
cat sweep.pcap >&3
setpriv --pdeathsig KILL "$smile" sweep endless >out 2>err 3>&- &
sweeper=$!
tries=0
while [ $tries -lt 6000 ] && kill -0 $sweeper 2>/dev/null; do
	# shellcheck disable=SC2010
	[ "$(basename "$(readlink /proc/$sweeper/exe)")" = smile ] &&
		ls -l /proc/$sweeper/fd 2>/dev/null | grep -q endless && kill -INT $sweeper 2>/dev/null
	sleep 0.05
	tries=$((tries + 1))
done
kill -KILL $sweeper 2>/dev/null
wait $sweeper
equal "Ctrl-C" "2 smile sweep: interrupted" "$? $(cat err)"
exec 3>&-

# --- the plot
PATH=/nonexistent "$smile" sweep --plot none.svg sweep.pcap >out 2>err
equal "without gnuplot: status, no file, the numbers all the same" "2 no 28" \
	"$? $([ -e none.svg ] && echo yes || echo no) $(grep -cE '^ +(1|2|4|8|16|32|64)  ' out)"
says "and what to install" 'gnuplot-nox' err
echo older >older.svg
PATH=/nonexistent "$smile" sweep --plot older.svg sweep.pcap >out 2>err
equal "an older plot stays" older "$(cat older.svg)"
if command -v gnuplot >/dev/null; then
	exits "a plot" 0 sweep --page 5 --plot plot.svg sweep.pcap
	says "an SVG" '<svg' plot.svg
	says "to its end" '</svg>' plot.svg
	for text in 'page 5 at its home, node 0: 8 accesses' 'counters' 'extensions' \
		'flushes (records of 16 bytes)' 'data rate, KB/s' 'bytes that one counter may cover'; do
		says "it says: $text" "$text" plot.svg
	done
else
	skip "plot: gnuplot is not installed" 9
fi
refuses_write() {
	"$smile" sweep --plot /nonexistent/plot.svg sweep.pcap >out 2>err
	equal "a plot that cannot be written" 2 $?
	says "is named" 'cannot write /nonexistent/plot.svg' err
}
refuses_write

# --- FFTs: properties of any traffic
# laws NAME CAPTURE: checks a sweep of one page of it with all configurations.
laws() {
	# With ranges of one word, only LRU matters, and LRU never has fewer records with fewer entries.
	equal "$1: ranges of a word: more counters never flush more, and never extend" '[true,[0]]' \
		"$(gojq -c '[.points[] | select(.range_bytes == 4)] |
			[([.[].flushes] | . == (sort | reverse)), ([.[].extensions] | unique)]' out)"
	equal "$1: an access fills, extends or hits" true \
		"$(gojq '.accesses as $n | [.points[] | .flushes + .extensions <= $n] | all' out)"
	equal "$1: one counter writes a record an access, whatever the range" \
		"$(gojq -c '[.accesses]' out)" \
		"$(gojq -c '[.points[] | select(.counters == 1) | .flushes] | unique' out)"
	whole "$2"
}

if command -v qemu-x86_64 >/dev/null; then
	"$smile" sim fft --size 4096 --capture - --node 0 -q >own.pcap 2>err
	# The page of node 0 that most nodes access.
	page=$(python3 "$count" own.pcap | gojq '[.pages[] | select(.[0] == 0)] |
		max_by([([.[2][] | select(. > 0)] | length), ([.[2][], .[3][]] | add)])[1]')
	"$smile" sweep --json --node 0 --page "$page" --typed-tags off --counters 1,2,5,16,64 \
		--range 4,16,64,4096 own.pcap >out 2>err
	equal "own FFT: flushes and extensions of the independent program" \
		"$(python3 "$count" own.pcap 0 "$page" $(for counters in 1 2 5 16 64; do
			for range in 4 16 64 4096; do echo $counters/$range; done
		done))" "$(gojq -c '[.points[] | [.flushes, .extensions]]' out)"
	equal "own FFT: some of each" true "$(gojq '.accesses > 1000 and
		any(.points[]; .extensions > 0) and any(.points[]; .flushes < 100)' out)"
	"$smile" sweep --json --node 0 --page "$page" own.pcap >out 2>err
	laws "own FFT" own.pcap
else
	skip "own FFT: qemu-x86_64 is not there" 6
fi

# A larger capture executes no other code, so the sanitizers stop here.
if [ "${TEST_KIND:-}" = sanitize ]; then
	suite_end
	exit
fi

# The FFT of 16K points: the numbers of the 1998 paper's figure 6 and of an independent program.
if [ -f "$fft" ]; then
	xz -dc "$fft" >fft.pcap
	"$smile" sweep --json --page 40 --typed-tags off --seconds 0.127 --counters 17 --range 4,16,32 \
		fft.pcap >out 2>err
	equal "FFT: 16 counters in use: flushes and extensions of the independent program" \
		'[[4946,0],[2458,2474],[1265,3421]]' \
		"$(gojq -c '[.points[] | [.flushes - .drained, .extensions]]' out)"
	"$smile" sweep --json --page 40 --typed-tags off --seconds 0.127 fft.pcap >out 2>err
	equal "FFT: page 40 has 8744 accesses" '8744' "$(gojq .accesses out)"
	truth() { gojq ".points[] | select(.counters == $1 and .range_bytes == $2) | $3" out; }
	equal "FFT: 16 counters, a word: 79 to 82 KB" true \
		"$(truth 16 4 '.bytes >= 79000 and .bytes <= 82000')"
	equal "FFT: trace writing: 1.05 to 1.12 MB/s" true \
		"$(truth 1 4 '.bytes_per_second >= 1.05e6 and .bytes_per_second <= 1.12e6')"
	equal "FFT: 16 bytes: 300 to 320 KB/s" true \
		"$(truth 16 16 '.bytes_per_second >= 300e3 and .bytes_per_second <= 320e3')"
	laws "FFT" fft.pcap
else
	skip "FFT of 16K points: ../shared/captures/fft16k-node0.pcap.xz is not there" 9
fi

suite_end
