#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver's tests in the guest: the groups of driver_test, each with the module parameters that
# it needs; MSI and INTx; and the messages of the tools if something is missing. May use: busybox,
# driver_test, smile. DRIVER_PARTS in the environment names the parts, or groups, to run.
set -eu
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks

devices=/sys/bus/pci/devices
driver=/sys/bus/pci/drivers/smile_monitor

cards() {
	for device in "$devices"/*; do
		[ "$(cat "$device/subsystem_device")" != 0x534d ] || echo "${device##*/}"
	done
}

part_default() {
	# Reading these attributes wakes the card up.
	for attribute in link_up events_lost; do
		mode=$(stat -c %a /sys/class/smile_monitor/smile_monitor0/$attribute)
		[ "$mode" = 400 ] || fail "$attribute has mode $mode"
	done
	driver_test ioctl stream read mmap wake poll static timer owner unbind life power trace
}

# Test the static counters as events of perf. They use the ring in the card's RAM alone. The module
# is loaded anew, because it chooses the processors of the events when it is loaded: with
# GUEST_THREADS=multi only one processor was online at first.
part_perf() {
	rmmod smile_monitor
	modprobe smile_monitor
	driver_test pmu pmu_life
}

# Test the ring in host memory, which the card writes by DMA.
part_host() {
	DRIVER_RING=host driver_test stream read mmap wake poll static timer owner unbind life power \
		trace
}

# Test a small ring, which is soon full. The card's write pointer wraps many times.
part_full() {
	rmmod smile_monitor
	modprobe smile_monitor ring_records=256
	driver_test full read mmap host hostile
	DRIVER_RING=host driver_test full read mmap hostile
	rmmod smile_monitor
	modprobe smile_monitor
}

# Test a ring that is so large that no allocator returns it as one block. If the blocks are
# contiguous by chance, this is also accepted.
part_pieces() {
	rmmod smile_monitor
	dmesg -c >/dev/null
	modprobe smile_monitor ring_records=1048576
	if [ "$(cat "$devices/$(cards | head -n 1)"/smile_monitor/*/host_ring)" = 1 ]; then
		echo "ok the blocks of the first card's ring lie beside each other"
		driver_test mapped
	else
		dmesg >"$output"
		grep -q 'no ring in host memory: no contiguous memory and no IOMMU' "$output" ||
			fail "the kernel does not say why there is no ring in host memory"
		driver_test pieces
	fi
	rmmod smile_monitor
	modprobe smile_monitor
}

# Test the large ring with an IOMMU, which gives the blocks contiguous bus addresses.
part_mapped() {
	rmmod smile_monitor
	modprobe smile_monitor ring_records=1048576
	driver_test mapped
	rmmod smile_monitor
	modprobe smile_monitor
}

# Whether there is an IOMMU between the cards and the memory.
part_translated() {
	for card in $(cards); do
		case $(cat "$devices/$card/iommu_group/type" 2>/dev/null) in
		DMA*) ;;
		*) fail "$card is behind no IOMMU" ;;
		esac
	done
	echo "ok the cards are behind an IOMMU"
}

# Whether the IOMMU has reported no fault.
part_no_fault() {
	dmesg >"$output"
	! grep -E 'IO_PAGE_FAULT|DMAR:.*fault' "$output" || fail "a card wrote where it must not"
	echo "ok no fault"
}

part_interrupt() {
	DRIVER_INTERRUPT=PCI-MSI driver_test interrupt
	DRIVER_INTERRUPT=PCI-MSI DRIVER_RING=host driver_test interrupt
	for card in $(cards); do
		echo "$card" >"$driver/unbind"
		echo 0 >"$devices/$card/msi_bus"
		echo "$card" >"$driver/bind"
	done
	DRIVER_INTERRUPT=IO-APIC driver_test interrupt
	DRIVER_CASE='card_that_*' driver_test pmu_life
	DRIVER_INTERRUPT=IO-APIC DRIVER_RING=host driver_test interrupt wake
	for card in $(cards); do
		echo "$card" >"$driver/unbind"
		echo 1 >"$devices/$card/msi_bus"
		echo "$card" >"$driver/bind"
	done
	DRIVER_INTERRUPT=PCI-MSI driver_test interrupt
}

# An invalid size must be refused with a message that helps. A valid size must then be accepted.
part_parameter() {
	rmmod smile_monitor
	for size in 0 1 128 255 300 65535 33554432 4294967295; do
		dmesg -c >/dev/null
		! modprobe smile_monitor ring_records=$size 2>"$output" ||
			fail "ring_records=$size was taken"
		dmesg >"$output"
		grep -q "smile_monitor: ring_records=$size: give a power of two from 256 to" \
			"$output" || fail "ring_records=$size: the kernel does not say what is wrong"
		[ ! -e /sys/module/smile_monitor ] || fail "ring_records=$size: still loaded"
	done
	for size in 256 131072; do
		modprobe smile_monitor ring_records=$size
		for card in $(cards); do
			[ "$(cat "$devices/$card/smile_monitor"/*/ring_records)" -eq "$size" ] ||
				fail "ring_records=$size is not obeyed"
		done
		rmmod smile_monitor
	done
	modprobe smile_monitor
	echo "ok ring_records"
}

# If the kernel has fault injection (a debug kernel), test calls that fail.
part_fault() {
	driver_test fault
	DRIVER_RING=host driver_test fault
}

part_tools() {
	rm -f /tmp/none.rec
	expect 0 'smile_monitor0' smile list
	expect 0 'nothing is missing' smile doctor

	rmmod smile_monitor
	expect 0 'none' smile list
	expect 1 'modprobe smile_monitor' smile doctor
	expect 2 'modprobe smile_monitor' smile record -o /tmp/none.rec
	expect 2 'modprobe smile_monitor' smile record --read -o /tmp/none.rec

	# Remove all cards. Test with and without the driver.
	for card in $(cards); do
		echo 1 >"$devices/$card/remove"
	done
	for module in absent loaded; do
		[ $module = absent ] || modprobe smile_monitor
		expect 0 'no SMiLE Monitor card in this machine' smile list
		expect 1 'no SMiLE Monitor on the PCI bus' smile doctor
		expect 2 'is the card plugged in' smile record -o /tmp/none.rec
	done
	[ ! -e /tmp/none.rec ] || fail "a recording of nothing was left behind"

	# The cards are found while the driver is loaded, and removed while it is bound to them.
	while read -r _; do
		echo 1 >/sys/bus/pci/rescan
		[ -e /dev/smile_monitor2 ] || fail "three cards came back, and not three devices"
		for card in $(cards); do
			echo 1 >"$devices/$card/remove"
		done
		[ ! -e /dev/smile_monitor0 ] || fail "a card was pulled, and its device is there"
	done <<-END
		once
		twice
		and again
	END
	echo 1 >/sys/bus/pci/rescan
	expect 0 'smile_monitor2' smile list
}

for part in $DRIVER_PARTS; do
	echo "---- $part"
	case $(type "part_$part" 2>&1) in
	*function*) "part_$part" ;;
	*) driver_test "$part" ;; # only this group
	esac
done
