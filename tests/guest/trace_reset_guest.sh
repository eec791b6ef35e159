#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest: an instrument beside a card, and one alone, which lose their state. May use: busybox,
# trace_reset.
set -eu

echo "$(cat /sys/bus/pci/devices/0000:02:00.0/reset_method): how it is reset"
trace_reset
