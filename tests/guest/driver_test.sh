#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of the driver: driver_guest.sh in one guest with three cards. The first card's link waits for
# the card, the second card's link does not wait, and the guest switches the third card's link on
# and off. May use: run.sh, python3 as the other end of the third link.
#
# Usage: [B=build] [GUEST=DIR] [DRIVER_PARTS="..."] [DRIVER_NAME=driver] \
# 	tests/guest/driver_test.sh [RUN.SH-OPTION...]
# DRIVER_NAME is the run's --name; its sockets are in the run's directory.
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
name=${DRIVER_NAME:-driver}
dir=$GUEST/$name
mkdir -p "$dir"
rm -f "$dir"/*.sock

# The part "host" runs with an IOMMU, in driver_iommu_test.sh. With the kernels of later releases it
# also runs without one (build.mk).
DRIVER_PARTS=${DRIVER_PARTS:-default perf full pieces interrupt parameter fault tools}

# Reads the guest's commands from its port org.smile.link: u connects the link, d disconnects it.
# The link is up while a peer is connected to the card's chardev.
link_peer() {
	exec setpriv --pdeathsig KILL python3 - "$dir/link.sock" "$dir/blink2.sock" <<-'END'
		import socket, sys, time

		def connect(path):
		    for attempt in range(12000):
		        peer = socket.socket(socket.AF_UNIX)
		        try:
		            peer.connect(path)
		            return peer
		        except OSError:
		            peer.close()
		            time.sleep(0.05)
		    sys.exit(path + ": QEMU does not listen")

		guest = connect(sys.argv[1])
		link = None
		while command := guest.recv(1):
		    if link:
		        link.close()
		    link = connect(sys.argv[2]) if command == b"u" else None
	END
}
link_peer &
peer=$!
trap 'kill "$peer" 2>/dev/null || :; wait "$peer" 2>/dev/null || :' EXIT

tests/guest/run.sh --name "$name" --timeout 2400 --loop \
	--env "DRIVER_PARTS=$DRIVER_PARTS" \
	--card blink=blink0,node=3 \
	--card blink=blink1,node=1,pace=realtime \
	--card blink=blink2,node=2 \
	"$@" tests/guest/driver_guest.sh -- \
	-chardev "socket,id=loop1,path=$dir/loop1.sock,server=on,wait=off" \
	-device virtserialport,chardev=loop1,name=org.smile.blink1 \
	-chardev "socket,id=blink1,path=$dir/loop1.sock" \
	-chardev "socket,id=link,path=$dir/link.sock,server=on,wait=off" \
	-device virtserialport,chardev=link,name=org.smile.link \
	-chardev "socket,id=blink2,path=$dir/blink2.sock,server=on,wait=off"
