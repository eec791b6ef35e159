#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of damage on the command line: bad captures and recordings, outputs that cannot be written,
# descriptors that are closed.
#
# What lives here: checks with damaged files. The good parts before and after the damage must be used, a message must
# name the damage, and the exit status must be 2. A refused file must be left unchanged.
#
# usage: tests/tools/damage_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# copies N FILE: prints FILE N times.
copies() {
	yes "$2" | head -n "$1" | xargs cat
}
"$smile" replay small.pcap -o small.rec >out 2>err || not_ok "replay a capture"
"$smile" dump --raw small.rec >a 2>err || not_ok "dump --raw"

# --- bad captures
refuses "no capture given" "which capture" replay
timeout 300 "$smile" replay "" -o no.rec >out 2>err </dev/null
equal "a capture without a name" 2 $?
says "a capture without a name is reported" "The name given is empty" err
refuses "two captures given" "one argument too many" replay small.pcap empty.pcap
refuses "a capture that is not there" "absent.pcap" replay absent.pcap -o no.rec
# A refused file must be unchanged.
cp small.pcap before.pcap
ln small.pcap link.pcap
refuses "a capture that is the output" "small.pcap" replay small.pcap -o ./small.pcap
refuses "a capture that is the output by another name" "link.pcap" replay small.pcap -o link.pcap
refuses "record: a capture that is the output" "small.pcap" \
	record -d emu:small.pcap -o small.pcap -- true
"$smile" replay - -o small.pcap <small.pcap >out 2>err
equal "replay from standard input onto the same file" 2 $?
if cmp -s small.pcap before.pcap; then ok "a capture is not overwritten"; else
	not_ok "a capture is not overwritten"; cp before.pcap small.pcap; fi
echo "this is no capture, just some lines of text" >text
refuses "a text as capture" "text is no capture" replay text -o no.rec
refuses "a recording as capture" "small.rec" replay small.rec -o no.rec
: >nothing
refuses "a file of no bytes as capture" "nothing" replay nothing -o no.rec
cp small.pcap ethernet.pcap
patch ethernet.pcap 20 001
refuses "a capture of another link type" "147" replay ethernet.pcap -o no.rec
for packer in gzip xz; do
	if command -v $packer >/dev/null; then
		$packer -c small.pcap >small.$packer
		refuses "a $packer capture names its remedy" "$packer" replay small.$packer -o no.rec
	else
		skip "a $packer capture names its remedy"
	fi
done
head -c $(($(wc -c <small.pcap) - 5)) small.pcap >cut.pcap
exits "a capture that is cut off is an error" 2 replay cut.pcap -o cut.rec
says "a capture that is cut off is named" "cut.pcap is cut off" err
"$smile" report lost cut.rec >out 2>err
equal "what was replayed before the cut is a complete recording" 0 $?
says "what was replayed before the cut counts" "7 delivered" out
exits "replay of malformed frames" 0 replay malformed.pcap -o malformed.rec
says "all frames malformed: a warning" "every frame was malformed" err
exits "replay of an empty capture" 0 replay empty.pcap -o empty.rec
says "an empty capture: a warning" "holds no frame" err
exits "replay with the wrong node" 0 replay small.pcap --node 3 -o node.rec
says "the wrong node: --node is suggested" "with --node" err
refuses "an output that cannot be written" "absent/no.rec" replay small.pcap -o absent/no.rec
# The header of a recording is completed last, so a recording cannot be written to a pipe.
"$smile" replay small.pcap -o /dev/stdout 2>err </dev/null | cat >out
says "a recording to a pipe is refused" "/dev/stdout" err
equal "a recording to a pipe is refused: nothing was written" "" "$(cat out)"
mkfifo fifo
timeout 300 "$smile" replay small.pcap -o fifo >out 2>err </dev/null
equal "a recording to a FIFO is refused" 2 $?
says "a recording to a FIFO names it" "fifo" err
exits "record from a capture that is cut off, with a command" 2 \
	record -d emu:cut.pcap -o record.rec -- true
says "record from a capture that is cut off is reported" "cut.pcap is cut off" err

# --- bad recordings
refuses "a recording that is not there" "absent.rec" dump absent.rec
refuses "a text as recording" "text is not a recording" report pages text
refuses "a capture as recording" "small.pcap is not a recording" dump small.pcap
refuses "a file of no bytes as recording" "nothing" dump nothing
refuses "a directory as recording" "^smile dump: cannot read the recording \.: Is a directory" dump .
cp small.rec version.rec
patch version.rec 8 143
refuses "a recording of another version" "version 99" dump version.rec
cp small.rec header.rec
patch header.rec 12 377 377 377 377
refuses "a recording with an impossible header" "header.rec" dump header.rec
# The card's description is the first field: its node id is 52 bytes after its tag.
cp small.rec header.rec
patch header.rec 84 377 377 377 377
refuses "a recording of an impossible node" "header.rec.*damaged" report pages header.rec
refuses "a recording of an impossible node: dump, too" "header.rec.*damaged" dump header.rec
head -c 100 small.rec >head.rec
refuses "a recording cut off in its header" "head.rec" report pages head.rec
head -c $(($(wc -c <small.rec) - 24)) small.rec >cut.rec
exits "a recording that is cut off: dump fails" 2 dump cut.rec
equal "a recording that is cut off: what is there is dumped" 4 "$(wc -l <out)"
says "a recording that is cut off is named" "cut.rec is cut off" err
exits "a recording that is cut off: report fails" 2 report pages --json cut.rec
says "a recording that is cut off: what is there is reported" '"page":40' out
first=$(($(wc -c <small.rec) - 96))
cp small.rec kind.rec
patch kind.rec $((first + 16)) 017
exits "a record that cannot be decoded: dump fails" 2 dump kind.rec
says "a record that cannot be decoded: its number" "record 1:" err
equal "a record that cannot be decoded: the others are dumped" 5 "$(wc -l <out)"
exits "a record that cannot be decoded: report fails" 2 report pages --json kind.rec
says "a record that cannot be decoded: the others are reported" '"page":2,' out
exits "a record that cannot be decoded: dump --raw fails" 2 dump --raw kind.rec
says "a record that cannot be decoded: dump --raw names it" "record 1:" err
tail -c 96 kind.rec >expected
if cmp -s out expected; then ok "a record that cannot be decoded: dump --raw writes all"; else
	not_ok "a record that cannot be decoded: dump --raw writes all"; fi
# The damage is in an early batch, in a later batch, or at the end, which is cut off. Every other record must be found.
tail -c 96 small.rec >six
(head -c "$first" small.rec && copies 3000 six) >long.rec
patch long.rec 16 377 377 377 377 377 377 377 377
patch long.rec $((first + 16)) 017
patch long.rec $((first + 16 * 17000)) 017
exits "two records of many that cannot be decoded" 2 dump long.rec
equal "two records of many: all others are dumped" 17998 "$(wc -l <out)"
equal "two records of many: reported by number" "record 1: record 17000: " \
	"$(grep -o 'record [0-9]*: ' err | tr -d '\n')"
equal "two records of many: reported once each" 2 "$(wc -l <err)"
exits "two records of many: dump --raw" 2 dump --raw long.rec
equal "two records of many: all are there raw" 288000 "$(wc -c <out)"
exits "two records of many: report fails" 2 report pages --json long.rec
says "two records of many: the others are reported" '"page":2,' out
head -c $(($(wc -c <kind.rec) - 24)) kind.rec >cutkind.rec
exits "damaged and cut off" 2 dump cutkind.rec
says "damaged and cut off: the record" "record 1:" err
says "damaged and cut off: the cut" "is cut off" err
cp small.rec count.rec
patch count.rec $((first + 2)) 002
exits "a loss account that does not hold is a finding" 1 report lost count.rec
says "a loss account that does not hold says so" "does not hold" out
# A record without a count is missing: global event 5, the fifth of six.
(head -c $((first + 64)) small.rec && tail -c 16 small.rec) >event.rec
patch event.rec 16 005
exits "a missing event record is a finding" 1 report lost event.rec
says "a missing event record: which check" "^BROKEN *records in the recording .*: 5 != 6$" out
json "a missing event record: --json" 1 smile.lost/1 report lost --json event.rec
says "a missing event record: --json" '"balanced":false.*"records_written":6,"records":5,' out
# The event is replaced by the event that the driver raises after a bus error. The account can then not be checked.
cp small.rec reset.rec
patch reset.rec $((first + 64)) 004 001 376 377
exits "a bus error's mark is a finding" 1 report lost reset.rec
says "a bus error's mark: counted" "^resets *1 " out
says "a bus error's mark: no account" "cannot be checked: a bus error has reset the card" out
json "a bus error's mark: --json" 1 smile.lost/1 report lost --json reset.rec
says "a bus error's mark: --json" '"events_accepted":null.*"sleeps":0,"resets":1,.*"checks":null' out
patch reset.rec $((first + 64)) 004 001 377 377
exits "a sleep's mark: the account holds" 0 report lost reset.rec
says "a sleep's mark: reported" "^sleeps *1 .*nothing was counted" out
# More records than the header reports: a whole record, and part of one.
for more in 16 5; do
	(cat small.rec; tail -c $more small.rec) >beyond.rec
	exits "$more bytes behind the records: dump fails" 2 dump beyond.rec
	equal "$more bytes behind the records: the records are dumped" 6 "$(wc -l <out)"
	says "$more bytes behind the records are reported" "beyond.rec continues behind its 6 records" err
	exits "$more bytes behind the records: report fails" 2 report pages --json beyond.rec
	says "$more bytes behind the records: nothing of them counts" '"page":1,"home":1,"accesses":\[1,' out
done
# A LOST record of 2^64 - 5 events, and a card that accepted 2^63 + 7.
cp small.rec wrap.rec
patch wrap.rec $((first + 80)) 006 000 000 000 000 000 000 000 373 377 377 377 377 377 377 377
exits "a record of impossibly many lost events" 2 dump wrap.rec
says "a record of impossibly many lost events: named" "record 5: .*18446744073709551611 lost" err
cp small.rec wrap.rec
patch wrap.rec 207 200
json "a count beyond JSON's integers" 1 smile.lost/1 report lost --json wrap.rec
says "a count beyond JSON's integers is no negative one" '"events_accepted":9223372036854775807,' out
equal "a count beyond JSON's integers: no other is" 0 "$(grep -c -e '-[0-9]' out)"
cp small.rec open.rec
patch open.rec 16 377 377 377 377 377 377 377 377
exits "a recording that was not closed: lost cannot report" 1 report lost open.rec
says "a recording that was not closed says so" "was not closed" out
json "a recording that was not closed: lost --json" 1 smile.lost/1 report lost --json open.rec
says "a recording that was not closed: null, not 0" '"closed":false.*"events_accepted":null' out
exits "a recording that was not closed can be reported" 0 report pages --json open.rec
says "a recording that was not closed: a note" "note: .*open.rec was not closed" err
"$smile" replay small.pcap --node 1 -o closed.rec >out 2>err
exits "the second of two was not closed" 0 report pages --json closed.rec open.rec
says "the second of two was not closed: a note" "note: .*open.rec was not closed" err
exits "both were closed" 0 report pages --json closed.rec small.rec
equal "both were closed: no note" "" "$(cat err)"

# --- bad counting recordings: ten units, the last four of which are a mark, an event and a group
"$smile" replay --counts small.pcap -o counts.rec >out 2>err || not_ok "replay --counts"
"$smile" dump counts.rec >whole 2>err
equal "a counting recording: ten units" 10 "$(od -An -tu8 -j16 -N8 counts.rec | xargs)"
first=$(($(wc -c <counts.rec) - 160))
# Cut in a group, before its entries, and before the group.
for cut in 8:6 16:6 32:6 40:6 48:6 100:6; do
	head -c $(($(wc -c <counts.rec) - ${cut%:*})) counts.rec >cutcounts.rec
	exits "a counting recording, ${cut%:*} bytes cut off: dump fails" 2 dump cutcounts.rec
	says "a counting recording, ${cut%:*} bytes cut off: named" "cutcounts.rec is cut off" err
	lines=$(wc -l <out)
	equal "a counting recording, ${cut%:*} bytes cut off: what is there is dumped" \
		"$(head -n "$lines" whole | tail -n 1)" "$(tail -n 1 out)"
	if [ "$lines" -ge 1 ] && [ "$lines" -lt 6 ]; then ok "so many lines"; else not_ok "so many lines"; fi
	exits "a counting recording, ${cut%:*} bytes cut off: report fails" 2 report pages --json cutcounts.rec
	says "a counting recording, ${cut%:*} bytes cut off: what is there is reported" '"page":2,' out
done
# The header reports fewer units: the last group lacks its entries.
cp counts.rec short.rec
patch short.rec 16 011
head -c $(($(wc -c <short.rec) - 16)) short.rec >shorter.rec
exits "a group without its entries: dump fails" 2 dump shorter.rec
says "a group without its entries: named" "shorter.rec ends within a group of counts" err
# Bits of the first group's head that must be 0; no bytes; a block beyond the page, by its number and by its
# length; more bytes than the block has.
cp counts.rec bits.rec
patch bits.rec $((first + 1)) 200
exits "a group that is invalid: dump fails" 2 dump bits.rec
says "a group that is invalid: named" "record 0: record of unknown kind 9" err
says "a group that is invalid: the others are dumped" '"address":163840,' out
cp counts.rec none.rec
patch none.rec $((first + 2)) 000
exits "a group of no bytes: dump fails" 2 dump none.rec
says "a group of no bytes: the others are dumped" '"address":163840,' out
cp counts.rec block.rec
patch block.rec $((first + 2)) 004
# These groups have a gap of 1025 blocks, a gap of 1024 blocks of two words, and a lock.
patch block.rec $((first + 16)) 011 201 010 001
exits "a block beyond its page: dump fails" 2 dump block.rec
says "a block beyond its page: named" "record 0: record with unknown transaction type" err
patch block.rec $((first + 14)) 001
patch block.rec $((first + 16)) 011 200 010 001
exits "a long block beyond its page: dump fails" 2 dump block.rec
says "a long block beyond its page: named" "record 0: record with unknown transaction type" err
cp counts.rec many.rec
patch many.rec $((first + 2)) 377
exits "a group of more bytes than there are: dump fails" 2 dump many.rec
says "a group of more bytes than there are: named" "many.rec" err
cp counts.rec account.rec
patch account.rec $((first + 16)) 010 002
exits "exact counts that are not what the card counted: a finding" 1 report lost account.rec
says "exact counts that are not what the card counted: which check" "^BROKEN *delivered + lost = accepted" out
cp counts.rec unclosed.rec
patch unclosed.rec 16 377 377 377 377 377 377 377 377
exits "a counting recording that was not closed can be reported" 0 report pages --json unclosed.rec
says "a counting recording that was not closed: a note" "note: .*unclosed.rec was not closed" err
exits "sweep refuses exact counts" 2 sweep counts.rec
says "sweep refuses exact counts: the remedy" "record with --records --counters 1" err
exits "a counting recording: lost" 0 report lost counts.rec
says "a counting recording: what needs --records says so" "records written *? .*--records" out

# --- files that are cut off within a line, and outputs that are inputs
printf 'interval,dt_s,event,value\n1,1,a,100\n2,1,a,100\n3,1,a,120\n' >readings.csv
"$smile" stat --readings readings.csv -o state.csv >out 2>err || not_ok "stat -o"
head -c $(($(wc -c <state.csv) - 4)) state.csv >cutstate.csv
exits "a state file that is cut off: view fails" 2 view --json cutstate.csv
says "a state file that is cut off: the line" "cutstate.csv:4: the file is cut off within this line" err
exits "a state file that is cut off: top fails" 2 top --batch cutstate.csv
says "a state file that is cut off: top names the line" "cutstate.csv:4: the file is cut off" err
head -c $(($(wc -c <readings.csv) - 2)) readings.csv >cutreadings.csv
exits "readings whose last line has no end" 0 stat --readings cutreadings.csv
says "readings whose last line has no end: a note" "note: cutreadings.csv:4: this line has no end" err
# unchanged FILE: the copy FILE.kept is still equal.
unchanged() {
	if cmp -s "$1" "$1.kept"; then ok "$1 is unchanged"; else not_ok "$1 is unchanged"; cp "$1.kept" "$1"; fi
}
ln small.rec hard.rec
for file in small.rec small.pcap readings.csv; do
	cp $file $file.kept
done
refuses "view: an input is the output" "--output: small.rec would be overwritten" view -o small.rec small.rec
refuses "view: an input is the output by another name" "hard.rec would be overwritten" view -o hard.rec small.rec
refuses "advise: an input is the output" "small.rec would be overwritten" advise -o small.rec small.rec
unchanged small.rec
refuses "sweep --plot: an input is the output" "small.pcap would be overwritten" sweep --plot small.pcap small.pcap
refuses "ring --write: an input is the output" "small.pcap would be overwritten" ring --write small.pcap small.pcap
refuses "ring --svg: an input is the output" "small.pcap would be overwritten" ring --svg small.pcap small.pcap
refuses "stat -d: an input is the output" "small.pcap would be overwritten" \
	stat -d emu:small.pcap --static page=40 -o small.pcap
unchanged small.pcap
for option in output rates samples plot; do
	refuses "stat --$option: an input is the output" "--$option: readings.csv would be overwritten" \
		stat --readings readings.csv --$option readings.csv
done
timeout 300 "$smile" stat --readings - -o readings.csv <readings.csv >out 2>err
equal "stat: standard input is the output" 2 $?
unchanged readings.csv
refuses "stat: two outputs are one file" "--output and --rates would write the same file, both.csv" \
	stat --readings readings.csv -o both.csv --rates both.csv
refuses "an output without a name" "--output: the argument is empty" replay small.pcap -o ''
# A rename would replace the link; as root, it would replace a device such as /dev/null.
ln -s page.html link.html
exits "view: a link as output" 0 view -o link.html small.rec
if [ -L link.html ] && [ -s page.html ]; then ok "view: the link is kept"; else not_ok "view: the link is kept"; fi
if [ -c /dev/full ] && command -v gnuplot >/dev/null; then
	exits "a picture on a full disk is an error" 2 sweep --plot /dev/full small.pcap
	says "a picture on a full disk is named" "cannot write /dev/full: No space left" err
else
	skip "a picture on a full disk is an error" 2
fi

# --- names that are not UTF-8
name=$(printf 'n\377\303\251\355\240\200')
cp small.pcap "$name.pcap"
json "a name that is no UTF-8" 0 smile.recording/1 replay "$name.pcap" -o "$name.rec" --json
says "a name that is no UTF-8: with replacement characters" \
	'"file":"n�é���.rec","source":"emu:n�é���.pcap","records":6,' out

# --- a limit on the length of files: a write fails, and no signal ends the command
# shellcheck disable=SC2016 # for the other shell
(sh -c 'ulimit -f 0; exec "$@"' sh "$smile" replay small.pcap -o limited.rec 2>&1; echo "status $?") | cat >out
says "a limit on the length of files is named" "limited.rec.*File too large" out
says "a limit on the length of files is an error" "^status 2$" out
# shellcheck disable=SC2016
(sh -c 'ulimit -f 0; exec "$@"' sh "$smile" record -d emu:small.pcap -o /dev/null -- \
	sh -c 'echo x >limited' 2>&1; echo "status $?") | cat >out
says "a limit on the length of files: a command has its signal" "^status 153$" out

# --- standard output
if [ -c /dev/full ]; then
	"$smile" dump small.rec >/dev/full 2>err
	equal "a full disk is an error" 2 $?
	says "a full disk is named" "No space left" err
else
	skip "a full disk is an error" 2
fi
"$smile" dump small.rec >&- 2>err
equal "a closed standard output is an error" 2 $?
says "a closed standard output is named" "Bad file descriptor" err
# Of these replays, only this one warns before the recording is closed.
"$smile" dump --raw node.rec >b 2>err
for closed in "2>&-" ">&- 2>&-" "<&- 2>&-" "<&- >&- 2>&-"; do
	eval '"$smile" replay small.pcap --node 3 -o closed.rec' "$closed"
	equal "replay $closed" 0 $?
	"$smile" dump --raw closed.rec >out 2>err
	if [ -s out ] && cmp -s out b && [ ! -s err ]; then
		ok "replay $closed: no message in the recording"
	else
		not_ok "replay $closed: no message in the recording"
	fi
done
copies 2000 a >>open.rec
("$smile" dump open.rec 2>err; echo $? >status) | head -n 1 >out
equal "a reader that goes away ends the output" 0 "$(cat status)"
equal "a reader that goes away: quietly" "" "$(cat err)"
says "a reader that goes away: it got its line" '"kind":"dynamic"' out
suite_end
