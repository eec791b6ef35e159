#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of the ring against a second model, written only from docs/ring.md: both must agree in each packet that leaves
a node, and in the measured values of all nodes.

usage: ring_test.py RING_PACKETS [SEED RINGS NETWORKS]    the numbers of random cases; the same seed gives the same cases
"""
import pathlib
import random
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / "harness")]
from processes import LIMIT  # noqa: E402
from test import check, equal, suite_end  # noqa: E402

import ring_model  # noqa: E402

SEED, RINGS, NETWORKS = (int(argument) for argument in sys.argv[2:5] or (42, 200, 40))
# The first, the last and a middle command of each of readsb, writesb and locksb.
REQUESTS = [0x00, 0x05, 0x0F, 0x10, 0x13, 0x1F, 0x20, 0x2A, 0x2F, *range(0x40, 0x48)]
DEFAULTS = {"topology": "alone", "width": 0, "nodes": 4, "hop": 4, "gap": 1, "output": 4, "active": 8, "input": 8, "service": 8, "go_bits": True,
            "first": 0, "last": 0, "commands": [0x43], "steps": [], "trace": None}


def made(config, seed, clocks):
    """The packets that emu/ring sends, and the values that its nodes measure."""
    arguments = [config[key] for key in ("topology", "width", "nodes", "hop", "gap", "output", "active", "input", "service")]
    arguments += [int(config["go_bits"]), config["first"], config["last"],
                  sum(1 << target for target in config["targets"]), seed, clocks,
                  "-" if config["trace"] else "".join(f"{command:02x}" for command in config["commands"]),
                  ",".join(f"{clocks}:{share}" for clocks, share in config["steps"]) or "-"]
    trace = "".join(f"{node} {' '.join(str(int(number)) for number in row)}\n"
                    for node, rows in enumerate(config["trace"] or []) for row in rows)
    lines = subprocess.run([sys.argv[1]] + [str(argument) for argument in arguments], check=True, capture_output=True,
                           input=trace, text=True, timeout=LIMIT).stdout.splitlines()
    packets, points = [], []
    for line in lines:
        *place, digits = line.split()
        if place[0] == "points":
            points.append([int(number) for number in line.split()[1:]])
            continue
        packets.append((*map(int, place), [int(digits[at:at + 4], 16) for at in range(0, len(digits), 4)]))
    return packets, points


def compare(name, seed, **changes):
    config = {**DEFAULTS, **changes}
    config.setdefault("targets", range(config["nodes"]))
    # Longer than the longest interval, so that each ring has traffic; a small ring takes longer to fill its buffers.
    clocks = max(4000, 16000 // config["nodes"])
    model = ring_model.network(config, seed)
    expected = list(model.run(clocks))
    got, measured = made(config, seed, clocks)
    at = next((at for at, pair in enumerate(zip(expected, got)) if pair[0] != pair[1]), min(len(expected), len(got)))
    check(f"{name}: {len(expected)} packets", expected and expected == got,
          f"seed {seed}, {config}: packet {at}: {got[at:at + 1]}, expected {expected[at:at + 1]}")
    check(f"{name}: measuring points", model.points() == measured,
          f"seed {seed}, {config}: {measured}, expected {model.points()}")
    return expected


def random_topology(dice):
    """Any network of section 8 with at most 64 nodes; small sizes, since each node may be in two ringlets."""
    topology, width = dice.choice(["ring", "ringlets", "torus"]), dice.randint(2, 6)
    if topology == "torus":
        return {"topology": topology, "width": width, "nodes": width * dice.randint(2, 6)}
    if topology == "ringlets":
        width -= dice.randint(0, 1)
        return {"topology": topology, "width": width, "nodes": dice.randint(width + 1, 6 * width)}
    return {"topology": topology, "nodes": dice.randint(2, 12)}


def random_config(dice, topology=None):
    """Any ring of section 3 and any load of section 7. Small numbers are likelier: there most rules apply together."""
    config = topology or {"nodes": dice.choice([2, 2, 3, 4, 5, 6, 7, 8, dice.randint(9, 64)])}
    nodes = config["nodes"]
    first = dice.choice([0, 0, 0, 1, 10, 50, 200, 1000])
    config |= {
        "hop": dice.choice([1, 1, 2, 4, dice.randint(1, 31)]), "gap": dice.randint(1, 4),
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


def random_trace(dice, nodes):
    """Up to 60 requests for each node."""
    return [[(dice.choice([0, 1, dice.randint(2, 20), dice.randint(0, 300)]), number > 0 and dice.random() < 0.5,
              dice.choice([target for target in range(nodes) if target != node]), dice.choice(REQUESTS),
              64 * dice.getrandbits(20)) for number in range(dice.randint(0, 60))] for node in range(nodes)]


def main():
    compare("a saturated ring", 1)
    compare("the thesis's load at 667 MB/s", 2, first=200, last=2001, commands=[0x40, 0x41, 0x43, 0x44])
    hot = compare("a receiver with little room", 3, input=1, service=150, targets=[0])
    phases = {symbols[1] >> 10 & 3 for *_, symbols in hot if not symbols[1] & 0x100}
    equal("packets come again in both generations", {1, 2, 3}, phases)
    dice = random.Random(SEED)
    for number in range(RINGS):
        compare(f"random ring {number} of seed {SEED}", dice.getrandbits(64), **random_config(dice))
    dice = random.Random(SEED)
    for number in range(NETWORKS):
        config = random_config(dice, random_topology(dice))
        if number % 3 == 0:
            config["trace"] = random_trace(dice, config["nodes"])
        compare(f"random network {number} of seed {SEED}", dice.getrandbits(64), **config)


main()
suite_end()
