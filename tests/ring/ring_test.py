#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The ring against a second model, written from docs/ring.md alone: equal in each packet that leaves a node.

usage: ring_test.py RING_PACKETS
"""
import pathlib
import random
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / "harness")]
from processes import LIMIT  # noqa: E402
from test import check, equal, suite_end  # noqa: E402

import ring_model  # noqa: E402

CLOCKS = 3000
REQUESTS = [0x00, 0x0F, 0x13, 0x2F, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47]
DEFAULTS = {"nodes": 4, "hop": 4, "gap": 1, "output": 4, "active": 8, "input": 8, "service": 8, "go_bits": True,
            "first": 0, "last": 0, "commands": [0x43], "steps": []}


def made(config, seed):
    """What emu/ring sends."""
    arguments = [config[key] for key in ("nodes", "hop", "gap", "output", "active", "input", "service")]
    arguments += [int(config["go_bits"]), config["first"], config["last"],
                  sum(1 << target for target in config["targets"]), seed, CLOCKS,
                  "".join(f"{command:02x}" for command in config["commands"]),
                  ",".join(f"{clocks}:{share}" for clocks, share in config["steps"]) or "-"]
    lines = subprocess.run([sys.argv[1]] + [str(argument) for argument in arguments], check=True, capture_output=True,
                           text=True, timeout=LIMIT).stdout.splitlines()
    packets = []
    for line in lines:
        clock, node, digits = line.split()
        packets.append((int(clock), int(node), [int(digits[at:at + 4], 16) for at in range(0, len(digits), 4)]))
    return packets


def compare(name, seed, **changes):
    config = {**DEFAULTS, **changes}
    config.setdefault("targets", range(config["nodes"]))
    expected, got = list(ring_model.run(config, seed, CLOCKS)), made(config, seed)
    at = next((at for at, pair in enumerate(zip(expected, got)) if pair[0] != pair[1]), min(len(expected), len(got)))
    check(f"{name}: {len(expected)} packets", expected and expected == got,
          f"seed {seed}, {config}: packet {at}: {got[at:at + 1]}, expected {expected[at:at + 1]}")
    return expected


def random_config(dice):
    first = dice.choice([0, 0, 10, 200])
    config = {"nodes": dice.randint(2, 7), "hop": dice.choice([1, 2, 4, 9, 31]), "gap": dice.randint(1, 4),
              "output": dice.randint(1, 5), "active": dice.randint(1, 9), "input": dice.choice([1, 1, 2, 8]),
              "service": dice.choice([1, 8, 60, 250]), "go_bits": dice.random() < 0.8, "first": first,
              "last": first + dice.choice([0, 30, 400]), "commands": dice.sample(REQUESTS, dice.randint(1, 6))}
    if dice.random() < 0.3:
        config["targets"] = sorted({1} | set(dice.sample(range(config["nodes"]), 1)))
    if dice.random() < 0.3:
        config["steps"] = [(dice.randint(0, 50), 1 << 30), (dice.randint(51, 300), 3 << 30), (400, 2**32 - 1)]
    return config


def main():
    compare("a saturated ring", 1)
    compare("the thesis's load at 667 MB/s", 2, first=200, last=2001, commands=[0x40, 0x41, 0x43, 0x44])
    hot = compare("a receiver with little room", 3, input=1, service=150, targets=[0])
    phases = {symbols[1] >> 10 & 3 for _, _, symbols in hot if not symbols[1] & 0x100}
    equal("packets come again in both generations", {1, 2, 3}, phases)
    dice = random.Random(42)
    for number in range(40):
        compare(f"random ring {number}", dice.getrandbits(64), **random_config(dice))


main()
suite_end()
