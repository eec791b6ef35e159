#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile ring: its tables and its document, compared with the packets that it writes.

usage: command_test.py SMILE SCRATCH
"""
import json
import os
import pathlib
import random
import shutil
import struct
import sys
from xml.etree import ElementTree

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / part) for part in ("trace", "cable", "harness")]
import processes  # noqa: E402
from cable_packets import crc  # noqa: E402
from pcapng import read_pcapng  # noqa: E402
from test import check, equal, suite_end  # noqa: E402

SMILE = os.path.abspath(sys.argv[1])
CLOCKS = 333444  # of a millisecond at 667 MB/s: 2999 ps a symbol
PS = 2999
# Of the command symbol: docs/cable.md.
PHASE, DOTRY, ECHO, CODE, RESPONSE00 = 0xC00, 0x400, 0x100, 0x7F, 0x7C


def smile(*arguments):
    return processes.run([SMILE, "ring", *arguments], capture_output=True, text=True)


def document(*arguments):
    result = smile("--json", *arguments)
    assert not result.returncode and not result.stderr, result
    return json.loads(result.stdout)


def captured(path):
    """The packets: interface name, time, symbols."""
    section = read_pcapng(path, 148)
    names = [interface[2].decode() for interface in section.interfaces]
    for packet in section.packets:
        kind, *symbols = struct.unpack(f"<{packet.length // 2}H", packet.data)
        assert kind == 1 and crc(symbols[:-1]) == symbols[-1]
        yield names[packet.interface], packet.time_ns, symbols


def against_capture(name, *arguments):
    found = document("--write", "all.pcapng", *arguments)
    load, injected, latest = {}, [0] * len(found["nodes"]), 0
    for link, time, symbols in captured("all.pcapng"):
        load[link] = load.get(link, 0) + len(symbols) + 1
        check_order = time >= latest
        latest = time
        if not check_order:
            check(f"{name}: packets are in the order of their time", False, time)
            return
        _, command, source = symbols[:3]
        # Only on the first link of its path.
        if not command & ECHO and command & PHASE == DOTRY and command & CODE < RESPONSE00 and \
                link.endswith(f" node {source}"):
            injected[source] += 1
    differences = [abs(node["injected"] - count) for node, count in zip(found["nodes"], injected)]
    # In a torus a node has two links; a packet that it bridges has another source. Waiting requests have not left.
    check(f"{name}: requests that left are those that were injected", max(differences) <= 8, differences)
    loads = [link["load"] for link in found["links"]]
    from_file = [round(count / CLOCKS, 3) for count in load.values()]
    check(f"{name}: the load of each link", len(loads) == len(from_file) and all(
        abs(a - b) < 0.002 for a, b in zip(sorted(loads), sorted(from_file))), (loads, from_file))
    for node in found["nodes"]:
        if not 0 < node["injected"] - node["delivered"] < 64 and node["injected"] != node["delivered"]:
            check(f"{name}: what was not delivered is under way", False, node)
        if not 0 < node["latency_ns"]["median"] <= node["latency_ns"]["p99"] < 1000000:
            check(f"{name}: latencies", False, node)


def keys():
    found = document("--nodes", "4")
    equal("keys of the document", ["schema", "topology", "link_bytes_per_s", "seconds", "trace_seconds",
                                   "formula_seconds", "seed", "throughput_bytes_per_s",
                                   "saturation_bytes_per_s", "saturation_load", "overload", "nodes", "links"],
          list(found))
    equal("schema", "smile.ring/1", found["schema"])
    equal("keys of a node", ["node", "injected", "delivered", "retried", "throughput_bytes_per_s", "latency_ns"],
          list(found["nodes"][0]))
    equal("keys of a link", ["ringlet", "from", "to", "load"], list(found["links"][0]))
    equal("links lead around", [(0, 1), (1, 2), (2, 3), (3, 0)], [(link["from"], link["to"]) for link in found["links"]])
    equal("the same seed, the same document", found, document("--nodes", "4"))
    check("another seed, another one", found["nodes"] != document("--nodes", "4", "--seed", "2")["nodes"])
    check("it carries more than this", not found["overload"] and found["saturation_load"] > 1 and
          found["saturation_bytes_per_s"] > found["throughput_bytes_per_s"])
    switched = document("--nodes", "6", "--topology", "ringlets:3")
    equal("ports have no node", [(0, 1), (1, 2), (2, None), (None, 0), (3, 4)],
          [(link["from"], link["to"]) for link in switched["links"][:5]])
    equal("ringlets and their switch", [4, 4, 2], [[link["ringlet"] for link in switched["links"]].count(ring)
                                                   for ring in range(3)])


def load():
    with open("clock.csv", "w") as file:
        file.write("value_ns,count,cumulative\n1000,5,1\n")
    found = document("--nodes", "4", "--load", "clock.csv")
    # 333.4 clocks are rounded to 333: one request in 998.7 ns.
    equal("a request each microsecond", [1001] * 4, [node["injected"] for node in found["nodes"]])
    with open("mixed.csv", "w") as file:
        file.write("value_ns,count,cumulative\n500,1,0.5\n1500,1,1.000000\n")
    mixed = document("--nodes", "4", "--load", "mixed.csv")
    check("two times in turns by chance", all(900 < node["injected"] < 1100 for node in mixed["nodes"]) and
          mixed["nodes"] != found["nodes"], mixed["nodes"])
    heavy = document("--nodes", "16", "--load", "clock.csv", "--link", "100")
    check("too much", heavy["overload"] and heavy["saturation_load"] < 1)
    check("the text says so", "overload: " in smile("--nodes", "16", "--load", "clock.csv", "--link", "100").stdout)


def frame(source, target, command, transaction, word2=0):
    return struct.pack("<QQ", transaction << 48 | target << 32 | command << 16 | source, word2)


def trace_write(path, packets):
    """A B-Link capture; times in ns."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 147))
        for time, data in packets:
            file.write(struct.pack("<IIII", time // 10**9, time % 10**9, len(data), len(data)) + data)


def trace():
    """Node 0 reads twice and waits for each response; node 1 writes without waiting."""
    reads = [(1000, frame(0, 1, 0x40, 5, 0x40)), (3000, frame(1, 0, 0x7E, 5)),
             (3600, frame(0, 1, 0x40, 6, 0x80)), (9000, frame(1, 0, 0x7E, 6))]
    writes = [(2000, frame(1, 0, 0x43, 1, 0x10)), (2600, frame(1, 0, 0x43, 2, 0x20)),
              (5000, frame(0, 1, 0x7C, 1)), (5100, frame(0, 1, 0x7C, 2))]
    trace_write("both.pcap", sorted(reads + writes))
    trace_write("reads.pcap", reads)
    found = document("--nodes", "2", "--write", "all.pcapng", "both.pcap", "reads.pcap")
    equal("each request once", [2, 2], [node["injected"] for node in found["nodes"]])
    equal("all have ended", [2, 2], [node["delivered"] for node in found["nodes"]])
    equal("the time of the trace", 8e-06, found["trace_seconds"])
    equal("no load to find", [None, None, None], [found[key] for key in ("seed", "saturation_load",
                                                                         "saturation_bytes_per_s")])
    # Both writes have the same length, so the distance of their last symbols is that of their first symbols.
    ends = {}
    for link, time, symbols in captured("all.pcapng"):
        if not symbols[1] & ECHO and symbols[1] & CODE == 0x43 and link.endswith(" node 1"):
            ends[symbols[6]] = time
    check("a write does not wait for the one before", abs(ends[0x20] - ends[0x10] - 600) < 2 * PS / 1000, ends)
    alone = document("--nodes", "2", "reads.pcap")
    first = alone["nodes"][0]["latency_ns"]["median"]
    # The trace starts with the first packet, so the first 1000 ns are no wait. The second wait is 600 ns after the
    # response.
    total = alone["seconds"] * 1e9
    check("a read waits for the response to the one before", abs(total - 2 * first - 600) < 4 * PS / 1000, (total, first))
    check("a slower link, a longer time", document("--nodes", "2", "--link", "100", "reads.pcap")["seconds"] >
          alone["seconds"])
    check("the text says so", "the trace took 8e-06 s, and takes " in smile("--nodes", "2", "reads.pcap").stdout)
    # Between two requests the nodes rest for years, perhaps because a time stamp is wrong.
    years = 3 * 10**17
    trace_write("years.pcap", reads[:2] + [(time + years, data) for time, data in reads[2:]])
    rests = document("--nodes", "2", "years.pcap")
    check("a long rest is skipped, and its time is right", abs(rests["seconds"] * 1e9 / years - 1) < 1e-6 and
          abs(rests["formula_seconds"] * 1e9 / years - 1) < 1e-6, rests)
    trace_write("bad.pcap", [(0, frame(0, 1, 0x30, 5)), (10, b"\0" * 20), *reads])
    bad = smile("--nodes", "2", "bad.pcap")
    check("malformed frames are reported", bad.returncode == 0 and
          bad.stderr == "smile ring: warning: bad.pcap: 2 of 6 frames were malformed\n", bad)
    trace_write("none.pcap", [])
    trace_write("far.pcap", [(0, frame(0, 9, 0x40, 5))])
    for arguments, said in ((["none.pcap"], "no packets"), (["far.pcap"], "node 9"), (["--seed", "2", "both.pcap"], "--seed"),
                            (["--load", "clock.csv", "both.pcap"], "--load"), (["missing.pcap"], "missing.pcap")):
        result = smile("--nodes", "2", *arguments)
        check(f"refused: {' '.join(arguments)}", result.returncode == 2 and said in result.stderr and
              not result.stdout, result)


def compare():
    """Two nodes with one request in 2 us, whose response takes 1.5 us: these numbers determine each load."""
    packets = []
    for number in range(500):
        for node in range(2):
            time = 1000 + 2000 * number + 10 * node
            packets.append((time, frame(node, 1 - node, 0x40, number % 64, number * 64)))
            packets.append((time + 1500, frame(1 - node, node, 0x7E, number % 64)))
    trace_write("steady.pcap", sorted(packets))
    found = document("--nodes", "2", "--compare", "steady.pcap")
    equal("compare: schema", "smile.ring.compare/1", found["schema"])
    loads = {load["load"]: load for load in found["loads"]}
    equal("compare: loads", ["trace", "replayed", "fitted", "default"], list(loads))
    trace_load = loads["trace"]
    equal("compare: requests of the trace, and data of their responses", (1000, 1000 * 64),
          (trace_load["requests"], round(trace_load["throughput_bytes_per_s"] * trace_load["seconds"])))
    equal("compare: nothing is known of the trace's links", (None, None),
          (trace_load["busiest_link"], trace_load["difference_percent"]))
    # The replay keeps the nodes' own time between requests: without it, there would be one request in about 0.6 us.
    replayed = loads["replayed"]
    equal("compare: all requests replayed", 1000, replayed["requests"])
    check("compare: in the time of the trace", abs(replayed["difference_percent"]) < 1, replayed)
    check("compare: fitted, a request each 2 us", abs(loads["fitted"]["difference_percent"]) < 1 and
          abs(loads["fitted"]["requests"] - 1000) <= 2, loads["fitted"])
    check("compare: the default sends what the trace does not", loads["default"]["difference_percent"] > 20,
          loads["default"])
    for load in list(loads.values())[1:]:
        own = load["throughput_bytes_per_s"] / trace_load["throughput_bytes_per_s"] - 1
        check(f"compare: {load['load']}: the difference", abs(100 * own - load["difference_percent"]) < 1e-6 and
              0 < load["busiest_link"] < 1, load)
    equal("compare: the same seed, the same document", found, document("--nodes", "2", "--compare", "steady.pcap"))
    slower = document("--nodes", "2", "--compare", "--link", "20", "steady.pcap")["loads"][1]
    check("compare: slow links slow the trace down", slower["difference_percent"] < -10, slower)
    text = smile("--nodes", "2", "--compare", "steady.pcap").stdout.splitlines()
    equal("compare: a row each", list(loads), [line.split()[0] for line in text[1:5]])
    for arguments, said in ((["--compare"], "captures"), (["--compare", "--load", "clock.csv", "steady.pcap"], "--load"),
                            (["--compare", "--svg", "x.svg", "steady.pcap"], "--svg"),
                            (["--compare", "--write", "x", "steady.pcap"], "--write"),
                            (["--compare", "--duration", "1", "steady.pcap"], "--duration"),
                            (["--compare", "far.pcap"], "node 9"), (["--compare", "none.pcap"], "no packets")):
        result = smile("--nodes", "2", *arguments)
        check(f"refused: {' '.join(arguments)}", result.returncode == 2 and said in result.stderr and
              not result.stdout, result)


def formula():
    """The estimate of smile run --network and the simulation of the same requests must agree within 10 %."""
    for seed, (topology, nodes, gap) in enumerate((("ring", 4, 2000), ("ring", 4, 200), ("ring", 8, 500), ("torus:4x2", 8, 200),
                                                   ("ringlets:2", 6, 300))):
        chance, packets = random.Random(seed), []
        for node in range(nodes):
            time = 1000
            for number in range(400):
                target = chance.choice([other for other in range(nodes) if other != node])
                command = chance.choice([0x00, 0x10, 0x40, 0x43])
                answer = {0x00: 0x7D, 0x10: 0x7C, 0x40: 0x7E, 0x43: 0x7C}[command]
                packets.append((time, frame(node, target, command, number % 64, number * 64)))
                packets.append((time + 1000, frame(target, node, answer, number % 64)))
                time += 1000 + chance.randrange(2 * gap)
        trace_write("formula.pcap", sorted(packets))
        found = document("--nodes", str(nodes), "--topology", topology, "formula.pcap")
        error = found["formula_seconds"] / found["seconds"] - 1
        check(f"{topology} of {nodes}, {gap} ns between requests: the formula's time", abs(error) < 0.1, error)
    text = smile("--nodes", "6", "--topology", "ringlets:2", "formula.pcap").stdout
    check("the text has it, and the error", f"by formula {found['formula_seconds']:.6g} s, {100 * error:+.1f} %" in text, text)
    equal("a random load has no such time", None, document("--nodes", "4")["formula_seconds"])
    equal("nor has a network of more nodes than it knows", None, document(
        "--nodes", "72", "--topology", "torus:9x8", "formula.pcap")["formula_seconds"])


COLORS = [(0.75, "#bd0026"), (0.5, "#fd8d3c"), (0.25, "#6baed6"), (0.1, "#9ecae1"), (0, "#c6dbef")]


def svg():
    for topology, nodes in (("ring", 5), ("ringlets:3", 8), ("torus:2x2", 4)):
        found = document("--nodes", str(nodes), "--topology", topology, "--svg", "net.svg")
        root = ElementTree.parse("net.svg").getroot()
        name = root.tag.removesuffix("svg")
        paths = [path for path in root.iter(name + "path") if path.get("class") == "link"]
        equal(f"{topology}: each link in the colour of its load", [
            next(color for least, color in COLORS if link["load"] >= least) for link in found["links"]],
            [path.get("stroke") for path in paths])
        loads = [text.text for text in root.iter(name + "text") if text.get("class") == "load"]
        equal(f"{topology}: its load beside it", len(paths), sum(
            abs(100 * link["load"] - float(text[:-1])) <= 0.5001 for link, text in zip(found["links"], loads)))
        circles = list(root.iter(name + "circle"))
        equal(f"{topology}: nodes and ports", (len(paths), sum(link["from"] is None for link in found["links"])), (
            len(circles), sum(circle.get("class") == "port" for circle in circles)))
        width, height = float(root.get("width")), float(root.get("height"))
        check(f"{topology}: all of it is in the picture", all(
            15 <= float(circle.get("cx")) <= width - 15 and 15 <= float(circle.get("cy")) <= height - 15 for circle in circles))
        places = [(float(circle.get("cx")), float(circle.get("cy"))) for circle in circles]
        check(f"{topology}: no node on another one", all((a[0] - b[0])**2 + (a[1] - b[1])**2 > 30**2
                                                         for i, a in enumerate(places) for b in places[:i]))
    result = smile("--nodes", "4", "--svg", "none/net.svg")
    check("a picture that cannot be written", result.returncode == 2 and "none/net.svg" in result.stderr, result)


def errors():
    for name, text in (("falling", "5,1,0.5\n6,1,0.4\n"), ("short", "5,1,0.5\n"), ("above", "5,1,1.5\n"),
                       ("word", "x,1,1\n"), ("empty", "")):
        with open(f"{name}.csv", "w") as file:
            file.write("value_ns,count,cumulative\n" + text)
    for arguments, said in (
            ([], "--nodes"), (["--nodes", "65"], "no more than 64"), (["--nodes", "1"], "--nodes"),
            (["--nodes", "8", "--topology", "torus:3x3"], "9 nodes"), (["--nodes", "8", "--topology", "star"], "star"),
            (["--nodes", "8", "--topology", "ringlets:8"], "2 to 64 ringlets"),
            (["--nodes", "8", "--topology", "torus:8x1"], "2 rows"), (["--nodes", "8", "--load", "-", "x"], "--load"),
            (["--nodes", "4", "--load", "falling.csv"], "falling.csv:3"), (["--nodes", "4", "--load", "short.csv"], "0.5"),
            (["--nodes", "4", "--load", "above.csv"], "above.csv:2"), (["--nodes", "4", "--load", "word.csv"], "word.csv:2"),
            (["--nodes", "4", "--load", "empty.csv"], "empty.csv"), (["--nodes", "4", "--load", "none.csv"], "none.csv"),
            (["--nodes", "4", "--write", "none/all.pcapng"], "none/all.pcapng"),
            (["--nodes", "4", "--duration", "0"], "--duration")):
        result = smile(*arguments)
        check(f"refused: {' '.join(arguments)}", result.returncode == 2 and said in result.stderr and
              not result.stdout, result)


def picture():
    lines = smile("--nodes", "4", "--topology", "torus:2x2", "--color", "never").stdout.split("\n")
    equal("a row for each ringlet", 4, sum(line.startswith("ringlet ") for line in lines))
    rows = [line.split() for line in lines if "->" in line]
    equal("nodes of the ringlets", [["0", "1", "0"], ["2", "3", "2"], ["0", "2", "0"], ["1", "3", "1"]],
          [[word for word in row if ">" not in word] for row in rows])


def main():
    shutil.rmtree(sys.argv[2], ignore_errors=True)
    os.makedirs(sys.argv[2])
    os.chdir(sys.argv[2])
    keys()
    load()
    trace()
    compare()
    formula()
    svg()
    errors()
    picture()
    against_capture("ring", "--nodes", "4")
    against_capture("ringlets", "--nodes", "6", "--topology", "ringlets:3")
    against_capture("torus", "--nodes", "4", "--topology", "torus:2x2")
    done = processes.run([SMILE, "trace", "record", "all.pcapng", "-o", "again.pcapng"], capture_output=True, text=True)
    check("smile trace record reads all links of it", done.returncode == 0 and
          sorted(captured("again.pcapng")) == sorted(captured("all.pcapng")), done.stderr)


main()
suite_end()
