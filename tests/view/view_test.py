#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile view: the document of known recordings, the command, and the page's scripts as text.
page_test.mjs tests the page in a browser.

usage: view_test.py SMILE RECORDINGS SCRATCH

RECORDINGS (tests/view/recordings.c) makes the recordings; its head lists their contents.
"""
import base64
import glob
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes
from test import check, equal, suite_end

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*arguments):
    return processes.run(arguments, capture_output=True, text=True)


def numbers(text):
    """The numbers that lib/analysis/view/view_pack.c has packed."""
    result, number, shift = [], 0, 0
    for byte in base64.b64decode(text, validate=True):
        number |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            result.append(number)
            number = shift = 0
    return result


def unpacked(document):
    """[page, home, region, {source: [reads, writes, locks, other]}], from the packed pages. With caches in front of
    all memory, the rows start with the accesses."""
    pages, caches = [], "transactions" in document["summary"]
    for chunk in document["pages"]["chunks"]:
        todo, before = iter(numbers(chunk)), 0
        for delta in todo:
            before += delta
            home, region, rows = next(todo), next(todo) - 1, {}
            accesses = [next(todo)] if caches else []
            for _ in range(next(todo)):
                head = next(todo)
                rows[head >> 4] = [next(todo) if head >> bit & 1 else 0 for bit in range(4)]
            pages.append([before, home, region, *accesses, rows])
    return pages


# ---- the document ------------------------------------------------------------------------------

def document_checks(smile):
    got = run(smile, "view", "--json", "known.rec")
    equal("json: status", 0, got.returncode)
    document = json.loads(got.stdout)
    for key in ("origin", "version", "files"):
        check(f"json: has {key}", bool(document.pop(key, None)))
    with open(os.path.join(HERE, "known.json"), encoding="utf-8") as golden:
        equal("json: the golden document", json.load(golden), document)
    equal("json: every page, home, region and access", [
        [65536, 0, 0, {1: [100, 10, 0, 0]}],
        [65537, 1, 0, {1: [500, 0, 0, 0], 2: [40, 0, 0, 0]}],
        [65538, 2, 1, {0: [30, 0, 0, 0], 1: [30, 0, 0, 0], 3: [30, 0, 0, 0]}],
        [65539, 3, 1, {0: [0, 0, 5, 0]}],
        [131072, 0, 2, {3: [0, 20, 0, 0]}]], unpacked(document))
    # Computed by hand from the recording's latencies: remote - local is 100 for a read, 10 for a write, 200 for a lock.
    equal("json: lost cycles by hand", 100 * 100 + 10 * 10 + 40 * 100 + 90 * 100 + 5 * 200 + 20 * 10,
          document["summary"]["lost_cycles"])
    equal("json: saved cycles by hand", 10100 + 1000 + 200, document["summary"]["gain_cycles"])
    equal("json: transfers", [0, 0, 30, 5, 110, 0, 30, 0, 0, 40, 0, 0, 20, 0, 30, 0],
          numbers(document["transfers"]))
    equal("json: pages by phase, own accesses in", [70, 40, 40, 500, 0, 90, 0, 5, 0, 20],
          numbers(document["groups"]["by_phase"]))
    # Page 65536: 100 reads of 101 cycles and 10 writes of 11, or as many of 1; 65537: 40 reads, and 500 local.
    # By hand: 16 bytes for a read or write, 32 for a lock.
    equal("json: bytes", [16 * n if n != 5 else 160 for n in numbers(document["transfers"])],
          numbers(document["transfer_bytes"]))
    phases = document["transfer_phases"]
    packets = numbers(phases["packets"])
    equal("json: transfers by phase", [70, 40], [packets[4], packets[16 + 4]])
    equal("json: all phases are all transfers", numbers(document["transfers"]),
          [a + b for a, b in zip(packets[:16], packets[16:])])
    advice = document["advice"]
    equal("json: advice by variable", [["grid", 1, 1], ["</script><b>\"&x", 1, 2], ["heap", 1, 1]],
          [[d["name"], d["wrong_node"], d["to_move"]] for d in advice["data"]])
    equal("json: advice in words", "1 of 2 pages lies on the wrong node; it belongs on node 1; moving 1 saves 68.5% "
          "of 14,750 cycles", advice["data"][0]["words"])
    equal("json: the command, quoted as a shell needs it", "smile advise known.rec -o placement && smile run --place "
          "placement -o placed -- './my test' a", advice["command"])
    cards = json.loads(run(smile, "view", "--json", "cards.rec").stdout)["advice"]
    equal("json: of cards there is no command", [1, None, False], [cards[key] for key in ("to_move", "command", "elsewhere")])
    sim = json.loads(run(smile, "view", "--json", "sim.rec").stdout)["advice"]
    equal("json: a simulation's command leaves the first one's files alone", "smile advise sim.rec -o placement && smile "
          "sim sor --place placement -o placed --size=64 --thread-nodes=block:2", sim["command"])
    os.makedirs("a b", exist_ok=True)
    shutil.copy("known.rec", "a b")
    elsewhere = json.loads(run(smile, "view", "--json", "a b/known.rec").stdout)["advice"]
    equal("json: recordings elsewhere are named from anywhere", f"smile advise '{os.path.realpath('a b')}/known.rec' -o "
          "placement && smile run --place placement -o placed -- './my test' a", elsewhere["command"])
    few = json.loads(run(smile, "view", "--json", "--details", "2", "known.rec").stdout)
    equal("json: --details keeps the dearest pages", [0, 2], few["details"]["pages"])
    hot = run(smile, "view", "--json", "--hot", "5%", "known.rec")
    equal("json: --hot is passed on", "5%", json.loads(hot.stdout)["hot_from"])
    none = json.loads(run(smile, "view", "--json", "nothing.rec").stdout)
    equal("json: of nothing", [0, 0], [none["pages"]["count"], none["summary"]["accesses"]])


def caches_checks(smile):
    """The accesses of the processors, and the transactions behind the caches, which have costs."""
    document = json.loads(run(smile, "view", "--json", "caches.rec").stdout)
    equal("caches: every page with its accesses, and its transactions", [
        [65536, 0, 0, 2000, {1: [100, 10, 0, 0]}],
        [65537, 1, 0, 500, {1: [500, 0, 0, 0], 2: [40, 0, 0, 0]}],
        [65538, 2, 1, 0, {0: [30, 0, 0, 0], 1: [30, 0, 0, 0], 3: [30, 0, 0, 0]}],
        [65539, 3, 1, 0, {0: [0, 0, 5, 0]}],
        [65540, 2, -1, 3000, {2: [0, 0, 0, 0]}],
        [131072, 0, 2, 0, {3: [0, 20, 0, 0]}]], unpacked(document))
    summary, grid = document["summary"], document["regions"][0]["sums"]
    wanted = {"accesses": 5500, "own": 3000, "reads": 2500, "writes": 0, "locks": 0,
              "transactions": {"accesses": 765, "own": 500, "reads": 230, "writes": 30, "locks": 5}}
    equal("caches: the summary", wanted, {key: summary[key] for key in wanted})
    equal("caches: a region", [2500, 650], [grid["accesses"], grid["transactions"]["accesses"]])
    equal("caches: phases", [[5500, 110], [0, 155]],
          [[phase["accesses"], phase["transactions"]["accesses"]] for phase in document["phases"]])
    # No thread waits for lines that are written back.
    equal("caches: lost cycles are of transactions", 100 * 100 + 40 * 100 + 90 * 100 + 5 * 200, summary["lost_cycles"])
    equal("caches: advice is on transactions", [650, None],
          [document["advice"]["data"][0].get(key) for key in ("transactions", "accesses")])


def command_checks(smile):
    got = run(smile, "view", "known.rec", "-o", "known.html")
    equal("page: status", 0, got.returncode)
    with open("known.html", encoding="utf-8") as page:
        html = page.read()
    check("page: is reported", "known.html" in got.stderr, got.stderr)
    check("page: nothing is fetched", not re.search(r"""(src|href)=["']?(https?:)?//|url\((?!#)|@import""", html))
    check("page: runs its own script alone", "default-src 'none'; script-src 'sha256-" in html)
    equal("page: a hostile name ends no element", 3, html.count("</script>"))
    equal("page: to standard output", html, run(smile, "view", "known.rec", "-o", "-").stdout)
    check("page: no part is left", not os.path.exists("known.html.part"))
    for name, wanted, arguments in (
            ("no file", "which recording", []),
            ("a file that is not there", "not-there.rec", ["not-there.rec"]),
            ("a directory that is not there", "cannot write no/x.html", ["known.rec", "-o", "no/x.html"]),
            ("an option that is none", "--help", ["--nothing", "known.rec"]),
            ("a number that is none", "--details", ["--details", "x", "known.rec"]),
            ("-o with --json", "--json", ["--json", "-o", "x", "known.rec"])):
        got = run(smile, "view", *arguments)
        check("refused: " + name, got.returncode == 2 and wanted in got.stderr and not got.stdout,
              got.stderr)


def twice(texts):
    """Names that are defined more than once at the top of some scripts, and the number of all names."""
    names = []
    for text in texts:
        for kind, rest in re.findall(r"^(?:async )?(function\*?|class|const|let|var) ((?:.|\n\t)*)", text, re.M):
            names.append(re.match(r"[\w$]+", rest)[0])
            # The names after the first: prettier puts each on its own line.
            if kind in ("const", "let", "var"):
                names += re.findall(r"(?<=,)\n\t([\w$]+)(?= =|,\n|;)", rest)
    return sorted({name for name in names if names.count(name) > 1}), len(names)


def script_checks():
    equal("scripts: a name that is there twice would be found", (["a", "b", "c"], 7), twice(
        ["function a() {\n\tconst d = 1;\n}\nconst b = {\n\t\te: 1,\n\t},\n\tc = 2;\n",
         "async function b() {}\nclass c {}\nlet f = 1,\n\ta;\n"]))
    texts = []
    for path in sorted(glob.glob(os.path.join(HERE, "..", "..", "tools", "view", "html", "*.js"))):
        with open(path, encoding="utf-8") as text:
            texts.append(text.read())
    names, count = twice(texts)
    check("scripts: they share one scope, so no name is defined twice", not names and len(texts) > 15 and count > 200,
          [names, len(texts), count])


def main():
    smile, recordings, scratch = (os.path.abspath(a) for a in sys.argv[1:4])
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    for kind in ("known", "caches", "nothing", "cards", "sim"):
        processes.run([recordings, kind, kind + ".rec"], check=True)
    document_checks(smile)
    caches_checks(smile)
    script_checks()
    command_checks(smile)
    suite_end()


main()
