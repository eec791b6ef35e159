#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A second implementation of the filter of `smile stat --filter`, event by event and without shared code.

usage: reference.py READINGS P MODEL <OUTPUT: compares the estimates that it reads with its own
       reference.py make DIRECTORY: readings.csv and p.csv
"""
import csv, math, pathlib, random, sys

EVENTS = [("cycles", 5.26e6, 38.8, 6.19e6, 2.7e9), ("misses, all", 2.02e4, 112.7, 2.53e4, 0.0),
          ("branches", 1170.0, 30.66, 1288.0, 1e4), ("slow", 10.0, 0.5, 1e3, 1.0), ("unread", 3.0, 7.0, -4.0, 0.5)]


def make(directory):
    """Sets of two events in rotation, intervals of different lengths, some of them without a reading."""
    draw = random.Random(24)
    with open(directory / "p.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["event", "sigma", "beta", "mean", "r", "comment"])
        rows.writerows([*event, "an extra column"] for event in EVENTS)
    with open(directory / "readings.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["interval", "dt_s", "event", "value"])
        for k in range(200):
            dt = 0.02 if k < 50 else 0.02 * (1 + 0.1 * draw.random())
            chosen = [] if k % 11 == 4 else [(2 * k) % 4, (2 * k + 1) % 4]
            for i in chosen:
                name, sigma, _, mean, _ = EVENTS[i]
                rows.writerow([k + 1, dt, name, mean + sigma * draw.gauss(0, 1)])
            if not chosen:
                rows.writerow([k + 1, dt, "", ""])


def gauss_markov(sigma, beta, mean, r, steps):
    x, p = 0.0, sigma * sigma
    for k, (dt, z) in enumerate(steps):
        if k:
            phi = math.exp(-beta * dt)
            x, p = phi * x, phi * phi * p + sigma * sigma * (1 - math.exp(-2 * beta * dt))
        if z is not None:
            gain = p / (p + r)
            x, p = x + gain * (z - mean - x), (1 - gain) * p
        yield mean + x, math.sqrt(p)


def integrated(sigma, beta, mean, r, steps):
    x1, x2, p11, p12, p22 = mean, 0.0, sigma * sigma, 0.0, sigma * sigma
    for k, (dt, z) in enumerate(steps):
        if k:
            f = math.exp(-beta * dt)
            a = (1 - f) / beta
            q11 = 2 * sigma**2 / beta * (dt - 2 / beta * (1 - f) + (1 - f * f) / (2 * beta))
            q12 = 2 * sigma**2 * ((1 - f) / beta - (1 - f * f) / (2 * beta))
            q22 = sigma**2 * (1 - f * f)
            x1, x2 = x1 + a * x2, f * x2
            p11, p12, p22 = (p11 + 2 * a * p12 + a * a * p22 + q11, f * (p12 + a * p22) + q12, f * f * p22 + q22)
        if z is not None:
            s = p11 + r
            k1, k2, y = p11 / s, p12 / s, z - x1
            x1, x2 = x1 + k1 * y, x2 + k2 * y
            p11, p12, p22 = p11 - k1 * p11, p12 - k1 * p12, p22 - k2 * p12
        yield x1, math.sqrt(max(p11, 0))


def compare(readings, parameters, model):
    events = [(row["event"], *(float(row[k]) for k in ("sigma", "beta", "mean", "r")))
              for row in csv.DictReader(open(parameters, newline=""))]
    intervals = {}
    for row in csv.DictReader(open(readings, newline="")):
        dt, read = intervals.setdefault(int(row["interval"]), (float(row["dt_s"]), {}))
        if row["event"]:
            read[row["event"]] = float(row["value"])
    process = {"gauss-markov": gauss_markov, "integrated": integrated}[model]
    expected = {name: process(*numbers, [(dt, read.get(name)) for dt, read in intervals.values()])
                for name, *numbers in events}
    sigma = {event[0]: event[1] for event in events}
    rows = csv.reader(sys.stdin)
    if next(rows) != ["interval", "event", "estimate", "sd"]:
        sys.exit("another header")
    count = 0
    for interval in intervals:
        for name, *_ in events:
            got = next(rows)
            x, sd = next(expected[name])
            if got[:2] != [str(interval), name]:
                sys.exit(f"{got} in place of interval {interval}, {name}")
            if abs(float(got[2]) - x) > 1e-7 * (abs(x) + sigma[name]) or abs(float(got[3]) - sd) > 1e-6 * sigma[name]:
                sys.exit(f"{got}: {x} {sd}")
            count += 1
    if next(rows, None):
        sys.exit("rows at the end")
    print(count, "rows")


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]))
else:
    compare(*sys.argv[1:])
