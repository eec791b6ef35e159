#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of the command smile cluster. No output of a program and no count of a card may be lost
# without a message. Output, input and result use separate channels. Programs, files and variables
# must reach the nodes. Recordings grow on the host, and must be valid however the run ends. Each
# error must have a message with the remedy. cluster_test.sh tests the nodes and their accesses. May
# use: smile, the products of `make cluster`, cc, python3, script.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/cluster_command_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

# The name of this directory contains characters that separate words in a shell or in QEMU's
# options.
there="$work/a, b"
mkdir -p "$there/share" "$there/deep/below"
export TMPDIR=$there SMILE_GUEST=$work/guest
cp "$B/tests/guest/sisci_failed" "$B/tests/guest/sisci_survivor" "$there/"
cd "$there"

# start -n NODES ARGUMENT...: start smile cluster in the background. Wait until the program on each
# node has printed "begun".
start() {
	local tries=0
	# A command in the background opens its output later. Empty the file first: it has the
	# output of the previous command.
	: >"$work/out"
	"$smile" cluster "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	until [ "$(grep -c '^[0-9]*: begun$' "$work/out")" = "$2" ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "not all programs say 'begun'"
		sleep 0.1
	done
}

# ended STATUS: check that the command in the background ends with this status, and that all its
# guests have ended.
ended() {
	local status=0
	wait "$pid" || status=$?
	pid=''
	[ "$status" = "$1" ] || fail "status $status instead of $1"
	! pgrep -f "fabric=$work/a,, b/" >/dev/null || fail "a guest is left"
}

# compile NAME OPTION...: compile a program from standard input.
compile() {
	cc -O1 -x c - -x none -o "$@"
}

# ---- output, input, result ----

run 0 -n 1 -- printf 'no\nnewline' </dev/null
printf '0: no\n0: newline\n' | cmp - "$work/out" || fail "a last line without its end"
# shellcheck disable=SC2016 # for the guests to expand
printf 'first\nsecond\nno newline' | run 5 -n 2 -- sh -c 'echo "GUEST RESULT failed 9"; cat; exit $((5 * SMILE_NODE))'
printf '0: %s\n' 'GUEST RESULT failed 9' first second 'no newline' | cmp - <(grep ^0: "$work/out") ||
	fail "input of node 0"
printf '1: %s\n' 'GUEST RESULT failed 9' | cmp - <(grep ^1: "$work/out") || fail "input of node 1"
says err 'node 1: sh has ended with status 5'
# Print a long line, and bytes that are not the end of a line. Use both channels.
run 0 -n 1 -- sh -c 'printf "a\0b\001\033\r\377\t\n"; head -c 300000 /dev/zero; echo; echo error >&2' </dev/null
{ printf '0: a\0b\001\033\r\377\t\n0: ' && head -c 300000 /dev/zero && echo; } | cmp - "$work/out" ||
	fail "bytes are changed"
# These readers start late. The guest must not end before they have read.
late() {
	sleep 5
	cat >"$1"
}
{ timeout -k 5 300 "$smile" cluster -n 1 -- sh -c 'yes output | head -n 300000; yes error | head -n 300000 >&2' </dev/null |
	late "$work/out"; } 2> >(late "$work/err"; : >"$work/late")
until [ -e "$work/late" ]; do sleep 0.1; done
[ "$(grep -c '^0: output$' "$work/out") $(grep -c '^0: error$' "$work/err")" = "300000 300000" ] ||
	fail "output is lost while its reader rests: $(wc -l "$work/out" "$work/err" | head -2)"
says err '^0: error$'
# With the C library, the program prints a line and then waits for an answer.
compile question <<'END'
#include <stdio.h>
int main(void)
{
	char answer[16] = "";
	printf("begun\n");
	return !(fgets(answer, sizeof(answer), stdin) && answer[0] == 'y');
}
END
mkfifo answer
start_answered() {
	local tries=0
	: >"$work/out"
	"$smile" cluster -n 1 -- ./question >"$work/out" 2>"$work/err" <answer &
	pid=$!
	exec 7>answer
	until grep -q '^0: begun$' "$work/out"; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "a line is delayed until the program ends"
		sleep 0.1
	done
	echo yes >&7
	exec 7>&-
}
start_answered
ended 0
echo "ok output, input and result"

# ---- programs, files, variables ----

# shellcheck disable=SC2016
printf '#!/bin/bash\necho "${BASH_VERSION:+bash} $(cat data) $SECOND"\n./needs\n' >script
chmod +x script
echo 'some data' >data
echo 'int other(void) { return 42; }' | compile libother.so -shared -fPIC
program='#include <stdio.h>
int other(void); int main(void) { printf("other %d\n", other()); return 0; }'
compile needs -L. -lother -Xlinker -rpath -Xlinker "$there" <<<"$program"
cp needs 'l,ink' && cp needs share/ && cp needs deep/below/
cat >locale.c <<'END'
#include <langinfo.h>
#include <locale.h>
#include <netdb.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	struct addrinfo *all;
	char host[64];
	gethostname(host, sizeof(host));
	setlocale(LC_ALL, "");
	printf("%s %d %d\n", nl_langinfo(CODESET), getaddrinfo("localhost", NULL, NULL, &all),
	       getaddrinfo(host, NULL, NULL, &all));
	return 0;
}
END
cc locale.c -o locale
# shellcheck disable=SC2016
FIRST="it's" LC_ALL=C run 0 -n 5 --copy data --copy needs --share share --env SECOND="two words" -- \
	./script : './l,ink' : ./locale : sh -c '/host/needs; echo "$FIRST,$LC_ALL,$SMILE_NODE,$NO_COLOR"' </dev/null
for line in '0: bash some data two words' '0: other 42' '1: other 42' '2: UTF-8 0 0' '3: other 42' "3: it's,,3,1" \
	"4: it's,,4,1"; do
	grep -qxF -- "$line" "$work/out" || fail "no line '$line'"
done
run 127 -n 1 --share deep -- sh -c /host/below/needs </dev/null
says err 'library libother.so, which is not in the guests: .* --copy'
run 0 -n 1 --share deep --copy libother.so -- sh -c /host/below/needs </dev/null
says out '^0: other 42'
echo "ok programs, files, variables"

# ---- errors on the command line ----

refused() {
	local text=$1
	shift
	run 2 "$@" </dev/null
	says err "$text"
}
refused 'is a directory' -- ./share
refused 'not executable' -- ./data
refused 'no directory of PATH' -- nonexistent
refused 'more programs than nodes' -n 1 -- true : true
refused "no program after ':'" -- true :
refused "no program before ':'" -- : true
refused '--share: .*: No such file' --share nowhere -- true
refused '--share: .* is no directory; --copy' --share data -- true
refused '--copy: .* is no file; --share' --copy share -- true
refused '--copy: .*: No such file' --copy nowhere -- true
refused "--env: '=x'" --env =x -- true
refused '--env: there is no variable NOWHERE' --env NOWHERE -- true
refused 'give -o' --range 64 -- true
refused '--range: 63' -o x --range 63 -- true
refused '-o: cannot write the recording nowhere/x-node0.rec' -o nowhere/x -- true
refused '--card pace=slow: pace=slow is unknown: choose drain or realtime; smile-monitor-device(7)' -n 1 \
	--card pace=slow -- true
refused '--adapter window=3: window=3 is not a power of two' -n 2 --adapter window=3 -- true
[ "$(wc -l <"$work/err")" = 1 ] || fail "each node says it"
[ -z "$(ls -d smile-cluster-* ./*.rec 2>/dev/null)" ] || fail "something is left"
echo "ok what is wrong has a message"

# ---- programs that fail ----

# shellcheck disable=SC2016
run 139 -n 2 -- sh -c '[ $SMILE_NODE = 0 ] || kill -SEGV $$; sleep 5; echo survivor' </dev/null
says err 'node 1: sh was ended by signal 11 (Segmentation fault)'
says out '^0: survivor$'
# The program on the other node has started, and would run without end.
mkdir "$work/both"
# shellcheck disable=SC2016
run 134 -n 2 -K -o bad --share "$work/both" -- sh -c 'if [ $SMILE_NODE = 0 ]; then : >/host/begun; sleep 100000; fi
	until [ -e /host/begun ]; do sleep 1; done; kill -ABRT $$' </dev/null
says err 'node 1: sh was ended by signal 6 (Aborted)'
"$smile" report lost bad-node0.rec >"$work/account" || fail "the account of a node that was ended"
compile hungry <<'END'
#include <stdlib.h>
int main(void)
{
	volatile char *memory = malloc(2000000000);
	for (long i = 0; i < 2000000000; i += 4096)
		memory[i] = 1;
	return 0;
}
END
run 137 -n 1 -- ./hungry </dev/null
says err 'node 0: memory ran out'
echo "ok programs that end badly are named"

# ---- recordings ----

run 1 -n 2 -o failed -- ./sisci_failed </dev/null
says out '^1: failed 5$'
[ "$(grep -c '^[01]: ok end$' "$work/out")" = 2 ] || fail "not both end"
says err '^smile cluster: node 1: 5 accesses to nodes. memory have failed'
! grep -q '^smile cluster: node 0: .* have failed' "$work/err" || fail "an access of node 0 has failed"
for node in 0 1; do
	"$smile" report lost --csv "failed-node$node.rec" >"$work/account" || fail "the account of node $node"
	grep -q "^value,accesses_failed,$((5 * node)),," "$work/account" || fail "$(cat "$work/account")"
	"$smile" report lost --json "failed-node$node.rec" | grep -q "\"accesses_failed\": *$((5 * node))\b" ||
		fail "accesses_failed in JSON"
	"$smile" report lost --csv "failed-node$node.rec" | grep -q '^value,exact_counts,1' || fail "no exact counts"
done
# Both recordings name the page of each segment. The kernel usually gives both segments the same
# page, which then has both names ("or another").
for recordings in failed-node0.rec failed-node1.rec 'failed-node0.rec failed-node1.rec'; do
	# shellcheck disable=SC2086
	"$smile" report pages $recordings >"$work/pages" || fail "the pages of $recordings"
	for name in 'segment 18 of node 0+0x0\( or another\)\? *$' 'messages to node 0+0x'; do
		grep -q "$name" "$work/pages" || fail "$recordings: no $name: $(cat "$work/pages")"
	done
	! grep -qE '^ *[0-9].* -$' "$work/pages" || fail "$recordings: a page without a name: $(cat "$work/pages")"
done
# Each recording names the machine whose clock its card uses, which is this machine. It needs no
# pairs of times.
for node in 0 1; do
	python3 - failed-node$node.rec $node <<'END' || fail "the clock of node $node"
import struct, sys, uuid
data = open(sys.argv[1], "rb").read()
boot = uuid.UUID(open("/proc/sys/kernel/random/boot_id").read().strip()).bytes
# The name is in the header and in the trailer.
assert data.count(struct.pack("<IIII16s", 29, 24, int(sys.argv[2]), 40, boot)) == 2
END
done
run 0 -n 1 -o records --records --range 64 --ring host -- true </dev/null
"$smile" report lost --csv records-node0.rec | grep -q '^value,exact_counts,0' || fail "no records"
cat >monitor.c <<'END'
#include <stdio.h>
#include <smile/monitor.h>
int main(void)
{
	struct Monitor *mon;
	if (!Monitor_open(&mon, "dev:0") && !Monitor_start(mon))
		return 0;
	puts(Monitor_error_message());
	return 7;
}
END
built=$(realpath "$OLDPWD/$B")
cc monitor.c -I"$OLDPWD/include" "$built/libsmile-monitor.so" -Wl,-rpath,"$built" -o monitor
run 7 -n 1 -o busy -- ./monitor </dev/null
says out 'smile cluster -o records this card'
run 0 -n 1 -- ./monitor </dev/null
# The cards of all nodes have one clock, so the times at which a phase began on them are known
# exactly.
run 0 -n 2 -o clocks --timer 100ms:0 -- sleep 1
"$smile" report phases --json clocks-node?.rec | gojq -c '.phases[1].began_within_ns | type' >"$work/out"
grep -qx '"number"' "$work/out" || fail "within which time phase 1 began is not known"
echo "ok recordings"

# A recording grows while the program runs. Read it while its recorder has it open.
endless='echo begun; while :; do :; done'
start -n 2 -o grown -- sh -c "$endless"
# The balance of its counts cannot be checked yet, so the exit status is 1.
"$smile" report lost --csv grown-node0.rec >"$work/account" 2>&1 || :
grep -q '^value,closed,0' "$work/account" || fail "a growing recording: $(cat "$work/account")"
refused 'is being written by another recorder' -n 1 -o grown -- true
kill -INT "$pid"
ended 130
for node in 0 1; do
	"$smile" report lost --csv grown-node$node.rec | grep -q '^value,closed,1' || fail "node $node is not closed"
done
# SIGUSR1 ends the phase on all nodes. If a node does not receive the signal, a message names it.
# shellcheck disable=SC2016 # for the guests to expand
start -n 2 -o marked --share share -- sh -c 'echo begun; until [ -e /host/go$SMILE_NODE ]; do sleep 0.1; done'
marks() {
	local tries=0
	until "$smile" report phases --csv marked-node0.rec 2>/dev/null | grep -q "^$1,,0,0,"; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "phase $1 goes on"
		sleep 0.1
	done
}
kill -USR1 "$pid"
marks 0
touch share/go1
until "$smile" report lost --csv marked-node1.rec 2>/dev/null | grep -q '^value,closed,1'; do sleep 0.1; done
until grep -q '^1: smile record: events: ' "$work/err"; do sleep 0.1; done
kill -USR1 "$pid"
marks 1
touch share/go0
ended 0
says err '^smile cluster: node 1: no phase was ended: its program has ended$'
[ "$(grep -c 'no phase was ended' "$work/err")" = 1 ] || fail "node 0 is said to have no mark"
for node in 0 1; do
	[ "$("$smile" report phases --csv marked-node$node.rec | grep -c '^[0-9]*,,0,0,')" = $((2 - node)) ] ||
		fail "phases of node $node: $("$smile" report phases --csv marked-node$node.rec)"
done
start -n 1 -- sh -c 'echo begun; sleep 100000'
kill -USR1 "$pid"
until grep -q 'no phase was ended: nothing is recorded; give -o' "$work/err"; do sleep 0.1; done
kill -INT "$pid"
ended 130
for signal in HUP TERM; do
	start -n 1 -o "$signal" -- sh -c "$endless"
	kill -"$signal" "$pid"
	ended $((128 + $(kill -l $signal)))
	"$smile" report lost --csv $signal-node0.rec | grep -q '^value,closed,1' || fail "it is not closed after $signal"
done
# If a program does not end, smile cluster waits only for a limited time.
start -n 1 -o stubborn -- sh -c "trap '' TERM; $endless"
kill -INT "$pid"
kill -INT "$pid"
ended 130
# All nodes are shown while they run. If a guest is killed, its node is named with its counts so
# far.
# shellcheck disable=SC2016 # for the guests to expand
start -n 2 -o live --live --records --copy sisci_survivor -- \
	sh -c '[ $SMILE_NODE = 0 ] || echo begun; exec ./sisci_survivor'
tries=0
until url=$(sed -n 's/^smile cluster: live view: \(http:..127\.0\.0\.1:[0-9]*\/\)$/\1/p' "$work/err") && [ "$url" ]; do
	tries=$((tries + 1))
	[ "$tries" -lt 3000 ] || fail "there is no live view"
	sleep 0.1
done
# viewed PATTERN: wait until a line of the view, "NODE STATE DELIVERED NOTE", matches PATTERN.
viewed() {
	tries=0
	until python3 -c 'import json, sys, urllib.request
for source in json.load(urllib.request.urlopen(sys.argv[1] + "data.json"))["live"]["sources"]:
    print(source["node"], source["state"], source["account"]["delivered"], source["note"])' "$url" >"$work/view" &&
		grep -q "$1" "$work/view"; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "the view does not say '$1': $(cat "$work/view")"
		sleep 0.1
	done
}
viewed '^0 running [1-9]'
viewed '^1 running [1-9]'
kill -KILL "$(pgrep -f "fabric=$work/a,, b/[^,]*,node=1,")"
viewed '^1 ended [0-9]* its recording was not closed$'
viewed '^0 running'
delivered=$(sed -n 's/^1 ended \([0-9]*\) .*/\1/p' "$work/view")
"$smile" report lost --csv live-node1.rec >"$work/account" 2>&1 || :
grep -q "^value,events_delivered,$delivered," "$work/account" || fail "the view has $delivered: $(cat "$work/account")"
kill -INT "$pid"
ended 130
! pgrep -f 'serve --listen 127.0.0.1:0 live-node0.rec' >/dev/null || fail "the view is left"
"$smile" report lost --csv live-node0.rec | grep -q '^value,closed,1' || fail "the node that went on is not closed"
refused 'give -o' -n 1 --live -- true
echo "ok a live view"
start -n 2 -o killed -- sh -c "$endless"
kill -KILL "$pid"
status=0
wait "$pid" || status=$?
pid=''
tries=0
while pgrep -f "fabric=$work/a,, b/" >/dev/null; do
	tries=$((tries + 1))
	[ "$tries" -lt 300 ] || fail "a guest is left after SIGKILL"
	sleep 0.1
done
"$smile" report lost --csv killed-node0.rec >"$work/account" 2>&1 || :
grep -q '^value,closed,0' "$work/account" || fail "a recording of a run that was killed: $(cat "$work/account")"
[ "$(du -sk smile-cluster-* | cut -f 1)" -lt 1000 ] || fail "large files are left: $(du -a smile-cluster-*)"
run 0 -n 1 -- true </dev/null
[ -z "$(ls -d smile-cluster-* 2>/dev/null)" ] || fail "the directory of a run that was killed is left"
# A full disk.
if mkdir full && mount -t tmpfs -o size=4k tmpfs full 2>"$work/err"; then
	head -c 4096 /dev/zero >full/rest
	status=0
	timeout -k 5 300 "$smile" cluster -n 1 -o full/disk -- true >"$work/out" 2>"$work/err" </dev/null || status=$?
	umount full
	[ "$status" = 2 ] || fail "status $status of a full disk"
	says err 'cannot write the recording full/disk-node0.rec: No space left on device'
else
	echo "skipped 1: a full disk: no root"
fi
echo "ok recordings are valid whatever ends the run"

# ---- a shell ----

run 0 -n 2 --shell </dev/null
# shellcheck disable=SC2016
echo 'echo shell $SMILE_NODE of $SMILE_NODES; exit 6' | run 6 -n 2 --shell
says out '^0: shell 0 of 2$'
cat >terminal.py <<'END'
# A terminal for a shell. It prints the shell's output, and ends with the shell's exit status.
import os, pty, select, sys

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
said = b""

def expect(text):
    global said
    while text not in said:
        if not select.select([terminal], [], [], 120)[0]:
            sys.exit("not ok no " + text.decode() + " in " + said.decode())
        said += os.read(terminal, 4096)
    said = said.split(text, 1)[1]

expect(b"# ")
# When this process has printed the terminal's name, it controls the terminal. Any interrupt from
# then on ends the process.
os.write(terminal, b"sh -c 'tty; exec sleep 100000'\n")
expect(b"/dev/hvc0")
os.write(terminal, b"\x03")
expect(b"# ")
os.write(terminal, b"exit 4\n")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
status=0
timeout -k 5 300 python3 terminal.py "$smile" cluster -n 1 --shell >"$work/out" 2>"$work/err" </dev/null || status=$?
[ "$status" = 4 ] || fail "status $status of a shell with a terminal"
echo "ok a shell, with and without a terminal"
