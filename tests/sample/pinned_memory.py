# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Memory of sampled programs: the array of the program pinned, and its nodes according to the kernel and recordings."""
import json
import re

THREADS = 4
PAGE = 4096


def array_of(output):
    """(first page, pages), from the program's output."""
    with open(output) as file:
        _, address, size = file.readline().split()
    return int(address) // PAGE, int(size) // PAGE


def areas_of(path, first, count):
    """[(first page, {node: pages})] of /proc/PID/numa_maps: the areas that contain the array."""
    with open(path) as file:
        areas = [(int(line.split()[0], 16) // PAGE, line) for line in file]
    begin = max(start for start, _ in areas if start <= first)
    return [(start, {int(node): int(pages) for node, pages in re.findall(r" N(\d+)=(\d+)", line)})
            for start, line in areas if begin <= start < first + count]


def kernel_homes(path, first, count):
    """{node: pages} of all areas that contain the array. The first and the last area may also contain other pages."""
    homes = {}
    for _, nodes in areas_of(path, first, count):
        for node, pages in nodes.items():
            homes[node] = homes.get(node, 0) + pages
    return homes


def recorded_homes(path, first, count):
    """{node: pages} of the array, by the output of the program homes."""
    homes = {}
    with open(path) as file:
        for run in json.load(file):
            pages = min(run["page"] + run["pages"], first + count) - max(run["page"], first)
            homes[run["node"]] = homes.get(run["node"], 0) + max(pages, 0)
    return homes


def homes_differ(homes, kernel):
    """The number of pages in one of the two that are not in the other, summed over all nodes."""
    return sum(abs(homes.get(node, 0) - kernel.get(node, 0)) for node in set(homes) | set(kernel))
