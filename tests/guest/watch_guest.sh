#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: the output of smile serve and smile top for a card behind the driver that sees ACCESSES
# accesses. May use: busybox, smile.
set -eu
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks

url=http://127.0.0.1:8340
cd /tmp

fail() {
	echo "watch: $*"
	for said in served top.out refused; do
		[ ! -s $said ] || sed "s/^/    $said: /" $said
	done
	exit 1
}

answers() {
	wget -q -O /dev/null $url/ 2>/dev/null
}

# metric NAME: its current value in /metrics.
metric() {
	wget -q -O metrics $url/metrics || return 1
	sed -n "s/^$1 //p" metrics
}

# exceeds NAME N
exceeds() {
	value=$(metric "$1") && [ -n "$value" ] && [ "$value" -gt "$2" ]
}

# Has all traffic been counted?
passed() {
	[ "$(metric smile_events_delivered_total)" = "$ACCESSES" ]
}

# Does the document agree with the metrics: the same number of pages, and all counted accesses?
caught_up() {
	wget -q -O data.json $url/data.json || return 1
	delivered=$(metric smile_events_delivered_total)
	grep -q "\"delivered\":$delivered," data.json && ! grep -q '"summary":{"pages":0,' data.json
}

ifconfig lo up
smile serve dev:0 --node 1 -o served.rec --interval 1 >address 2>served &
server=$!
within "the server answers" answers
[ "$(cat address)" = $url/ ] || fail "it says that it is at '$(cat address)'"
within "records come" exceeds smile_records_total 0
within "$ACCESSES accesses pass" passed
within "the document has all of it" caught_up
echo "ok serve: $(metric smile_events_delivered_total) accesses, $(metric smile_pages) pages"
lost=$(metric smile_events_lost_total) || fail "it answers no more"
[ "$lost" = 0 ] || fail "accesses were lost: '$lost'"

# The card has one owner; a second one is refused with a message.
! smile top --batch -n 1 dev:0 >top.out 2>refused || fail "two own the card"
grep -q 'dev:0\|smile_monitor0' refused || fail "the message does not name the card"
echo "ok $(cat refused)"

kill -TERM $server
wait $server || fail "the server ended with status $?"
smile report lost served.rec || fail "the account of the recording does not hold"
accesses=$(smile report transfers --csv served.rec | awk -F, 'NR > 1 { sum += $3 } END { print sum }')
[ "$accesses" = "$delivered" ] || fail "the recording has $accesses accesses, the server said $delivered"
echo "ok the recording has them all: $accesses"

# Now the first card is free; the view of the other card reports that it has no traffic.
smile top --json -n 2 -d 0.2 dev:1 >top.out 2>refused || fail "smile top ended with status $?"
[ "$(grep -c '"schema":"smile.live/1"' top.out)" = 2 ] || fail "not two looks"
smile top --batch -n 2 -d 0.2 dev:0 >top.out 2>refused || fail "smile top ended with status $?"
grep -q 'dev:0' top.out || fail "it does not say what it watches"
echo "ok smile top"

# Two cards in one view: a mark reaches both; one card is unplugged, and is named; the other continues.
# looks PATTERN: check that the last complete view matches PATTERN.
looks() {
	[ "$(wc -l <top.out)" -gt 0 ] && head -n "$(wc -l <top.out)" top.out | tail -n 1 | grep -q -e "$1"
}

: >top.out
smile top --json -d 0.1 -o both dev:0 dev:1 >top.out 2>refused &
watcher=$!
within "a look at both" looks '"sources":\[{"node":1,.*{"node":2,'
records=$(sed -n '1s/.*"total":{[^}]*"records":\([0-9]*\).*/\1/p' top.out)
kill -USR1 $watcher
within "a mark in both" looks "\"total\":{[^}]*\"records\":$((records + 2)),[^}]*\"phases\":1"
second=$(basename -a /sys/bus/pci/drivers/smile_monitor/0000:* | sed -n 2p)
echo 1 >"/sys/bus/pci/devices/$second/remove"
within "the one that is gone is named" looks '"note":"failed with 0 delivered + 0 lost: [^"]*gone'
looks '"state":"running","trouble":"node 2 (dev:1): ' || fail "the other does not go on"
kill -USR1 $watcher
within "what a mark did not reach is named" looks '"trouble":"not marked: node 2 (dev:1): .*; marked: node 1"'
kill -TERM $watcher
status=0
wait $watcher || status=$?
[ $status = 2 ] || fail "a card that is gone ends smile top with status $status"
smile report lost both-node1.rec || fail "the account of the card that went on does not hold"
phases=$(smile report phases --json both-node1.rec | grep -o '"phase":' | wc -l)
[ "$phases" = 2 ] || fail "the card that went on has $phases phases"
echo "ok two cards: $(grep 'dev:1' refused | tail -n 1)"

# A card is unplugged while only this card is watched: a message reports it, and the last view stays.
# The command in the background opens its output later: until then the file has the output of the
# previous command.
: >top.out
smile top --json -d 0.1 dev:0 >top.out 2>refused &
watcher=$!
within "a look" grep -q smile.live/1 top.out
first=$(basename -a /sys/bus/pci/drivers/smile_monitor/0000:*)
echo 1 >"/sys/bus/pci/devices/$first/remove"
status=0
wait $watcher || status=$?
[ $status = 2 ] || fail "a card that is gone ends smile top with status $status"
tail -n 1 top.out | grep -q '"state":"failed"' || fail "the last look does not say that the card is gone"
grep -q 'gone' refused || fail "nothing reports that the card is gone"
echo "ok gone: $(tail -n 1 refused)"
