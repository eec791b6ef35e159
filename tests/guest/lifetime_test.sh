#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bind and unbind four hundred times while the cards are used. At the end, the resources that the
# kernel uses must be the same. lifetime_guest.sh does this in a guest with three cards. May use:
# run.sh.
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
dir=$GUEST/lifetime
# A slow kernel, such as a debug kernel, has its own checks, which detect the losses in a few
# cycles.
[ -n "${DRIVER_CYCLES:-}" ] || ! grep -q '^slow=' "$GUEST/needs" 2>/dev/null || DRIVER_CYCLES=100
mkdir -p "$dir"
rm -f "$dir"/loop1.sock

tests/guest/run.sh --name lifetime --timeout 1200 --loop \
	${DRIVER_CYCLES:+--env "DRIVER_CYCLES=$DRIVER_CYCLES"} \
	${DRIVER_SEED:+--env "DRIVER_SEED=$DRIVER_SEED"} \
	--card blink=blink0,node=3 \
	--card blink=blink1,node=1,pace=realtime \
	--card node=2 \
	"$@" tests/guest/lifetime_guest.sh -- \
	-chardev "socket,id=loop1,path=$dir/loop1.sock,server=on,wait=off" \
	-device virtserialport,chardev=loop1,name=org.smile.blink1 \
	-chardev "socket,id=blink1,path=$dir/loop1.sock"
