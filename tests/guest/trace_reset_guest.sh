#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: an instrument behind the port of a card, and an instrument with a port of its own, lose their state. May
# use: busybox, trace_reset.
set -eu

echo "$(cat /sys/bus/pci/devices/0000:02:00.0/reset_method): how it is reset"
trace_reset
