#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Fuzzing the dissector: tshark decodes frames that do not occur on a B-Link.

What lives here: rounds, each a capture of frames by another seed: random bytes, whole frames with changed bits and
lengths, frames of which a capture holds a part, and packets of the cable. tshark must show each frame and name its
fault, without an error of Lua or of tshark itself. A round that fails leaves its capture. Needs tshark.

usage: dissector_fuzz.py SMILE-LUA SCRATCH [SECONDS [SEED]]    without SECONDS one round
"""
import os
import random
import shutil
import struct
import sys
import time

for _folder in "harness", "trace-db":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", _folder))
import frames
from test import check, suite_end
from tshark import Tshark

FRAMES = 3000
# The dissector's texts by fault; the first one is for valid frames.
TEXTS = [[], ["The frame ends before BD1 and BD2 do"], ["The length is no whole number of 64-bit words"],
         ["The frame has more words than any B-Link frame"], ["The command does not exist"],
         ["The frame has another length than its command calls for"]]
LONE = "No request for this response in the capture"
CUT = "The capture holds a part of the frame only"
LENGTHS = [0, 1, 2, 7, 8, 15, 16, 17, 23, 24, 31, 32, 40, 41, 56, 88, 104, 280, 288, 296, 297, 304, 312, 4000, 65535]


def changed(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice([0, 1, 1, 2, 8])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    if chance.random() < 0.3:
        data = data[:chance.randrange(len(data) + 1)]
    elif chance.random() < 0.2:
        data += chance.randbytes(chance.choice([1, 4, 8, 16, 300]))
    return bytes(data)


def packets_of(seed):
    """(time in ns, frame, its length on the link); 128 rounds have every command with every length."""
    chance, at, packets = random.Random(seed), 0, []
    for length in LENGTHS:
        data = bytearray(chance.randbytes(length))
        if length > 2:
            data[2] = seed & 0x7F | chance.randrange(2) << 7
        packets.append((at, bytes(data), length))
    while len(packets) < FRAMES:
        at = max(0, at + chance.choice([0, 10, 1000, 10**9, -500, 10**12]))
        data = changed(chance, frames.random_frame(chance)) if chance.random() < 0.8 else chance.randbytes(
            chance.choice(LENGTHS))
        packets.append((at % (1 << 61), data, len(data) + (chance.choice([1, 8, 70000]) if chance.random() < 0.1 else 0)))
    return packets


def cable_packets(seed):
    """Packets of cable symbols: each kind, with any command, truncated and extended."""
    chance, packets = random.Random(seed), []
    while len(packets) < FRAMES // 3:
        data = bytearray(struct.pack("<H", chance.choice([0, 1, 1, 1, 1, 1, 2, 3, 4])))
        data += chance.randbytes(chance.choice([0, 1, 6, 8, 10, 12, 16, 18, 24, 32, 48, 80, 96, 272, 288, 700]))
        if len(data) > 6 and chance.random() < 0.9:
            data[4] = chance.choice(sorted(frames.NAMES)) | chance.randrange(2) << 7
        packets.append((0, bytes(data), len(data)))
    return packets


def capture(path, packets, link_type=147):
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, link_type))
        for at, data, length in packets:
            out.write(struct.pack("<IIII", at // 10**9 % (1 << 32), at % 10**9, len(data), length) + data)


def round_run(tshark, seed):
    """Return: an error message, or None."""
    packets = packets_of(seed)
    capture("round.pcap", packets)
    got = tshark.rows("round.pcap", ["_ws.malformed", "_ws.lua.error", "smile.malformed", "_ws.expert.message",
                                     "smile.type"], "-2")
    if len(got) != len(packets):
        return f"{len(got)} of {len(packets)} frames"
    for number, ((_, data, length), row) in enumerate(zip(packets, got), 1):
        fault = frames.fault_of(data)
        cut = length > len(data) >= 16
        # tshark marks frames that the dissector has reported as malformed, and frames that it could
        # not decode completely.
        texts = [one for one in row[3].split(",") if one and one != LONE]
        if row[1] or bool(row[0]) != bool(fault or cut) or bool(row[2]) != bool(fault) or texts != TEXTS[fault] + [
                CUT] * cut:
            return f"frame {number}: fault {fault}: {row}"
        if row[4] != str(frames.row_of(data)[0]):
            return f"frame {number}: type {row[4]}, not {frames.row_of(data)[0]}"
    if tshark.tshark("round.pcap", "-V").count("SMiLE B-Link") < len(packets):
        return "a tree is missing"
    return cable_run(tshark, seed)


def cable_run(tshark, seed):
    packets = cable_packets(seed)
    capture("round.pcap", packets, 148)
    got = tshark.rows("round.pcap", ["_ws.malformed", "_ws.lua.error", "_ws.expert.message"])
    if len(got) != len(packets):
        return f"cable: {len(got)} of {len(packets)} packets"
    for number, row in enumerate(got, 1):
        # A packet of random symbols has a correct CRC only by chance.
        if row[1] or bool(row[0]) != row[2].startswith("The packet "):
            return f"cable: packet {number}: {row}"
    if sum(bool(row[0]) for row in got) < 0.99 * len(got):
        return "cable: damaged packets are not named"
    return None


def main():
    tshark, scratch = Tshark(sys.argv[1]), sys.argv[2]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0
    seed = first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    end = time.monotonic() + seconds
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    os.chdir(scratch)
    wrong = round_run(tshark, seed)
    while not wrong and time.monotonic() < end:
        seed += 1
        wrong = round_run(tshark, seed)
    check(f"the dissector survives {seed - first + 1} rounds of {FRAMES} frames, from seed {first}", not wrong,
          f"seed {seed}, {os.path.abspath('round.pcap')}: {wrong}")
    suite_end()


main()
