#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Run adapter_fuzz in each of two guests, with this node and node OTHER. May use: busybox,
# adapter_fuzz.
set -eu
adapter_fuzz "$ROUNDS" "$OTHER"
rmmod smile_adapter
echo "ok the module is gone"
