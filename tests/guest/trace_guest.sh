#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: five instruments on the B-Link of one card. The first instrument triggers the second one, over the line
# within the machine, and the fourth one, over a character device. trace_device uses the third one. The fifth one keeps
# all packets until it is stopped. The card records meanwhile. May use: busybox, smile, trace_device.
set -u
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks

# fail WORDS: as in checks, but also print all logs.
fail() {
	echo "trace: $*"
	for file in /tmp/*.log; do
		sed "s,^,  $file: ," "$file"
	done
	exit 1
}

[ "$(ls -d /dev/smile_trace? | wc -l)" -eq 5 ] || fail "there are not five instruments"
: >/tmp/4.log >/tmp/0.log >/tmp/1.log >/tmp/2.log >/tmp/3.log
smile trace record dev:0 --trigger "$TRIGGER" --filter "$FILTER" --memory 64k --json \
	-o /host/dev0.pcapng >/host/dev0.json 2>/tmp/0.log &
first=$!
smile trace record dev:1 --trigger source=77 --memory 64k --json -o /host/dev1.pcapng \
	>/host/dev1.json 2>/tmp/1.log &
second=$!
trace_device 2 >/tmp/2.log 2>&1 &
third=$!
smile trace record dev:3 --trigger source=77 --memory 64k --json -o /host/dev3.pcapng \
	>/host/dev3.json 2>/tmp/3.log &
fourth=$!
smile trace record dev:4 --json -o /host/dev4.pcapng >/host/dev4.json 2>/tmp/4.log &
fifth=$!
for number in 0 1 2 3 4; do
	within "instrument $number is armed" grep -q armed /tmp/$number.log
done
smile record -d dev:0 --until-link-down -o /host/card.rec || fail "smile record: $?"
wait $first || fail "the first: $?"
wait $second || fail "the second: $?"
wait $third || fail "the third: $?"
wait $fourth || fail "the fourth: $?"
kill -INT $fifth
wait $fifth || fail "the fifth: $?"
cat /tmp/2.log
rmmod smile_trace || fail "the module stays"
[ ! -e /dev/smile_trace0 ] || fail "the module is gone, and /dev/smile_trace0 is there"
modprobe smile_trace
[ -c /dev/smile_trace3 ] || fail "no instrument after modprobe"
refused=$(smile trace record dev:9 -o /tmp/x.pcapng 2>&1) && fail "there is no dev:9"
echo "$refused" | grep -q '/dev/smile_trace9 does not exist' || fail "$refused"
