#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In a guest with two adapters: adapter_peer, which unbinds the second adapter. May use: busybox, adapter_peer.
set -eu
adapter_peer
rmmod smile_adapter
echo "ok the module is gone"
