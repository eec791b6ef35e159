#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The demonstration's part in the guest: record through the driver, then ask the C API by way of
# `smile report`, which has no other source of knowledge.
set -eu

show() {
	printf '\n\n$ smile %s\n' "$*"
	smile "$@"
}

show list
show record -d dev:0 --until-link-down --range 64 --aligned on -o sor.rec
show report transfers sor.rec
show report top sor.rec
echo
echo "The page bands of the SOR walk-through (\"Memory access behavior analysis of NUMA-based shared"
echo "memory programs\", 2002, section 4.2): of node 0's own pages, 0 is accessed by all, 4 to 60 by"
echo "node 0 alone, so not over the B-Link, and 64 to 124 by the next node, and so on."
show report pages --bands sor.rec
printf '\n\n$ smile report pages sor.rec          (beginning)\n'
smile report pages sor.rec | head -n 16
echo
echo "Page 128 lies on the border of two nodes' rows: both access it, each its own part."
show report page --page 128 --section-bytes 256 sor.rec
show report phases sor.rec
show report phases --page 128 sor.rec
show report lost sor.rec
