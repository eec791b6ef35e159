#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile trace import, list and show against frames that this test decodes itself.

What lives here: every type of packet is imported, and every field is read, by the command and by Python's sqlite3;
imports that are repeated, cut off, interrupted and killed; captures of several interfaces; files that are not
databases; the shared FFT capture.

usage: import_test.py SMILE SCRATCH
"""
import json
import lzma
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import frames
import processes
from test import check, equal, skip, suite_end

COLUMNS = ("trace, packet, type, time_ns, target, source, command, transaction_id, address, payload_bytes, "
           "extended")


class Suite:
    def __init__(self, smile, scratch):
        self.smile, self.scratch = os.path.abspath(smile), os.path.abspath(scratch)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        os.chdir(self.scratch)

    def run(self, *arguments, **options):
        return processes.run([self.smile, "trace", *arguments], capture_output=True, text=True, **options)

    def lines(self, *arguments):
        result = self.run(*arguments)
        check(" ".join(arguments[:1]) + " ends well", result.returncode == 0 and not result.stderr, result)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def refuses(self, name, message, *arguments):
        result = self.run(*arguments)
        check(name, result.returncode == 2 and not result.stdout and message in result.stderr, result)


def rows(database, sql, *parameters):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(sql, parameters).fetchall()


def every_type(suite):
    packets = frames.random_packets(1, 9000) + frames.random_packets(2, 3000, 0.5)
    frames.capture("random.pcap", packets)
    result = suite.run("import", "random.pcap", "-o", "random.db", "--node", "3", "--json")
    faults = [frames.fault_of(data) for _, data in packets]
    equal("import reports what there is",
          {"schema": "smile.trace.import/1", "file": "random.pcap", "interface": None, "trace": 1, "packets": len(packets),
           "malformed": sum(fault != 0 for fault in faults), "already": False, "damage": None},
          json.loads(result.stdout))
    expected = [(1, number, row[0], time) + row[1:] for number, (time, row) in
                enumerate((time, frames.row_of(data)) for time, data in packets)]
    got = rows("random.db", f"SELECT {COLUMNS} FROM packets ORDER BY trace, packet")
    check("every packet's columns, by plain SQLite", got == expected and len(got) == len(packets),
          next((pair for pair in zip(got, expected) if pair[0] != pair[1]), len(got)))
    equal("all 16 types of the B-Link and none", set(range(21, 37)) | {0}, {row[2] for row in got})
    equal("what is wrong with frames", [(fault,) for fault in faults],
          rows("random.db", "SELECT fault FROM packets ORDER BY packet"))
    equal("requests of responses", [(pair,) for pair in frames.pairs_of(packets)],
          rows("random.db", "SELECT request FROM packets ORDER BY packet"))
    fields(suite, packets, faults)
    conditions(suite, packets, expected)
    return packets


def fields(suite, packets, faults):
    """Every field of whole frames in the view; some packets by show, bit for bit."""
    whole = [number for number, fault in enumerate(faults) if fault == 0]
    names = sorted(name for name in frames.fields_of(packets[whole[0]][1]) if not name.startswith("extended_"))
    names = sorted(set(names) | {"status", "status_rest", "address"})
    got = rows("random.db", f"SELECT packet, {', '.join(names)} FROM packets WHERE fault = 0 ORDER BY packet")
    expected = [(number, *(frames.fields_of(packets[number][1]).get(name) for name in names)) for number in whole]
    check("every field of every whole frame", got == expected and len(got) > 5000,
          next((pair for pair in zip(got, expected) if pair[0] != pair[1]), len(got)))
    seen = {}
    for number, (_, data) in enumerate(packets):
        seen.setdefault((frames.row_of(data)[0], faults[number]), number)
    check("there are packets of every type and with every fault", len(seen) > 60, len(seen))
    wrong = []
    for number in seen.values():
        shown = json.loads(suite.run("show", "random.db", "1", str(number), "--json").stdout)
        text = suite.run("show", "random.db", "1", str(number))
        data = packets[number][1]
        good = shown["frame"] == data.hex() and f"packet {number}," in text.stdout and not text.stderr
        if good and faults[number] == 0:
            want = frames.fields_of(data)
            good = {name: shown.get(name) for name in want} == want and shown["data"] == data[
                16 + 16 * want["extended"]:-8].hex()
            good = good and all(f" {name} " in text.stdout for name in want)
            good = good and {place["name"] for place in shown["places"]} == set(want)
            good = good and all(int.from_bytes(data[place["byte"]:place["byte"] + 8], "little") >> place["bit"] &
                                (1 << place["bits"]) - 1 == place["value"] for place in shown["places"])
        if not good:
            wrong.append((number, shown, text))
    check("show gives the frame bit for bit, every field and where it lies", not wrong, wrong[:1])


def conditions(suite, packets, expected):
    """list against a plain scan."""
    some = expected[4321]
    # trace 0, packet 1, type 2, time 3, target 4, source 5, command 6, id 7, address 8
    cases = {
        "--source": (["--source", str(some[5])], lambda row: row[5] == some[5]),
        "--target": (["--target", str(some[4])], lambda row: row[4] == some[4]),
        "--address": (["--address", "0x100000000000..0x3fffffffffff"],
                      lambda row: row[8] is not None and 0x100000000000 <= row[8] <= 0x3FFFFFFFFFFF),
        "--address A..": (["--address", "0xf00000000000.."], lambda row: (row[8] or 0) >= 0xF00000000000),
        "--type": (["--type", "22,0,response"], lambda row: row[2] in (0, 22) or row[2] > 28),
        "--command": (["--command", "writesb"], lambda row: row[6] in range(0x10, 0x20)),
        "--command response16": (["--command", "response16"], lambda row: row[6] == 0x7D),
        "--transaction-id": (["--transaction-id", "17"], lambda row: row[7] == 17),
        "--time": (["--time", f"{some[3]}..{some[3] + 100000}"],
                   lambda row: some[3] <= row[3] <= some[3] + 100000),
        "--packets": (["--packets", "4090..4100"], lambda row: 4090 <= row[1] <= 4100),
        "--malformed": (["--malformed"], lambda row: frames.fault_of(packets[row[1]][1])),
        "several": (["--type", "request", "--transaction-id", "5", "--address", "..0x7fffffffffff"],
                    lambda row: row[2] in range(21, 29) and row[7] == 5 and row[8] < 1 << 47),
    }
    for name, (options, holds) in cases.items():
        want = [row[1] for row in expected if holds(row)]
        got = [row["packet"] for row in suite.lines("list", "random.db", "--json", *options)]
        check(f"list {name}: as a plain scan", want == got and want, (len(want), len(got)))
    got = suite.lines("list", "random.db", "--json", "--reverse", "--limit", "5000", "--type", "request")
    want = [row[1] for row in expected if row[2] in range(21, 29)][::-1][:5000]
    equal("list --reverse --limit", want, [row["packet"] for row in got])
    keys = COLUMNS.split(", ")
    equal("a line's keys are the columns", expected[77], tuple(
        suite.lines("list", "random.db", "--json", "--packets", "77")[0][key] for key in keys))
    text = suite.run("list", "random.db", "--packets", "0..4").stdout.splitlines()
    check("list as text: a heading and a line each", len(text) == 6 and text[0].split()[:2] == ["trace", "packet"],
          text)
    equal("list --count", str(len(expected)), suite.run("list", "random.db", "--count").stdout.strip())


def option(code, text):
    data = text.encode()
    return struct.pack("<HH", code, len(data)) + data + bytes(-len(data) % 4)


def block(kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


SECTION = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))


def description(name, snap_length=65535):
    return block(1, struct.pack("<HHI", 147, 0, snap_length) + struct.pack("<HHI", 9, 1, 9) + (option(2, name) if name else b""))


def enhanced(interface, time, data):
    return block(6, struct.pack("<IIIII", interface, time >> 32, time & 0xFFFFFFFF, len(data), len(data)) + data)


def trace_rows(database, trace):
    """A trace's name, node, and every packet as stored in the file."""
    name, node = rows(database, "SELECT name, node FROM traces WHERE trace = ?", trace)[0]
    return name, node, rows(database, "SELECT packet, time_ns, fault, bd1, bd2, pair, trailer, body FROM frames "
                            "WHERE trace = ? ORDER BY packet", trace)


def interfaces(suite):
    """pcapng with packets of several interfaces: one trace for each, as if the captures were imported separately."""
    for number in 0, 1, 2:
        frames.capture(f"part{number}.pcap", frames.random_packets(30 + number, 3000))
        suite.run("import", f"part{number}.pcap", "-o", "apart.db", "--node", str(number))
    apart = [trace_rows("apart.db", number)[2] for number in (1, 2, 3)]
    for number in 0, 1, 2:
        suite.run("record", f"part{number}.pcap", "-o", f"part{number}.pcapng", "--node", str(number))
    suite.run("record", "part0.pcap", "part1.pcap", "-o", "two.pcapng")
    processes.run(["mergecap", "-w", "merged.pcapng", "part0.pcapng", "part1.pcapng", "part2.pcapng"], check=True,
                  stderr=subprocess.DEVNULL)
    with open("sections.pcapng", "wb") as file:
        for number in 2, 1:
            with open(f"part{number}.pcapng", "rb") as part:
                file.write(part.read())
    cases = {"merged.pcapng": [("node0", 0, 0), ("node1", 1, 1), ("node2", 2, 2)],
             "two.pcapng": [("blink0", None, 0), ("blink1", None, 1)],
             "sections.pcapng": [("node2", 2, 2), ("node1", 1, 1)]}
    for capture, traces in cases.items():
        database = capture + ".db"
        done = suite.run("import", capture, "-o", database, "--json")
        sums = [json.loads(line) for line in done.stdout.splitlines()]
        names = [one["interface"] for one in sums]
        check(f"{capture}: a trace for each interface", done.returncode == 0 and not done.stderr and
              sorted(names) == sorted(name for name, _, _ in traces), (done, names))
        for trace, name in enumerate(names, 1):
            node, part = next((node, part) for one, node, part in traces if one == name)
            equal(f"{capture}: interface {name} is the capture that it was made of",
                  (f"{capture}:{name}", node, apart[part]), trace_rows(database, trace))
        again = suite.run("import", capture, "-o", database)
        equal(f"{capture}: twice is once", (0, len(traces), [(len(traces),)]), (
            again.returncode, again.stdout.count("already"), rows(database, "SELECT count(*) FROM traces")))
    text = suite.run("import", "merged.pcapng", "-o", "text.db").stdout
    check("each line names the interface", "merged.pcapng, interface node0: trace" in text, text)
    suite.refuses("--node with several interfaces", "cannot be the node of all", "import", "merged.pcapng", "-o",
                  "none.db", "--node", "4")
    with open("two.pcapng", "rb") as file:
        result = suite.run("import", "/dev/stdin", "-o", "none.db", stdin=file)
        check("a file as standard input is a file", result.returncode == 0, result)
    os.remove("none.db")
    with open("two.pcapng", "rb") as file:
        result = suite.run("import", "-", "-o", "none.db", input=file.read().decode("latin-1"), encoding="latin-1")
    check("of a pipe they are refused, with the remedy", result.returncode == 2 and not os.path.exists("none.db") and
          "tshark -r IN -Y 'frame.interface_id == N'" in result.stderr, result)
    handmade_interfaces(suite)


def handmade_interfaces(suite):
    """Files that no tool here writes: unused, nameless and late interfaces, old and simple packet blocks, damage."""
    data = frames.request(1, 0, 3, 0, 64)
    old = block(2, struct.pack("<HHIIII", 1, 0, 0, 5000, len(data), len(data)) + data)
    simple = block(3, struct.pack("<I", len(data)) + data)
    cases = {
        "one of two is used": ([description("a"), description("b"), enhanced(1, 7, data)], [("b", 1)]),
        "no packet": ([description("a"), description("b")], [(None, 0)]),
        "nameless": ([description(""), description(""), enhanced(1, 7, data), enhanced(0, 9, data)],
                     [(None, 1), (None, 1)]),
        "a later description": ([description("a"), enhanced(0, 7, data), description("node7\n"),
                                 enhanced(1, 8, data), enhanced(1, 9, data)], [("a", 1), ("node7?", 2)]),
        "old and simple blocks": ([description("a"), description("b"), old, simple, old],
                                  [("b", 2), ("a", 1)]),
        "a long name": ([description("x" * 400), description("y" * 700), enhanced(0, 7, data), enhanced(1, 7, data),
                         enhanced(1, 9, data)], [("x" * 63, 1), (None, 2)]),
        "snap lengths that differ": ([description("a", 65535), description("b", 262144), enhanced(1, 7, data),
                                      description("c", 0), enhanced(0, 8, data), enhanced(2, 9, data)],
                                     [("b", 1), ("a", 1), ("c", 1)]),
        "1000 interfaces": ([description(f"i{n}") for n in range(1000)] + [
            enhanced(n * 7 % 1000, n, data) for n in range(10)], [(f"i{n * 7}", 1) for n in range(10)]),
    }
    for name, (blocks, want) in cases.items():
        with open("made.pcapng", "wb") as file:
            file.write(SECTION + b"".join(blocks))
        if os.path.exists("made.db"):
            os.remove("made.db")
        done = suite.run("import", "made.pcapng", "-o", "made.db", "--json")
        equal(f"interfaces: {name}", (0, want), (done.returncode, [
            (one["interface"], one["packets"]) for one in map(json.loads, done.stdout.splitlines())]))
    with open("made.pcapng", "wb") as file:
        file.write(SECTION + description("a") + description("b") + enhanced(0, 7, data) + enhanced(1, 8, data) +
                   enhanced(0, 9, data)[:-9])
    done = suite.run("import", "made.pcapng", "-o", "damaged.db")
    check("a damaged one: all whole packets of each interface, and a message", done.returncode == 2 and
          "cut off" in done.stderr and rows("damaged.db", "SELECT name, packets FROM traces") == [
              ("made.pcapng:a", 1), ("made.pcapng:b", 1)], done)
    with open("made.pcapng", "wb") as file:
        file.write(SECTION + description("a") + enhanced(0, 7, data) + enhanced(5, 8, data))
    done = suite.run("import", "made.pcapng", "-o", "lost.db")
    check("a packet of no interface ends it", done.returncode == 2 and rows(
        "lost.db", "SELECT packets FROM traces") == [(1,)], done)


def repeated(suite, packets):
    before = rows("random.db", "SELECT count(*), sum(packet) FROM packets")
    result = suite.run("import", "random.pcap", "-o", "random.db")
    check("twice is once", result.returncode == 0 and "trace 1 already" in result.stdout and
          rows("random.db", "SELECT count(*), sum(packet) FROM packets") == before, result)
    with open("random.pcap", "rb") as capture:
        whole = capture.read()
    with open("cut.pcap", "wb") as cut:
        cut.write(whole[:-7])
    result = suite.run("import", "cut.pcap", "-o", "random.db")
    check("a damaged capture: all whole packets, a message, exit status 2", result.returncode == 2 and
          "cut off or damaged" in result.stderr and f"{len(packets) - 1:,} packets" in result.stdout, result)
    equal("its packets are trace 2", [(1, len(packets), None), (2, len(packets) - 1, True)],
          rows("random.db", "SELECT trace, packets, damage LIKE '%cut off%' FROM traces ORDER BY trace"))
    equal("and the same as those of trace 1", [(len(packets) - 1,)], rows(
        "random.db", "SELECT count(*) FROM frames a JOIN frames b USING(packet, time_ns, fault) "
        "WHERE a.trace = 1 AND b.trace = 2 AND a.bd1 IS b.bd1 AND a.bd2 IS b.bd2 AND a.body IS b.body"))
    result = suite.run("import", "-", "-o", "input.db", input=whole.decode("latin-1"), encoding="latin-1")
    check("from standard input", result.returncode == 0 and rows("input.db", "SELECT count(*) FROM packets") ==
          [(len(packets),)], result)
    result = suite.run("import", "random.pcap", "-o", "bare.db", "--no-data")
    equal("--no-data leaves payloads out and no field", (0, [(None, 0)]), (
        result.returncode, rows("bare.db", "SELECT max(length(data)), sum(fault = 0 AND crc IS NULL) FROM packets")))


def interrupted(suite):
    """Half a capture through a pipe, then a signal."""
    frames.capture("small.pcap", frames.random_packets(7, 100))
    suite.run("import", "small.pcap", "-o", "kept.db")
    frames.capture("large.pcap", frames.random_packets(3, 100000))
    with open("large.pcap", "rb") as capture:
        half = capture.read()[:9_000_000]
    for name, number in ("SIGTERM", signal.SIGTERM), ("SIGKILL", signal.SIGKILL):
        for database in "kept.db", f"new{name}.db":
            importer = processes.start([suite.smile, "trace", "import", "-", "-o", database],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            # The pipe holds less than this, so most has been read when the write returns.
            importer.stdin.write(half)
            importer.stdin.flush()
            importer.send_signal(number)
            error = importer.communicate()[1].decode()
            check(f"{name} while importing into {database} ends it", importer.returncode in (2, -9),
                  (importer.returncode, error))
            if database == "kept.db":
                equal(f"{name}: what was there is there, and no more", [(100, 1)], [
                    suite.run("list", database, "--count").returncode == 0 and
                    rows(database, "SELECT (SELECT count(*) FROM packets), (SELECT count(*) FROM traces)")[0]])
            elif os.path.exists(database):
                equal(f"{name}: nothing half in a new one", "0\n", suite.run("list", database, "--count").stdout)
            else:
                check(f"{name}: no new file", name == "SIGTERM", database)
    equal("imports go on", 0, suite.run("import", "random.pcap", "-o", "kept.db").returncode)


def foreign(suite):
    with open("text.db", "w", encoding="ascii") as out:
        out.write("this is a text, and longer than a header of SQLite has to be" * 20)
    open("empty.db", "w", encoding="ascii").close()
    sqlite3.connect("other.db").executescript("CREATE TABLE t(a); INSERT INTO t VALUES(1)").close()
    suite.refuses("list: no such file", "there is no file", "list", "none.db")
    suite.refuses("list: a text", "no trace database", "list", "text.db")
    suite.refuses("list: an empty file", "is empty", "list", "empty.db")
    suite.refuses("list: a folder", "is no file", "list", ".")
    suite.refuses("list: another program's database", "no trace database", "list", "other.db")
    for missing in (1, 3000):
        shutil.copyfile("random.db", "short.db")
        os.truncate("short.db", os.path.getsize("short.db") - missing)
        suite.refuses(f"show: a database without its last {missing} bytes", "short.db is cut off", "show", "short.db",
                      "1", "0")
        suite.refuses(f"import: a database without its last {missing} bytes", "short.db is cut off", "import",
                      "random.pcap", "-o", "short.db")
    suite.refuses("show: no such packet", "has no packet", "show", "random.db", "1", "99999999")
    suite.refuses("show: no such trace", "has no packet", "show", "random.db", "77", "0")
    suite.refuses("list: no such trace", "--trace 77: there is no such trace", "list", "random.db", "--trace", "77")
    suite.refuses("list: one of two is there", "--trace 77: there is no such trace", "list", "random.db",
                  "--trace", "1", "--trace", "77", "--count")
    suite.refuses("interarrival: no such trace", "--trace 77: there is no such trace", "interarrival", "random.db",
                  "--trace", "77")
    suite.refuses("import: what is no capture", "is no capture", "import", "text.db", "-o", "fresh.db")
    check("and no database is left", not os.path.exists("fresh.db"), os.listdir())
    suite.refuses("import into a text", "no trace database", "import", "random.pcap", "-o", "text.db")
    suite.refuses("import into another program's database", "no trace database", "import", "random.pcap", "-o",
                  "other.db")
    equal("which stays as it was", [(1,)], rows("other.db", "SELECT * FROM t"))
    hostile(suite)


def hostile(suite):
    """Databases that look valid until they are examined."""
    def changed(name, script):
        shutil.copyfile("input.db", name)
        connection = sqlite3.connect(name)
        connection.executescript("PRAGMA writable_schema = ON;" + script)
        connection.close()

    changed("view.db", "DROP VIEW packets; CREATE VIEW packets AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
            "SELECT i + 1 FROM n) SELECT i AS trace, i AS packet FROM n;")
    suite.refuses("a view that never ends", "'packets' is different", "list", "view.db")
    changed("table.db", "ALTER TABLE frames RENAME TO f; CREATE VIEW frames AS SELECT * FROM f;")
    suite.refuses("a view for a table", "is different", "list", "table.db")
    changed("version.db", "PRAGMA user_version = 99;")
    suite.refuses("another version", "of version 99", "list", "version.db")
    changed("values.db", "UPDATE frames SET fault = 99 WHERE packet = 5; "
            "UPDATE frames SET pair = 1000000 WHERE packet = 4;")
    suite.refuses("an impossible value", "is damaged: packet 5", "show", "values.db", "1", "5")
    equal("a request in front of the first packet is none", None, json.loads(
        suite.run("show", "values.db", "1", "4", "--json").stdout)["request"])
    changed("types.db", "UPDATE frames SET bd1 = 'text', bd2 = x'00', body = 1.5, time_ns = 'x', type = 'y' "
            "WHERE packet < 50;")
    check("values of other types do no harm", suite.run("list", "types.db").returncode in (0, 2), "")
    trigger = "CREATE TRIGGER t AFTER INSERT ON frames BEGIN DELETE FROM traces; END;"
    changed("trigger.db", trigger)
    result = suite.run("import", "small.pcap", "-o", "trigger.db")
    equal("a trigger is not run", (0, [(2,)]), (result.returncode, rows("trigger.db", "SELECT count(*) FROM traces")))
    changed("name.db", "CREATE TABLE temp_feed AS SELECT 1 AS trace, 10000000 + packet AS packet, type, fault, "
            "time_ns, bd1, bd2, pair, trailer, body FROM frames LIMIT 5;")
    suite.refuses("a table in the place of the feed", "temp_feed", "import", "small.pcap", "-o", "name.db")
    equal("and nothing is added", [(1, 0)], rows(
        "name.db", "SELECT (SELECT count(*) FROM traces), (SELECT count(*) FROM frames WHERE packet >= 10000000)"))
    with open("input.db", "rb") as whole:
        data = bytearray(whole.read())
    for at in range(8192 * 20, len(data), 8192):
        data[at:at + 64] = b"\xff" * 64
    with open("pages.db", "wb") as out:
        out.write(data)
    result = suite.run("list", "pages.db")
    check("damaged pages are reported", result.returncode == 2 and "damaged" in result.stderr, result.stderr[:300])


def names(suite):
    connection = sqlite3.connect("input.db")
    connection.executescript("""
        INSERT INTO nodes SELECT source, 'node ' || source FROM packets WHERE packet = 0;
        INSERT INTO segments SELECT 1, target, address - 5, address + 5, 'grid' FROM packets WHERE packet =
            (SELECT min(packet) FROM packets WHERE type BETWEEN 21 AND 28);
        ALTER TABLE nodes ADD COLUMN rack TEXT;
        CREATE TABLE mine(node INTEGER, note TEXT)""")
    connection.close()
    first, = rows("input.db", "SELECT min(packet) FROM packets WHERE type BETWEEN 21 AND 28")[0]
    check("names that users add are shown, and their own tables do no harm",
          "[H]  node " in suite.run("show", "input.db", "1", "0").stdout and
          "[H]  grid" in suite.run("show", "input.db", "1", str(first)).stdout, first)


def fft(suite, capture):
    """The counts of an independent program, supplied with the capture."""
    if not capture:
        skip("the shared FFT capture is not there", 4)
        return
    with lzma.open(capture) as packed, open("fft.pcap", "wb") as out:
        shutil.copyfileobj(packed, out)
    result = suite.run("import", "fft.pcap", "-o", "fft.db", "--no-data")
    check("FFT: imported", result.returncode == 0 and "1,015,752 packets" in result.stdout, result)
    check("FFT: less than 1.5 times its bytes", os.path.getsize("fft.db") < 1.5 * os.path.getsize("fft.pcap"),
          os.path.getsize("fft.db"))
    equal("FFT: requests and responses, reads and writes of node 0", [(507876, 507876, 130268, 123874, 507876)], rows(
        "fft.db", "SELECT sum(type BETWEEN 21 AND 28), sum(type > 28), sum(source = 0 AND command < 16), "
        "sum(source = 0 AND command BETWEEN 16 AND 31), sum(request IS NOT NULL) FROM packets"))
    pages = rows("fft.db", """SELECT address / 4096, sum(source = 0), sum(source = 1), sum(source = 2),
        sum(source = 3), sum(command > 15) FROM packets WHERE address / 4096 IN (0, 1, 2, 3, 4, 39, 40, 43, 44)
        GROUP BY 1 ORDER BY 1""")
    equal("FFT: pages 0, 4, 40, 44 at node 0, and from node 0 pages 1, 2, 3, 39, 43",
          ([(0, 0, 33, 34, 35, 9), (4, 0, 256, 192, 256, 0), (40, 0, 192, 8296, 256, 4260),
            (44, 0, 256, 8296, 192, 4260)], [8564, 8296, 8296, 256, 224]),
          ([row for row in pages if row[0] in (0, 4, 40, 44)], [row[1] for row in pages if row[0] not in
                                                                (0, 4, 40, 44)]))


def main():
    shared = os.path.abspath("../shared/captures/fft16k-node0.pcap.xz")
    suite = Suite(sys.argv[1], sys.argv[2])
    packets = every_type(suite)
    repeated(suite, packets)
    interfaces(suite)
    interrupted(suite)
    foreign(suite)
    names(suite)
    fft(suite, shared if os.path.exists(shared) else None)
    suite_end()


main()
