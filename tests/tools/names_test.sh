#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of names with control characters: file names, events and programs whose names a terminal would interpret.
#
# What lives here: checks that tables and messages have no control characters, and that JSON and CSV keep the names.
#
# usage: tests/tools/names_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# The name contains ESC, a newline, BEL, and a control character of two bytes.
wild=$(printf 'n\033[31m\n\007\302\233x')
shown='n?[31m????x'
# plain NAME FILE: the file has no control characters except newlines.
plain() {
	if LC_ALL=C tr -d '\n\040-\176' <"$2" | LC_ALL=C tr -d '\302-\364' | grep -q .; then
		not_ok "$1: no control characters" "$(cat -v "$2")"
	else
		ok "$1: no control characters"
	fi
}
# shows NAME STATUS ARGUMENTS...: the command prints the name, without its control characters.
shows() {
	what=$1 status=$2
	shift 2
	exits "$what" "$status" "$@"
	cat out err >both
	plain "$what" both
	if grep -qF -e "$shown" both; then ok "$what: the rest of the name is shown"; else
		not_ok "$what: the rest of the name is shown" "$(cat -v both)"; fi
}

cp small.pcap "$wild.pcap"
shows "a file that is missing" 2 report pages "missing$wild"
shows "a capture that is replayed" 0 replay "$wild.pcap" -o "$wild.rec"
shows "a recording that is no capture" 2 replay "$wild.rec" -o other.rec
shows "a page that cannot be written" 2 view -o "missing/$wild" "$wild.rec"
shows "an argument" 2 stat --interval "$wild" -- true
shows "an option that does not exist" 2 report "--none$wild" x
shows "a trace that is imported" 0 trace import -o traces.db "$wild.pcap"
shows "a program that is missing" 127 record -d emu:small.pcap -o other.rec -- "./missing$wild"
wild=$(printf 'n\033[31m\007\302\233x')
shown='n?[31m???x'
printf 'interval,dt_s,event,value\n1,1,"%s",100\n2,1,"%s",110\n' "$wild" "$wild" >events.csv
shows "an event" 0 stat --readings events.csv
shows "an event, live" 0 stat --readings events.csv --live
"$smile" stat --readings events.csv --json >out 2>err
says "an event, in JSON: the name is exact" 'n\\u001[Bb]\[31m\\u0007' out
"$smile" stat --readings events.csv -o state.csv >out 2>err
if LC_ALL=C grep -q "$(printf 'n\033\[31m\007')" state.csv; then ok "an event, in CSV: the name is exact"; else
	not_ok "an event, in CSV: the name is exact" "$(cat -v state.csv)"; fi
suite_end
