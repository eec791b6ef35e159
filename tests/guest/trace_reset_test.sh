#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The deep trace instrument when it loses its state by a reset, suspend or a bus error: one guest with two slots
# of PCI Express, a card and an instrument in the first, only an instrument in the second. May use: run.sh.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/trace_reset_test.sh [RUN.SH-OPTION...]
set -euo pipefail

cd "$(dirname "$0")/../.."
tests/guest/run.sh --name trace_reset --one-thread --monitor --root-port slot0 --root-port slot1 \
	--card bus=slot0,addr=0.0,multifunction=on,id=card0,node=0 \
	"$@" tests/guest/trace_reset_guest.sh -- \
	-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off \
	-device smile-trace,bus=slot0,addr=0.1,id=trace0,monitor=card0,memory=1048576 \
	-device smile-trace,bus=slot1,id=trace1,monitor=card0,memory=1048576
