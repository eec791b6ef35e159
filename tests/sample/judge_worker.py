#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The samples of a worker of the program process_kinds, compared with the kernel's data of its pages.

What lives here: the pages of the worker from the program's output; they are on node 0 at first, and then only the node
with the worker's number uses them. The number of these pages on each node at the end is from /proc/PID/numa_maps, the
samples are from `smile report pages --json`, and the homes in the recordings are from the program homes.

usage: judge_worker.py NUMBER ADDRESS BYTES NUMA_MAPS PAGES HOMES
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
from pinned_memory import PAGE, homes_differ, kernel_homes, recorded_homes
from test import check, suite_end


def main():
    number, address, size = (int(word) for word in sys.argv[1:4])
    numa_maps, pages_file, homes_file = sys.argv[4:7]
    first, count = address // PAGE, size // PAGE
    with open(pages_file) as file:
        rows = [row for row in json.load(file)["pages"] if first <= row["page"] < first + count]

    wrong = [row for row in rows if sum(row["accesses"]) != row["accesses"][number]]
    check("every sample is of the worker's node", not wrong, wrong[:10])
    sampled = {row["page"] for row in rows if row["accesses"][number]}
    check("nearly all pages have samples", len(sampled) > count * 3 // 4, len(sampled))
    at_first = {row["page"] for row in rows if row["home"] == 0}
    check("the pages lay on node 0 at first", len(at_first) > count // 2, len(at_first))

    kernel = kernel_homes(numa_maps, first, count)
    check("the kernel has all pages", sum(kernel.values()) >= count, kernel)
    homes = recorded_homes(homes_file, first, count)
    check("homes at the end are those of numa_maps, but for a few pages", homes_differ(homes, kernel) <= count // 20,
          (homes, kernel))
    suite_end()


main()
