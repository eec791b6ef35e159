#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Prints the minimum share, 0 to 1, of the array's pages of the program pinned that are on another node than the thread
that uses them, by /proc/PID/numa_maps.

What lives here: for each area the kernel reports the number of pages on a node, but not their addresses. The pages in
excess of the node's quarter are on a wrong node.

usage: wrong_pages.py OUTPUT NUMA_MAPS
"""
import sys

from pinned_memory import THREADS, areas_of, array_of


def main():
    first, count = array_of(sys.argv[1])
    areas = areas_of(sys.argv[2], first, count)
    wrong = 0
    for (start, nodes), end in zip(areas, [start for start, _ in areas[1:]] + [first + count]):
        for node, pages in nodes.items():
            quarter = first + node * count // THREADS
            right = max(0, min(end, quarter + count // THREADS) - max(start, quarter))
            # What else is in the array's first and last area.
            others = max(0, first - start)
            wrong += max(0, pages - right - others)
    print(wrong / count)


main()
