#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
The time between the starts of the same interval on different nodes. First for nodes that an interrupt starts: the
starts are computed from the lengths of all intervals (truthN.csv). Then for nodes that the timers of their cards
start: begin_timer has written the starts (timerN.csv). Both are times of each node's own clock. The clocks do not
agree, so the median of the distance to node 0 is subtracted.

usage: begin_bench.py DIRECTORY NODES
"""
import csv, pathlib, statistics, sys


def called(path):
    time_s, times = 0.0, {}
    for row in csv.DictReader(open(path, newline="")):
        if row["event"] == "reads0":
            times[int(row["interval"])] = time_s
            time_s += float(row["dt_s"])
    return times


def timed(path):
    return {int(row["interval"]): float(row["begin_s"]) for row in csv.DictReader(open(path, newline=""))}


directory, nodes = pathlib.Path(sys.argv[1]), int(sys.argv[2])
print("Distance of a node's begin to node 0's, less its median: percentiles in us")
for what, name, begins in (("interrupt", "truth", called), ("card's timer", "timer", timed)):
    print("%-12s %4s %9s %8s %8s %8s %8s" % (what, "node", "intervals", "50 %", "90 %", "99 %", "worst"))
    every = [begins(directory / f"{name}{node}.csv") for node in range(nodes)]
    for node in range(1, nodes):
        # The nodes start during the first second, which is left out.
        apart = [every[node][k] - every[0][k] for k in every[0] if k in every[node] and k > 50]
        middle = statistics.median(apart)
        apart = sorted(1e6 * abs(distance - middle) for distance in apart)
        print("%17d %9d" % (node, len(apart)), "".join(
            "%9.0f" % apart[min(len(apart) - 1, int(len(apart) * part))] for part in (0.5, 0.9, 0.99, 1)))
