#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Prints the least share of pages of the array of the program pinned that lie on another node than the thread that uses
them, 0 to 1, by /proc/PID/numa_maps.

What lives here: of each area the kernel says how many pages lie on a node, not which: those that cannot all be of the
node's quarter are on a wrong node.

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
