#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of the output of `smile report`, `diff`, `advise` and `sweep`, for people and for programs.

What lives here: --csv read back by Python's csv module and compared cell by cell with --json of the
same view; widths, ellipses and notes at COLUMNS=40, 80 and 200; colours through a pseudo-terminal.
The maps are tested in heat_test.py, which this program also runs.

usage: report_test.py SMILE RECORDINGS MKCAPTURE SCRATCH
"""
import os
import struct
import sys

import heat_test
from command import Command
from test import suite_end

VIEWS = ["transfers", "pages", "pages --bands", "top", "page --page {page}", "phases",
     "phases --page {page}", "static", "structures", "lost", "heat", "heat --by time"]


def numbers(rows, *names):
    return [tuple(int(row[name]) for name in names) for row in rows]


def dense(page, key):
    return [(node, count) for node, count in enumerate(page[key]) if count]


def region_cells(one):
    region = one.get("region")
    if not region:
        return ("", "", "", "")
    return (region["kind"], region["name"], str(region["start"]), str(region["offset"]))


REGION = ("region_kind", "region", "region_start", "region_offset_bytes")


def region_of(row):
    return tuple(row[name] for name in REGION)


def nothing(value):
    return "" if value is None else str(int(value))


# ---- each view: the rows of the CSV must be those of the JSON ---------------------------------------

def transfers(csv, doc):
    marked = {(b["source"], b["destination"]) for b in doc["bottlenecks"]}
    want = [(i, j, count, int((i, j) in marked)) for i, row in enumerate(doc["transactions"])
        for j, count in enumerate(row) if count]
    return numbers(csv, "source", "destination", "transactions", "bottleneck"), want


def pages(csv, doc):
    got = [tuple(int(r[k]) for k in ("page", "home", "source", "accesses", "reads", "writes",
                     "locks")) + region_of(r) for r in csv]
    want = [(p["page"], p["home"], node, count, p["reads"][node], p["writes"][node],
         p["locks"][node]) + region_cells(p)
        for p in doc["pages"] for node, count in dense(p, "accesses")]
    return got, want


def bands(csv, doc):
    got = [(int(r["home"]), int(r["first_page"]), int(r["last_page"]), int(r["pages"]),
        [int(n) for n in r["nodes"].split()], int(r["accesses"])) for r in csv]
    want = [(b["home"], b["first_page"], b["last_page"], b["pages"], b["nodes"], b["accesses"])
        for b in doc["bands"]]
    return got, want


def top(csv, doc):
    keys = ["page", "home", "accesses", "share", "reads", "writes", "locks", "dominant_node",
        "dominant_share", "remote_share"]
    return ([[float(r[k]) for k in keys] for r in csv],
        [[float(p[k]) for k in keys] for p in doc["pages"]])


def page(csv, doc):
    got = [(r["page"], r["home"], r["part"], r["section"], r["offset_bytes"],
        r["section_bytes"]) + tuple(int(r[k]) for k in ("source", "accesses", "reads", "writes"))
           for r in csv]
    size = str(doc["section_bytes"])
    parts = [("section", str(s["section"]), str(s["offset_bytes"]), size, s)
         for s in doc["sections"]]
    parts += [(name, "", "", "", doc[key]) for name, key in
          (("straddling", "straddling"), ("total", "totals"))]
    want = [(str(doc["page"]), str(doc["home"]), name, section, offset, bytes_, node, count,
         p["reads"][node], p["writes"][node])
        for name, section, offset, bytes_, p in parts for node, count in dense(p, "accesses")]
    return got, want


def phase_cells(p):
    return (str(p["phase"]), p.get("name", ""), nothing(p["open"]), nothing(p["event"]),
        nothing(p["end_ns"]))


PHASE = ("phase", "name", "open", "event", "end_ns")


def phases(csv, doc):
    return ([tuple(r[k] for k in PHASE + ("accesses",)) for r in csv],
        [phase_cells(p) + (str(p["accesses"]),) for p in doc["phases"]])


def page_phases(csv, doc):
    got = [tuple(r[k] for k in PHASE + ("page", "home", "source", "accesses")) for r in csv]
    want = [phase_cells(p) + (str(doc["page"]), str(doc["home"]), str(node), str(count))
        for p in doc["phases"] for node, count in dense(p, "accesses")]
    return got, want


def trigger(event, doc):
    if event is None:
        return ""
    if "global_event" in event:
        return f"g{event['global_event']}"
    return next(f"m{c['counter']}" for c in doc["counters"] if c["counts"] == event)


def static(csv, doc):
    keys = ("counter", "global_event", "node", "address", "length_bytes", "types", "packets",
        "from", "until", "phase", "open", "event", "end_ns", "count")
    want = []
    for c in doc["counters"]:
        e = c["counts"]
        what = tuple(str(e.get(k, "")) for k in ("global_event", "node", "address",
                             "length_bytes"))
        for p in doc["phases"]:
            want.append((str(c["counter"]),) + what +
                    (" ".join(e.get("types", [])), e.get("packets", ""),
                     trigger(c["from"], doc), trigger(c["until"], doc),
                     str(p["phase"]), nothing(p["open"]), nothing(p["event"]),
                     nothing(p["end_ns"]), str(p["counts"][c["counter"]])))
    return [tuple(r[k] for k in keys) for r in csv], want


def structures(csv, doc):
    text = ("name", "kind", "type", "object", "file")
    count = ("line", "address", "bytes", "pieces", "blocks", "blocks_lost")
    more = ("pages", "straddling", "remote", "dominant")
    want = []
    for s in doc["structures"]:
        # Rows without a variable have empty cells.
        known = s["name"] != ""
        head = tuple(s[k] if known else "" for k in text)
        head += tuple(str(s[k]) if known else "" for k in count)
        head += tuple(str(s[k]) for k in more)
        rows = [head + tuple(str(s[k][node]) for k in ("accesses", "reads", "writes", "locks",
                                   "homes")) + (str(node),)
            for node in range(doc["nodes"]) if s["accesses"][node] or s["homes"][node]]
        want += rows or [head + ("",) * 6]
    got = [tuple(r[k] for k in text + count + more + ("accesses", "reads", "writes", "locks",
                              "home_accesses", "node")) for r in csv]
    return got, want


def lost(csv, doc):
    got = [tuple(r[k] for k in ("kind", "name", "count", "should_be", "holds")) for r in csv]
    want = [("value", key, nothing(value), "", "") for key, value in doc.items()
        if key not in ("schema", "checks", "account")]
    want += [("check", c["check"], str(c["is"]), str(c["should_be"]), nothing(c["holds"]))
         for c in doc["checks"] or []]
    run = doc["account"]
    if run:
        want += [("value", "run_" + key, str(run[key]), "", "") for key in ("accesses", "counted")]
        want += [("left_out", row["reason"], nothing(row["accesses"]), "", "")
             for row in run["left_out"]]
    return got, want


def heat(csv, doc):
    column = "phase" if doc["by"] == "time" else "node"
    got = [tuple(r[k] for k in ("first_page", "last_page", "pages", "homes", "name", column,
                    "accesses")) for r in csv]
    want = [(str(r["first_page"]), str(r["last_page"]), str(r["pages"]),
         " ".join(str(n) for n, c in dense(r, "homes")), r["name"], str(i), str(count))
        for r in doc["rows"] for i, count in dense(r, "accesses")]
    return got, want


READERS = [transfers, pages, bands, top, page, phases, page_phases, static, structures, lost, heat,
       heat]


def both(t, name, reader, arguments):
    csv, doc = t.csv(arguments), t.json(arguments)
    got, want = reader(csv, doc)
    if not want:
        t.check(f"{name}: there is something to compare", False, "nothing")
    t.same(f"{name}: --csv has what --json has", want, got)


def csv_tests(t):
    for view, reader in zip(VIEWS, READERS):
        for recording, number in (("known", 65536), ("odd", 65537), ("wide", 65539)):
            if view == "static":
                continue
            words = view.format(page=number).split()
            both(t, f"{view.split(' {')[0]}, {recording}", reader,
                 ["report", *words, f"{recording}.rec"])
    both(t, "static", static, ["report", "static", "static.rec"])
    both(t, "heat in three rows", heat, ["report", "heat", "-n", "3", "wide.rec"])
    names = [row["region"] for row in t.csv(["report", "pages", "odd.rec"])]
    t.same("names come back as they are", ["a,b", 'say "so"', "two\nlines", "\ufffd\ufffdA", "=1+1",
                           "\u65e5\u672c-\u00e9t\u00e9", "\033[31mred",
                           "a long name of a region of memory, cut"], names)
    raw = t.smile(["report", "pages", "--csv", "odd.rec"])
    t.check("bytes that are no UTF-8 are not changed", b",\xff\xfeA," in raw, raw)
    t.check("lines end with LF alone", b"\r" not in raw and raw.endswith(b"\n"), raw)
    t.same("no access: a header alone", b"page,home,source,accesses,reads,writes,locks,"
           b"region_kind,region,region_start,region_offset_bytes\n",
           t.smile(["report", "pages", "--csv", "nothing.rec"]))
    variable = ["report", "structures", "--variable", "grid", "known.rec"]
    csv, doc = t.csv(variable), t.json(variable)
    want = [(kind, p["name"], str(p["address"]), str(node), str(count), str(p["homes"][node]))
        for kind, key in (("part", "parts"), ("page", "page_parts")) for p in doc[key]
        for node, count in enumerate(p["accesses"]) if count or p["homes"][node]]
    got = [tuple(r[k] for k in ("part", "name", "address", "node", "accesses", "home_accesses"))
           for r in csv if r["node"]]
    t.check("--variable: there is something to compare", want, "nothing")
    t.same("structures --variable: --csv has what --json has", want, got)
    for words in ("report pages known.rec", "diff known.rec odd.rec", "advise known.rec",
              "sweep small.pcap"):
        t.refuses(f"{words.split()[0]}: --json and --csv", "give one of them",
              words.split() + ["--json", "--csv"])


def other_commands(t):
    arguments = ["diff", "known.rec", "second.rec"]
    doc = t.json(arguments)
    rows = t.csv(arguments)
    want = sorted((p["page"], node, a, b) for p in doc["pages"]
              for node, (a, b) in enumerate(zip(*p["by_node"])) if a or b)
    t.check("diff: there is something to compare", want, "nothing")
    t.same("diff: --csv has what --json has", want,
           sorted(numbers(rows, "page", "source", "accesses_first", "accesses_second")))
    rows = t.csv(arguments, "--csv=regions")
    t.same("diff: regions", [(r["name"], r["kind"], r["pages"], *r["accesses"])
                 for r in doc["regions"]],
           [(r["region"], r["kind"], int(r["pages"]), int(r["accesses_first"]),
         int(r["accesses_second"])) for r in rows])
    first, second = doc["transfers"]
    want = [(i, j, first[i][j], second[i][j]) for i in range(doc["nodes"])
        for j in range(doc["nodes"]) if first[i][j] or second[i][j]]
    t.same("diff: transfers", want, numbers(t.csv(arguments, "--csv=transfers"), "source",
                        "destination", "transactions_first",
                        "transactions_second"))
    t.refuses("diff: a table that is not there", "none of pages, regions",
          arguments + ["--csv=all"])
    arguments = ["advise", "known.rec"]
    doc, rows = t.json(arguments), t.csv(arguments)
    want = []
    for run in doc["runs"]:
        want += [(run["page"] + i, run["node"]) for i in range(run["pages"])]
    t.check("advise: there is something to compare", want, "nothing")
    t.same("advise: each page of a run has its row", sorted(want), numbers(rows, "page", "node"))
    t.same("advise: sums", [doc[k] for k in ("accesses", "cycles", "advised_cycles")],
           [sum(int(r[k]) for r in rows) for k in ("accesses", "cycles", "advised_cycles")])
    arguments = ["sweep", "--counters", "1,4", "--range", "4,64", "small.pcap"]
    keys = ("counters", "range_bytes", "flushes", "drained", "bytes", "extensions")
    doc, rows = t.json(arguments), t.csv(arguments)
    t.same("sweep: --csv has what --json has", [tuple(p[k] for k in keys) for p in doc["points"]],
           numbers(rows, *keys))
    t.same("sweep: rates", [p["bytes_per_second"] for p in doc["points"]],
           [float(r["bytes_per_second"]) for r in rows])


# ---- text for people -------------------------------------------------------------------------------

def width_tests(t):
    for recording, number in (("known", 65536), ("odd", 65537), ("wide", 65539), ("static", 40)):
        for view in VIEWS + ["heat --bars", "structures --variable matrix"]:
            if ("structures" in view and recording in ("odd", "static")) or \
               ("variable" in view and recording != "wide"):
                continue
            words = view.format(page=number).split()
            for columns in (40, 80, 200):
                text = t.text(["report", *words, f"{recording}.rec"], COLUMNS=columns,
                          LC_ALL="C.UTF-8")
                widest = max(t.width(line) for line in text.split("\n"))
                t.check(f"{view}, {recording}: fits {columns} columns",
                    10 < widest <= columns, f"{widest} wide:\n{text}")
    for columns in (40, 80, 200):
        for words in ("diff known.rec second.rec", "advise known.rec", "sweep small.pcap"):
            text = t.text(words.split(), COLUMNS=columns, LC_ALL="C.UTF-8")
            # The line about the traffic of a sweep is a sentence, not a row of a table.
            widest = max(t.width(line) for line in text.split("\n")
                     if "accesses, the most" not in line and not "run time" in line)
            t.check(f"{words}: fits {columns} columns", 10 < widest <= columns,
                f"{widest} wide:\n{text}")
    text = t.text(["report", "pages", "wide.rec"])
    t.check("without a terminal nothing is left out",
        "node 0  node 1" in text and "LOCKS" in text and "no room" not in text, text)


def give_times(path, node, boot, offset_ns, real_bound_ns):
    """Append pairs of times to a recording without a trailer, as docs/recording.md says."""
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        pairs = b"".join(struct.pack("<5Q", card, card + offset_ns, 50, card + offset_ns, real_bound_ns)
                         for card in (0, 1000000))
        trailer = struct.pack("<IIII16s", 29, 24 + len(pairs), node, 40, boot) + pairs + bytes(8)
        struct.pack_into("<I", data, 8, 2)
        at, end = 32, struct.unpack_from("<I", data, 12)[0]
        while struct.unpack_from("<I", data, at)[0] != 6:
            at += 8 + (struct.unpack_from("<I", data, at + 4)[0] + 7) // 8 * 8
            assert at < end
        struct.pack_into("<QQ", data, at + 8, len(data), len(trailer))
        file.seek(0)
        file.write(data + trailer)


def spread_tests(t):
    """Two recordings of one capture: their cards' clocks are equal, their hosts' clocks differ."""
    words = ["report", "phases", "node0.rec", "node1.rec"]

    def spread(first, second):
        for node, times in enumerate((first, second)):
            t.record(f"node{node}.rec", "small.pcap", "--node", str(node))
            if times:
                give_times(os.path.join(t.scratch, f"node{node}.rec"), node, *times)
        doc = t.json(words)
        return [p["began_within_ns"] for p in doc["phases"]], doc.get("began_unknown"), t.text(words)

    within, why, _ = spread(None, None)
    t.check("phases: recordings without times", within == [None, None] and
            "node 0 has no times of its host" in why, (within, why))
    # 9000 ns after a pair the drift may be 4 ns; each pair adds 50, and rounding adds the rest.
    within, why, text = spread((b"a" * 16, 5000000, 2**64 - 1), (b"a" * 16, 5030000, 2**64 - 1))
    t.same("phases: of one host", ([None, 30110], None), (within, why))
    t.check("phases: of one host, as text", "than phase 1, which needed at most 30.110 us" in text and
            "BEGAN WITHIN [us]" in text, text)
    within, why, text = spread((b"a" * 16, 5000000, 2000), (b"b" * 16, 5030000, 3000))
    t.same("phases: of two hosts", ([None, 35020], None), (within, why))
    within, why, text = spread((b"a" * 16, 5000000, 2000), (b"b" * 16, 5030000, 2**64 - 1))
    t.check("phases: of hosts that are not synchronised", within == [None, None] and
            "node 1: its time of day is not synchronised" in why and "node 1" in text and
            "BEGAN WITHIN" not in text, (why, text))


def heading_tests(t):
    """The widest lines are headings, which are also cut."""
    words = ["report", "structures", "--address", "0x10007000", "odd.rec"]
    seen = set()
    for columns in range(20, 121):
        text = t.text(words, COLUMNS=columns, LC_ALL="C.UTF-8")
        seen |= {line.split("  ")[1] for line in text.split("\n") if line.startswith(" PAGE  WHAT")}
    t.same("headings are cut like cells", {"WHAT \u2026IT", "WHAT \u2026 IT", "WHAT OF IT"}, seen)


def fold_tests(t):
    text = t.text(["report", "transfers", "wide.rec"], COLUMNS=80)
    matrix = t.json(["report", "transfers", "wide.rec"])["transactions"]
    lines = text.split("\n")
    t.check("what does not fit is reported", "no room for the columns of 57 nodes" in text, text)
    t.check("a bottleneck is not folded", "5,001*" in lines[64], lines[64])
    for i, line in enumerate(lines[1:65]):
        cells = [int(c.rstrip("*").replace(",", "")) for c in line.split()[2:]]
        if sum(cells) != sum(matrix[i]):
            t.check("rows have their sums", False, line)
            break
    else:
        t.check("rows have their sums", True, "")
    text = t.text(["report", "pages", "odd.rec"], COLUMNS=60, LC_ALL="C.UTF-8")
    t.check("a long name has an ellipsis", "a long name\u2026" in text, text)
    text = t.text(["report", "pages", "odd.rec"], COLUMNS=60, LC_ALL="C")
    t.check("without UTF-8 it is a letter", "a long name" in text and "~" in text and
        "\u2026" not in text, text)
    text = t.text(["report", "pages", "odd.rec"], COLUMNS=40, LC_ALL="C.UTF-8")
    # Only the name that is not UTF-8 has bytes that are not part of a character.
    t.same("no character is cut in two", 2, text.count("\ufffd"))
    t.check("nothing in a name moves the cursor", "\033" not in text and "?[31m" in text, text)


def count(cell):
    return 0 if cell == "-" else int(cell.replace(",", ""))


def top_tests(t):
    """For each number, the pages shown are the first of all pages in the order of their accesses."""
    for recording in ("known", "odd", "wide"):
        doc = t.json(["report", "pages", f"{recording}.rec"])
        want = sorted((-sum(p["accesses"]), p["page"], p["home"]) for p in doc["pages"])
        t.check("top: there is something to compare", len(want) > 4, want)
        for rows in (1, 2, 3, len(want) - 1, len(want), len(want) + 9):
            pages = t.json(["report", "top", "-n", str(rows), f"{recording}.rec"])["pages"]
            t.same(f"top -n {rows}, {recording}", want[:rows],
                   [(-p["accesses"], p["page"], p["home"]) for p in pages])


def pages_tests(t):
    """The table of pages is printed row by row: its cells must contain the values of the document."""
    doc = t.json(["report", "pages", "wide.rec"])
    want = [[p["page"], p["home"], *p["accesses"], sum(p["accesses"]), sum(p["reads"]),
         sum(p["writes"]), sum(p["locks"])] for p in doc["pages"]]
    nodes = [n for n in range(doc["nodes"]) if any(p["accesses"][n] for p in doc["pages"])]
    shown = [row[:2] + [row[2 + n] for n in nodes] + row[2 + doc["nodes"]:] for row in want]
    lines = t.text(["report", "pages", "wide.rec"]).split("\n")
    t.same("pages: one row for each, all cells", shown,
           [[count(cell) for cell in line.split()[:len(shown[0])]]
        for line in lines[1:1 + len(want)]])
    t.same("pages: cells stand below their headings", {lines[0].index("REMOTE") + len("REMOTE")},
           {line.index("%") + 1 for line in lines[1:1 + len(want)]})
    # On a narrow terminal the table continues below, with all rows again.
    lines = t.text(["report", "pages", "wide.rec"], COLUMNS="30").split("\n")
    blocks = [i for i, line in enumerate(lines) if line.split()[:1] == ["PAGE"]]
    t.check("pages: a narrow table has blocks", len(blocks) > 1, lines[:3])
    for first in blocks:
        t.same("pages: each block has all rows", [row[0] for row in want],
               [int(line.split()[0]) for line in lines[first + 1:first + 1 + len(want)]])
    t.same("page: its totals are those of pages",
           [[t.json(["report", "page", "--page", str(p["page"]), "--home", str(p["home"]),
             "wide.rec"])["totals"][key] for key in ("accesses", "reads", "writes")]
        for p in doc["pages"][:3] + doc["pages"][-1:]],
           [[p[key] for key in ("accesses", "reads", "writes")]
        for p in doc["pages"][:3] + doc["pages"][-1:]])


def hot_tests(t):
    """One threshold selects the same pages in each command. By hand: 110, 40, 90, 5 and 20 accesses."""
    for hot, least, want in (("90", 90, [65536, 65538]), ("10%", 27, [65536, 65537, 65538]),
                             ("0.5%", 2, [65536, 65537, 65538, 65539, 131072]), ("111", 111, [])):
        doc = t.json(["report", "pages", "--hot", hot, "known.rec"])
        t.same(f"pages --hot {hot}", want, [p["page"] for p in doc["pages"]])
        listed = sum(sum(p["accesses"]) for p in doc["pages"])
        t.same(f"pages --hot {hot}: what is left out", [least, 5 - len(want), 265 - listed],
               [doc["hot"][k] for k in ("accesses", "pages_below", "accesses_below")])
        t.same(f"pages --csv --hot {hot}", want,
               sorted({int(r["page"]) for r in t.csv(["report", "pages", "--hot", hot, "known.rec"])}))
        t.same(f"report top --hot {hot}", want,
               sorted(p["page"] for p in t.json(["report", "top", "--hot", hot, "known.rec"])["pages"]))
        live = t.json(["top", "--hot", hot, "--rows", "100", "known.rec"])
        t.same(f"smile top --hot {hot}", want, sorted(p["page"] for p in live["pages"]))
        t.same(f"smile top --hot {hot}: its threshold", [least, len(want), 5 - len(want)],
               [live["hot"][k] for k in ("accesses", "pages", "pages_below")])
    t.check("without --hot no threshold is reported", "hot" not in t.json(["report", "pages", "known.rec"]) and
            "hot" not in t.json(["top", "known.rec"]), "")
    text = t.text(["report", "pages", "--hot", "90", "known.rec"])
    t.check("pages --hot: the legend", "Hot pages only: 90 accesses or more (--hot 90); 3 other pages with 65 "
            "accesses left out." in text and "65537" not in text, text)
    text = t.text(["report", "top", "--hot", "90", "known.rec"])
    t.check("report top --hot: the legend", "90 accesses or more (--hot 90)" in text, text)
    text = t.text(["top", "--batch", "--hot", "10%", "known.rec"])
    t.check("smile top --hot: its head", "hot 3 (>= 27)" in text and "65539" not in text, text)
    # Pages 65536 and 131072 both have home 0 and are both used by one node, but not by the same one.
    bands = t.json(["report", "pages", "--bands", "--hot", "20", "known.rec"])["bands"]
    t.same("pages --bands --hot", [65536, 131072, 65537, 65538], [b["first_page"] for b in bands])
    t.check("pages --bands --hot: the legend", "20 accesses or more (--hot 20); 1 other page left out" in
            t.text(["report", "pages", "--bands", "--hot", "20", "known.rec"]), "")
    for command in ("report pages", "report top", "top --batch", "view", "serve"):
        for wrong in ("0", "x", "0%", "101%", "-5"):
            t.refuses(f"{command} --hot {wrong}", "neither a number of accesses",
                      [*command.split(), f"--hot={wrong}", "known.rec"])
    t.refuses("--hot of another view", "--hot has no effect with the view heat", ["report", "heat", "--hot", "5", "known.rec"])


def color_tests(t):
    coloured = 0
    for recording, number in (("known", 65536), ("wide", 65539), ("static", 40)):
        for view in VIEWS + ["heat --bars", "structures --variable grid"]:
            if ("variable" in view and recording != "known") or ("structures" in view and recording == "static"):
                continue
            words = ["report", *view.format(page=number).split(), f"{recording}.rec"]
            text = t.text(words + ["--color", "always"])
            if "\033[3" in text or "\033[1;3" in text or "\033[48" in text or "\033[38" in text:
                coloured += 1
                t.check(f"{view}, {recording}: coloured numbers have a legend, with units", "legend" in text and
                        any(unit in text.split("legend")[-1] for unit in ("accesses", "transactions", "events")),
                        text[-600:])
    t.check("some views have colours", coloured >= 5, coloured)
    words = ["report", "transfers", "wide.rec"]
    t.check("a terminal: bottlenecks in colour", "\033[1;31m5,001*" in t.terminal(words), "")
    t.check("NO_COLOR: none", "\033" not in t.terminal(words, NO_COLOR="1"), "")
    t.check("NO_COLOR that is empty counts as not set",
        "\033[1;31m" in t.terminal(words, NO_COLOR=""), "")
    t.check("TERM=dumb: none", "\033" not in t.terminal(words, TERM="dumb"), "")
    t.check("no TERM: none", "\033" not in t.terminal(words, TERM=""), "")
    t.check("no terminal: none", "\033" not in t.text(words), "")
    t.check("--color always: everywhere", "\033[1;31m" in t.text(words + ["--color", "always"]), "")
    t.check("--color always comes before NO_COLOR",
        "\033[1;31m" in t.text(words + ["--color=always"], NO_COLOR="1"), "")
    t.check("--color never: nowhere", "\033" not in t.terminal(words + ["--color", "never"]), "")
    t.refuses("--color with another word", "none of always, never and auto",
          words + ["--color", "sometimes"])
    text = t.terminal(words, columns=80)
    t.check("the terminal's own width", "no room for the columns of 57 nodes" in " ".join(text.split()), text)
    text = t.terminal(words, columns=100, COLUMNS="80")
    t.check("COLUMNS comes first", "no room for the columns of 57 nodes" in " ".join(text.split()), text)
    for option in ("--json", "--csv"):
        text = t.terminal(["report", "transfers", "wide.rec", option], columns=40)
        t.check(f"{option} has no colours", "\033" not in text and len(text) > 1000, text[:200])


def main():
    t = Command(*sys.argv[1:5])
    for kind in ("known", "odd", "wide", "nothing"):
        t.make(kind)
    t.capture("small")
    t.record("static.rec", "small.pcap", "--static", "page=40", "--static",
         "page=40,types=write,from=g0", "--static", "page=40,until=m1")
    t.record("second.rec", "small.pcap")
    csv_tests(t)
    other_commands(t)
    width_tests(t)
    spread_tests(t)
    heading_tests(t)
    fold_tests(t)
    top_tests(t)
    pages_tests(t)
    hot_tests(t)
    color_tests(t)
    heat_test.tests(t)
    suite_end()


if __name__ == "__main__":
    main()
