#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of the static counters with the perf of the distribution: perf_guest.sh in a guest with three
# cards. A shared directory contains perf and its libraries. May use: run.sh; the package
# linux-perf.
#
# Usage: [B=build] [GUEST=DIR] [PERF_PARTS="..."] tests/guest/perf_test.sh [RUN.SH-OPTION...]
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
share=$GUEST/perf/share
perf=$(command -v perf) || { echo "perf: perf is missing; install the package linux-perf"; exit 1; }

rm -rf "$share"
mkdir -p "$share/lib"
cp "$perf" "$share/perf"
ldd "$perf" | grep -o '/[^ ]*' | xargs cp -L -t "$share/lib"

tests/guest/run.sh --name perf --loop --share "$share" \
	${PERF_PARTS:+--env "PERF_PARTS=$PERF_PARTS"} \
	--card blink=blink0,node=3 --card node=1 --card node=2 \
	"$@" tests/guest/perf_guest.sh
