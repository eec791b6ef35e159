#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The ring against a second model, written from docs/ring.md alone: equal in each packet that leaves a node.

usage: ring_test.py RING_PACKETS [SEED RINGS]    so many random rings; a seed gives the same ones again
"""
import pathlib
import random
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / "harness")]
from processes import LIMIT  # noqa: E402
from test import check, equal, suite_end  # noqa: E402

import ring_model  # noqa: E402

SEED, RINGS = (int(argument) for argument in sys.argv[2:4] or (42, 300))
# Of readsb, writesb and locksb the first, the last and one between.
REQUESTS = [0x00, 0x05, 0x0F, 0x10, 0x13, 0x1F, 0x20, 0x2A, 0x2F, *range(0x40, 0x48)]
DEFAULTS = {"nodes": 4, "hop": 4, "gap": 1, "output": 4, "active": 8, "input": 8, "service": 8, "go_bits": True,
            "first": 0, "last": 0, "commands": [0x43], "steps": []}


def made(config, seed, clocks):
    """What emu/ring sends."""
    arguments = [config[key] for key in ("nodes", "hop", "gap", "output", "active", "input", "service")]
    arguments += [int(config["go_bits"]), config["first"], config["last"],
                  sum(1 << target for target in config["targets"]), seed, clocks,
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
    # Longer than the longest interval, so that no ring is silent; a small ring takes longer to fill its buffers.
    clocks = max(4000, 16000 // config["nodes"])
    expected, got = list(ring_model.run(config, seed, clocks)), made(config, seed, clocks)
    at = next((at for at, pair in enumerate(zip(expected, got)) if pair[0] != pair[1]), min(len(expected), len(got)))
    check(f"{name}: {len(expected)} packets", expected and expected == got,
          f"seed {seed}, {config}: packet {at}: {got[at:at + 1]}, expected {expected[at:at + 1]}")
    return expected


def random_config(dice):
    """Any ring of section 3 and any load of section 7. Small numbers are likelier: there the rules meet each other."""
    nodes = dice.choice([2, 2, 3, 4, 5, 6, 7, 8, dice.randint(9, 64)])
    first = dice.choice([0, 0, 0, 1, 10, 50, 200, 1000])
    config = {"nodes": nodes, "hop": dice.choice([1, 1, 2, 4, dice.randint(1, 31)]), "gap": dice.randint(1, 4),
              "output": dice.choice([1, 2, 4, dice.randint(1, 16)]),
              "active": dice.choice([1, 2, 8, dice.randint(1, 16)]),
              "input": dice.choice([1, 1, 2, 8, dice.randint(1, 16)]),
              "service": dice.choice([1, 2, 8, 60, 250, dice.randint(1, 1000)]), "go_bits": dice.random() < 0.8,
              "first": first, "last": first + dice.choice([0, 1, 30, 400, 2000]),
              "commands": dice.sample(REQUESTS, dice.randint(1, 8))}
    if dice.random() < 0.5:
        config["targets"] = sorted(dice.sample(range(nodes), dice.choice([1, 2, dice.randint(1, nodes)])))
    if dice.random() < 0.3:
        shares = sorted(dice.getrandbits(32) for _ in range(dice.randint(1, 8)))
        config["steps"] = [(dice.choice([0, dice.randint(1, 50), dice.randint(1, 600)]), share) for share in shares]
    return config


def main():
    compare("a saturated ring", 1)
    compare("the thesis's load at 667 MB/s", 2, first=200, last=2001, commands=[0x40, 0x41, 0x43, 0x44])
    hot = compare("a receiver with little room", 3, input=1, service=150, targets=[0])
    phases = {symbols[1] >> 10 & 3 for _, _, symbols in hot if not symbols[1] & 0x100}
    equal("packets come again in both generations", {1, 2, 3}, phases)
    dice = random.Random(SEED)
    for number in range(RINGS):
        compare(f"random ring {number} of seed {SEED}", dice.getrandbits(64), **random_config(dice))


main()
suite_end()
