#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile serve: a document made from the last document and the later changes equals that of `smile view`.

usage: changes_test.py SMILE FEEDER SCRATCH

What lives here: four cards that count, changes of their traffic, and a comparison of both documents after each change.
"""
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from serving import Feeder, Server, processes, soon
from test import check, equal, suite_end

NODES = 4
PAGES = 40000
FIRST = 65536
STEPS = 24
FILES = [f"changes{node}.rec" for node in range(NODES)]


def viewed(smile):
    return json.loads(processes.run([smile, "view", "--json", *FILES], capture_output=True, check=True).stdout)


def served(server, path="/data.json"):
    return json.loads(server.get(path)[2])


def parts(document, *without):
    return {name: part for name, part in document.items() if name not in ("live", *without)}


def differences(one, other):
    """The differences of two documents; texts, of which there are many, are named by number."""
    named = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
    return [(name, [number for number, (a, b) in enumerate(zip(one[name]["chunks"], other[name]["chunks"])) if a != b])
            if name == "pages" else name for name in named]


def read(feeds, count, source, page, pages=1, home=None):
    """All concerned cards see the reads; the card of the page's home counts them."""
    home = page % NODES if home is None else home
    feeds[home].do(f"reads {count} {source} {home} {page} {pages}")


def step(feeds, number, choose):
    """Reads of several kinds, which change different parts of the document."""
    kind = number % 8
    some = lambda: FIRST + choose.randrange(PAGES)
    if kind == 0:
        for _ in range(20):
            page = some()
            read(feeds, 1 + choose.randrange(9), (page + 1) % NODES, page)
    elif kind == 1:
        for _ in range(20):
            page = some()
            read(feeds, 3, (page + choose.randrange(1, NODES)) % NODES, page)
    elif kind == 2:
        for page in (FIRST - 1 - number, FIRST + PAGES + 8192 * number, 7 + number):
            read(feeds, 2, (page + 1) % NODES, page, pages=3, home=0)
    elif kind == 3:
        page = some()
        read(feeds, 1, (page + 1) % NODES, page, home=(page + 2) % NODES)
    elif kind == 4:
        for feed in feeds:
            feed.do("mark")
        read(feeds, 5, 1, FIRST, home=0)
    elif kind == 5:
        read(feeds, 100000, 2, FIRST + 4 * choose.randrange(PAGES // 4), home=0)
    elif kind == 6:
        read(feeds, 1, 3, FIRST, pages=PAGES // 2, home=0)
    else:
        read(feeds, 1, 1, FIRST + 4, home=0)


def changes_checks(smile, feeder):
    feeds = [Feeder(feeder, file, node=node) for node, file in enumerate(FILES)]
    choose = random.Random(1)
    try:
        for feed in feeds:
            feed.do(f"part {PAGES} {NODES}")
        with Server(smile, *FILES, "--interval", "0.1") as server:
            keys = []
            for number in range(STEPS):
                wanted = viewed(smile)
                check(f"step {number}: all has come", soon(lambda: served(server)["loss"] == wanted["loss"]))
                document = served(server)
                equal(f"step {number}: the document of smile view", [],
                      differences(parts(wanted, "advice"), parts(document, "advice")))
                before, keys = keys, served(server, "/view.json")["pages"]["keys"]
                # Only one page has changed.
                if number % 8 in (4, 6):
                    check(f"step {number}: some texts stay", set(before) & set(keys), [before, keys])
                step(feeds, number, choose)
            wanted = viewed(smile)
            check("advice follows when nothing changes", soon(
                lambda: (last := served(server))["live"]["advice_age_ms"] == 0 and last["advice"] == wanted["advice"]))
            for feed in feeds:
                feed.do("end")
            check("the end", soon(lambda: served(server)["live"]["state"] == "ended"))
            wanted = viewed(smile)
            check("the last document has advice of its own", soon(lambda: served(server)["live"]["advice_age_ms"] == 0))
            equal("the last document, with advice", [], differences(parts(wanted), parts(served(server))))
            check("there are pages, texts and phases", wanted["pages"]["count"] > PAGES and len(keys) > 3
                  and len(wanted["phases"]) > 2, [wanted["pages"]["count"], len(keys), len(wanted["phases"])])
    finally:
        for feed in feeds:
            feed.close()


def main():
    smile, feeder, scratch = (os.path.abspath(a) for a in sys.argv[1:4])
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    changes_checks(smile, feeder)
    suite_end()


main()
