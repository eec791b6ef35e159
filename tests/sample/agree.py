#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Advice from samples compared with advice from exact counts of the same program, page by page of its array.

What lives here: the share of the pages that samples place which exact counts place on the same node. Both runs have
bound the threads in the same way. Pages are identified by their offset in the array, whose address both outputs name.

usage: agree.py OUTPUT SAMPLED_ADVICE EXACT_OUTPUT EXACT_ADVICE

Prints the number of pages that samples place, and the share of agreement, 0 to 1.
"""
import json
import sys

from pinned_memory import array_of


def nodes_of(output, advice):
    """{page of the array: node}, from `smile advise --json`."""
    first, count = array_of(output)
    with open(advice) as file:
        runs = json.load(file)["runs"]
    return {page - first: run["node"] for run in runs for page in range(run["page"], run["page"] + run["pages"])
            if first <= page < first + count}


def main():
    sampled, exact = nodes_of(sys.argv[1], sys.argv[2]), nodes_of(sys.argv[3], sys.argv[4])
    same = sum(exact.get(page) == node for page, node in sampled.items())
    print(len(sampled), same / len(sampled) if sampled else 0)


main()
