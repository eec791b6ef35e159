#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Every reader of recordings, on recordings of samples: it must mark each estimate with its band, or refuse.

What lives here: the list of all commands with their behaviour for such recordings; `smile --help` and
`smile report --help` show that the list is complete. Also the rules for marks. In a document, each number that is not a
description has low_95 and high_95 beside it. In CSV, each such column has two other columns. In a table, [A-B] follows
each number. A command that refuses reports that these are samples, names a command that shows them, and writes nothing.

usage: readers.py SMILE FAULTS... -- MEMORY...     recordings of both sources
"""
import csv
import io
import json
import os
import re
import struct
import subprocess
import sys

for room in ("harness", "serve", "top"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", room))
import openmetrics
import processes
import terminal
from serving import Server, capture_write, soon
from test import check, equal, suite_end

smile = sys.argv[1]
split = sys.argv.index("--")
sources = {"faults": sys.argv[2:split], "memory": sys.argv[split + 1:]}

# Keys and columns that describe and are not estimates: the request, locations and structure.
EXACT = set("""schema nodes page_bytes page pages home source start offset address bytes line pieces blocks blocks_lost
    dominant node moved advised period phase open event end_ns variables kind type name object file state region_kind
    region region_start region_offset_bytes missing structures where ended_by served rows_left_out shared
    dominant_node threshold total_bottlenecks threads rows_left_out""".split())
# Values of the card and of the account, which are exact for samples.
ACCOUNT = re.compile(
    r"^\$\.(account|checks|packets_|events_|marks_|static_|records|sleeps|resets|card_|clock_ns|total$|sources$)")


def run(*arguments):
    done = processes.run([smile, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def numbers(value):
    """Return whether the value is a number, or an array of numbers."""
    if isinstance(value, list):
        return bool(value) and all(numbers(one) for one in value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def flatten(value):
    return [number for one in value for number in flatten(one)] if isinstance(value, list) else [value]


def bare(document, at="$"):
    """The numbers of a document that have no band."""
    found = []
    if isinstance(document, list):
        for one in document:
            found += bare(one, at + "[]")
    if not isinstance(document, dict):
        return found
    for key, value in document.items():
        where = f"{at}.{key}"
        if key == "sampled" or key in EXACT or key.endswith(("_95",)) or ACCOUNT.match(where):
            continue
        if not numbers(value):
            found += bare(value, where)
        elif not banded(document, key, value):
            found.append(where)
    return found


def banded(document, key, value):
    """The band beside the value must have its shape and contain it. An access without a type has no count by type."""
    # The bands of the main counts of an object have names without a prefix.
    prefixes = [key + "_", ""] if key in ("accesses", "samples") else [key + "_"]
    for prefix in prefixes:
        low, high = document.get(prefix + "low_95"), document.get(prefix + "high_95")
        if low is not None and high is not None:
            flat, lows, highs = flatten(value), flatten(low), flatten(high)
            return len(flat) == len(lows) == len(highs) and all(a <= b <= c for a, b, c in zip(lows, flat, highs))
    return key in ("reads", "writes", "locks") and set(value) == {0}


def csv_bare(text):
    head = next(csv.reader(io.StringIO(text)))
    first = "transaction" if "transaction_low_95" in head else None

    def band_of(column):
        names = {"accesses": "", "transactions": "transaction_"}
        prefix = names.get(column, column + "_")
        return prefix + "low_95" in head and prefix + "high_95" in head
    assert first or "transactions" not in head
    return [column for column in head if column not in EXACT and not column.endswith("_95") and not band_of(column)]


def table_bare(text, figures):
    """The numbers in a table that have no band beside them. @figures: numbers of samples that it may show, as texts"""
    lines = [line for line in text.split("\n\nlegend:")[0].splitlines() if line.strip()]
    # The first column names the object of the row.
    rows = [re.sub(r"^ *\S+", "", line) for line in lines[1:]]
    # A sentence reports the sum of the rows that are not shown.
    rows += re.findall(r"accesses of all: [^)]*|transactions: [^)]*|[\d,]+[^;.]* together", text)
    return [line for line in rows for match in re.finditer(r"(?<![-\d.,+x])(\d[\d,]*(?:\.\d+)?%?)(?![-\d.,x:])", line)
            if match.group(1) in figures and not line[match.end():].lstrip().startswith("[")]


# ---- all commands

commands = re.findall(r"^  (\w+) ", run("--help")[1], re.MULTILINE)
views = re.findall(r"^  (\w+)  ", run("report", "--help")[1].split("options:")[0], re.MULTILINE)
SHOWN = [["report", "pages"], ["report", "structures"], ["report", "phases"], ["report", "lost"]]
# Commands for only one source: the names of threads are unknown for an imported file.
OF_ONE = {"memory": [["report", "latency"]], "faults": [["report", "threads"]]}
REFUSED = [
    ["report", "transfers"], ["report", "top"], ["report", "page", "--page", "17"], ["report", "heat"],
    ["report", "heat", "--bars"], ["report", "heat", "--by", "time"], ["report", "static"],
    ["report", "pages", "--bands"], ["report", "pages", "--hot", "5"], ["report", "pages", "--transactions"],
    ["report", "structures", "--address", "65536"], ["report", "structures", "--variable", "left"],
    ["top", "--batch", "--sort", "cost"], ["top", "--batch", "--hot", "5"],
]
OTHERS = {"top", "serve", "advise", "view", "dump", "diff", "sweep", "place", "trace", "replay", "stat", "record"}
# These commands do not read recordings: they make recordings, examine the machine, or call other commands that read.
NONE = {"list", "doctor", "run", "sim", "sample", "cluster", "ring", "control"}
equal("all commands are in this list", set(), set(commands) - OTHERS - NONE - {a[0] for a in SHOWN + REFUSED})
equal("all views of smile report are in this list", set(), set(views) - {"latency", "threads"} - {a[1] for a in SHOWN + REFUSED if a[1:]})


def shows(name, document, arguments):
    """The command must show samples, in all formats."""
    status, out, _ = run(arguments[0], "--json", *arguments[1:], *document)
    value = json.loads(out) if status == 0 else {}
    equal(f"{name}: JSON: the mark", name.split()[0], value.get("sampled", {}).get("source"))
    equal(f"{name}: JSON: bands", [], sorted(set(bare(value))))


def top_checks(source, files, known):
    shows(f"{source} top", files, ["top"])
    status, out, _ = run("top", "--batch", *files)
    head, _, pages = out.partition("    PAGE HOME")
    equal(f"{source} top: the list of pages: bands", (0, []), (status, table_bare("PAGE" + pages, known)))
    check(f"{source} top: what they are", f"samples of {source}  recording complete" in head.split("\n")[0], out)
    check(f"{source} top: no cycles", "COST" not in out, out)
    # Each count has its band in the line below.
    matrix = head.split("from \\ to")[1].split("\n")[1:]
    counts = [re.findall(r"\d+", line)[1:] for line in matrix[::2] if line.strip()]
    equal(f"{source} top: the matrix: bands", [len(row) for row in counts],
          [len(re.findall(r"\[\d+-\d+\]", line)) for line in matrix[1::2] if line.strip()])
    check(f"{source} top: the matrix has counts", sum(len(row) for row in counts) > 1, head)


def screen_checks(source, files):
    screen = terminal.Terminal([smile, "top", *files])
    check(f"{source} top: a screen: what these are", screen.wait_text(f"samples of {source}"), screen.text())
    # A key that is pressed before there is a page would have no effect.
    check(f"{source} top: a screen: its pages", screen.wait(lambda terminal: re.search(
        r"PAGE HOME.*\n> ", terminal.text())), screen.text())
    screen.keys("\r")
    check(f"{source} top: a screen: no sections, and why", screen.wait_text("they need exact counts"), screen.text())
    screen.keys("\rss")
    check(f"{source} top: a screen: back, without cycles", screen.wait_text("PAGE HOME") and
          "COST" not in screen.text(), screen.text())
    screen.keys("q")
    equal(f"{source} top: a screen: the end", 0, screen.end())


def metrics_checks(source, body):
    families = openmetrics.parse(body)
    for name in ("transfers", "page_accesses"):
        samples = {tuple(sorted(labels.items())): value
                   for _, labels, value in families[f"smile_{name}"].samples}
        check(f"{source} serve: metrics: {name}", samples, body)
        for end in ("low_95", "high_95"):
            ends = {tuple(sorted(labels.items())): value
                    for _, labels, value in families[f"smile_{name}_{end}"].samples}
            equal(f"{source} serve: metrics: {name}: each has its {end}", [], [
                key for key, value in samples.items() if key not in ends or
                (ends[key] > value if end == "low_95" else ends[key] < value)])
    equal(f"{source} serve: metrics: the mark", [source.split()[0]], [
        labels["source"] for _, labels, _ in families["smile_sampled"].samples])


def serve_checks(source, files):
    viewed = json.loads(run("view", "--json", *files)[1])
    with Server(smile, *files) as server, Server(smile, "http://" + server.host) as other:
        for name, one in (("serve", server), ("serve, of another serve", other)):
            check(f"{source} {name}: it has read all", soon(lambda one=one: json.loads(one.get("/data.json")[2])[
                "live"]["state"] == "ended"))
            served = json.loads(one.get("/data.json")[2])
            equal(f"{source} {name}: no rates", 0, served.pop("live")["history"]["columns"])
            equal(f"{source} {name}: a command, where the recordings are", one is other, not served["sampled"]["command"])
            # The names of the files differ.
            for document in (served, viewed):
                document.pop("files", None)
                document["sampled"].pop("command", None)
            equal(f"{source} {name}: the same as smile view", viewed, served)
            metrics_checks(f"{source} {name}", one.get("/metrics")[2].decode())


def unfinished_write(path, file):
    """The first half of a recording, as a killed writer leaves it, or as a machine sends it at first."""
    with open(file, "rb") as whole:
        data = bytearray(whole.read())
    header, = struct.unpack_from("<I", data, 12)
    struct.pack_into("<Q", data, 16, 2 ** 64 - 1)
    at = 32
    while (tag := struct.unpack_from("<II", data, at))[0]:
        if tag[0] == 6:
            end, = struct.unpack_from("<Q", data, at + 8)
            struct.pack_into("<QQ", data, at + 8, 0, 0)
        at += 8 + (tag[1] + 7) // 8 * 8
    with open(path, "wb") as out:
        out.write(data[:header + (end - header) // 32 * 16])


def unfinished_checks(source, files):
    """The header marks counts as samples, before all of them are written."""
    unfinished_write("half.rec", files[1])
    for arguments in (["report", "pages"], ["top"], ["view"]):
        mark = json.loads(run(*arguments, "--json", "half.rec")[1]).get("sampled", {})
        equal(f"{source} {arguments[0]}, not complete: the mark", source.split()[0], mark.get("source"))
    with Server(smile, "half.rec") as server, Server(smile, "http://" + server.host) as other:
        for one in (server, other):
            served = json.loads(one.get("/data.json")[2])
            equal(f"{source} serve, not complete: the mark", source.split()[0], served.get("sampled", {}).get("source"))
    status, out, err = run("top", "--batch", "exact.rec", "half.rec")
    check(f"{source} top, not complete, with exact counts: refused", status == 2 and not out and
          "not of the same kind" in err, (status, out, err))


def mixed_checks(source, files):
    """Samples of another machine together with exact counts."""
    with Server(smile, files[1]) as server:
        top = processes.start([smile, "top", "--json", "-d", "0.1", "exact.rec", "http://" + server.host],
                              stdout=subprocess.PIPE, text=True)
        name = f"{source} top, with exact counts: these alone are shown, and why not the others"
        with processes.within(name):
            look = None
            while not look or "sampled" in look or sum(map(sum, look["transfers"]["total"])) != 300 or not any(
                    "not of the same kind" in one["note"] for one in look["sources"]):
                look = json.loads(top.stdout.readline())
        check(name, look)
        top.terminate()
        top.communicate(timeout=processes.LIMIT)
    for arguments in (["top", "--batch"], ["serve", "--listen", "127.0.0.1:0"]):
        status, out, err = run(*arguments, "exact.rec", files[1])
        check(f"{source} {arguments[0]}, with exact counts: refused", status == 2 and not out and
              "not of the same kind" in err, (status, out, err))


capture_write("exact.pcap")
run("replay", "exact.pcap", "-o", "exact.rec")
for source, files in sources.items():
    samples = json.loads(run("report", "pages", "--json", *files)[1])
    rows = [page["accesses"] for page in samples["pages"]]
    known = {str(count) for row in rows for count in [*row, sum(row)] if count > 5} | {str(sum(map(sum, rows)))}
    check(f"{source}: there are figures to look for", len(known) > 3, known)
    for arguments in SHOWN + OF_ONE[source]:
        name = " ".join([source] + arguments)
        shows(name, files, arguments)
        if arguments[1] == "lost":
            continue
        status, out, _ = run(*arguments, "--csv", *files)
        equal(f"{name}: CSV: bands", (0, []), (status, csv_bare(out)))
        equal(f"{name}: CSV: as many columns as names", 1, len({len(row) for row in csv.reader(io.StringIO(out))}))
        status, out, _ = run(*arguments, *files)
        equal(f"{name}: a table: bands", (0, []), (status, table_bare(out, known)))
        check(f"{name}: a table: the legend", "Estimates: " in out, out)
    page = str(samples["pages"][0]["page"])
    shows(f"{source} report phases --page", files, ["report", "phases", "--page", page])
    shows(f"{source} advise", files, ["advise"])
    shows(f"{source} diff", ["--", *files], ["diff", *files])
    status, out, _ = run("diff", *files, "--", *files)
    equal(f"{source} diff: a table: bands", (0, []), (status, table_bare(out, known)))
    other = sources["memory" if source == "faults" else "faults"]
    status, out, err = run("diff", *files, "--", *other)
    check(f"{source} diff, with the other source: refused", status == 2 and not out and "same --source" in err, err)
    status, out, _ = run("advise", *files)
    equal(f"{source} advise: a table: bands", (0, []), (status, table_bare(out, known)))
    check(f"{source} advise: a table: the legend", "Estimates: " in out, out)
    top_checks(source, files, known)
    screen_checks(source, files)
    serve_checks(source, files)
    unfinished_checks(source, files)
    mixed_checks(source, files)
    status, out, _ = run("view", "--json", *files)
    bands = {band[0]: band for band in json.loads(out)["sampled"]["bands"]}
    check(f"{source} view: each count has its band", {int(count) for page in samples["pages"] for count in
                                                     page["accesses"] if count} <= set(bands), sorted(bands))

    # ---- refused, with a remedy; nothing is shown or written
    remedy = re.compile(
        r"holds samples.*(smile report|show samples with their bands)|no effect with the view \S+ of samples|"
        r"has no latencies: .*--source memory|has no names of threads: .*--import|no effect with recordings of samples")
    for arguments in REFUSED + OF_ONE["memory" if source == "faults" else "faults"]:
        status, out, err = run(*arguments, *files)
        check(f"{source} {' '.join(arguments)}: refused", status == 2 and not out and remedy.search(err), (status, out, err))
    status, out, err = run("dump", files[0])
    check(f"{source} dump, of one: refused", status == 2 and not out and remedy.search(err), (out, err))
    # These commands need captures, records in their order, or files of another kind.
    for pattern, *arguments in (
            ["not the order of the accesses", "sweep", *files],
            ["a recording, not a capture", "replay", files[0], "-o", "written"],
            ["a recording, not a capture", "trace", "import", files[0], "-o", "written"],
            ["a recording, not a capture", "stat", "--slices", files[0]],
            ["a recording already", "record", "-d", f"file:{files[0]}", "-o", "written", "--", "true"],
            ["line 1 is none of", "place", files[0], "--", "true"]):
        status, out, err = run(*arguments)
        check(f"{source} {arguments[0]}: refused", status == 2 and not out and pattern in err, (status, out, err))
    check(f"{source}: nothing is written", not os.path.exists("written"))

suite_end()
