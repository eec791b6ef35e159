#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# A node whose driver breaks all rules: one guest with two adapters of a fabric; the driver uses one, and
# adapter_peer.c the other. May use: run.sh.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/adapter_peer_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
fabric=$(mktemp -d)
trap 'rm -rf "$fabric"' EXIT
tests/guest/run.sh --name adapter_peer --timeout 600 --smp 2 --card id=card,node=0 tests/guest/adapter_peer_guest.sh -- \
	-device "smile-adapter,fabric=$fabric,node=0" -device "smile-adapter,fabric=$fabric,node=33"
