#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of packets of the SCI cable in a trace database, against packets decoded only according to docs/cable.md.

What lives here: all types from 1 to 20, made at random and by smile ring; packets of one transaction; damage by name;
the result of smile trace record for them; conditions that a type cannot have; databases of the previous version.

usage: cable_db_test.py SMILE CABLE_TEST SCRATCH
"""
import json
import os
import pathlib
import random
import shutil
import sqlite3
import struct
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / part) for part in ("trace", "harness", "cable")]
import frames  # noqa: E402
import processes  # noqa: E402
from cable_packets import PAYLOADS, crc, decode, payload  # noqa: E402
from pcapng import read_pcapng  # noqa: E402
from test import check, equal, suite_end  # noqa: E402

SMILE, PROGRAM, SCRATCH = (os.path.abspath(path) for path in sys.argv[1:4])
# The fields of decode(), with their names in the view `packets`.
DECODED = ["type", "target", "source", "mpr", "spr", "phase", "old", "command", "busy", "transaction_id", "trace_bit",
           "tod_exponent", "tod_mantissa", "tpr", "address", "status", "flow", "idles"]
ROUTE = {"target", "source", "mpr", "spr", "phase", "old", "transaction_id"}
CONTROL = {"command", "trace_bit", "tod_exponent", "tod_mantissa", "tpr"}
COLUMNS = [*DECODED[:-2], "idles", "extended", "payload_bytes", "fault", "echo", "extended_header", "data", "crc", "go_low",
           "go_high", "circulation", "idle_check", "code", "status_rest", "transaction_id_again", "parity", "reserved",
           "post"]
FAULTS = {6: "no bytes", 7: "half a symbol at its end", 8: "unknown kind", 9: "cut off",
          10: "longer than its command requires", 11: "unknown command", 12: "wrong CRC", 13: "damaged idle symbols",
          14: "damaged sync packet"}


def smile(*arguments):
    return processes.run([SMILE, *arguments], capture_output=True, text=True)


def trace(*arguments):
    result = smile("trace", *arguments)
    if result.returncode or result.stderr:
        check(" ".join(arguments), False, result)
    return result.stdout


def rows(database, sql):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


def symbols_of(data):
    return struct.unpack(f"<{len(data) // 2}H", data)[1:]


def row_of(data):
    """All columns of a whole packet: None for a missing field."""
    found = dict(zip(DECODED, decode(data)))
    kind, symbols = found["type"], symbols_of(data)
    row = dict.fromkeys(COLUMNS)
    row.update(type=kind, fault=0)
    if kind == 19:
        flow = found["flow"]
        row.update(idles=found["idles"], go_low=flow >> 7, go_high=flow >> 6 & 1, circulation=flow & 63,
                   idle_check=~flow & 255)
    elif kind in (9, 18):
        row.update({name: found[name] for name in ROUTE | {"busy"}}, echo=1, crc=symbols[3])
    elif kind < 19:
        response, extended = kind >= 10, symbols[1] >> 7 & 1
        at, size = (5 if response else 7), 2 * PAYLOADS[payload(found["command"])]
        header, data = data[2 + 2 * at:][:16 * extended], data[2 + 2 * at + 16 * extended:-2]
        row.update({name: found[name] for name in ROUTE | CONTROL}, echo=0, extended=extended, payload_bytes=size,
                   extended_header=header or None, data=data or None, crc=symbols[-1])
        row["status" if response else "address"] = found["status" if response else "address"]
    return row


def compared(name, database, number, packets):
    """Compare every column of each packet of a trace. @packets: packets of a pcapng file."""
    got = rows(database, f"SELECT time_ns, {', '.join(COLUMNS)} FROM packets WHERE trace = {number} ORDER BY packet")
    expected = [(packet.time_ns, *row_of(packet.data).values()) for packet in packets]
    check(f"{name}: every column of {len(packets)} packets", got == expected and packets,
          next((pair for pair in zip(got, expected) if pair[0] != pair[1]), len(got)))


def every_type():
    fields = processes.run([PROGRAM, "cable.pcapng", "2000"], capture_output=True, text=True)
    packets = read_pcapng("cable.pcapng", 148).packets
    check("packets of all types", fields.returncode == 0 and {decode(packet.data)[0] for packet in packets} ==
          set(range(1, 21)), fields)
    trace("import", "cable.pcapng", "-o", "cable.db")
    compared("random packets", "cable.db", 1, packets)
    wrong = []
    for number, packet in enumerate(packets[:40]):
        shown = json.loads(trace("show", "cable.db", "1", str(number), "--json"))
        text, row = trace("show", "cable.db", "1", str(number)), row_of(packet.data)
        places = {place["name"]: place for place in shown["places"]}
        fields = {column: value for column, value in row.items() if value is not None and column not in (
            "type", "fault", "payload_bytes", "extended_header", "data")}
        good = shown["frame"] == packet.data.hex() and f"type {row['type']}:" in text
        good = good and shown["data"] == (row["data"] or b"").hex()
        good = good and {name: place["value"] for name, place in places.items() if not name.startswith("extended_")
                         } == fields and all(f"  {column} " in text for column in fields)
        good = good and sum(name.startswith("extended_") for name in places) == (8 if row["extended"] else 0)
        # The high symbol of the address is first.
        good = good and all(int.from_bytes((packet.data + bytes(8))[place["byte"]:place["byte"] + 8], "little") >>
                            place["bit"] & (1 << place["bits"]) - 1 == place["value"]
                            for name, place in places.items() if name != "address")
        if not good:
            wrong.append((number, shown, row, text))
    check("show: the packet symbol by symbol, every field and where it lies", not wrong, wrong[:1])
    listed = [json.loads(line) for line in trace("list", "cable.db", "--json").splitlines()]
    keys = ["type", "target", "source", "command", "transaction_id", "address", "payload_bytes", "extended", "fault"]
    equal("list: the same columns", [[row_of(packet.data)[key] for key in keys] for packet in packets],
          [[line[key] for key in keys] for line in listed])
    trace("import", "cable.pcapng", "-o", "bare.db", "--no-data")
    equal("--no-data leaves data out, not the extended header", [(0, 800)], rows(
        "bare.db", "SELECT count(data), count(extended_header) FROM packets"))
    conditions(packets)


def conditions(packets):
    some = decode(packets[26].data)
    of = dict(zip(DECODED, range(len(DECODED))))
    cases = {
        "--type 5": lambda row: row[0] == 5,
        "--type echo": lambda row: row[0] in (9, 18),
        "--type request,19": lambda row: row[0] < 9 or row[0] == 19,
        "--type response": lambda row: 10 <= row[0] < 18,
        "--command readsb": lambda row: 1 <= row[0] < 18 and row[0] != 9 and row[of["command"]] < 16,
        "--command response16": lambda row: row[of["command"]] == 0x7D,
        "--transaction-id 38": lambda row: row[0] < 19 and row[of["transaction_id"]] == 38,
        f"--source {some[2]}": lambda row: row[0] < 19 and row[2] == some[2],
        "--address ..0x7fffffffffff": lambda row: row[0] < 9 and row[of["address"]] < 1 << 47,
    }
    for name, holds in cases.items():
        want = [number for number, packet in enumerate(packets) if holds(decode(packet.data))]
        got = [json.loads(line)["packet"] for line in trace("list", "cable.db", "--json", *name.split()).splitlines()]
        check(f"list {name}: as a plain scan", got == want and want, (len(got), len(want)))
    for arguments, said in {
            "--type 19 --source 1": "--type 19, idle symbols, have no --source",
            "--type 20 --transaction-id 1": "--type 20, sync, have no --transaction-id",
            "--type 9 --command readsb": "--type 9, request-echo, have no --command",
            "--type 14 --address 4": "--type 14, response-send, 0 bytes, have no --address",
            "--type 5 --command nwrite64": "packets of --command nwrite64 have another --type"}.items():
        result = smile("trace", "list", "cable.db", *arguments.split())
        check(f"list {arguments}: refused by name", result.returncode == 2 and said in result.stderr and
              not result.stdout, result)
    result = smile("trace", "latency", "cable.db", "--type", "18")
    check("latency --type 18: no request", result.returncode == 2 and "names no request" in result.stderr, result)


def with_crc(*symbols):
    return struct.pack(f"<{len(symbols) + 2}H", 1, *symbols, crc(symbols))


def capture(path, packets):
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 148))
        for number, data in enumerate(packets):
            out.write(struct.pack("<IIII", 0, number, len(data), len(data)) + data)


def damage():
    """Each kind of damage: its name, the decoded fields, and every byte."""
    request = with_crc(7, 0x40, 3, 5, 0, 1, 2)
    response = with_crc(3, 0x7D, 7, 5, 9, *range(8))
    echo = with_crc(3, 0x185, 7)
    cases = [  # bytes, fault, type, target, source, transaction id, address or status
        (b"", 6, 0, None, None, None, None), (b"\1", 7, 0, None, None, None, None),
        (request + b"\0", 7, 0, None, None, None, None), (b"\7\0" * 9, 8, 0, None, None, None, None),
        (b"\1\0", 9, 0, None, None, None, None), (request[:8], 9, 0, None, None, None, None),
        (request[:-2], 9, 5, 7, 3, 5, None), (request + b"\0\0", 10, 5, 7, 3, 5, None),
        (response[:-4], 9, 15, 3, 7, 5, None), (echo + b"\0" * 40, 10, 9, 3, 7, 5, None),
        (with_crc(7, 0x55, 3, 5, 0), 11, 0, 7, 3, 5, None), (with_crc(7, 0x48, 3, 5, 0, 0, 2), 11, 0, 7, 3, 5, None),
        (request[:-1] + bytes([request[-1] ^ 1]), 12, 5, 7, 3, 5, 1 << 16 | 2),
        (response[:-1] + bytes([response[-1] ^ 1]), 12, 15, 3, 7, 5, 9),
        (echo[:-1] + bytes([echo[-1] ^ 1]), 12, 9, 3, 7, 5, None),
        (b"\2\0\1\0\1\0\0\0", 13, 19, None, None, None, None), (b"\2\0" * 2, 9, 19, None, None, None, None),
        (b"\2\0\1\0\1\0\1\0\0\0", 10, 19, None, None, None, None), (b"\3\0" + b"\xff" * 16, 14, 20, None, None, None, None),
        (b"\3\0" + b"\xff" * 18, 10, 20, None, None, None, None), (b"\1\0" + bytes(600), 10, 5, 0, 0, 0, None),
    ]
    equal("there is damage of each kind", set(FAULTS), {case[1] for case in cases})
    capture("damaged.pcap", [case[0] for case in cases])
    summary = json.loads(trace("import", "damaged.pcap", "-o", "damaged.db", "--json"))
    equal("import counts damaged packets", (len(cases), len(cases)), (summary["packets"], summary["malformed"]))
    equal("what could be decoded of them", [case[1:] for case in cases], rows(
        "damaged.db", "SELECT fault, type, target, source, transaction_id, ifnull(address, status) FROM packets"))
    equal("names of faults", FAULTS, dict(rows("damaged.db", "SELECT * FROM faults WHERE fault > 5")))
    wrong = []
    for number, case in enumerate(cases):
        shown = json.loads(trace("show", "damaged.db", "1", str(number), "--json"))
        text = trace("show", "damaged.db", "1", str(number))
        line = trace("list", "damaged.db", "--packets", str(number)).splitlines()[1]
        if shown["frame"] != case[0].hex() or shown["fault_text"] != FAULTS[case[1]] or f"malformed: {FAULTS[case[1]]}" \
                not in text or f"malformed: {FAULTS[case[1]]}" not in line:
            wrong.append((case, shown, text, line))
    check("damage by name, and every byte", not wrong, wrong[:1])
    equal("--malformed finds all", f"{len(cases)}\n", trace("list", "damaged.db", "--malformed", "--count"))


def pairs_of(packets):
    """For each packet on a link: (request that it answers, packet that it acknowledges, first try that it repeats)."""
    waiting, pairs = {}, []  # by requester and id: numbers of the tries, target, whether that is the response
    for number, data in enumerate(packets):
        found = dict(zip(DECODED, decode(data)))
        kind, source, target, again = found["type"], found["source"], found["target"], found["phase"] >= 2
        pair = [None, None, None]
        pairs.append(pair)
        if kind > 18:
            continue
        requester = source if kind < 9 or kind == 18 else target
        place = (requester, found["transaction_id"])
        tries, other, answered = waiting.get(place, ([], None, False))
        fits = tries and other == (target if requester == source else source)
        if kind < 9:
            if fits and again and not answered:
                pair[2] = tries[0]
                tries.append(number)
            else:
                waiting[place] = ([number], target, False)
        elif kind == 9:
            pair[1] = tries[-1] if fits and not answered else None
        elif kind < 18:
            if fits and answered and again:
                pair[2] = tries[0]
                tries.append(number)
            elif fits and not answered:
                pair[0] = tries[0]
                waiting[place] = ([number], other, True)
        elif fits and (answered or not found["busy"]):
            pair[1 if answered else 0] = tries[-1] if answered else tries[0]
            if not found["busy"]:
                del waiting[place]
    return [tuple(pair) for pair in pairs]


def ring():
    """A full ring: a trace for each link, the packets of each transaction, and times."""
    with open("clock.csv", "w") as file:
        file.write("value_ns,count,cumulative\n150,1,1\n")
    smile("ring", "--nodes", "4", "--load", "clock.csv", "--duration", "0.0001", "--write", "ring.pcapng")
    section = read_pcapng("ring.pcapng", 148)
    trace("import", "ring.pcapng", "-o", "ring.db")
    number_of = {name: number for number, name in rows("ring.db", "SELECT trace, name FROM traces")}
    equal("a trace for each link, of the node that sends on it", [(f"ring.pcapng:ringlet 0: node {node}", node)
                                                                  for node in range(4)],
          sorted(rows("ring.db", "SELECT name, node FROM traces")))
    times, unanswered, seen = [], 0, set()
    for node, interface in enumerate(section.interfaces):
        name = interface[2].decode()
        number = number_of[f"ring.pcapng:{name}"]
        packets = [packet for packet in section.packets if packet.interface == node]
        compared(name, "ring.db", number, packets)
        pairs = pairs_of([packet.data for packet in packets])
        equal(f"{name}: requests, echoes, responses and further tries belong together", pairs, rows(
            "ring.db", f"SELECT request, acknowledges, repeats FROM packets WHERE trace = {number} ORDER BY packet"))
        kinds = [decode(packet.data)[0] for packet in packets]
        seen |= {(kind, place) for kind, pair in zip(kinds, pairs) for place, value in enumerate(pair) if value is not None}
        answers = {pair[0]: packet.time_ns for packet, pair in zip(packets, pairs) if pair[0] is not None}
        for at, (packet, kind, pair) in enumerate(zip(packets, kinds, pairs)):
            if kind < 9 and pair[2] is None:
                unanswered += at not in answers
                times += [answers[at] - packet.time_ns] if at in answers else []
    equal("on a link a response's echo answers a request, as responses go the other way", {(18, 0)}, seen)
    found = json.loads(trace("latency", "ring.db", "--json"))
    equal("latency: from the first try to what answers it", (len(times), unanswered, min(times), max(times)), (
        found["count"], found["left_out"], found["min_ns"], found["max_ns"]))
    equal("transactions: the same", sorted(times), sorted(time for time, in rows(
        "ring.db", "SELECT response_ns FROM transactions")))
    several_links()


def several_links():
    """One read over two hops: the trace of each link has its part of the transaction."""
    request, reply = with_crc(2, 0x440, 0, 5, 0, 0, 64), with_crc(0, 0x47E, 2, 5, 0, *[0] * 32)
    echoes = with_crc(0, 0x505, 2), with_crc(2, 0x545, 0)
    capture("link0.pcap", [request, echoes[1]])
    capture("link2.pcap", [echoes[0], reply])
    whole = [request, with_crc(0, 0x985, 2), with_crc(2, 0x840, 0, 5, 0, 0, 64), echoes[0], reply,
             with_crc(2, 0x9C5, 0), with_crc(0, 0x87E, 2, 5, 0, *[0] * 32), echoes[1]]
    capture("whole.pcap", whole)
    for name in "link0", "link2", "whole":
        trace("import", f"{name}.pcap", "-o", "links.db")
    equal("on one link for all: refused, again, accepted; and the same for the response", [
        (None, None, None), (None, 0, None), (None, None, 0), (None, 2, None), (0, None, None), (None, 4, None),
        (None, None, 4), (None, 6, None)], rows(
            "links.db", "SELECT request, acknowledges, repeats FROM packets WHERE trace = 3 ORDER BY packet"))
    equal("of a link without the response", [(None, None, None), (0, None, None)], rows(
        "links.db", "SELECT request, acknowledges, repeats FROM packets WHERE trace = 1 ORDER BY packet"))
    members = json.loads(trace("transaction", "links.db", "1", "0", "--json"))
    check("transaction finds its packets on other links", {(one["trace"], one["packet"]) for one in members["packets"]} >=
          {(1, 0), (2, 1), (3, 0)}, members)


def of_few_nodes():
    """Packets in any order between three nodes with two ids; some are refused, and some are sent again."""
    chance, packets = random.Random(4), []
    for _ in range(4000):
        source, target = chance.sample(range(3), 2)
        number, route = chance.randrange(2), chance.randrange(4) << 10
        packets.append(chance.choice([
            with_crc(target, route | 0x40, source, number, 0, 0, 64), with_crc(target, route | 0x7C, source, number, 0),
            with_crc(target, route | 0x100 | chance.randrange(4) << 6 | number, source)]))
    capture("few.pcap", packets)
    trace("import", "few.pcap", "-o", "few.db")
    pairs = pairs_of(packets)
    equal("any order: what belongs together", pairs, rows(
        "few.db", "SELECT request, acknowledges, repeats FROM packets ORDER BY packet"))
    found = {(decode(data)[0], place) for data, pair in zip(packets, pairs) for place, value in enumerate(pair)
             if value is not None}
    equal("all that can belong together", {(5, 2), (9, 1), (14, 0), (14, 2), (18, 0), (18, 1)}, found)
    lines = [json.loads(line) for line in trace("list", "few.db", "--json").splitlines()]
    equal("list says so", pairs, [(line["request"], line["acknowledges"], line["repeats"]) for line in lines])
    text = trace("list", "few.db")
    check("and so does its text", all(f"  {word} " in text for word in ("answers", "acknowledges", "repeats")), text[:500])


def recorded():
    trace_run = smile("trace", "record", "cable.pcapng", "-o", "recorded.pcapng", "--node", "3", "--json")
    account = json.loads(trace_run.stdout)["sources"][0]
    before, after = read_pcapng("cable.pcapng", 148), read_pcapng("recorded.pcapng", 148)
    equal("record keeps each packet", [(one.time_ns, one.data) for one in before.packets], [
        (one.time_ns, one.data) for one in after.packets])
    equal("and counts them", (2000, 2000, 0), (account["seen"], account["stored"], account["cut"]))
    for arguments, said in ((["cable.pcapng", "--filter", "type=read"], "--filter matches frames of the B-Link"),
                            (["cable.pcapng", "--trigger", "type=read"], "--trigger matches frames of the B-Link"),
                            (["cable.pcapng", "blink.pcap"], "record them separately")):
        result = smile("trace", "record", *arguments, "-o", "none.pcapng")
        check(f"record {' '.join(arguments)}: refused", result.returncode == 2 and said in result.stderr, result)
    result = smile("replay", "cable.pcapng", "-o", "none.rec")
    check("a card has no cable", result.returncode == 2 and "packets of the SCI cable" in result.stderr, result)


def older():
    """A file of version 1: its view contains only frames of the B-Link."""
    trace("import", "blink.pcap", "-o", "old.db")
    whole = trace("list", "old.db", "--json")
    connection = sqlite3.connect("old.db")
    connection.executescript(
        "PRAGMA user_version = 1; DROP VIEW packets; DELETE FROM faults WHERE fault > 5; CREATE VIEW packets AS SELECT trace, "
        "packet, packet - pair AS request FROM frames; CREATE VIEW mine AS SELECT trace, packet FROM packets; "
        "INSERT INTO nodes VALUES(3, 'three')")
    connection.close()
    equal("an older database opens", whole, trace("list", "old.db", "--json"))
    equal("and stays as it is", [(1,)], rows("old.db", "PRAGMA user_version"))
    trace("import", "cable.pcapng", "-o", "old.db")
    equal("an import makes it one of this version", [(2, 15)], rows(
        "old.db", "SELECT user_version, (SELECT count(*) FROM faults) FROM pragma_user_version"))
    compared("into an older database", "old.db", 2, read_pcapng("cable.pcapng", 148).packets)
    equal("frames that were there are the same", whole, trace("list", "old.db", "--json", "--trace", "1"))
    equal("what users added stays", [(2500, "three")], rows(
        "old.db", "SELECT (SELECT count(*) FROM mine), name FROM nodes"))


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    os.chdir(SCRATCH)
    frames.capture("blink.pcap", frames.random_packets(5, 500, 0.2))
    every_type()
    damage()
    ring()
    of_few_nodes()
    recorded()
    older()


main()
suite_end()
