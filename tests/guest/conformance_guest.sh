#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Run the conformance suite with three cards, in the guest. If SUITES is 3, the first card is used
# without its driver; the script also tests that a bound driver prevents this. The other cards are
# used through the driver, by mmap and by read().
ports=/dev/virtio-ports/org.smile.blink

fail() {
	echo "FAILED: $*"
	exit 1
}

without_driver() {
	slot=$(smile list | sed -n 's/^\([0-9a-f]*:[0-9a-f]*:[0-9a-f]*\.[0-9]\).*/\1/p' | head -n 1)
	[ -n "$slot" ] || fail "smile list shows no card: $(smile list 2>&1)"
	conformance "pci:$slot" $ports 2>&1 || exit 1

	# The name of the slot may also lack the domain. The card has no other user at this time.
	smile record -d "pci:${slot#0000:}" --duration 0.1 -o /tmp/pci.rec 2>/tmp/out || fail "$(cat /tmp/out)"
	smile report lost /tmp/pci.rec >/tmp/out || fail "the account: $(cat /tmp/out)"
	smile stat -d "pci:$slot" --static page=1 -- sleep 0.1 >/tmp/out 2>&1 || fail "smile stat: $(cat /tmp/out)"
	smile record -d "pci:$slot" --duration 3600 -o /tmp/long.rec 2>/dev/null &
	while [ ! -s /tmp/long.rec ]; do sleep 0.1; done
	! smile record -d "pci:$slot" --duration 0.1 -o /tmp/pci.rec 2>/tmp/out || fail "two processes had the card"
	grep -q 'another process uses this card' /tmp/out || fail "two processes: $(cat /tmp/out)"
	kill $! && wait $!

	modprobe smile_monitor || fail "modprobe"
	! smile record -d "pci:$slot" --duration 0.1 -o /tmp/pci.rec 2>/tmp/out || fail "the driver has the card"
	grep -q "the driver smile_monitor has this card: use \"dev:0\", or .*echo $slot > .*/unbind" /tmp/out ||
		fail "a driver that has it: $(cat /tmp/out)"
	echo "$slot" >/sys/bus/pci/drivers/smile_monitor/unbind || fail "unbind"
	smile record -d "pci:$slot" --duration 0.1 -o /tmp/pci.rec 2>/tmp/out || fail "unbound: $(cat /tmp/out)"
	echo "$slot" >/sys/bus/pci/drivers/smile_monitor/bind || fail "bind"
	smile record --duration 0.1 -o /tmp/dev.rec 2>/tmp/out || fail "bound again: $(cat /tmp/out)"
	echo "pci: all is well"
}

[ "$SUITES" = 2 ] || without_driver
conformance dev:1 "${ports}1" 2>&1 || exit 1
exec conformance read:2 "${ports}2" 2>&1
