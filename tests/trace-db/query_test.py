#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of the queries of docs/trace-db.md, and of transaction, follow, latency and interarrival, against plain scans.

What lives here: three traces of the same traffic, each recorded at another place; the documented SQL is read
from the document and executed.

usage: query_test.py SMILE SCRATCH
"""
import bisect
import csv
import json
import os
import random
import re
import shutil
import sqlite3
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import frames
import processes
from test import check, equal, suite_end

DOCUMENT = os.path.abspath("docs/trace-db.md")
REQUESTS, RESPONSES = range(21, 29), range(29, 37)


def traffic(seed, count):
    """Transactions of four nodes: (time, requester, home, command, id, address, response's time)."""
    chance, time, next_id, done = random.Random(seed), 10**6, [0] * 4, []
    for _ in range(count):
        time += chance.choice([10, 20, 500, 4000])
        source = chance.randrange(4)
        home = (source + chance.randrange(1, 4)) % 4
        done.append((time, source, home, chance.choice([0x03, 0x13, 0x40, 0x44]), next_id[source],
                     chance.randrange(1 << 16), time + chance.choice([1000, 3000, 3000, 9000])))
        next_id[source] = (next_id[source] + 1) % 64
    return done


def seen(transactions, node, shift, requests=True, skip=()):
    """The packets on a node's B-Link, with stamps that are @shift later than at the requester."""
    packets = []
    for number, (time, source, home, command, transaction, address, answered) in enumerate(transactions):
        if node not in (source, home):
            continue
        answer = {0x03: 0x7D, 0x13: 0x7C, 0x40: 0x7E, 0x44: 0x7C}[command]
        later = 0 if node == source else shift
        if requests:
            packets.append((time + later, frames.request(source, home, command, transaction, address)))
        if number not in skip:
            packets.append((answered - later, frames.response(home, source, answer, transaction, 2)))
    return sorted(packets, key=lambda packet: packet[0])


class Suite:
    def __init__(self, smile, scratch):
        self.smile, self.scratch = os.path.abspath(smile), os.path.abspath(scratch)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        os.chdir(self.scratch)
        transactions = traffic(5, 4000)
        self.traces = [None, seen(transactions, 0, 40, skip=range(100, 3900, 97)), seen(transactions, 1, 40),
                       seen(transactions, 2, 40, requests=False)]
        for number, packets in enumerate(self.traces[1:], 1):
            frames.capture(f"{number}.pcap", packets)
            self.run("import", f"{number}.pcap", "-o", "run.db", "--node", str(number - 1))
        self.pairs = [None] + [frames.pairs_of(packets) for packets in self.traces[1:]]

    def run(self, *arguments):
        result = processes.run([self.smile, "trace", *arguments], capture_output=True, text=True)
        if result.returncode or result.stderr:
            check(" ".join(arguments), False, result)
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def packets(self, holds, trace=None):
        """(trace, packet) of each packet for which @holds(time, row) is true: a plain scan."""
        return [(number, packet) for number in ([trace] if trace else range(1, 4))
                for packet, (time, data) in enumerate(self.traces[number]) if holds(time, frames.row_of(data))]


def documented():
    with open(DOCUMENT, encoding="utf-8") as document:
        return dict(re.findall(r"```sql\n-- (\w+)\n(.*?)```", document.read(), re.S))


def queries(suite):
    sql, connection = documented(), sqlite3.connect("file:run.db?mode=ro", uri=True)
    equal("the document has all queries", set("abcdef") | {"latency"}, set(sql))

    def run(name, **parameters):
        return connection.execute(sql[name], parameters).fetchall()

    time, data = suite.traces[2][1000]
    _, target, source, _, transaction, _, _, _ = frames.row_of(data)
    got = run("a", trace=2, packet=1000)
    check("(a) one packet", len(got) == 1 and got[0][:4] == (2, 1000, frames.row_of(data)[0], time), got)
    want = suite.packets(lambda _, row: row[0] in REQUESTS and row[1:3] == (1, 0) and 5000 <= row[5] <= 30000)
    check("(b) requests by target, source, address", sorted(row[:2] for row in run(
        "b", target=1, source=0, first=5000, last=30000)) == want and want, len(want))
    listed = suite.run("list", "run.db", "--json", "--type", "request", "--target", "1", "--source", "0",
                       "--address", "5000..30000").splitlines()
    equal("(b) by smile trace list", want, [(row["trace"], row["packet"]) for row in map(json.loads, listed)])
    want = suite.packets(lambda at, row: abs(at - time) <= 9000 and row[4] == transaction and
                         row[1:3] in ((source, target), (target, source)))
    equal("(c) a transaction's packets", want, sorted(row[:2] for row in run(
        "c", source=source, target=target, transaction_id=transaction, from_ns=time - 9000, to_ns=time + 9000)))
    followed = [(number, packet) for number, packet in suite.packets(lambda at, _: abs(at - time) <= 1000)
                if suite.traces[number][packet][1][:16] == data[:16]]
    equal("(d) a packet over traces", followed, sorted(row[1:3] for row in run(
        "d", trace=2, packet=1000, window_ns=1000)))
    times = [at for at, data in suite.traces[1] if frames.row_of(data)[0] in REQUESTS and
             frames.row_of(data)[2] == 0]
    equal("(e) inter-arrival times", [b - a for a, b in zip(times, times[1:])], [row[0] for row in run(
        "e", trace=1, source=0)][1:])
    want = suite.packets(lambda at, _: time <= at <= time + 50000)
    got = run("f", from_ns=time, to_ns=time + 50000)
    check("(f) several traces by time", sorted(row[:2] for row in got) == want and
          [row[2] for row in got] == sorted(row[2] for row in got), got[:3])
    merged(suite, time)
    got = run("latency", source=1)
    equal("response times", sorted(latencies(suite, lambda row: row[2] == 1)),
          sorted(value for value, count in got for _ in range(count)))


def merged(suite, time):
    """list --merge against sorted() over all packets, including a trace whose stamps decrease."""
    shutil.copy("run.db", "merge.db")
    frames.capture("back.pcap", suite.traces[2][500:900] + suite.traces[2][100:500])
    suite.run("import", "back.pcap", "-o", "merge.db")
    every = [None, *suite.traces[1:], suite.traces[2][500:900] + suite.traces[2][100:500]]
    order = sorted((at, trace, packet) for trace in range(1, 5) for packet, (at, _) in enumerate(every[trace]))
    cases = {
        "all": ([], lambda at, trace, row: True),
        "--time": (["--time", f"{time}..{time + 90000}"], lambda at, trace, row: time <= at <= time + 90000),
        "traces 2 and 4": (["--trace", "2", "--trace", "4"], lambda at, trace, row: trace in (2, 4)),
        "trace 4": (["--trace", "4"], lambda at, trace, row: trace == 4),
        "conditions": (["--trace", "1", "--trace", "4", "--type", "request", "--source", "1"],
                       lambda at, trace, row: trace in (1, 4) and row[0] in REQUESTS and row[2] == 1),
    }
    for name, (options, holds) in cases.items():
        want = [one for one in order if holds(one[0], one[1], frames.row_of(every[one[1]][one[2]][1]))]
        for more, cut in ([], want), (["--reverse"], want[::-1]), (["--limit", "50"], want[:50]):
            got = [(row["time_ns"], row["trace"], row["packet"]) for row in map(json.loads, suite.run(
                "list", "merge.db", "--merge", "--json", *options, *more).splitlines())]
            check(f"(f) by list --merge: {name} {' '.join(more)}", len(cut) > 10 and got == cut, (len(got), len(cut)))
        equal(f"--count: {name}", str(len(want)), suite.run("list", "merge.db", "--count", *options).strip())
    plain = [(row["trace"], row["packet"]) for row in map(json.loads, suite.run(
        "list", "merge.db", "--json", "--trace", "4", "--trace", "2").splitlines())]
    equal("several traces without --merge: by trace and number", sorted(one[1:] for one in order if one[1] in (2, 4)),
          plain)


def latencies(suite, holds):
    return [packets[number][0] - packets[pair][0] for packets, pairs in zip(suite.traces[1:], suite.pairs[1:])
            for number, pair in enumerate(pairs) if pair is not None and holds(frames.row_of(packets[pair][1]))]


def members(suite):
    """Transactions and packets over all traces, compared with the generated traffic."""
    wrong = []
    for number in range(20, 220, 7):
        time, data = suite.traces[1][number]
        row = frames.row_of(data)
        if row[0] not in REQUESTS:
            continue
        answer = next((packet for packet, pair in enumerate(suite.pairs[1]) if pair == number), None)
        other = row[1] if row[2] == 0 else row[2]
        trace = other + 1
        seen_there = [packet for packet, (at, there) in enumerate(suite.traces[trace]) if trace < 4
                      and there == data and abs(at - time) == 40] if trace < 4 else []
        want = [(1, number)] + ([(1, answer)] if answer is not None else []) + [(2, packet) for packet in seen_there]
        want += [(2, packet) for packet, pair in enumerate(suite.pairs[2]) if seen_there and pair == seen_there[0]
                 ] if trace == 2 else []
        got = {tuple(packet[key] for key in ("trace", "packet"))
               for packet in suite.json("transaction", "run.db", "1", str(number))["packets"]}
        # Trace 3 contains no request; the response in it also belongs to the transaction.
        third = {packet for packet in got if packet[0] == 3}
        if got - third != set(want) or (trace == 3) != (len(third) == 1):
            wrong.append((number, row, sorted(got), sorted(want)))
        if answer is not None and got != {tuple(packet[key] for key in ("trace", "packet")) for packet in
                                          suite.json("transaction", "run.db", "1", str(answer))["packets"]}:
            wrong.append((number, answer))
        path = [tuple(packet[key] for key in ("trace", "packet"))
                for packet in suite.json("follow", "run.db", "1", str(number))["packets"]]
        if set(path) != {(1, number)} | ({(2, packet) for packet in seen_there} if trace == 2 else set()):
            wrong.append((number, "follow", path))
    check("transaction and follow find the same packets in every trace", not wrong, wrong[:2])
    lone = next(packet for packet, (_, data) in enumerate(suite.traces[3]))
    got = suite.json("transaction", "run.db", "3", str(lone))["packets"]
    check("a response without its request there is found with it elsewhere", got[0]["type"] in REQUESTS and
          {packet["transaction_id"] for packet in got} == {got[0]["transaction_id"]} and
          (3, lone) in {(packet["trace"], packet["packet"]) for packet in got}, got)
    text = suite.run("transaction", "run.db", "1", "20").splitlines()
    check("as text: a heading, and a packet a line", len(text) > 2 and text[1].endswith("+0 ns"), text)


def drawn(rows, apart):
    """The document's recipe: the values that a simulator draws must have the measured distribution."""
    def draw(share):
        at = bisect.bisect_left(cumulative, share)
        return int(rows[at]["value_ns"])

    cumulative = [float(row["cumulative"]) for row in rows]
    equal("drawn with evenly spaced numbers: the values themselves", apart, [
        draw((number + 0.5) / len(apart)) for number in range(len(apart))])
    chance, size = random.Random(9), 20000
    sample = sorted(draw(chance.random()) for _ in range(size))
    # Kolmogorov and Smirnov: the probability of a larger difference is one in a million; the numbers never change.
    most = max(abs(bisect.bisect_right(sample, int(row["value_ns"])) / size - share)
               for row, share in zip(rows, cumulative))
    check("drawn with random numbers: the same distribution", most < 2.7 / size ** 0.5, most)
    check("and u = 0 and 1 are values, too", draw(0.0) == apart[0] and draw(1.0) == apart[-1])


def distributions(suite):
    values = latencies(suite, lambda row: row[3] == 0x40)
    got = suite.json("latency", "run.db", "--command", "nread64")
    mean, deviation = statistics.fmean(values), statistics.pstdev(values)
    asked = len([1 for packets in suite.traces[1:] for _, data in packets if frames.row_of(data)[3] == 0x40])
    equal("latency: summary", (len(values), asked - len(values), min(values), max(values), sorted(values)[
        (len(values) + 1) // 2 - 1]), tuple(got[key] for key in ("count", "left_out", "min_ns", "max_ns", "median_ns")))
    check("latency: mean, deviation, burstiness", abs(got["mean_ns"] - mean) < 1e-6 and
          abs(got["deviation_ns"] - deviation) < 1e-6 and
          abs(got["burstiness"] - (deviation - mean) / (deviation + mean)) < 1e-9, got)
    equal("latency: the histogram holds all", len(values), sum(one["count"] for one in got["histogram"]))
    check("latency: each class holds its own", all(one["count"] == sum(
        one["first_ns"] <= value <= one["last_ns"] for value in values) for one in got["histogram"]), got)
    times = [at for at, data in suite.traces[2] if frames.row_of(data)[0] in REQUESTS]
    apart = sorted(b - a for a, b in zip(times, times[1:]))
    got = suite.json("interarrival", "run.db", "--trace", "2", "--type", "request", "--distribution", "apart.csv",
                     "--plot", "apart.svg")
    equal("interarrival: count, 99 %", (len(apart), apart[-(-99 * len(apart) // 100) - 1]),
          (got["count"], got["p99_ns"]))
    with open("apart.csv", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    equal("--distribution: every value with its count", apart, [
        int(row["value_ns"]) for row in rows for _ in range(int(row["count"]))])
    check("and cumulative shares up to 1", float(rows[-1]["cumulative"]) == 1.0 and
          [float(row["cumulative"]) for row in rows] == sorted(float(row["cumulative"]) for row in rows), rows[-1])
    drawn(rows, apart)
    with open("apart.svg", encoding="utf-8") as file:
        picture = file.read()
    check("--plot draws histogram and distribution, with units", picture.startswith("<?xml") and
          "Histogram" in picture and "Empirical distribution" in picture and "time, ns" in picture, picture[:200])
    check("and the summary, the conditions and both lines", f"median {apart[(len(apart) + 1) // 2 - 1]} ns" in picture and
          "burstiness" in picture and "trace 2, type request" in picture and ">median<" in picture and ">99 %<" in picture,
          [line for line in picture.splitlines() if "<tspan" in line])
    result = processes.run([suite.smile, "trace", "latency", "run.db", "--plot", "none.png"], capture_output=True,
                           text=True)
    check("a picture that would be no SVG", result.returncode == 2 and "ends in .svg" in result.stderr and
          not os.path.exists("none.png"), result)
    for conditions in ("--type response --address 5..6", "--command response16 --address 5",
                       "--command readsb --type response", "--command event00 --type 25"):
        for verb in "list", "interarrival":
            result = processes.run([suite.smile, "trace", verb, "run.db", *conditions.split()], capture_output=True,
                                   text=True)
            check(f"{verb} {conditions}: no packet can match", result.returncode == 2 and not result.stdout and
                  "no packet can match" in result.stderr, result)
    for conditions in "--type 0,response --address 5..6", "--command event00 --type 0 --address 5", "--command 5 --type 21":
        result = processes.run([suite.smile, "trace", "list", "run.db", *conditions.split()], capture_output=True,
                               text=True)
        check(f"list {conditions}: some could", result.returncode == 0 and not result.stderr, result)
    text = suite.run("latency", "run.db")
    check("latency as text", "50 % up to" in text and "burstiness" in text and "####" in text, text)
    result = processes.run([suite.smile, "trace", "latency", "run.db", "--source", "77", "--plot", "none.svg"],
                           capture_output=True, text=True)
    check("nothing to draw", result.returncode == 2 and "nothing to draw" in result.stderr and
          not os.path.exists("none.svg"), result)


def main():
    suite = Suite(sys.argv[1], sys.argv[2])
    queries(suite)
    members(suite)
    distributions(suite)
    suite_end()


main()
