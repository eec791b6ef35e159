#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Compares a state file in which all events were read with estimates for which four of the card's events are read at a
time. There are three estimates: of the card's events only; together with the processor's software events; and together
with the processor's loads from other nodes' memory. A hardware counter of the processor would count these loads; here
they are the sum of the card's counts of this node's own reads. Prints the errors of the card's events: of the totals in
percent, and of unread intervals divided by the errors of holding the last reading.

usage: joint_bench.py [--header] SMILE NAME STATE.csv
"""
import csv, io, math, random, subprocess, sys, tempfile

AT_ONCE, ROUNDS = 4, 5
SOFTWARE = ("page-faults", "context-switches", "task-clock")
LOADS = "loads of others' memory"


def load(path):
    """Lengths of the intervals, and each event's counts."""
    lengths, counts = [], {}
    for row in csv.DictReader(open(path, newline="")):
        if int(row["interval"]) > len(lengths):
            lengths.append(float(row["dt_s"]))
        counts.setdefault(row["event"], []).append(float(row["value"] or "nan"))
    return lengths, counts


def turns(events, intervals, seed):
    """The events that are read in each interval: each event once in each round, in another order
    in each round."""
    draw, left, sets = random.Random(seed), [], []
    for _ in range(intervals):
        if not left:
            left = events[:]
            draw.shuffle(left)
        sets.append(left[:AT_ONCE])
        left = left[AT_ONCE:]
    return sets


def estimate(smile, lengths, counts, sets, beside):
    with tempfile.NamedTemporaryFile("w+", suffix=".csv") as readings, \
            tempfile.NamedTemporaryFile("r", suffix=".csv") as state:
        print("interval,dt_s,event,value", file=readings)
        for t, (dt, read) in enumerate(zip(lengths, sets)):
            for event in list(beside) + read:
                print(t + 1, dt, event, counts[event][t], sep=",", file=readings)
        readings.flush()
        totals = subprocess.run([smile, "stat", "--readings", readings.name, "--csv", "-o", state.name], check=True,
                                capture_output=True, text=True).stdout
        totals = {row["event"]: row for row in csv.DictReader(io.StringIO(totals))}
        states = {(int(row["interval"]) - 1, row["event"]): (float(row["estimate"] or "nan"), float(row["sd"] or "nan"))
                  for row in csv.DictReader(state)}
    return totals, states


def main(smile, name, path):
    lengths, counts = load(path)
    card = [event for event in counts if event not in SOFTWARE and sum(counts[event]) > 0 and len(set(counts[event])) > 3]
    software = [event for event in SOFTWARE if len(set(counts[event])) > 3]
    own = [event for event in card if event.startswith("node1") and event.endswith("read")]
    counts[LOADS] = [sum(values) for values in zip(*(counts[event] for event in own))] or [0] * len(lengths)
    cells = []
    for extra in ([], software, [LOADS]):
        errors, ratios, within, unread = [], [], 0, 0
        for seed in range(ROUNDS):
            sets = turns(card, len(lengths), seed)
            totals, states = estimate(smile, lengths, counts, sets, extra)
            for event in card:
                truth = counts[event]
                errors.append(100 * abs(float(totals[event]["count"]) / sum(truth) - 1))
                square, held, last, n = 0.0, 0.0, None, 0
                for t, read in enumerate(sets):
                    if event in read:
                        last = truth[t] / lengths[t]
                        continue
                    value, sd = states[t, event]
                    if last is None or math.isnan(value):
                        continue
                    n += 1
                    square += (value - truth[t]) ** 2
                    held += (last * lengths[t] - truth[t]) ** 2
                    unread += 1
                    within += abs(value - truth[t]) <= 1.96 * sd
                if held:
                    ratios.append(math.sqrt(square / held))
        cells += [sum(errors) / len(errors), sum(ratios) / len(ratios), 100 * within / unread]
    print("%-6s %6d %9d" % (name, len(card), len(lengths)), "".join(
        "%9.2f%6.2f%6.1f" % tuple(cells[i:i + 3]) for i in range(0, 9, 3)))


if sys.argv[1] == "--header":
    sys.argv.pop(1)
    print("Of a card's events, four read at a time: error of totals in percent; rms error of unread intervals by that of\n"
          "holding; percent of them within their 95 % bands")
    print("%-6s %6s %9s %21s%21s%21s" % ("", "events", "intervals", "alone", "with software events", "with remote loads"))
main(*sys.argv[1:])
