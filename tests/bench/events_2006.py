#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Table B.1 of 2006 as parameters of `smile stat`: events_2006.py TABLE.csv. Events without data are left out."""
import csv, sys

print("event,sigma,beta,mean,r")
for row in csv.DictReader(open(sys.argv[1], newline="")):
    try:
        values = [float(row[key]) for key in ("sigma", "beta_per_s", "mean_per_40ms")]
    except ValueError:
        continue
    if all(0 < value < 1e15 for value in values):
        print("{} {} cpu {},{},{},{},0".format(row["event"], row["symbol_b1"], row["cpu"], *values))
