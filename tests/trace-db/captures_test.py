#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of every capture of the project, by tshark with the dissector and by smile trace import.

What lives here: captures of the tests' programs, of the adapter, of every workload of smile sim, of smile run
and of smile trace record, the shared FFT capture, and packets of the cable. In each capture, tshark must find as many
frames as the importer, none malformed, and report no error of tshark or of Lua; and every field of every frame must be
equal in the database. The importer reads whole captures. tshark needs 0.1 ms for a frame, so it reads only the first
CAPTURE_FRAMES frames of each capture (0: all frames), which the importer also reads a second time.

usage: [CAPTURE_FRAMES=3000] captures_test.py SMILE-LUA SMILE PROGRAMS SCRATCH
"""
import json
import lzma
import os
import shutil
import sqlite3
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import frames
import processes
from test import check, equal, skip, suite_end
from tshark import Tshark

MOST = int(os.environ.get("CAPTURE_FRAMES", "3000"))
ERROR = 0x800000  # of _ws.expert.severity; all above are none
# The fields of the dissector, by the columns of `packets`.
FIELDS = ["type", "time_ns", "source", "target", "command", "transaction_id", "address", "extended", "echo", "old",
          "phase", "spr", "mpr", "code", "status", "status_rest", "transaction_id_again", "tpr", "tod_mantissa",
          "tod_exponent", "trace_bit", "parity", "reserved", "post", "crc"]
OTHERS = ["_ws.malformed", "_ws.lua.error", "_ws.expert.severity", "smile.malformed", "smile.extended_header",
          "smile.data", "smile.request"]

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


class Suite(Tshark):
    def __init__(self, script, smile, programs, scratch):
        super().__init__(script)
        self.smile, self.programs = os.path.abspath(smile), os.path.abspath(programs)
        self.kinds, self.frames = {}, 0
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        os.chdir(scratch)

    def imports(self, capture, database):
        done = processes.run([self.smile, "trace", "import", capture, "-o", database, "--json"], capture_output=True,
                             text=True)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def seconds_ns(text):
    whole, _, part = text.partition(".")
    return int(whole) * 10**9 + int(part.ljust(9, "0"))


def row_wanted(row):
    """The fields that the dissector must show for a row of `packets`."""
    fields, (fault, header, data, request) = list(row[:-4]), row[-4:]
    return fields + ["" if not fault else "1", (header or b"").hex(), (data or b"").hex(),
                     "" if request is None else str(request + 1)]


def row_shown(row):
    """The same for a row of tshark's fields."""
    first = [seconds_ns(cell) if name == "time_ns" else int(cell, 0) if cell else None
             for name, cell in zip(FIELDS, row)]
    malformed, header, data, request = row[len(FIELDS) + 3:]
    return first + ["1" if malformed else "", header, data, request]


def compared(suite, name, capture):
    """Compare tshark's rows with those of the database; count the equal rows by command and type."""
    database = f"{name}.db"
    status, sums, error = suite.imports(capture, database)
    counted = sum(one["packets"] for one in sums)
    names = [f"smile.{one}" if one != "time_ns" else "frame.time_epoch" for one in FIELDS]
    shown = suite.rows(capture, names + OTHERS)
    equal(f"{name}: as many frames in tshark as in the database", (0, counted), (status, len(shown)))
    bad = [row for row in shown if row[len(FIELDS)] or row[len(FIELDS) + 1] or any(
        int(one) >= ERROR for one in row[len(FIELDS) + 2].split(",") if one)]
    check(f"{name}: none malformed, no error of tshark or of Lua", shown and not bad, (error, bad[:2]))
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        stored = connection.execute(f"SELECT {', '.join(FIELDS)}, fault, extended_header, data, request FROM packets "
                                    "ORDER BY trace, packet").fetchall()
    differ = [(number, pair) for number, pair in enumerate(zip(map(row_wanted, stored), map(row_shown, shown)))
              if pair[0] != pair[1]]
    check(f"{name}: every field of {len(shown)} frames is the database's", len(shown) == len(stored) and not differ,
          differ[:2])
    for row in stored:
        suite.kinds[row[4], row[0]] = suite.kinds.get((row[4], row[0]), 0) + 1
    suite.frames += len(shown)


def capture_checked(suite, name, capture):
    status, sums, error = suite.imports(capture, f"{name}-whole.db")
    counted = sum(one["packets"] for one in sums)
    check(f"{name}: the importer finds no malformed frame in all {counted}", status == 0 and counted and not any(
        one["malformed"] or one["damage"] for one in sums), (error, sums))
    if MOST and counted > MOST:
        processes.run(["editcap", "-r", capture, f"{name}-part.pcap", f"1-{MOST}"], stderr=subprocess.DEVNULL,
                      check=True)
        capture = f"{name}-part.pcap"
    compared(suite, name, capture)


def workloads(suite):
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
        for part in parts:
            capture_checked(suite, part[:-5], part)


def recorded(suite):
    """A pcapng file with comments, flags and statistics, and packets of every type."""
    frames.capture("types.pcap", frames.random_packets(21, 3000))
    done = processes.run([suite.smile, "trace", "record", "types.pcap", "-o", "types.pcapng", "--trigger",
                          "type=lock count=40", "--position", "100"], capture_output=True, text=True)
    check("a trace with a trigger is recorded", done.returncode == 0, done)
    capture_checked(suite, "types", "types.pcap")
    capture_checked(suite, "recorded", "types.pcapng")


# Fields of the dissector, in the order of cable_test's lines; an echo has its transaction id at another place.
CABLE_FIELDS = ["type", "target", "source", "mpr", "spr", "phase", "old", "command", "busy", "transaction_id", "trace",
                "tod_exponent", "tod_mantissa", "tpr", "address", "status", "flow", "count"]


def cable(suite):
    """Packets of the cable, link type 148: each field must be as encoded, and damage is named."""
    done = processes.run([os.path.join(suite.programs, "cable/cable_test"), "cable.pcapng", "2000"],
                         capture_output=True, text=True)
    written = [[int(cell) for cell in line.split()] for line in done.stdout.splitlines()]
    rows = suite.rows("cable.pcapng", [f"smile_cable.{name}" for name in CABLE_FIELDS] + [
        "smile_cable.echo_transaction_id", "_ws.malformed", "_ws.lua.error", "_ws.expert.severity"])
    shown = []
    for row in rows:
        values = [int(cell, 0) if cell else 0 for cell in row[:len(CABLE_FIELDS) + 1]]
        shown.append(values[:9] + [values[9] or values[-1]] + values[10:-1])
    equal("cable: as many packets in tshark as were written", (0, 2000, 2000), (
        done.returncode, len(written), len(rows)))
    check("cable: none malformed, no error of tshark or of Lua", rows and not any(
        any(row[-3:]) for row in rows), rows[:2])
    differ = [pair for pair in zip(written, shown) if pair[0] != pair[1]]
    check("cable: every field of every packet, and all 20 types", not differ and {row[0] for row in shown} == set(
        range(1, 21)), differ[:2])
    damaged = [b"", b"\1", b"\1\0", b"\1\0\0", b"\7\0" * 9, b"\3\0" + b"\xff" * 16, b"\2\0\1\0\1\0\1\0", b"\2\0" * 3,
               b"\1\0" + bytes(8), b"\1\0" + b"\0\0\0\1\0\0\0\0", b"\1\0\0\0\x55\0" + bytes(20), b"\1\0" + bytes(600)]
    with open("damaged.pcap", "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 148))
        for data in damaged:
            out.write(struct.pack("<IIII", 0, 0, len(data), len(data)) + data)
    rows = suite.rows("damaged.pcap", ["_ws.expert.message", "_ws.lua.error"])
    check("cable: each damaged packet is named, without an error of Lua", len(rows) == len(damaged) and all(
        row[0].startswith("The packet ") and not row[1] for row in rows), rows)


def main():
    shared = os.path.abspath("../shared/captures/fft16k-node0.pcap.xz")
    suite = Suite(*sys.argv[1:5])
    for kind in "small", "straddle", "far", "sweep", "foreign":
        processes.run([os.path.join(suite.programs, "tools/mkcapture"), f"{kind}.pcap", kind], check=True)
        capture_checked(suite, kind, f"{kind}.pcap")
    processes.run([os.path.join(suite.programs, "trace-db/adapter_capture"), "adapter.pcap"], check=True)
    capture_checked(suite, "adapter", "adapter.pcap")
    recorded(suite)
    workloads(suite)
    cable(suite)
    if os.path.exists(shared):
        with lzma.open(shared) as packed, open("shared.pcap", "wb") as out:
            shutil.copyfileobj(packed, out)
        capture_checked(suite, "shared", "shared.pcap")
    else:
        skip("the shared FFT capture is not there", 4)
    types = {kind for _, kind in suite.kinds}
    check(f"every command and every type was among the {suite.frames} frames", set(range(21, 37)) | {0} == types and
          set(frames.NAMES) <= {command for command, _ in suite.kinds}, sorted(types))
    suite_end()


main()
