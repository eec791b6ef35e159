#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The part of the demonstration in the guest: record every card through the driver, and evaluate the
# recordings with `smile report`. May use only the C API.
set -eu

show() {
	printf '\n\n$ smile %s\n' "$*"
	smile "$@"
}

show list
printf '\n\n$ smile record -d dev:N --until-link-down --range 64 --aligned on --node-ids narrow -o nodeN.rec    (N = 0 to 3, at once)\n'
echo "(narrow: addresses as wide as the papers' card had them, so that the grid begins at page 0)"
pids=
for node in 0 1 2 3; do
	smile record -d dev:$node --until-link-down --range 64 --aligned on --node-ids narrow \
		-o node$node.rec &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid"
done

all="node0.rec node1.rec node2.rec node3.rec"
# shellcheck disable=SC2086 # a list of files
{
	show report transfers $all
	show report top $all
	printf '\n\n$ smile report pages %s          (beginning)\n' "$all"
	smile report pages $all >pages
	head -n 16 pages
	echo
	echo "The page bands of the SOR walk-through (\"Memory access behavior analysis of NUMA-based"
	echo "shared memory programs\", 2002, section 4.2): of node 0's own pages, page 0 is accessed by"
	echo "everyone; 4 to 60 by node 0 alone, so not over the B-Link; 64 to 124 only by the next node,"
	echo "and so on. They lie on the wrong node."
	show report pages --bands $all
	echo
	echo "Page 128 lies on the border of two nodes' rows: node 1 reads its first half, which node 2"
	echo "owns."
	show report page --page 128 --section-bytes 256 $all
	show report phases $all
	show report phases --page 128 $all
	show report lost $all
}
