#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
The comparisons of stat_cluster_test.sh: the nodes' views of each other with the counts, and with the issued accesses.
Files of a directory: issuedN (stat_load.c), truthN.csv (--truth), viewN.csv (--csv), p.csv, live0.json, bothN-COUNTERS.csv.

usage: stat_cluster.py issued DIRECTORY NODES: check that the cards have counted the accesses of the load
       stat_cluster.py samples DIRECTORY NODES DT_S: samples of all nodes, for --fit stat_cluster.py views DIRECTORY
       NODES DT_S: error and coverage of every node's view of every node stat_cluster.py both DIRECTORY NODES: the
       events of a card and of a processor, exact and in turns stat_cluster.py paused DIRECTORY: node 0's view of a
       guest that was paused, then of a node that was killed
"""
import csv, json, math, pathlib, sys


def truth(directory, node, dt_s):
    """{(interval, event): (count scaled to an interval, whether it was sent to the other nodes)}, for
    whole intervals."""
    rows = {}
    for row in csv.DictReader(open(directory / f"truth{node}.csv", newline="")):
        scale = dt_s / float(row["dt_s"])
        if 1 / 1.5 < scale < 2:
            rows[int(row["interval"]), row["event"]] = float(row["value"]) * scale, row["read"] == "1"
    return rows


def issued(directory, nodes):
    for node in range(nodes):
        sent = [int(line.split(",")[1]) for line in open(directory / f"issued{node}") if line.startswith("issued ")]
        counted = {}
        for row in csv.DictReader(open(directory / f"truth{(node + 1) % nodes}.csv", newline="")):
            counted[row["event"]] = counted.get(row["event"], 0) + float(row["value"])
        if len(sent) != 6 or [counted.get(f"reads{i}") for i in range(6)] != sent:
            sys.exit(f"node {node} has issued {sent}, and the next has counted {counted}")
        print(sum(sent), "reads of node", node)


def both(directory, nodes):
    for node in range(nodes):
        for counters in (16, 2):
            sent = [int(line.split(",")[1]) for line in open(directory / f"issued{node}-{counters}")
                    if line.startswith("issued ")]
            rows = {row["event"]: row for row in csv.DictReader(open(
                directory / f"both{(node + 1) % nodes}-{counters}.csv", newline=""))}
            reads = [rows[f"reads{i}"] for i in range(6)]
            counts, shares = [float(row["count"]) for row in reads], [float(row["read_share"]) for row in reads]
            processor = [rows[name] for name in ("page-faults", "context-switches")]
            exact = all(float(row["read_share"]) == 1 and float(row["count"]) > 0 for row in processor)
            if counters == 16:
                good = exact and counts == sent and shares == [1] * 6
            else:
                # The share of the time in which an event is read, and the error of its estimate,
                # depend on the host.
                bands = [(float(row["low_95"]), float(row["high_95"])) for row in reads]
                good = exact and 0 < sum(shares) < 2.1 and max(shares) < 1 and all(
                    0 <= low <= count <= high for (low, high), count in zip(bands, counts))
            if not good:
                sys.exit(f"{counters} counters: issued {sent}, counted {list(rows.values())}")
            print(f"{counters} counters: {sum(counts):.0f} of {sum(sent)} reads of node {node}")


def samples(directory, nodes, dt_s):
    print("set,dt_s,event,value")
    for node in range(nodes):
        rows = truth(directory, node, dt_s)
        # Intervals before and after the load are not part of its process.
        rows = {key: value for key, value in rows.items() if sum(
            v for (k, _), (v, _) in rows.items() if k == key[0]) > 0}
        for (_, event), (value, _) in sorted(rows.items(), key=lambda row: (row[0][1], row[0][0])):
            print(f"{node},{dt_s},{event},{value}")


def views(directory, nodes, dt_s):
    sigma = {row["event"]: float(row["sigma"]) for row in csv.DictReader(open(directory / "p.csv", newline=""))}
    truths = [truth(directory, node, dt_s) for node in range(nodes)]
    print()
    for viewer in range(nodes):
        exact, wrong, unread, within, squares, last = [0] * nodes, 0, 0, 0, 0.0, {}
        hold = {}
        held = 0.0
        for row in csv.DictReader(open(directory / f"view{viewer}.csv", newline="")):
            node, interval, event = int(row["node"]), int(row["interval"]), row["event"]
            known = truths[node].get((interval, event))
            estimate, sd = float(row["estimate"]), float(row["sd"])
            last.setdefault((node, event), []).append(interval)
            if not known:
                continue
            value, read = known
            if sd == 0:
                # An exact reading is the count itself.
                exact[node] += 1
                wrong += not read or abs(estimate - value) > 1e-6 * max(value, 1)
                hold[node, event] = value
            elif not read:
                unread += 1
                within += abs(estimate - value) <= 1.96 * sd
                squares += ((estimate - value) / sigma[event]) ** 2
                held += ((hold.get((node, event), estimate) - value) / sigma[event]) ** 2
        if any(numbers != sorted(set(numbers)) for numbers in last.values()):
            sys.exit(f"node {viewer}'s intervals do not ascend")
        print(f"node {viewer}: {exact} exact, {wrong} of them wrong; {unread} unread, {within / max(unread, 1):.3f} in "
              f"95 % bands, rms error {math.sqrt(squares / max(unread, 1)):.3f} sigma, "
              f"{math.sqrt(squares / held) if held else 0:.2f} of holding")
        # The number of other nodes' readings that arrive in time, and the variation of the load's rate, depend on the
        # host: they are printed, but not checked. A node's own readings always arrive in time.
        if wrong or not exact[viewer]:
            sys.exit("that is not what was to be expected")


def paused(directory):
    sigma = {row["event"]: float(row["sigma"]) for row in csv.DictReader(open(directory / "p.csv", newline=""))}
    lines = [json.loads(line) for line in open(directory / "live0.json")]
    numbers = [line["interval"] for line in lines]
    if numbers != sorted(set(numbers)):
        sys.exit("node 0's intervals do not ascend")

    def width(line, node):
        """The narrowest band of a node's events, divided by the band without any reading."""
        return min((event["high_95"] - event["count"]) / 1.96 / sigma[event["event"]]
                   for event in line["nodes"][node]["events"])

    def in_state(node, state):
        return [line for line in lines if line["nodes"][node]["state"] == state]

    def longest(node, state):
        """On a busy host a node can be silent for a moment: the longest silence is that of the
        pause."""
        runs, run = [], []
        for line in lines:
            run = [*run, line] if line["nodes"][node]["state"] == state else []
            runs.append(run)
        return max(runs, key=len)

    for line in lines:
        counts = [{event["event"]: event["count"] for event in node["events"]} for node in line["nodes"]]
        # Without context switches there is no rate.
        if not all(count["context-switches"] > 0 for count in counts):
            continue
        expected = [count["page-faults"] / count["context-switches"] for count in counts]
        mean = sum(expected) / len(expected)
        near = 1e-9 * (mean + 1)
        for node, value in zip(line["nodes"], expected):
            (rate,) = node["rates"]
            if (abs(rate["value"] - value) > near or abs(rate["difference"] - value + mean) > near or
                    not rate["low_95"] <= rate["value"] <= rate["high_95"]):
                sys.exit(f"interval {line['interval']}: {rate} is not {value}, {value - mean} from the mean")
    silent, gone = longest(1, "silent"), longest(2, "gone")
    before = [line for line in in_state(1, "here") if line["interval"] < silent[0]["interval"]]
    back = [line for line in in_state(1, "here") if line["interval"] > silent[-1]["interval"]]
    again = [line for line in in_state(2, "here") if line["interval"] > gone[-1]["interval"]]
    for what, good in (
            ("the band of a node that is paused is that of no knowledge", width(silent[-1], 1) > 0.99),
            ("it was narrower before", min(width(line, 1) for line in before) < 0.9),
            ("it is narrower when it is back", min(width(line, 1) for line in back) < 0.9),
            ("the band of a node that is killed is that of no knowledge", width(gone[-1], 2) > 0.99),
            ("it is narrower when the node has begun again", min(width(line, 2) for line in again) < 0.9),
            ("meanwhile node 2 is read", min(width(line, 2) for line in silent) < 0.9),
            ("meanwhile node 1 is read", min(width(line, 1) for line in gone) < 0.9),
            # Not in each interval: an interval that a busy host makes too long is left out.
            ("node 0 is read both times", all(min(width(line, 0) for line in run) < 0.9 for run in (silent, gone)))):
        if not good:
            sys.exit(f"not so: {what}")
    print(len(lines), "intervals of node 0")


command, directory = sys.argv[1], pathlib.Path(sys.argv[2])
{"issued": issued, "both": both, "samples": samples, "views": views, "paused": paused}[command](
    directory, *(float(word) if "." in word else int(word) for word in sys.argv[3:]))
