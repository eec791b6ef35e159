#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In each of two guests: adapter_fuzz against this node and the OTHER. May use: busybox, adapter_fuzz.
set -eu
adapter_fuzz "$ROUNDS" "$OTHER"
rmmod smile_adapter
echo "ok the module is gone"
