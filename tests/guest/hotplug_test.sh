#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of cards that are plugged in and removed while they are used, of bus errors and of suspend,
# in slots of PCI Express. hotplug_guest.sh runs in three guests: one with native slots (pciehp),
# one with native slots without MSI, and one with slots of ACPI. No other test changes the memory
# map so often, so QEMU always uses one thread: see run.sh. May use: run.sh.
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}

# guest SLOTS PARTS RUN.SH-OPTION...
guest() {
	slots=$1 parts=$2 dir=$GUEST/hotplug-$1
	shift 2
	[ $slots = acpi ] && bridges=on || bridges=off
	mkdir -p "$dir"
	rm -f "$dir"/loop1.sock
	tests/guest/run.sh --name "hotplug-$slots" --timeout 2400 --one-thread --loop --monitor \
		--env "HOTPLUG_PARTS=$parts" --env "HOTPLUG_SLOTS=$slots" \
		--env "DRIVER_LOOP=$dir/loop.sock" \
		--root-port slot0 --root-port slot1 --root-port slot2 \
		--card bus=slot0,id=card0,blink=blink0,node=3 \
		--card bus=slot1,id=card1,blink=blink1,node=1,pace=realtime \
		--card bus=slot2,id=card2,node=2 \
		"$@" tests/guest/hotplug_guest.sh -- \
		-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=$bridges \
		-chardev "socket,id=loop1,path=$dir/loop1.sock,server=on,wait=off" \
		-device virtserialport,chardev=loop1,name=org.smile.blink1 \
		-chardev "socket,id=blink1,path=$dir/loop1.sock"
}

[ "${HOTPLUG_SLOTS:-native}" != native ] || guest native "${HOTPLUG_PARTS:-hotplug recovery perf power pulled}" "$@"
# Without MSI the kernel leaves the slots to ACPI, unless an option makes them native.
[ "${HOTPLUG_SLOTS:-intx}" != intx ] ||
	guest intx "${HOTPLUG_PARTS:-intx}" --append "pci=nomsi pcie_ports=native" "$@"
[ "${HOTPLUG_SLOTS:-acpi}" != acpi ] || guest acpi "${HOTPLUG_PARTS:-hotplug unrecovered pulled}" "$@"
