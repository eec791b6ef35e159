#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Spin searches the models of the ring's protocol, of the link between adapters and of SCI's ring exhaustively.
# Spin must find no error in the correct models, and an error in each wrong model: a check that detects no
# error would be worthless.
#
# What lives here: the cases. dual_ported.pml, fabric.pml, withdraw.pml and ring.pml describe the models. Needs
# spin, tcc.
#
# The checked properties:
#   - no unread record is overwritten, and no ring ever holds more than its size;
#   - records are read whole and in their order, none twice; delivered + lost = accepted, and the loss
#     is reported;
#   - no process waits for ever: no deadlock, and no reader that sleeps after an event that should have
#     woken it. Cases "ends" end, and their last state shows which process sleeps; cases "live" run for
#     ever, and it is a property under weak fairness that all records are accounted for;
#   - no node's accesses wait for ever, every entry of an inbox is taken once and in its order, and
#     no page is accessed after its owner has found the withdrawal complete;
#   - no packet of SCI's ring is lost or doubled, a go bit is somewhere in each clock, and no packet waits for
#     ever: cases "goes_on", where each cycle of states makes progress;
#   - the card never has to refuse the driver's writes, whatever a program writes into the tail.
#
# With "long": only the cases of three and four nodes that take minutes, and those of the rings with one
# more event.
#
# usage: tests/model/model_test.sh BUILD [long]    (CC: the compiler)
set -u
if [ $# -lt 1 ] || [ "${2:-long}" != long ]; then
	echo "usage: $0 BUILD [long]" >&2
	exit 2
fi
for program in spin tcc; do
	command -v $program >/dev/null || { echo "$program is missing: make deps" >&2; exit 1; }
done
models=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
scratch_make "$1/tests/model"
states=0

# A search in `make check` takes less time than gcc takes to compile it; tcc compiles it in a
# moment.
compiler=tcc
# The limits of a search; a case of "long" may set other limits. By default, the table of states would be
# larger, and its initialisation would take a tenth of a second.
memory_mb=1000
pan_flags=-w20

# search KIND MODEL SWITCHES COMPILER: run a search; writes pan's output to the file out.
search() {
	rm -rf "$scratch/run"
	mkdir "$scratch/run" && cd "$scratch/run" || exit 2
	case $1 in
	ends) defines="-DSAFETY ${defines_more:-}" flags='' switches=$3 ;;
	live) defines=-DNFAIR=3 flags='-a -f' switches="-DLIVE $3" ;;
	goes_on) defines=-DNP flags=-l switches=$3 ;;
	esac
	# shellcheck disable=SC2086
	spin $switches -a "$models/$2.pml" >out 2>&1 &&
		$4 -DMEMLIM=$memory_mb $defines -o pan pan.c >>out 2>&1 &&
		./pan $flags $pan_flags >>out 2>&1
}

# right NAME KIND MODEL SWITCHES: check that all states were searched, without an error.
right() {
	search "$2" "$3" "$4" "$compiler"
	found=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' out)
	if grep -q 'errors: 0$' out && [ -n "$found" ] &&
		! grep -q -e 'not completed' -e 'depth too small' -e 'out of memory' out; then
		ok "$1: $found states, errors: 0"
		states=$(awk "BEGIN { printf \"%d\", $states + $found }")
	else
		not_ok "$1" "$(tail -n 30 out)"
	fi
}

# wrong NAME KIND MODEL SWITCHES PATTERN: check that an error is found, and that its message matches
# PATTERN.
wrong() {
	search "$2" "$3" "$4" tcc
	if grep -q 'errors: [1-9]' out && grep '^pan:1: ' out | grep -q -e "$5"; then
		ok "$1: found"
	else
		not_ok "$1: no error, or another one" "$(tail -n 30 out)"
	fi
}

# part NAME KIND MODEL SWITCHES: check that there is no error in a part of the states, if the time or the
# memory does not allow more. Spin's hash factor of at least 100 shows that hardly any state was mistaken
# for another.
part() {
	defines_more=-DBITSTATE
	search "$2" "$3" "$4" "$compiler"
	defines_more=
	found=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' out)
	factor=$(sed -n 's/.*hash factor: *\([0-9.]*\).*/\1/p' out)
	if grep -q 'errors: 0$' out && [ -n "$found" ]; then
		ok "$1: $found states, hash factor ${factor:-unknown}, errors: 0"
	else
		not_ok "$1" "$(tail -n 30 out)"
	fi
}

d=dual_ported h=host_ring f=fabric s=ring
if [ "${2:-}" = long ]; then
	compiler="${CC:-gcc} -O2" pan_flags=
	# One more event, three instead of two or four instead of three, means ten times as many
	# states.
	right "$d, poll() and mapping" ends $d '-DEVENTS=4 -DNO_READ'
	right "$d, latency is enough, lazy poll()" live $d '-DEVENTS=2 -DNO_READ -DLATENCY_ON -DENOUGH=9'
	right "$d, latency is enough" live $d '-DEVENTS=2 -DLATENCY_ON'
	latency='-DRING_RECORDS=2 -DLATENCY_ON'
	right "$h, watermark, poll() and mapping" ends $h '-DEVENTS=3 -DNO_READ -DMARK=1'
	right "$h, watermark and latency" ends $h "-DEVENTS=4 -DNO_POLL -DMARK=1 $latency"
	right "$h, latency is enough, read()" live $h "-DEVENTS=3 -DNO_POLL $latency"
	right "$h, latency is enough, poll()" live $h "-DEVENTS=2 -DNO_READ $latency"
	right "$h, latency is enough, lazy read()" live $h "-DEVENTS=3 -DNO_POLL $latency -DENOUGH=9"
	right "$h, latency is enough, lazy poll()" live $h "-DEVENTS=2 -DNO_READ $latency -DENOUGH=9"
	memory_mb=8000 pan_flags='-m1000000'
	right "$s, three nodes to any other" goes_on $s ''
	right "$s, four nodes to one receiver" goes_on $s '-DHOT -DNODES=4 -DWATCH=2'
	right "$s, all of four pass one node" goes_on $s '-DROUND -DPIPELINE -DNODES=4'
	pan_flags='-m100000'
	right "$f, three nodes, three accesses" ends $f '-DNODES=3 -DACCESSES=3 -DCOARSE'
	right "$f, three nodes, larger inboxes" ends $f '-DNODES=3 -DACCESSES=3 -DINCOMING=2 -DCOARSE'
	right "$f, four nodes" ends $f '-DNODES=4 -DACCESSES=1 -DCOARSE'
	pan_flags='-m1000000 -w33 -k3 -Q4'
	part "$f, three nodes to any, part of the states" ends $f '-DNODES=3 -DACCESSES=2 -DCOARSE -DANYWHERE'
	part "$f, three nodes in single steps, part of the states" ends $f '-DNODES=3 -DACCESSES=2'
	rm -rf "$scratch/run"
	echo "$states states in all"
	suite_end
	exit
fi

# ---- the ring in the dual-ported RAM: d ----------------------------------------------------------

read='-DEVENTS=4 -DNO_POLL'
poll='-DEVENTS=3 -DNO_READ'
right "$d, read()" ends $d "$read"
right "$d, read(), INTx" ends $d "$read -DINTX"
right "$d, poll() and mapping" ends $d "$poll"
right "$d, watermark, read()" ends $d '-DEVENTS=3 -DNO_POLL -DMARK=1'
right "$d, latency, lazy read()" ends $d '-DEVENTS=3 -DNO_POLL -DLATENCY_ON -DENOUGH=9'
right "$d, latency is enough, lazy read()" live $d '-DEVENTS=2 -DNO_POLL -DLATENCY_ON -DENOUGH=9'
right "$d, latency is enough, lazy poll()" live $d '-DEVENTS=1 -DNO_READ -DLATENCY_ON -DENOUGH=9'
right "$d, latency is enough" live $d '-DEVENTS=1 -DLATENCY_ON'
right "$d, latency is enough, small ring" live $d '-DEVENTS=2 -DNO_POLL -DLATENCY_ON -DRING_RECORDS=1'

# The texts of assertions, as pan prints them.
overwritten='reg_aux-reg_read)&((2\*4)-1))<4)'
order='number==expected'
torn='word>last'
sleeper=' !((head!=mapped_tail)) (at'
unseen='!((unsaid||held)))'
account='received+reported)=='
cycle='acceptance cycle'

wrong "$d, full without the extra bit" ends $d "$read -DBAD_FULL=1" "$unseen"
wrong "$d, full a record too late" ends $d "$read -DBAD_FULL=2" "$overwritten"
wrong "$d, RING_WRITE moved before the words" ends $d "$read -DWRITE_EARLY" "$torn"
wrong "$d, no LOST record" ends $d "$read -DNO_LOST" "$account"
wrong "$d, INT_STATUS cleared after the drain" ends $d "$read -DCLEAR_LATE" "$unseen"
wrong "$d, the same with INTx" ends $d "$read -DCLEAR_LATE -DINTX" "$unseen"
wrong "$d, INT_ENABLE stays 0" ends $d "$read -DNO_LISTEN" "$unseen"
wrong "$d, RING_READ written before the copying" ends $d "$read -DFREE_EARLY" "$order"
wrong "$d, driver's ring without end" ends $d "$read -DBAD_ROOM" "$order"
wrong "$d, woken before the head is there" ends $d "$read -DWAKE_FIRST" "$sleeper"
wrong "$d, poll() woken before the head is there" ends $d "$poll -DWAKE_FIRST" "$sleeper"
wrong "$d, looked before queueing up" ends $d "$read -DLOOK_FIRST" "$sleeper"
wrong "$d, lazy where a full ring has room again" ends $d "$read -DENOUGH=9 -DBAD_LAZY" "$unseen"
wrong "$d, no latency" live $d -DEVENTS=2 "$cycle"

# ---- the ring in host memory: h ------------------------------------------------------------------

mark='-DEVENTS=4 -DNO_POLL -DMARK=1'
latency='-DRING_RECORDS=2 -DLATENCY_ON'
hostile='-DEVENTS=3 -DNO_POLL -DRING_RECORDS=2 -DHOSTILE'
right "$h, watermark, read()" ends $h "$mark"
right "$h, watermark, poll() and mapping" ends $h '-DEVENTS=2 -DNO_READ -DMARK=1'
right "$h, full alone" ends $h '-DEVENTS=4 -DNO_POLL -DRING_RECORDS=2'
right "$h, watermark and latency" ends $h "-DEVENTS=3 -DNO_POLL -DMARK=1 $latency"
right "$h, latency" ends $h '-DEVENTS=2 -DLATENCY_ON'
right "$h, latency is enough, read()" live $h "-DEVENTS=2 -DNO_POLL $latency"
right "$h, latency is enough, poll()" live $h "-DEVENTS=1 -DNO_READ $latency"
right "$h, latency makes up for the wrong order" live $h "-DEVENTS=2 -DNO_POLL $latency -DBAD_ORDER"
right "$h, watermark, lazy read()" ends $h '-DEVENTS=4 -DNO_POLL -DMARK=2 -DENOUGH=2'
right "$h, watermark, lazy poll()" ends $h '-DEVENTS=3 -DNO_READ -DMARK=2 -DENOUGH=2'
right "$h, latency is enough, lazy read()" live $h "-DEVENTS=2 -DNO_POLL $latency -DENOUGH=9"
right "$h, latency is enough, lazy poll()" live $h "-DEVENTS=1 -DNO_READ $latency -DENOUGH=9"
right "$h, hostile tail" ends $h "$hostile"

refused='((tail-dma_read)&7)<='
unseen='((unsaid||held)))&&((1==0)||(((dma_write-dma_read)&7)<1))'
wrong "$h, DMA_WRITE looked at before DMA_READ is written" ends $h "$mark -DBAD_ORDER" "$unseen"
wrong "$h, full a record too late" ends $h "$mark -DRING_RECORDS=2 -DBAD_FULL" 'dma_read)&7)<=2'
wrong "$h, no LOST record" ends $h "$mark -DRING_RECORDS=2 -DNO_LOST" "$account"
wrong "$h, INT_STATUS cleared after the drain" ends $h "$mark -DCLEAR_LATE" "$unseen"
wrong "$h, INT_ENABLE stays 0" ends $h "$mark -DNO_LISTEN" "$unseen"
wrong "$h, DMA_WRITE passes the records" ends $h "$mark -DBAD_PUSH" "$torn"
wrong "$h, woken before the head is there" ends $h "$mark -DWAKE_FIRST" "$sleeper"
wrong "$h, looked before queueing up" ends $h "$mark -DLOOK_FIRST" "$sleeper"
latency="-DEVENTS=2 -DNO_POLL $latency"
wrong "$h, latency, cleared after the drain" live $h "$latency -DCLEAR_LATE" "$cycle"
wrong "$h, latency, woken before the head is there" live $h "$latency -DWAKE_FIRST" "$cycle"
wrong "$h, lazy without a latency" ends $h "$mark -DENOUGH=2" "$unseen"
wrong "$h, hostile tail is believed" ends $h "$hostile -DTRUST_TAIL" "$refused"
wrong "$h, hostile tail before DMA_READ is believed" ends $h "$hostile -DWIDE_SPAN" "$refused"

# ---- the link between adapters: f, and the pages that are withdrawn: w ---------------------------

right "$f, two nodes" ends $f ''
right "$f, two nodes, larger inboxes" ends $f '-DACCESSES=2 -DINCOMING=2'
right "$f, two nodes, in sections" ends $f '-DACCESSES=3 -DCOARSE'
# Each of the three waits for the next: three full inboxes, three full monitors.
right "$f, three nodes in a cycle" ends $f '-DNODES=3 -DACCESSES=2 -DCOARSE'
right "$f, three nodes, to any other" ends $f '-DNODES=3 -DACCESSES=1 -DCOARSE -DANYWHERE'
right "$f, a program that reads what the cards count" ends $f '-DREADER -DACCESSES=2'
right "$f, the same, three nodes to any other" ends $f '-DNODES=3 -DACCESSES=1 -DCOARSE -DANYWHERE -DREADER'
right "$f, a program that counts itself, without HOLD" ends $f '-DREADER -DSELF -DLOSE -DACCESSES=2'
right "withdraw" ends withdraw ''

issued='finished==2'
waits='received\[inbox\]==tail\[inbox\]'
entry='entry\['
wrong "$f, a held access keeps the processor" ends $f -DSTAY "$issued"
wrong "$f, the same, in a cycle of three" ends $f '-DNODES=3 -DACCESSES=2 -DCOARSE -DSTAY' 'finished==3'
wrong "$f, the same, three nodes to any other" ends $f '-DNODES=3 -DACCESSES=2 -DCOARSE -DANYWHERE -DSTAY' 'finished==3'
wrong "$f, a program that counts itself, with HOLD" ends $f '-DREADER -DSELF -DACCESSES=2' "$issued"
wrong "$f, no notice, in a cycle of three" ends $f '-DNODES=3 -DACCESSES=2 -DCOARSE -DNO_NOTIFY' "$waits"
wrong "$f, no last look before the rest" ends $f -DNO_LOOK "$waits"
wrong "$f, the last look passes the flag" ends $f -DNO_FENCE_REST "$waits"
wrong "$f, the flag is read before the tail is written" ends $f -DNO_FENCE_RING "$waits"
wrong "$f, what the last look finds is left" ends $f -DREST_ANYWAY "$waits"
wrong "$f, no notice when the monitor has room" ends $f -DNO_NOTIFY "$issued"
wrong "$f, more than the inbox has room for" ends $f -DNO_INBOX_ROOM "$entry"
wrong "$f, the tail is written before the entry" ends $f -DTAIL_EARLY "$entry"
wrong "$f, the head is written before the entry is read" ends $f -DHEAD_EARLY "$entry"
accessed='!(withdrawn)'
wrong "withdraw, the table is read before the epoch is odd" ends withdraw -DTABLE_FIRST "$accessed"
wrong "withdraw, the epoch is read before the table is written" ends withdraw -DEPOCH_FIRST "$accessed"
wrong "withdraw, the owner does not wait" ends withdraw -DNO_WAIT "$accessed"
wrong "withdraw, the owner waits for a node that is gone" ends withdraw -DNEVER_GONE 'complete'

# ---- SCI's ring: s -------------------------------------------------------------------------------

pan_flags='-w20 -m200000'
right "$s, two nodes send to one" goes_on $s '-DHOT -DWATCH=1'
right "$s, the other of the two" goes_on $s '-DHOT -DWATCH=2'
right "$s, nobody sends to a node" goes_on $s -DAWAY
all='-DROUND -DPIPELINE'
right "$s, all that is sent passes a node" goes_on $s "$all"
right "$s, the node behind it" goes_on $s "$all -DWATCH=1"
right "$s, the node in front of it" goes_on $s "$all -DWATCH=2"
right "$s, go bits end with their row" goes_on $s "$all -DNO_EXTEND"

starves='non-progress cycle'
wrong "$s, a packet begins behind any idle symbol" goes_on $s "$all -DNO_GO" "$starves"
wrong "$s, a node that recovers sends go bits" goes_on $s "$all -DNO_STOP" "$starves"
wrong "$s, new packets take the room of those that wait" goes_on $s '-DHOT -DWATCH=1 -DNO_AGEING' "$starves"
wrong "$s, go bits are not saved" goes_on $s -DNO_SAVE carriers
wrong "$s, a packet is accepted without room" goes_on $s -DNO_ROOM '!(holds'
wrong "$s, a packet that is refused is kept" goes_on $s -DKEEP_REFUSED 'delivered\[self\]!=busy\[self\]'

rm -rf "$scratch/run"
echo "$states states in all"
suite_end
