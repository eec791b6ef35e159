#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The samples of the program pinned, compared with the kernel's data of its pages.

What lives here: the pages of the array from the program's output, the number of these pages on each node from
/proc/PID/numa_maps, the samples from `smile report pages --json`, and the homes in the recordings from the program
homes.

usage: judge.py OUTPUT NUMA_MAPS PAGES SUMMARY HOMES [attached]

"attached": the program had accessed its memory before it was sampled.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
from pinned_memory import THREADS, array_of, homes_differ, kernel_homes, recorded_homes
from test import check, suite_end


def main():
    output, numa_maps, pages_file, summary_file = sys.argv[1:5]
    first, count = array_of(output)
    with open(pages_file) as file:
        pages = json.load(file)
    with open(summary_file) as file:
        summary = json.load(file)
    rows = [row for row in pages["pages"] if first <= row["page"] < first + count]

    wrong, samples, sampled = [], [0] * THREADS, [set() for _ in range(THREADS)]
    for row in rows:
        owner = (row["page"] - first) * THREADS // count
        for node, accesses in enumerate(row["accesses"]):
            if accesses and node != owner:
                wrong.append((row["page"] - first, node, accesses))
            samples[node] += accesses if node == owner else 0
        if row["accesses"][owner]:
            sampled[owner].add(row["page"])
    check("every sample of a quarter is of its thread's node", not wrong, wrong[:10])
    for owner in range(THREADS):
        check(f"quarter {owner}: all pages but a few have samples", len(sampled[owner]) > count // THREADS * 9 // 10,
              (len(sampled[owner]), samples))
        check(f"quarter {owner}: several samples a page", samples[owner] > 2 * count // THREADS, samples)

    account = summary["account"]
    left = {row["reason"]: row["accesses"] or 0 for row in account["left_out"]}
    check("all faults are accounted for", account["accesses"] == account["counted"] + sum(left.values()), account)
    # On a busy host the rings may be full: smile reports the losses, which are no error.
    lost = sum(number for reason, number in left.items() if "lost" in reason)
    check("the samples are those in the recordings",
          summary["samples"] == sum(sum(row["accesses"]) for row in pages["pages"]), summary)
    if "attached" not in sys.argv:
        check("each page of the array has had its first fault", sum(
            number for reason, number in left.items() if "first fault" in reason) + lost >= count, account)

    # Homes at the end. A page that waits for a fault keeps its old home, since no other home can be found.
    kernel = kernel_homes(numa_maps, first, count)
    check("the kernel has all pages of the array", sum(kernel.values()) >= count, kernel)
    homes = recorded_homes(sys.argv[5], first, count)
    check("homes at the end are those of numa_maps, but for a few pages", homes_differ(homes, kernel) <= count // 20,
          (homes, kernel))
    suite_end()


main()
