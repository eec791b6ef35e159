#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The part of the bands of shares in samples that contain the share in all accesses, as counted by smile run.

What lives here: for each page of the program's array, the share of the node with the most accesses by exact counts, and
the 95 % band of that node's share of samples. The band is computed by bisection of the binomial distribution, not taken
from the project's output. Both runs have bound the threads in the same way. Pages are identified by their offset in the
array.

usage: covered.py OUTPUT SAMPLED_PAGES EXACT_OUTPUT EXACT_ADVICE

SAMPLED_PAGES is the output of `smile report pages --json`, EXACT_ADVICE that of `smile advise --csv`. Prints the number
of pages with samples, and the part of their bands that contain the exact share, 0 to 1.
"""
import csv
import json
import math
import sys

from pinned_memory import array_of

TAIL = 0.025


def at_most(k, n, p):
    """The probability of at most k successes in n trials."""
    return sum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k + 1))


def bound(is_above):
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return (low + high) / 2


def band(k, n):
    """The interval of Clopper and Pearson."""
    return (bound(lambda p: 1 - at_most(k - 1, n, p) > TAIL) if k else 0.0,
            bound(lambda p: at_most(k, n, p) < TAIL) if k < n else 1.0)


def sampled_of(output, pages):
    """{page of the array: samples by node}"""
    first, count = array_of(output)
    of = {}
    with open(pages) as file:
        for row in json.load(file)["pages"]:
            if first <= row["page"] < first + count:
                sums = of.setdefault(row["page"] - first, [0] * len(row["accesses"]))
                of[row["page"] - first] = [a + b for a, b in zip(sums, row["accesses"])]
    return of


def exact_of(output, advice):
    """{page of the array: (node, its share of all accesses)}"""
    first, count = array_of(output)
    with open(advice) as file:
        return {int(row["page"]) - first: (int(row["node"]), float(row["share"])) for row in csv.DictReader(file)
                if first <= int(row["page"]) < first + count}


def main():
    sampled, exact = sampled_of(sys.argv[1], sys.argv[2]), exact_of(sys.argv[3], sys.argv[4])
    held = 0
    for page, samples in sampled.items():
        node, share = exact[page]
        low, high = band(samples[node], sum(samples))
        held += low <= share <= high
    print(len(sampled), held / len(sampled) if sampled else 0)


main()
