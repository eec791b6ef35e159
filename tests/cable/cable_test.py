#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Packets of the cable, decoded only by docs/cable.md, compared with the fields from which they
were encoded.

usage: cable_test.py CABLE_TEST SCRATCH
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / part) for part in ("trace", "harness")]
from cable_packets import decode  # noqa: E402
from pcapng import read_pcapng  # noqa: E402
from processes import LIMIT  # noqa: E402
from test import check, equal, skip, suite_end  # noqa: E402

program = os.path.realpath(sys.argv[1])
shutil.rmtree(sys.argv[2], ignore_errors=True)
os.makedirs(sys.argv[2])
os.chdir(sys.argv[2])


def main():
    made = subprocess.run([program, "cable.pcapng", "2000"], check=True, capture_output=True, text=True,
                          timeout=LIMIT).stdout
    fields = [[int(number) for number in line.split()] for line in made.splitlines()]
    section = read_pcapng("cable.pcapng", 148)
    equal("fields of 2000 packets", fields, [decode(packet.data) for packet in section.packets])
    equal("all types", set(range(1, 21)), {row[0] for row in fields})
    if shutil.which("tshark"):
        lines = subprocess.run(["tshark", "-r", "cable.pcapng", "-T", "fields", "-e", "frame.time_epoch", "-e",
                                "frame.len"], check=True, capture_output=True, text=True,
                               timeout=LIMIT).stdout.split("\n")
        equal("tshark: the same stamps and lengths", [(packet.time_ns, packet.length) for packet in section.packets],
              [(int(time.replace(".", "")), int(length)) for time, length in (line.split("\t") for line in lines if line)])
    else:
        skip("tshark is not installed")
    check("the longest packet has 145 symbols", max(packet.length for packet in section.packets) == 290)


main()
suite_end()
