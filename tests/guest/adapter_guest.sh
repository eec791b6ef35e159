#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In each of two guests, run adapter_pair as ROLE and sisci_pair, while the card on the same B-Link
# counts. The script prints the counts, and the host compares them. Then run adapter_alone, which
# needs no other node. May use: busybox, smile, adapter_pair, sisci_pair, adapter_alone.
set -eu
cd /tmp
smile record -d dev:0 -o pair.rec -- adapter_pair "$ROLE"
smile report lost pair.rec >&2
# Ignore the last 64 KB of 4 GB. They contain the messages of the drivers, which start before the
# other node records.
echo "PAGES $(smile report pages --csv pair.rec |
	awk -F, 'NR > 1 && $1 % 1048576 < 1048560 { printf "%s ", $0 }')"
smile record -d dev:0 -o sisci.rec -- sisci_pair
smile report lost sisci.rec >&2
adapter_alone >&2
# No other driver may map the window and the memory of the adapter, and no program may map them by
# sysfs.
[ "$(grep -c 'smile_adapter$' /proc/iomem)" = 2 ]
echo "ok the BARs are the driver's"
rmmod smile_adapter
echo "ok the module is gone"
