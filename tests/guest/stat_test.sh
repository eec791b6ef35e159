#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile stat on a card behind the driver: stat_guest.sh in a guest with three cards, as perf_send needs
# them; the first card is node 3. May use: run.sh.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/stat_test.sh [RUN.SH-OPTION...]
set -eu
cd "$(dirname "$0")/../.."
exec tests/guest/run.sh --name stat --loop --card blink=blink0,node=3 --card node=1,pace=realtime \
	--card node=2 "$@" tests/guest/stat_guest.sh
