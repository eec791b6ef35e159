#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench of the ways by which a consumer in the guest gets records from the card: through the driver,
# and through code that a user could write instead of the driver. Prints tables of ratios within one
# run, and the rate at which loss begins. The guest has one processor, so that QEMU's main thread,
# which runs the cards, has another processor of the host, and so that the guest uses the
# processor's clock, not a clock chip that is slow to read. May use: run.sh, the guest's image with
# guest_bench in it, guest_feed.
#
# Usage: [B=build] [GUEST=DIR] [BENCH_PARTS="rates full lone loss"] tests/bench/guest_bench.sh
#
# Leaves $GUEST/bench/loss-rate.csv and loss-rate.svg.
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
dir=$GUEST/bench
mkdir -p "$dir"
rm -f "$dir"/*.sock

"$B/tests/bench/guest_feed" "$dir/bench.sock" "$dir/blink0.sock" "$dir/blink1.sock" &
feed=$!
trap 'kill "$feed" 2>/dev/null || :' EXIT

read -r load _ </proc/loadavg
# With one processor there are no races. guest_feed finds the thread of this processor by its name.
GUEST_THREADS=multi tests/guest/run.sh --name bench --timeout 580 --smp 1 --quiet --no-module \
	--image "$GUEST/bench.initramfs" ${BENCH_PARTS:+--env "BENCH_PARTS=$BENCH_PARTS"} \
	--card blink=blink0,node=0,pace=realtime --card blink=blink1,node=0 \
	tests/bench/guest_bench_guest.sh -- \
	-name bench,debug-threads=on \
	-chardev "socket,id=bench,path=$dir/bench.sock,server=on,wait=off" \
	-device virtserialport,chardev=bench,name=org.smile.bench \
	-chardev "socket,id=blink0,path=$dir/blink0.sock,server=on,wait=off" \
	-chardev "socket,id=blink1,path=$dir/blink1.sock,server=on,wait=off" \
	>"$dir/bench.log" || {
	cat "$dir/bench.log" >&2
	exit 1
}

awk -f tests/bench/guest_table.awk "$dir/bench.log"
echo
echo "The host's load was $load when the guest began."
if grep -q '^table=loss' "$dir/bench.log"; then
	awk -f tests/bench/loss_csv.awk "$dir/bench.log" >"$dir/loss-rate.csv"
	awk -f tests/bench/loss_plot.awk "$dir/loss-rate.csv" >"$dir/loss-rate.svg"
	echo "Loss: $dir/loss-rate.csv, drawn in $dir/loss-rate.svg."
fi
