#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile serve and smile top on the device file of a card, while SOR's traffic passes the first card; the
# second card has no traffic. May use: run.sh, smile sim.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/watch_test.sh
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}

"$B/bin/smile" sim sor --size 64 --iterations 2 -q --capture - --node 1 >"$GUEST/watch.pcap"
accesses=$("$B/bin/smile" replay "$GUEST/watch.pcap" --node 1 -o "$GUEST/watch.rec" --json |
	sed -n 's/.*"events_delivered":\([0-9]*\).*/\1/p')
[ "${accesses:-0}" -gt 0 ]
exec tests/guest/run.sh --name watch --feed "$GUEST/watch.pcap" --env "ACCESSES=$accesses" \
	--card blink=blink0,node=1 --card node=2 tests/guest/watch_guest.sh
