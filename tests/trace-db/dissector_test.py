#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The dissector in tshark against frames that are taken apart here.

What lives here: every field of every type, pairs with their times, what is malformed, frames of random
bytes, and the project's captures without a malformed one: those of every workload and of smile run whole by
smile trace import, and the begin of each by tshark. Needs tshark.

usage: dissector_test.py SMILE-LUA MKCAPTURE SMILE SCRATCH
"""
import json
import lzma
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import frames
import processes
from test import check, equal, skip, suite_end

EXPERTS = ["", "short", "ragged", "long", "unknown", "length"]


class Suite:
    def __init__(self, script, mkcapture, smile, scratch):
        self.script, self.mkcapture = os.path.abspath(script), os.path.abspath(mkcapture)
        self.smile = os.path.abspath(smile)
        scratch = os.path.abspath(scratch)
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        os.chdir(scratch)

    def tshark(self, capture, *arguments):
        result = processes.run(["tshark", "-n", "-X", f"lua_script:{self.script}", "-r", capture, *arguments],
                               env={**os.environ, "HOME": os.getcwd(), "LC_ALL": "C.UTF-8"}, capture_output=True,
                               text=True)
        error = "\n".join(line for line in result.stderr.splitlines() if "Running as user" not in line)
        if result.returncode or error or "Lua Error" in result.stdout:
            check(f"tshark {' '.join(arguments)} on {capture}", False, (result.returncode, error[:2000]))
        return result.stdout

    def rows(self, capture, names, *arguments):
        options = [option for name in names for option in ("-e", name)]
        text = self.tshark(capture, "-T", "fields", "-E", "occurrence=a", *options, *arguments)
        return [line.split("\t") for line in text.splitlines()]


def number(text):
    return int(text, 0) if text else None


def every_field(suite):
    packets = frames.random_packets(11, 3000) + frames.random_packets(12, 1000, 0.6)
    frames.capture("random.pcap", packets)
    names = sorted(frames.fields_of(frames.request(0, 1, 3, 0, 0, bytes(16))).keys() | {"status", "status_rest"})
    columns = ["smile.type", "smile.data", "smile.request", "smile.response", "smile.response_ns"] + [
        f"smile.malformed.{name}" for name in EXPERTS[1:]]
    got = suite.rows("random.pcap", columns + [f"smile.{name}" for name in names], "-2")
    equal("a row per packet", len(packets), len(got))
    pairs = frames.pairs_of(packets)
    answers = {pair: packet for packet, pair in enumerate(pairs) if pair is not None}
    wrong = []
    for packet, ((time, data), row) in enumerate(zip(packets, got)):
        row += [""] * (len(columns) + len(names) - len(row))
        fault = frames.fault_of(data)
        other = pairs[packet] if pairs[packet] is not None else answers.get(packet)
        # The second part of the packets begins again in time: a response before its request has none.
        apart = None if other is None else abs(packets[other][0] - time)
        if other is not None and (packets[other][0] > time) != (other > packet):
            apart = None
        want = [str(frames.row_of(data)[0])]
        want += ["" if fault or not frames.fields_of(data) else data[16 + 16 * (data[2] >> 7):-8].hex()]
        want += [str(number + 1) if number is not None else "" for number in (pairs[packet], answers.get(packet))]
        want += ["" if apart is None else str(apart)]
        experts = [bool(cell) for cell in row[5:10]]
        if row[:5] != want or experts != [index == fault for index in range(1, 6)]:
            wrong.append((packet, fault, row[:10], want))
        values = dict(zip(names, row[len(columns):]))
        if fault == 0 and {name: number(value) for name, value in values.items() if value} != frames.fields_of(data):
            wrong.append((packet, values, frames.fields_of(data)))
    check("types, data, pairs and their times, what is malformed, every field", not wrong, wrong[:2])
    equal("all types are there", {str(one) for one in range(21, 37)} | {"0"}, {row[0] for row in got})


def columns(suite):
    frames.capture("two.pcap", [(5_000_000_001, frames.request(2, 1, 0x40, 9, 0xABC0)),
                                (5_000_003_042, frames.response(1, 2, 0x7E, 9))])
    text = suite.tshark("two.pcap", "-2").splitlines()
    check("columns a person can read", len(text) == 2 and "node 2" in text[0] and "B-Link" in text[0] and
          text[0].endswith("nread64 0xabc0, id 9, answered by 2") and
          text[1].endswith("response64, id 9, answers 1 after 3041 ns"), text)
    tree = suite.tshark("two.pcap", "-V")
    check("the tree has links and marks of confidence", "[Answers the request in: 1]" in tree and
          "[Response time: 0.000003041 seconds]" in tree and "transaction id [H]: 9" in tree, tree)
    only = suite.rows("two.pcap", ["frame.number"], "-Y", "smile.response_time > 0.000003")
    equal("display filters", [["2"]], only)
    with open(os.path.join(os.path.dirname(suite.script), "..", "tools/wireshark/profile/colorfilters"),
              encoding="ascii") as file:
        filters = [line.split("@")[2] for line in file if line.startswith("@")]
    check("the colours' filters are filters", len(filters) > 4 and all(
        suite.rows("two.pcap", ["frame.number"], "-Y", one) is not None for one in filters), filters)


def hostile(suite):
    chance = random.Random(3)
    packets = [(number, chance.randbytes(chance.choice([0, 1, 8, 15, 16, 17, 24, 40, 296, 304, 4000])))
               for number in range(2000)]
    frames.capture("noise.pcap", packets)
    got = suite.rows("noise.pcap", ["smile.type", "_ws.expert.message"], "-2")
    unnamed = [packet for packet, ((_, data), row) in enumerate(zip(packets, got))
               if frames.fault_of(data) and not any(row[1:])]
    check("random bytes: none dropped, each malformed one is named", len(got) == len(packets) and not unnamed,
          unnamed[:5])
    check("and the tree of each can be drawn", "SMiLE B-Link" in suite.tshark("noise.pcap", "-V"), "")


def imported(suite, name, captures):
    """The importer takes frames apart by the same tables: all packets of @captures, none malformed."""
    done = processes.run([suite.smile, "trace", "import", *captures, "-o", f"{name}.db", "--no-data", "--json"],
                         capture_output=True, text=True)
    sums = [json.loads(line) for line in done.stdout.splitlines()]
    check(f"{name}: the importer finds no malformed frame in all {sum(one['packets'] for one in sums)}",
          done.returncode == 0 and len(sums) == len(captures) and all(one["packets"] > 100 for one in sums) and
          not any(one["malformed"] or one["damage"] for one in sums), (done.stderr, sums))


PROGRAM = """#include <pthread.h>
static double grid[4096];
static void *work(void *from)
{
	for (int i = 0; i < 4096; i++)
		grid[i] += *(int *)from;
	return from;
}
int main(void)
{
	pthread_t thread[2];
	static int number[2] = {1, 2};
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], 0, work, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], 0);
	return grid[5] != 3;
}
"""


def simulated(suite):
    """What smile sim captures of each workload, and smile run of a program."""
    sizes = {"sor": ["--size", "64", "--iterations", "2"], "fft": ["--size", "256"], "radix": ["--size", "1024"],
             "gauss": ["--size", "32"], "water": ["--size", "32", "--iterations", "1"]}
    with open("program.c", "w", encoding="ascii") as file:
        file.write(PROGRAM)
    processes.run([os.environ.get("CC", "cc"), "-g", "-pthread", "-o", "program", "program.c"], check=True)
    runs = {name: ["sim", name, *options, "--nodes", "2"] for name, options in sizes.items()}
    runs["run"] = ["run", "--nodes", "2"]
    for name, command in runs.items():
        done = processes.run([suite.smile, *command, "--capture", name, "-q", *(["./program"] if name == "run" else [])],
                             capture_output=True, text=True)
        parts = sorted(one for one in os.listdir() if one.startswith(f"{name}-node") and one.endswith(".pcap"))
        check(f"{name} is captured on two nodes", done.returncode == 0 and len(parts) == 2, (done, parts))
        imported(suite, name, parts)
        got = suite.rows(parts[0], ["smile.type", "smile.malformed", "_ws.malformed"], "-c", "2000")
        check(f"{name}: the dissector neither", len(got) > 100 and all(row[0] and not any(row[1:]) for row in got),
              got[:3])


def captures(suite, shared):
    for kind in "small", "straddle", "far", "sweep", "foreign":
        processes.run([suite.mkcapture, f"{kind}.pcap", kind], check=True)
        equal(f"no malformed frame in the tests' capture {kind}", [], suite.rows(
            f"{kind}.pcap", ["frame.number"], "-Y", "smile.malformed || _ws.malformed"))
    if not shared:
        skip("the shared FFT capture is not there", 1)
        return
    with lzma.open(shared) as packed, open("fft.pcap", "wb") as out:
        shutil.copyfileobj(packed, out)
    imported(suite, "shared", ["fft.pcap"])
    processes.run(["editcap", "-r", "fft.pcap", "part.pcap", "1-40000"], stderr=subprocess.DEVNULL)
    got = suite.rows("part.pcap", ["smile.malformed", "smile.request", "smile.type"])
    check("the shared FFT capture: no malformed frame, each response with its request", len(got) == 40000 and
          not any(row[0] for row in got) and all(row[1] for row in got if int(row[2]) > 28), len(got))


def main():
    shared = os.path.abspath("../shared/captures/fft16k-node0.pcap.xz")
    suite = Suite(*sys.argv[1:5])
    every_field(suite)
    columns(suite)
    hostile(suite)
    simulated(suite)
    captures(suite, shared if os.path.exists(shared) else None)
    suite_end()


main()
