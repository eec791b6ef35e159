#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Hot-plug in the guest: the groups of driver_test for cards in slots, with either ring; and the
# start of the module when a card has been pulled out. HOTPLUG_SLOTS names the expected kind of
# slots: native slots with MSI or INTx, or ACPI's slots. HOTPLUG_PARTS names the parts to run. May
# use: busybox, driver_test.
set -eu
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks

devices=/sys/bus/pci/devices
driver=/sys/bus/pci/drivers/smile_monitor
monitor=/dev/virtio-ports/org.smile.monitor

# says PATTERN: check that the kernel's log has this pattern.
says() {
	dmesg >"$output"
	grep -q -e "$1" "$output" || fail "the kernel says nothing of '$1'"
	echo "ok $(grep -m 1 -e "$1" "$output")"
}

both_rings() {
	driver_test "$1"
	DRIVER_RING=host driver_test "$1"
}

part_hotplug() {
	both_rings hotplug
}

# If the slot and its card share an INTx line, the driver's remove() runs in a handler of this line.
part_intx() {
	grep -q 'IO-APIC.*pciehp' /proc/interrupts || fail "the slots do not use INTx"
	# With kernels other than 6.1, free_irq() does not return in such a handler, because it
	# waits for all threads of the line.
	case $(uname -r) in
	6.1.*) ;;
	*)
		echo "skipped 1: unplugging without MSI: the free_irq() of $(uname -r) waits for pciehp's thread"
		return
		;;
	esac
	DRIVER_CASE='unplug_*' driver_test hotplug
}

part_recovery() {
	dmesg >"$output"
	grep -q 'AER: enabled' "$output" || fail "the kernel handles no bus errors"
	both_rings recovery
}

# Counters of perf when the bus is reset, and an empty slot.
part_perf() {
	driver_test pmu_slot
}

part_unrecovered() {
	both_rings unrecovered
}

# As on a conventional bus: see driver_guest.sh.
part_power() {
	both_rings power
}

# absent CARD on|off: remove the card from its slot without an event, or put it back.
absent() {
	echo "qom-set /machine/peripheral/$1 absent $2" >"$monitor"
}

config_is_gone() {
	[ "$(dd if="$devices/$1/config" bs=4 count=1 2>/dev/null | hexdump -e '1/4 "%x"')" = ffffffff ]
}

config_is_there() {
	! config_is_gone "$1"
}

# The driver and the module must detect, report and release a card that was pulled out. When it is
# back, they must use it.
part_pulled() {
	card=0000:03:00.0
	counters=/sys/kernel/debug/smile_monitor/$(ls "$devices/$card/smile_monitor")/counters
	cat "$counters" >/dev/null || fail "$card does not answer"
	dmesg -c >/dev/null
	absent card2 on
	within "$card is gone" config_is_gone $card
	if cat "$counters" >"$output" 2>&1; then
		fail "$card is gone, and has counters"
	fi
	says 'smile_monitor 0000:03:00.0: the card does not answer'
	rmmod smile_monitor
	dmesg -c >/dev/null
	modprobe smile_monitor
	[ -e "$driver/0000:01:00.0" ] || fail "the other cards are not bound"
	[ ! -e "$driver/$card" ] || fail "a card that is gone is bound"
	says 'smile_monitor 0000:03:00.0: ID reads 0xffffffff'
	absent card2 off
	within "$card is back" config_is_there $card
	echo $card >"$driver/bind"
	cat "$counters" >/dev/null || fail "$card does not answer again"
	# The card is pulled out, and also removed from the kernel's list.
	absent card2 on
	within "$card is gone" config_is_gone $card
	echo 1 >"$devices/$card/remove"
	[ ! -e "$devices/$card" ] || fail "a card that is gone is still there"
	rmmod smile_monitor
	modprobe smile_monitor
	absent card2 off
	within "$card is back" sh -c "echo 1 >/sys/bus/pci/rescan; [ -e $driver/$card ]"
	cat "$counters" >/dev/null || fail "$card does not answer any more"
	echo "ok pulled out, and put back"
}

dmesg >"$output"
case $HOTPLUG_SLOTS in
native | intx) grep -q 'pciehp: Slot' "$output" || fail "the slots are not native" ;;
acpi) ! grep 'pciehp: Slot' "$output" || fail "the slots are native" ;;
esac
for part in $HOTPLUG_PARTS; do
	echo "---- $part"
	"part_$part"
done
