#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of the driver with a node whose driver breaks all rules. One guest has two adapters of a
# fabric; the driver uses one of them, and adapter_peer.c uses the other. May use: run.sh.
set -euo pipefail

cd "$(dirname "$0")/../.."
fabric=$(mktemp -d)
trap 'rm -rf "$fabric"' EXIT
tests/guest/run.sh --name adapter_peer --timeout 600 --smp 2 --card id=card,node=0 tests/guest/adapter_peer_guest.sh -- \
	-device "smile-adapter,fabric=$fabric,node=0" -device "smile-adapter,fabric=$fabric,node=33"
