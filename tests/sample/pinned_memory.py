# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The memory of the program pinned: its array, and where the kernel says that it lies."""
import re

THREADS = 4
PAGE = 4096


def array_of(output):
    """(first page, pages), from what the program has printed."""
    with open(output) as file:
        _, address, size = file.readline().split()
    return int(address) // PAGE, int(size) // PAGE


def areas_of(path, first, count):
    """[(first page, {node: pages})] of /proc/PID/numa_maps: the areas in which the array lies."""
    with open(path) as file:
        areas = [(int(line.split()[0], 16) // PAGE, line) for line in file]
    begin = max(start for start, _ in areas if start <= first)
    return [(start, {int(node): int(pages) for node, pages in re.findall(r" N(\d+)=(\d+)", line)})
            for start, line in areas if begin <= start < first + count]
