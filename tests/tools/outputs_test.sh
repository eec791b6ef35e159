#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of the files that commands write: two commands that write the same file at the same time, and commands
# that fail before they have data.
#
# What lives here: checks that the second of two commands is refused, that the data of the first one is complete, and
# that an older file is unchanged if the command that would replace it fails.
#
# usage: tests/tools/outputs_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# kept NAME FILE: the copy FILE.kept is still equal to the file.
kept() {
	if cmp -s "$2" "$2.kept"; then ok "$1: $2 is unchanged"; else
		not_ok "$1: $2 is unchanged"; cp "$2.kept" "$2"; fi
}
busy="being written by another program\|another program is writing"
header=24 # bytes of a capture's header

# --- two commands that write the same file
mkfifo slow
# second NAME SLOW FAST WORDS...: one command reads SLOW, and another one reads FAST; both write the file "twice". The
# file "once" is from a command that is alone.
second() {
	what=$1 slow=$2 fast=$3
	shift 3
	rm -f twice
	"$smile" "$@" "$slow" -o twice >first.out 2>first.err &
	first=$!
	exec 3>slow
	head -c $header small.pcap >&3
	while [ ! -e twice ] && kill -0 $first 2>/dev/null; do sleep 0.1; done
	refuses "$what: the second of two commands with one file" "$busy" "$@" "$fast" -o twice
	tail -c +$((header + 1)) small.pcap >&3
	exec 3>&-
	wait $first
	equal "$what: the first of the two ends normally" 0 $?
	exits "$what: the same command alone" 0 "$@" "$fast" -o once
}
second "trace record" slow small.pcap trace record
cp twice first.pcapng
cp once alone.pcapng
"$smile" replay first.pcapng -o a.rec >out 2>err
"$smile" replay alone.pcapng -o b.rec >out 2>err
"$smile" dump a.rec >a 2>err && "$smile" dump b.rec >b 2>err
if [ -s a ] && cmp -s a b; then ok "trace record: the first file is complete"; else
	not_ok "trace record: the first file is complete" "$(diff a b)"; fi
second record emu:slow emu:small.pcap record -d
"$smile" dump twice >a 2>err && "$smile" dump once >b 2>err
if [ -s a ] && cmp -s a b; then ok "record: the first file is complete"; else
	not_ok "record: the first file is complete" "$(diff a b)"; fi

# --- a file that another program writes
printf 'interval,dt_s,event,value\n1,1,a,100\n2,1,a,100\n3,1,a,120\n' >readings.csv
echo held >held
cp held held.kept
cp small.pcap other.pcap
python3 -c 'import fcntl, time
file = open("held", "r+")
fcntl.lockf(file, fcntl.LOCK_EX)
open("ready", "w").write("ready")
time.sleep(1000)' &
holder=$!
while [ ! -s ready ] && kill -0 $holder 2>/dev/null; do sleep 0.1; done
"$smile" replay small.pcap -o small.rec >out 2>err
# refused NAME ARGUMENTS...
refused() {
	refuses "$*: another program writes the file" "$busy" "$@"
	kept "$*" held
}
refused record -d emu:small.pcap -o held -- true
refused replay small.pcap -o held
refused trace record small.pcap -o held
refused ring --nodes 4 --svg held
refused ring --nodes 4 --write held
refused advise small.rec -o held
for option in output rates samples plot; do
	refused stat --readings readings.csv --$option held
done
ln -s held page.html.part
refused view small.rec -o page.html
rm page.html.part
kill $holder
wait $holder 2>/dev/null

# --- a command that fails before it has data
for file in old.rec old.csv old.svg old.pcapng; do
	echo "$file" >$file
	cp $file $file.kept
done
exits "record: a program that does not exist" 127 record -d emu:small.pcap -o old.rec -- ./missing
says "record: a program that does not exist is named" "./missing cannot be run: No such file" err
kept "record: a program that does not exist" old.rec
exits "record: a file that cannot be executed" 126 record -d emu:small.pcap -o old.rec -- ./readings.csv
kept "record: a file that cannot be executed" old.rec
exits "record: a new file, and no program" 127 record -d emu:small.pcap -o new.rec -- ./missing
equal "record: no new file" "" "$(ls new.rec 2>/dev/null)"
refuses "trace record: a capture that is none" "is no capture" trace record readings.csv -o old.pcapng
kept "trace record: a capture that is none" old.pcapng
refuses "stat: readings that are none" "old.csv" stat --readings old.csv -o old.rec --plot old.svg
kept "stat: readings that are none" old.rec
kept "stat: readings that are none" old.svg
refuses "stat: readings that are none, and a new file" "old.csv" stat --readings old.csv -o new.csv
equal "stat: no new file" "" "$(ls new.csv 2>/dev/null)"
if (PATH=/nonexistent "$smile" stat --readings readings.csv --plot old.svg >out 2>err); then
	not_ok "stat: no gnuplot"; else says "stat: no gnuplot" "without gnuplot" err; fi
kept "stat: no gnuplot" old.svg
suite_end
