#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of the command line, as users and scripts use it: exit statuses, fixed formats, usage.
#
# What lives here: one check in one or two lines, over the built command and captures in which every frame
# is known (mkcapture.c). Each check contains the expected output, so that a change of a fixed format or of
# an exit status fails. damage_test.sh tests damage.
#
# usage: tests/tools/cli_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# --- the command itself
exits "no command is a usage error" 2
exits "--help is no error" 0 --help
says "--help goes to standard output" "^commands:" out
exits "--version is no error" 0 --version
says "--version names both versions" "^smile [0-9.]* (libsmile-monitor [0-9.]*)$" out
refuses "an unknown command is named" "no command 'frobnicate'" frobnicate
for command in list doctor record replay sim report dump; do
	"$smile" $command --help >out 2>err
	equal "$command --help exits 0" 0 $?
	says "$command --help reports the exit statuses" "^exit status:" out
	refuses "$command refuses an unknown option" "unrecognized option" $command --frobnicate
done

# --- replay and its fixed formats
exits "replay a capture" 0 replay small.pcap -o small.rec
equal "replay keeps standard output free" "" "$(cat out)"
says "replay reports the loss account" "7 accepted = 7 delivered + 0 lost" err
cat >expected <<'END'
{"kind":"dynamic","type":"read","cause":"swap","index":0,"count":3,"source":2,"destination":0,"address":163840,"length_bytes":4}
{"kind":"dynamic","type":"write","cause":"swap","index":1,"count":2,"source":1,"destination":0,"address":163844,"length_bytes":4}
{"kind":"dynamic","type":"lock","cause":"swap","index":2,"count":1,"source":3,"destination":0,"address":8192,"length_bytes":4}
{"kind":"event","event":0,"raised":"blink","phase":true,"node":1,"time_ns":9000}
{"kind":"event","event":5,"raised":"blink","phase":false,"node":2,"time_ns":11000}
{"kind":"dynamic","type":"write","cause":"swap","index":0,"count":1,"source":0,"destination":1,"address":4096,"length_bytes":4}
END
exits "dump a recording" 0 dump small.rec
equal "dump: the fixed format" "$(cat expected)" "$(cat out)"
exits "dump --raw" 0 dump --raw small.rec
equal "dump --raw: 16 bytes a record" 96 "$(wc -c <out)"
tail -c 96 small.rec >expected
if cmp -s out expected; then ok "dump --raw: the records of the file"; else
	not_ok "dump --raw: the records of the file"; fi
json "report pages --json" 0 smile.pages/1 report pages --json small.rec
equal "report pages --json: the fixed format" '{"schema":"smile.pages/1","nodes":4,"page_bytes":4096,"pages":[{"page":1,"home":1,"accesses":[1,0,0,0],"reads":[0,0,0,0],"writes":[1,0,0,0],"locks":[0,0,0,0]},{"page":2,"home":0,"accesses":[0,0,0,1],"reads":[0,0,0,0],"writes":[0,0,0,0],"locks":[0,0,0,1]},{"page":40,"home":0,"accesses":[0,2,3,0],"reads":[0,0,3,0],"writes":[0,2,0,0],"locks":[0,0,0,0]}]}' "$(cat out)"
exits "replay from standard input" 0 replay - -o stdin.rec <small.pcap
"$smile" dump --raw small.rec >a 2>err && "$smile" dump --raw stdin.rec >b 2>err
if [ -s a ] && cmp -s a b; then ok "replay from standard input gives the same records"; else
	not_ok "replay from standard input gives the same records"; fi
(cd . && "$smile" replay small.pcap >out 2>err && [ -s smile.rec ])
equal "replay writes smile.rec without -o" 0 $?

# --- libraries that are loaded only by the commands that need them
mkdir broken
for library in libpcap.so.0.8:libpcap0.8 libmicrohttpd.so.12:libmicrohttpd12 libpfm.so.4:libpfm4; do
	: >"broken/${library%:*}"
	case $library in
	libpcap*) set -- replay small.pcap -o none.rec ;;
	libm*) set -- serve small.rec ;;
	*) set -- stat -e instructions -- true ;;
	esac
	export LD_LIBRARY_PATH="$PWD/broken"
	refuses "$1 without ${library%:*} names its package" "install the package ${library#*:}\$" "$@"
	exits "dump does not need ${library%:*}" 0 dump small.rec
	unset LD_LIBRARY_PATH
done

# --- the configuration reaches the card
# counts NAME EXPECTED OPTIONS...: the sum of the counts in the dump of a replay.
counts() {
	name=$1 expected=$2
	shift 2
	"$smile" replay small.pcap -o config.rec "$@" >out 2>err &&
		"$smile" dump config.rec >out 2>err
	equal "$name" "$expected" \
		"$(sed -n 's/.*"count":\([0-9]*\).*/\1/p' out | awk '{ s += $1 } END { print s + 0 }')"
}
counts "--types read" 3 --types read
counts "--types write,lock" 4 --types write,lock
counts "--direction in, node 0" 6 --direction in
counts "--direction out, node 0" 1 --direction out
counts "--direction foreign, node 3" 6 --direction foreign --node 3
counts "--packets responses" 2 --packets responses
says "a response is marked as one" '"length_bytes":4,"response":true}$' out
counts "--packets all" 9 --packets all
counts "--tag-table faithful" 2 --packets responses --tag-table faithful
counts "--counters 1" 7 --counters 1
equal "--counters 1 writes a record an event" 7 "$(grep -c '"count":1,' out)"
counts "--typed-tags off" 7 --typed-tags off
equal "--typed-tags off: type any" 4 "$(grep -c '"type":"any"' out)"
counts "--phase-events none" 7 --phase-events none
equal "--phase-events none: no phase mark" 0 "$(grep -c '"phase":true' out)"
counts "--phase-events 0,3-5" 7 --phase-events 0,3-5
equal "--phase-events 0,3-5: two phase marks" 2 "$(grep -c '"phase":true' out)"
"$smile" replay straddle.pcap -o straddle.rec --range 64 >out 2>err
"$smile" dump straddle.rec >out 2>err
says "--range 64: one range over two words" '"count":2,.*"address":4156,"length_bytes":8}' out
"$smile" replay straddle.pcap -o aligned.rec --range 64 --aligned on >out 2>err
"$smile" dump aligned.rec >out 2>err
equal "--aligned on: no range over a border" 0 "$(grep -c '"length_bytes":8' out)"

# --- impossible configurations
refuses "--range 5" "range: 5 bytes is no multiple of 4" replay small.pcap -o no.rec --range 5
refuses "--range 0" "range: '0'" replay small.pcap -o no.rec --range 0
refuses "--range 8192" "from 4 to 4096" replay small.pcap -o no.rec --range 8192
refuses "--counters 0" "counters: '0'" replay small.pcap -o no.rec --counters 0
refuses "--counters 65" "from 1 to 64" replay small.pcap -o no.rec --counters 65
refuses "--counters -1" "counters: '-1'" replay small.pcap -o no.rec --counters -1
refuses "--counters 1x" "counters: '1x'" replay small.pcap -o no.rec --counters 1x
refuses "--node 65536" "from 0 to 65535" replay small.pcap -o no.rec --node 65536
refuses "--types fetch" "'fetch' is none of read, write, lock" replay small.pcap --types fetch
refuses "--types with an empty item" "'' is none of" replay small.pcap --types read,
refuses "--typed-tags maybe" "neither on nor off" replay small.pcap --typed-tags maybe
refuses "--tag-table big" "neither faithful nor source" replay small.pcap --tag-table big
refuses "--phase-events 16" "no list of events from 0 to 15" replay small.pcap --phase-events 16
refuses "--phase-events 3-1" "no list of events" replay small.pcap --phase-events 3-1
refuses "--phase-events -1" "no list of events" replay small.pcap --phase-events -1
refuses "--phase-events 1,,2" "no list of events" replay small.pcap --phase-events 1,,2
refuses "--typed-tags off --packets all" "untyped" replay small.pcap -o no.rec \
	--typed-tags off --packets all
if [ -e no.rec ]; then not_ok "what is refused creates no file"; else
	ok "what is refused creates no file"; fi

# --- reports
json "report transfers --json" 0 smile.transfers/1 report transfers --json small.rec
says "report transfers: by source and destination" \
	'"transactions":\[\[0,1,0,0\],\[2,0,0,0\],\[3,0,0,0\],\[1,0,0,0\]\]' out
exits "report transfers --threshold" 0 report transfers --threshold 1.2 small.rec
says "report transfers: the bottleneck is marked" "^node 2 .* 3\*" out
says "report transfers: one only" "^node 1 .* 2 " out
json "report pages --bands --json" 0 smile.bands/1 report pages --bands --json small.rec
exits "report pages --bands" 0 report pages --bands small.rec
says "report pages --bands: a band of one" "^home 0: page 40 (1 page): nodes 1,2$" out
exits "report pages" 0 report pages small.rec
says "report pages: a row" "^ *40  *0  *-  *2  *3  *-  *5  *3  *2  *0  *100.0%$" out
says "report pages: a legend" "^legend: 3 pages of 4096 bytes" out
json "report top --json" 0 smile.top/1 report top --json small.rec
exits "report top -n 1" 0 report top -n 1 small.rec
says "report top: the most frequently accessed page" "^ *40  *0  *5  *71.4%  *3  *2  *0  *2  *60.0%$" out
equal "report top -n 1: one row" 1 "$(grep -c '%$' out)"
json "report page --json" 0 smile.page/1 report page --page 1 --json straddle.rec
says "report page: straddling distinguished" \
	'"straddling":{"accesses":\[0,2\],"reads":\[0,2\],"writes":\[0,0\]}' out
says "report page: the total is exact" '"totals":{"accesses":\[0,4\]' out
exits "report page" 0 report page --page 1 --section-bytes 64 straddle.rec
says "report page: a section" "^ *4  *256-319  *-  *-  *1  *-  *1$" out
says "report page: the line of the straddling" "^ *straddling  *-  *-  *-  *2  *-  *2$" out
json "report phases --json" 0 smile.phases/1 report phases --json small.rec
says "report phases: a phase and the open one" \
	'\[{"phase":0,"open":false,"event":0,"end_ns":9000,"accesses":6},{"phase":1,"open":true,"event":null,"end_ns":null,"accesses":1}\]' out
json "report phases --page --json" 0 smile.page-phases/1 report phases --page 40 --json small.rec
says "report phases --page: by node" '"accesses":\[0,2,3,0\]' out
json "report lost --json" 0 smile.lost/1 report lost --json small.rec
says "report lost: balanced" '"balanced":true.*"events_accepted":7,"events_delivered":7' out
"$smile" replay small.pcap -o untyped.rec --typed-tags off >out 2>err
exits "report pages of untyped tags" 0 report pages untyped.rec
says "report pages of untyped tags says so" "untyped tags" out
says "report pages of untyped tags: accesses only" "^ *40  *0  *-  *2  *3  *-  *5  *100.0%$" out
json "report page --home" 0 smile.page/1 report page --page 40 --home 0 --json small.rec
refuses "report page of another home" "page 40" report page --page 40 --home 1 small.rec
refuses "--home without --page" "give --page, too" report phases --home 1 small.rec
refuses "report structures without a map" "no address map" report structures small.rec
refuses "report without a view" "which view" report
refuses "report of an unknown view" "no view 'cold'" report cold small.rec
refuses "report without a recording" "which recording" report pages
refuses "report page without --page" "needs --page" report page small.rec
refuses "an option of another view" "--bands has no effect with the view transfers" report transfers --bands small.rec
refuses "report page of a page without accesses" "page 77" report page --page 77 small.rec
refuses "--section-bytes 48" "no power of two" report page --page 1 --section-bytes 48 small.rec
refuses "--section-bytes 8192" "from 4 to 4096" report page --page 1 --section-bytes 8192 small.rec
refuses "--threshold 0" "no number above 0" report transfers --threshold 0 small.rec
refuses "--threshold nan" "no number above 0" report transfers --threshold nan small.rec
"$smile" replay empty.pcap -o empty.rec >out 2>err
exits "report of an empty recording" 0 report pages --json empty.rec
exits "report top of an empty recording" 0 report top empty.rec
"$smile" replay far.pcap -o far.rec >out 2>err
json "node 65535 fits into report pages" 0 smile.pages/1 report pages --json far.rec
says "node 65535: as many nodes" '"nodes":65536,' out
refuses "node 65535 is too much for a matrix" "too many for a matrix" report transfers far.rec
json "node 65535 fits into report page" 0 smile.page/1 report page --page 1 --json far.rec
says "node 65535: as many nodes in report page" '"nodes":65536,' out
json "node 65535 fits into report phases" 0 smile.page-phases/1 \
	report phases --page 1 --json far.rec
exits "node 65535: report page has a column of it" 0 report page --page 1 far.rec
says "node 65535: by name" "reads 65535" out

# --- merging
"$smile" replay small.pcap -o node0.rec --direction in,out >out 2>err
"$smile" replay small.pcap -o node2.rec --direction in,out --node 2 >out 2>err
exits "two recordings of different nodes" 0 report pages --json node0.rec node2.rec
says "what two cards saw counts once" '"page":40,"home":0,"accesses":\[0,2,3,0\]' out
# matrix OPTIONS...: the transfers from recordings of all four nodes, made with these options.
matrix() {
	for node in 0 1 2 3; do
		"$smile" replay sor-node$node.pcap --node $node -o o$node.rec "$@" >out 2>err || return
	done
	"$smile" report transfers --json o0.rec o1.rec o2.rec o3.rec 2>err
}
if command -v qemu-x86_64 >/dev/null; then
	exits "smile sim: captures" 0 sim sor --size 128 --iterations 2 --capture sor
	matrix >plain
	says "four recordings: a matrix" \
		'"transactions":\[\[0,[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*\],' plain
	for options in "--direction out" "--direction in,out" "--packets all" \
		"--packets all --direction out" "--packets all --counters 1"; do
		# shellcheck disable=SC2086
		equal "four recordings with $options: the same matrix" "$(cat plain)" \
			"$(matrix $options)"
	done
else
	skip "four recordings: a matrix: qemu-x86_64 is not there"
fi
refuses "two recordings of the same node" "one of each node" report pages small.rec stdin.rec

# --- record
refuses "record from a card that is not there" "smile_monitor77" record -d dev:77 -o no.rec -- true
refuses "record from a source of unknown form" "tape:0" record -d tape:0 -o no.rec
refuses "record from a recording" "is a recording already" record -d file:small.rec
refuses "record from emu: without a capture" "needs a capture" record -d emu:
refuses "record --read from a capture" "--read has no effect with a capture" record -d emu:small.pcap --read
refuses "record --duration 0" "record nothing" record -d emu:small.pcap --duration 0
refuses "record --duration soon" "no time in seconds" record -d emu:small.pcap --duration soon
refuses "record --range 5" "no multiple of 4" record -d emu:small.pcap -o no.rec --range 5
if [ -e no.rec ]; then not_ok "a refused record creates no file"; else
	ok "a refused record creates no file"; fi
exits "record from a capture" 0 record -d emu:small.pcap -o record.rec
"$smile" dump --raw record.rec >b 2>err
if [ -s a ] && cmp -s a b; then ok "record and replay give the same records"; else
	not_ok "record and replay give the same records"; fi
json "record --json" 0 smile.recording/1 record -d emu:small.pcap -o record.rec --json
exits "record passes the command's status through" 7 \
	record -d emu:small.pcap -o record.rec -- sh -c 'exit 7'
exits "record: a command that a signal ended" 143 \
	record -d emu:small.pcap -o record.rec -- sh -c 'kill -TERM $$'
exits "record: a command that is not there" 127 \
	record -d emu:small.pcap -o record.rec -- ./absent-command
exits "record: a command that cannot be run" 126 record -d emu:small.pcap -o record.rec -- ./small.rec
exits "record hands its options after -- to the command" 0 \
	record -d emu:small.pcap -o record.rec -- sh -c 'test "$1" = --json' sh --json
equal "record: a command's output is its own" "" "$(cat out)"

# Ctrl-C: a source that would continue for a long time, and a recording that must remain readable.
mkfifo pipe
# interrupted SIGNAL RECORDING COMMAND...: waits until the command has read all data in the pipe and written all records
# that have left the card, then sends the signal; leaves its exit status in $status.
interrupted() {
	signal=$1 recording=$2
	shift 2
	rm -f "$recording"
	exec 3<>pipe
	cat small.pcap >&3
	setpriv --pdeathsig KILL "$smile" "$@" <pipe >out 2>err 3>&- &
	runner=$!
	tries=0
	until "$smile" report lost --json "$recording" 2>/dev/null | grep -q '"events_delivered":6,'; do
		tries=$((tries + 1))
		[ $tries -lt 3000 ] || {
			not_ok "$1: $recording has six events" "$(cat err)"
			break
		}
		sleep 0.1
	done
	kill -s "$signal" $runner
	# The shell would print a message about a killed job.
	wait $runner 2>/dev/null
	status=$?
	exec 3>&-
}
for signal in TERM HUP; do
	interrupted $signal term.rec record -d emu:- -o term.rec
	equal "record: SIG$signal ends it with status 0" 0 $status
	exits "record: after SIG$signal the account holds" 0 report lost term.rec
	says "record: after SIG$signal all is there" "7 delivered" out
done
interrupted HUP term.rec record -d emu:- -o term.rec -- sleep 1000
equal "record: SIGHUP is passed on to the command" 129 $status
exits "record: after a command's SIGHUP the account holds" 0 report lost term.rec
interrupted TERM term.rec replay - -o term.rec
equal "replay: SIGTERM is an error" 2 $status
says "replay: SIGTERM leaves what was replayed" "term.rec has the records up to this point" err
exits "replay: after SIGTERM the account holds" 0 report lost term.rec
interrupted KILL kill.rec record -d emu:- -o kill.rec
exits "record: a killed recorder leaves a readable file" 0 report pages --json kill.rec
exits "record: a killed recorder leaves an open account" 1 report lost kill.rec

# --- list and doctor
json "list --json" 0 smile.cards/1 list --json
if [ "$(cat out)" = '{"schema":"smile.cards/1","cards":[]}' ]; then
	exits "list without a card" 0 list
	says "list without a card points to the doctor" "smile doctor" err
	json "doctor --json: something is missing" 1 smile.doctor/1 doctor --json
	says "doctor --json: says so" '"ok":false' out
	exits "doctor: something is missing" 1 doctor
	says "doctor names the way without a card" "smile replay" out
	says "doctor: the words of its man page" \
		"skipped = cannot be checked before another is ok; optional = missing, but not needed" out
else
	skip "list and doctor without a card: there is one" 7
fi
refuses "list takes no argument" "one argument too many" list now
PATH=/nonexistent "$smile" doctor >out 2>err
says "doctor: QEMU is looked for in PATH" "^optional *card in QEMU *no qemu-system-x86_64" out

if command -v script >/dev/null && command -v qemu-x86_64 >/dev/null; then
	script -qec "$smile sim sor --check none" /dev/null </dev/null >out
	says "progress of long work on a terminal" "simulated [0-9.]* s; [0-9,]* accesses" out
	"$smile" sim sor --check none >out 2>err
	equal "none where there is no terminal" "0 1" \
		"$(grep -c simulated err) $(grep -c '^phase sor alone' out)"
else
	skip "progress on a terminal: no script, or no qemu-x86_64"
	skip "none where there is no terminal"
fi

"$smile" report pages small.rec >out 2>err
equal "no colours where there is no terminal" 0 "$(grep -c "$(printf '\033')" out)"
suite_end
