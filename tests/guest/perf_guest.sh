#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of the static counters with perf, in the guest: the list of events, counts of known frames,
# refused events, and other users of the card. May use: busybox, perf_send, smile, /host with perf
# and its libraries (see perf_test.sh). PERF_PARTS in the environment names the parts to run (all).
set -eu
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks
counts=/tmp/counts
pmu=smile_monitor0
devices=/sys/bus/event_source/devices
driver=/sys/bus/pci/drivers/smile_monitor

# Copy the files first, because the shared directory is not cached.
cp -r /host/lib /host/perf /tmp
perf() {
	/tmp/lib/ld-linux-x86-64.so.2 --library-path /tmp/lib /tmp/perf "$@"
}

# fail WORDS: like fail of guest_checks.sh, but also print perf's table.
fail() {
	echo "perf: $*"
	for file in "$output" "$counts"; do
		[ ! -s "$file" ] || sed 's/^/    /' "$file"
	done
	exit 1
}

# stat EVENTS... -- COMMAND...: run perf stat for the whole machine; writes its table to $counts.
stat() {
	rm -f "$counts"
	events=
	while [ "$1" != -- ]; do
		events="$events -e $1"
		shift
	done
	# shellcheck disable=SC2086 # a list of options
	perf stat -x ';' -o "$counts" -a $events "$@" >"$output" 2>&1
}

# value N: print the count of the N-th event of the table.
value() {
	grep -v -e '^#' -e '^$' "$counts" | sed -n "$1p" | cut -d ';' -f 1
}

# counted VALUE...: check the counts of the table's events, in their order. Each event must have
# counted all the time.
counted() {
	[ "$(grep -c "$pmu" "$counts")" -eq $# ] || fail "$# events were asked for"
	event=0
	for expected; do
		event=$((event + 1))
		[ "$(value $event)" = "$expected" ] ||
			fail "event $event: $(value $event) instead of $expected"
		[ "$(grep "$pmu" "$counts" | sed -n "${event}p" | cut -d ';' -f 5)" = 100.00 ] ||
			fail "event $event was not counted all the time"
	done
	echo "ok counted $*"
}

# refused PATTERN COMMAND...: check that the command fails, with a message that matches PATTERN.
refused() {
	pattern=$1
	shift
	! "$@" >"$output" 2>&1 || fail "$*: did not fail"
	grep -q -i -e "$pattern" "$output" || fail "$*: says nothing of '$pattern'"
	echo "ok $* -> $(grep -m 1 -i -e "$pattern" "$output")"
}

# unsupported COUNT EVENTS: check that perf reports COUNT of these events as not supported.
unsupported() {
	stat "$2" -- true || fail "perf stat of $2 did not end well"
	[ "$(grep -c '<not supported>' "$counts" || :)" -eq "$1" ] ||
		fail "not $1 of $2 are not supported"
	echo "ok $1 not supported of $(printf '%.60s' "$2")"
}

part_list() {
	perf list pmu >"$output" 2>&1
	for card in 0 1 2; do
		for event in page-reads page-writes page-locks page-accesses; do
			grep -q "smile_monitor$card/$event" "$output" ||
				fail "perf list does not know smile_monitor$card/$event/"
		done
	done
	echo "ok perf list"
}

part_counts() {
	stat "$pmu/page=5,node=3,bottom=0,top=1023,type=1/" \
		"$pmu/page=5,node=3,top=1023,type=2/" \
		"$pmu/page=5,node=3,top=1023,locks/" \
		"$pmu/page=5,node=3,top=1023,type=7/" \
		"$pmu/page=5,node=3,top=1023,reads=1,writes/" \
		"$pmu/page=5,node=3,bottom=100,top=200,type=7/" \
		"$pmu/page=5,node=9,top=1023,type=7/" \
		"$pmu/page=7,node=3,top=1023,type=1/" \
		"$pmu/page=7,node=3,top=1023,type=1,response/" \
		"$pmu/event=20/" "$pmu/event=31/" \
		"$pmu/page-reads,page=5,node=3/" "$pmu/page-writes,page=5,node=3/" \
		"$pmu/page-locks,page=5,node=3/" "$pmu/page-accesses,page=5,node=3/" \
		"$pmu/config=0x1ffc0000005,config1=3/" -- \
		perf_send 0 read:5:0:11 read:5:99:22 read:5:100:33 write:5:200:44 write:5:201:55 \
		lock:5:1023:66 read:5:0:77:9 answered:7:1:88 event:4:0:99 event:15:0:110
	counted 66 99 66 231 165 77 77 88 88 99 110 66 99 66 231 66
}

part_overflows() {
	stat "{$pmu/page=5,node=3,top=1023,type=1/,$pmu/page=5,node=3,top=7,type=7/}" \
		"$pmu/page=6,node=3,top=1023,type=2/" -- \
		perf_send 0 read:5:7:400000 write:6:8:65535 write:5:8:70000 write:6:8:65536
	counted 400000 400000 131071
}

# There is no multiplexing. If there are more events than counters, one is refused, alone or in a
# group.
part_too_many() {
	event="$pmu/page=5,node=3,top=1023,type=1/"
	sixteen=$event
	for _ in $(seq 15); do
		sixteen="$sixteen,$event"
	done
	stat "$sixteen" -- perf_send 0 read:5:1:2000
	[ "$(grep -c "^2000;.*$pmu.*;100.00;" "$counts")" -eq 16 ] || fail "16 events do not count"
	refused 'No space left' perf stat -a -e "$sixteen,$event" -- true
	refused 'No space left' perf stat -a -e "{$sixteen,$event}" -- true
	echo "ok 16 events, and no more"
}

part_refused() {
	event="$pmu/page=5,node=3,top=1023,type=1/"
	# If the kernel refuses an event, perf reports that it is not supported.
	unsupported 1 "$pmu/page=5,node=3,top=1023/"
	unsupported 1 "$pmu/page=5,node=3,bottom=9,top=8,type=1/"
	unsupported 1 "$pmu/event=3/"
	unsupported 0 "$event"
	refused 'syntax error' perf stat -a -e "$pmu/page=5,node=3,top=1023,type=read/" -- true
	# An event must name a page.
	refused 'list of valid events' perf stat -a -e "$pmu/page-reads/" -- true
	refused 'sampling' perf record -o /tmp/perf.data -a -e "$event" -- true
}

part_busy() {
	event="$pmu/page=5,node=3,top=1023,type=1/"
	smile record -o /tmp/busy.rec -- sleep 1000 >/tmp/record.log 2>&1 &
	recorder=$!
	within "the card is owned" grep -q 1 /sys/class/smile_monitor/$pmu/owned
	refused 'busy' perf stat -a -e "$event" -- true
	killall sleep
	wait $recorder || :
	within "the card is free" grep -q 0 /sys/class/smile_monitor/$pmu/owned
	stat "$event" -- sh -c '! smile record -o /tmp/busy2.rec -- true'
	grep -q 'another program uses this card' "$output" || fail "smile record does not say why"
	[ "$(value 1)" = 0 ] || fail "nothing was sent, and counted: $(value 1)"
	stat "$event" -- perf_send 0 read:5:0:5
	counted 5
}

# The card is unbound while perf counts. Its event must be in the error state, and no count may be
# invented.
part_unbind() {
	card=$(basename "$(readlink -f /sys/class/smile_monitor/$pmu/device)")
	stat "$pmu/page=5,node=3,top=1023,type=1/" -- sh -c "perf_send 0 read:5:0:70001 &&
		echo $card >$driver/unbind"
	[ "$(value 1)" = '<not counted>' ] || fail "$(value 1) instead of <not counted>"
	refused 'no such device' perf stat -a -e "$pmu/page=5,node=3,top=1023,type=1/" -- true
	echo "$card" >"$driver/bind"
	stat "$pmu/page=5,node=3,top=1023,type=1/" -- perf_send 0 read:5:0:6
	counted 6
}

part_unload() {
	perf stat -a -e "$pmu/page=5,node=3,top=1023,type=1/" -- sleep 1000 >"$output" 2>&1 &
	within "the card counts" grep -q 1 /sys/class/smile_monitor/$pmu/running
	refused 'resource temporarily unavailable\|in use' rmmod smile_monitor
	killall sleep
	wait
	rmmod smile_monitor
	[ ! -e $devices/$pmu ] || fail "the module is gone, and its PMU is there"
	modprobe smile_monitor
	stat "$pmu/page=5,node=3,top=1023,type=1/" -- perf_send 0 read:5:0:7
	counted 7
}

for part in ${PERF_PARTS:-list counts overflows too_many refused busy unbind unload}; do
	echo "---- $part"
	"part_$part"
done
