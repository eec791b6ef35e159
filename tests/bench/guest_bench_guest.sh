#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, run guest_bench several times. Each run prints a line of NAME=VALUE pairs. In each
# round, all ways that are compared run once. May use: busybox, guest_bench; the first card has
# pace=realtime, the second pace=drain. BENCH_PARTS in the environment names the parts.
set -eu

devices=/sys/bus/pci/devices
drivers=/sys/bus/pci/drivers
realtime=0 drain=1

card() {
	seen=0
	for device in "$devices"/*; do
		[ "$(cat "$device/subsystem_device")" = 0x534d ] || continue
		[ $seen -ne "$1" ] || echo "${device##*/}"
		seen=$((seen + 1))
	done
}

# have DRIVER CARD: bind the card to DRIVER; - means no driver, but the card is enabled.
have() {
	device=$devices/$(card "$2")
	[ ! -e "$device/driver" ] || basename "$device" >"$device/driver/unbind"
	[ "$(cat "$device/enable")" = 0 ] || echo 0 >"$device/enable"
	if [ "$1" = - ]; then
		echo 1 >"$device/enable"
		return
	fi
	echo "$1" >"$device/driver_override"
	basename "$device" >"$drivers/$1/bind"
	echo >"$device/driver_override"
}

# The label of the row in the table. It has more detail than the name that guest_bench has for the
# way.
run() {
	label=$1
	shift
	line=$(guest_bench "$@")
	echo "${prefix:-}label=$label $line"
}

# every_way CARD RATE PACKETS EVENTS [pause=MS]. The card's own 1024 records fill up in a millisecond
# at 1 M records/s: if there are no other buffers, the card interrupts at a quarter of them.
every_way() {
	number=$1
	have smile_monitor "$number"
	run host-mmap host-mmap "$@"
	run host-mmap-1ms host-mmap "$@" latency=1000
	run host-read host-read "$@"
	run card-mmap card-mmap "$@" watermark=256 latency=1000
	run card-read card-read "$@" watermark=256 latency=1000
	peers "$@"
}

peers() {
	number=$1
	have - "$number"
	run poll-busy poll-busy "$@"
	run poll-nap poll-nap "$@"
	[ -n "$uio" ] || return 0
	have uio_pci_generic "$number"
	run uio uio "$@" watermark=256 latency=1000
}

# Run each way once, so that QEMU has translated its code. Also measure an idle guest.
part_warm() {
	every_way $drain 0 100000 0 >/dev/null
	run idle idle 0 0 0 0 pause=3000
}

part_rates() {
	for round in 1 2 3 4 5; do
		for rate in 10000 100000 300000 1000000; do
			echo "table=$rate round=$round"
			every_way $realtime $rate $((rate / 2)) 300
		done
	done
}

part_full() {
	for round in 1 2 3 4 5; do
		echo "table=full round=$round"
		every_way $drain 0 1000000 0
		have smile_monitor $drain
		run host-mmap-half host-mmap $drain 0 1000000 0 watermark=32768
		run memory memory 0 0 1000000 0
	done
}

# One packet and one event every 5 ms, never both at the same time.
part_lone() {
	for round in 1 2; do
		echo "table=lone round=$round"
		every_way $realtime 200 300 300
	done
}

# lose RING-RECORDS LABEL WAY [OPTION...]: the same at rising rates, with and without pauses. A run
# with a loss is repeated, because the host may have taken the processor away. The least loss
# counts.
lose() {
	size=$1 name=$2 way=$3
	shift 3
	for pause in 0 10; do
		for rate in 10000 30000 100000 300000 1000000 3000000 0; do
			packets=$((rate * 35 / 100))
			[ $rate -ne 0 ] || packets=2000000
			prefix="ring=$size pause=$pause "
			for try in 1 2 3; do
				run "$name" "$way" $realtime $rate $packets 0 pause=$pause "$@"
				case $line in
				*" lost=0 "*) break ;;
				esac
			done
		done
	done
	prefix=
}

part_loss() {
	echo table=loss
	for size in 256 1024 4096 16384 65536 131072; do
		rmmod smile_monitor
		modprobe smile_monitor ring_records=$size
		have smile_monitor $realtime
		lose $size host-mmap host-mmap
		case $size in
		256 | 4096 | 65536)
			lose $size card-mmap card-mmap watermark=256 latency=1000
			;;
		esac
		[ $size -ne 65536 ] || lose $size card-mmap-full card-mmap watermark=1024
	done
	have - $realtime
	lose 1024 poll-busy poll-busy
	lose 1024 poll-nap poll-nap
	[ -n "$uio" ] || return 0
	have uio_pci_generic $realtime
	lose 1024 uio uio watermark=256 latency=1000
}

uio=
! modprobe uio_pci_generic 2>/dev/null || uio=yes
modprobe smile_monitor
for part in warm ${BENCH_PARTS:-rates full lone loss}; do
	"part_$part"
done
