#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of the dissector in tshark against frames that this test decodes itself.

What lives here: every field of every type, pairs with their times, malformed frames, and frames of random
bytes. captures_test.py tests the project's captures. Needs tshark.

usage: dissector_test.py SMILE-LUA SCRATCH
"""
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import frames
from test import check, equal, suite_end
from tshark import Tshark

EXPERTS = ["", "short", "ragged", "long", "unknown", "length"]


class Suite(Tshark):
    def __init__(self, script, scratch):
        super().__init__(script)
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        os.chdir(scratch)


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
        # In the second part of the packets, time starts again: a response before its request has no time.
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


def main():
    suite = Suite(sys.argv[1], sys.argv[2])
    every_field(suite)
    columns(suite)
    hostile(suite)
    suite_end()


main()
