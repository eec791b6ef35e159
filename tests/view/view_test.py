#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""smile view: the document of known recordings, and the page in a headless browser.

usage: view_test.py SMILE RECORDINGS SCRATCH

The recordings are made by RECORDINGS (tests/view/recordings.c), which tells what is in them.
Screenshots stay in SCRATCH. Without a browser its part is skipped.
"""
import base64
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser as chromium
import places

HERE = os.path.dirname(os.path.abspath(__file__))
# How many checks the browser's part has: what is skipped without one.
BROWSER_CHECKS = 122
tally = {"passed": 0, "failed": 0, "skipped": 0}


def check(name, is_so, got=""):
    tally["passed" if is_so else "failed"] += 1
    print(("ok " if is_so else "not ok ") + name)
    if not is_so:
        print("  got: " + str(got)[:700])


def equal(name, expected, got):
    check(name, expected == got, f"{got!r}\n  expected: {expected!r}")


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def numbers(text):
    """What view_pack.c packs."""
    result, number, shift = [], 0, 0
    for byte in base64.b64decode(text, validate=True):
        number |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            result.append(number)
            number = shift = 0
    return result


def packed(some):
    """The same way back, of numbers below 16,384."""
    return base64.b64encode(b"".join(
        bytes([n]) if n < 128 else bytes([n & 0x7F | 0x80, n >> 7]) for n in some)).decode()


def altered(path, to, change):
    """A page with another document in it."""
    with open(path, encoding="utf-8") as made:
        before, mark, rest = made.read().partition('id="document">')
    text, end, after = rest.partition("</script>")
    document = json.loads(text)
    change(document)
    with open(to, "w", encoding="utf-8") as out:
        out.write(before + mark + json.dumps(document).replace("<", "\\u003c") + end + after)


def unpacked(document):
    """[page, home, region, {source: [reads, writes, locks, other]}], from the packed pages."""
    pages = []
    for chunk in document["pages"]["chunks"]:
        todo, before = iter(numbers(chunk)), 0
        for delta in todo:
            before += delta
            home, region, rows = next(todo), next(todo) - 1, {}
            for _ in range(next(todo)):
                head = next(todo)
                rows[head >> 4] = [next(todo) if head >> bit & 1 else 0 for bit in range(4)]
            pages.append([before, home, region, rows])
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
    # By hand, from the recording's latencies: remote - local is 100 a read, 10 a write, 200 a lock.
    equal("json: lost cycles by hand", 100 * 100 + 10 * 10 + 40 * 100 + 90 * 100 + 5 * 200 + 20 * 10,
          document["summary"]["lost_cycles"])
    equal("json: saved cycles by hand", 10100 + 1000 + 200, document["summary"]["gain_cycles"])
    equal("json: transfers", [0, 0, 30, 5, 110, 0, 30, 0, 0, 40, 0, 0, 20, 0, 30, 0],
          numbers(document["transfers"]))
    equal("json: pages by phase, own accesses in", [70, 40, 40, 500, 0, 90, 0, 5, 0, 20],
          numbers(document["groups"]["by_phase"]))
    # Page 65536: 100 reads of 101 cycles and 10 writes of 11, or as many of 1; 65537: 40 reads, and 500 local.
    # By hand: 16 bytes a read or write, 32 a lock.
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
    equal("json: of cards there is no command", [1, None], [cards["to_move"], cards["command"]])
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
    none = json.loads(run(smile, "view", "--json", "nothing.rec").stdout)
    equal("json: of nothing", [0, 0], [none["pages"]["count"], none["summary"]["accesses"]])


def command_checks(smile):
    got = run(smile, "view", "known.rec", "-o", "known.html")
    equal("page: status", 0, got.returncode)
    with open("known.html", encoding="utf-8") as page:
        html = page.read()
    check("page: is told", "known.html" in got.stderr, got.stderr)
    check("page: nothing is fetched", not re.search(r"""(src|href)=["']?(https?:)?//|url\(|@import""", html))
    check("page: runs its own script alone", "default-src 'none'; script-src 'sha256-" in html)
    equal("page: a hostile name ends no element", 3, html.count("</script>"))
    equal("page: to standard output", html, run(smile, "view", "known.rec", "-o", "-").stdout)
    check("page: no part is left", not os.path.exists("known.html.part"))
    for name, wanted, arguments in (
            ("no file", "which recording", []),
            ("a file that is not there", "not-there.rec", ["not-there.rec"]),
            ("a directory that is not there", "cannot be written", ["known.rec", "-o", "no/x.html"]),
            ("an option that is none", "--help", ["--nothing", "known.rec"]),
            ("a number that is none", "--details", ["--details", "x", "known.rec"]),
            ("-o with --json", "--json", ["--json", "-o", "x", "known.rec"])):
        got = run(smile, "view", *arguments)
        check("refused: " + name, got.returncode == 2 and wanted in got.stderr and not got.stdout,
              got.stderr)


def twice(texts):
    """Names that are defined more than once at the top of some scripts, and how many there are in all."""
    names = []
    for text in texts:
        for kind, rest in re.findall(r"^(?:async )?(function\*?|class|const|let|var) ((?:.|\n\t)*)", text, re.M):
            names.append(re.match(r"[\w$]+", rest)[0])
            # What follows the first: prettier gives each a line of its own.
            if kind in ("const", "let", "var"):
                names += re.findall(r"(?<=,)\n\t([\w$]+)(?= =|,\n|;)", rest)
    return sorted({name for name in names if names.count(name) > 1}), len(names)


def script_checks():
    equal("scripts: a name that is there twice would be found", (["a", "b", "c"], 7), twice(
        ["function a() {\n\tconst d = 1;\n}\nconst b = {\n\t\te: 1,\n\t},\n\tc = 2;\n",
         "async function b() {}\nclass c {}\nlet f = 1,\n\ta;\n"]))
    texts = []
    for path in sorted(glob.glob(os.path.join(HERE, "..", "..", "tools", "view", "*.js"))):
        with open(path, encoding="utf-8") as text:
            texts.append(text.read())
    names, count = twice(texts)
    check("scripts: they share one scope, so no name is defined twice", not names and len(texts) > 15 and count > 200,
          [names, len(texts), count])


# ---- the page ----------------------------------------------------------------------------------

class Page:
    """What is asked of a page, by name."""

    def __init__(self, driver, path):
        self.driver, self.url = driver, "file://" + os.path.abspath(path)

    def open(self, fragment=""):
        check(f"open #{fragment}", self.driver.open(self.url + "#" + fragment))

    def text(self, selector):
        return self.driver.evaluate(
            f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def rows(self, window):
        """The cells of the first table of a window."""
        return self.driver.evaluate(
            f"[...document.querySelectorAll('#window-{window} table')[0].tBodies[0].rows]"
            ".filter(r => !r.classList.contains('spacer')).map(r => [...r.cells].map(c => c.innerText.trim()))")

    def state(self):
        return self.driver.evaluate("location.hash")

    def shows(self, name, expression):
        check(name, self.driver.wait(expression, 10), self.driver.evaluate("document.body.innerText")[:600])

    def quiet(self, name):
        equal(name + ": no complaint on the console", [], self.driver.complaints())
        equal(name + ": no request", [], self.driver.requests())


def overview_checks(page):
    driver = page.driver
    page.open()
    equal("overview: the verdict", "3 of 5 pages lie on the wrong node; the most costly are in grid. "
          "On the nodes that use them most, 47 % of the 24.3 k cycles lost to remote accesses would be "
          "saved.", page.text("#verdict"))
    equal("overview: structures, the worst first", ["grid", "</script><b>\"&x", "heap"],
          [row[0] for row in page.rows("overview")])
    equal("overview: the first page's row", [["65536", "grid", "node 0", "node 1", "10.1 k", "10.1 k"],
                                             ["65538", "</script><b>\"&x", "node 2", "shared", "9,000", "3,000"]],
          driver.evaluate("[...document.querySelectorAll('#window-overview table')[1].tBodies[0].rows]"
                          ".slice(0, 2).map(r => [...r.cells].map(c => c.innerText.trim()))"))
    page.open("u=bytes")
    equal("overview: its matrix is of packets, whatever is shown elsewhere", ["node 1 → node 0: 110 packets", True],
          driver.evaluate("[document.querySelector('#window-overview .matrix').rows[2].cells[1].title, "
                          "document.querySelector('#window-overview .matrix').caption.textContent"
                          ".startsWith('Run-time transfer: packets ')]"))
    page.open()
    names = driver.names()
    check("screen reader: tabs", ("tab", "Histogram table") in names, names)
    check("screen reader: a table with its name",
          ("table", "Pages by cycles saved if moved") in names, names)
    check("screen reader: a chart that says what it shows", any(
        role in ("image", "img") and "Access diagram" in name and "5 pages in 5 columns" in name
        for role, name in names), [n for n in names if n[0] in ("image", "img")])
    driver.evaluate("document.querySelectorAll('#window-overview table')[1].tBodies[0].rows[0].focus()")
    driver.press("ArrowDown")
    driver.press("Enter")
    page.shows("overview: arrow and Enter open the second page",
               "document.querySelector('#window-page h2')?.innerText.endsWith('65538')")
    page.quiet("overview")


def histogram_checks(page):
    driver = page.driver
    page.open("w=histogram")
    equal("histogram: pages by lost cycles", ["65536", "65538", "65537", "65539", "131072"],
          [row[0] for row in page.rows("histogram")])
    equal("histogram: a row", ["65537", "grid + 0x1000", "node 1", "node 1", "93 %", "540", "540", "–", "–",
                               "7.4 %", "4,000", "0", "–", "500", "40", "–"], page.rows("histogram")[2])
    driver.click("#window-histogram thead th:nth-child(6) button")
    equal("histogram: sorted by accesses", ["65537", "65536", "65538", "131072", "65539"],
          [row[0] for row in page.rows("histogram")])
    equal("histogram: the order is in the address", "#w=histogram&sort=accesses", page.state())
    equal("histogram: the heading says so", "descending", driver.evaluate(
        "document.querySelector('#window-histogram th:nth-child(6)').ariaSort"))
    driver.click("[data-show=wrong]")
    equal("histogram: the wrong node alone", ["65536", "131072", "65539"],
          [row[0] for row in page.rows("histogram")])
    driver.click("[data-show=often]")
    equal("histogram: most frequently accessed", ["65537"], [row[0] for row in page.rows("histogram")])
    driver.click("[data-show=all]")
    driver.press("/")
    for letter in "home:0":
        driver.press(letter)
    page.shows("histogram: a filter by home", "document.querySelector('#selected').innerText.startsWith('2 pages of 5')")
    page.open("w=histogram&q=0x10002010")
    equal("histogram: a filter by address", ["65538"], [row[0] for row in page.rows("histogram")])
    page.open("w=transfer")
    driver.click("#window-transfer tbody tr:nth-child(2) td:nth-child(2)")
    equal("transfer: a pair opens its pages", ["65536"], [row[0] for row in page.rows("histogram")])
    page.quiet("histogram")


def transfer_checks(page):
    driver = page.driver
    page.open("w=transfer")
    equal("transfer: the matrix", [["node 0", "·", "·", "30", "5"], ["node 1", "▲ 110", "·", "30", "·"],
                                   ["node 2", "·", "40", "·", "·"], ["node 3", "20", "·", "30", "·"]],
          page.rows("transfer"))
    driver.evaluate("(i => { i.value = '5'; i.dispatchEvent(new Event('change')); })"
                    "(document.querySelector('#window-transfer input'))")
    check("transfer: a higher threshold marks none", "▲" not in page.text("#window-transfer table"))
    driver.evaluate("document.querySelector('#window-transfer td').focus()")
    driver.press("ArrowRight")
    driver.press("ArrowRight")
    driver.press("Enter")
    equal("transfer: arrows and Enter", ["65538"], [row[0] for row in page.rows("histogram")])


def transfer_time_checks(page):
    driver = page.driver
    page.open("w=transfer")
    driver.click("[data-unit=bytes]")
    equal("transfer: bytes", ["node 1", "▲ 1,760", "·", "480", "·"], page.rows("transfer")[1])
    equal("transfer: bytes are in the address", "#w=transfer&u=bytes", page.state())
    check("transfer: what a byte is, is said", "at least" in page.text("#bytes-note"), page.text("#bytes-note"))
    equal("transfer: the button says so", ["false", "true"], driver.evaluate(
        "[...document.querySelectorAll('[data-unit]')].map(b => b.getAttribute('aria-pressed'))"))
    driver.evaluate("document.querySelector('#phase-slider').focus()")
    driver.press("ArrowRight")
    equal("transfer: the slider by keys", ["#w=transfer&u=bytes&ph=0", "begin"], [page.state(), page.text("#phase-shown")])
    equal("transfer: bytes of the first phase", [["node 0", "·", "·", "·", "·"], ["node 1", "1,120", "·", "·", "·"],
                                                 ["node 2", "·", "640", "·", "·"], ["node 3", "·", "·", "·", "·"]],
          page.rows("transfer"))
    driver.press("ArrowRight")
    driver.click("[data-unit=packets]")
    equal("transfer: packets of the second", ["node 1", "40", "·", "30", "·"], page.rows("transfer")[1])
    driver.evaluate("document.querySelectorAll('#window-transfer details').forEach(d => d.open = true)")
    page.shows("transfer: over time, as a table", "document.querySelector('#window-transfer details table')"
               "?.innerText.includes('solve')")
    page.quiet("transfer")


def phase_checks(page):
    """A hundred phases, two of them a column."""
    driver = page.driver
    page.open("w=transfer&ph=5")
    equal("phases: a phase's number shows its column", ["4", "2", "11"],
          [page.text("#phase-shown").split(" ")[1], driver.evaluate("document.querySelector('#phase-slider').value"),
           page.rows("transfer")[1][1].strip("▲ ")])
    driver.evaluate("document.querySelector('#phase-slider').focus()")
    driver.press("ArrowRight")
    equal("phases: the slider's column is in the address by its first phase", "#w=transfer&ph=6", page.state())
    equal("phases: its packets", "15", page.rows("transfer")[1][1].strip("▲ "))
    driver.click("#window-transfer canvas[aria-label^=Transfers]")
    chosen = int(page.state().split("=")[-1])
    check("phases: so is one that is selected in the chart", chosen > 6 and chosen % 2 == 0 and
          page.text("#phase-shown") == f"phase {chosen} – phase {chosen + 1}", [chosen, page.text("#phase-shown")])
    page.open("w=transfer&ph=100")
    equal("phases: one that there is not", "all phases", page.text("#phase-shown"))
    page.quiet("phases")


def high_checks(page):
    # As a card with few counters tells it: three reads of the first word, two of the first two words.
    altered("high.html", "high.html", lambda document: document["details"].update(ranges=[packed([512, 5, 2, 512, 5, 3])]))
    page.open("w=structure&at=high")
    got = page.driver.evaluate("[...document.querySelectorAll('#variable table')].find(t => t.caption.innerText === "
                               "'Hottest elements') && [...[...document.querySelectorAll('#variable table')].find(t => "
                               "t.caption.innerText === 'Hottest elements').tBodies[0].rows].map(r => "
                               "[...r.cells].map(c => c.innerText))")
    equal("high: ranges of two sizes at one address", [["+ 0x0, 4 bytes", "3"], ["+ 0x0, 8 bytes", "2"]],
          [row[:2] for row in got or []])
    page.quiet("high")


def advice_checks(page):
    driver = page.driver
    page.open("w=advice")
    equal("advice: names the structure", "grid: 1 of 2 pages lies on the wrong node; it belongs on node 1; moving 1 saves "
          "68.5% of 14,750 cycles.", page.text("#advice-verdict"))
    equal("advice: by variable", [["grid", "1", "node 1"], ["</script><b>\"&x", "1", "node 0"], ["heap", "1", "node 3"]],
          [[row[0], row[3], row[8]] for row in page.rows("advice")])
    equal("advice: the command", "smile advise known.rec -o placement && smile run --place placement -o placed -- "
          "'./my test' a", page.text("#command"))
    driver.evaluate("[...document.querySelectorAll('#window-advice button')]"
                    ".find(b => b.innerText === 'Copy the command').focus()")
    driver.press("Enter", "\r")
    page.shows("advice: is copied by key", "/Copied|Selected/.test(document.querySelector('#status').innerText)")
    equal("advice: the placement file", ["pages 65536-65537 node 1", "pages 65538 node 0",
                                         "pages 65539 node 0", "pages 131072 node 3"],
          [line.split(" #")[0] for line in driver.evaluate("document.querySelector('#window-advice textarea').value")
           .split("\n") if line.startswith("pages")])
    with open("known.place", encoding="utf-8") as wanted:
        equal("advice: is what smile advise writes", wanted.read(),
              driver.evaluate("document.querySelector('#window-advice textarea').value"))
    driver.evaluate("document.querySelector('#window-advice tbody tr').focus()")
    driver.press("Enter")
    page.shows("advice: a row opens its data", "document.querySelector('#variable-title')?.innerText === 'grid'")
    page.quiet("advice")


def diagram_checks(page):
    driver = page.driver
    page.open("w=diagram")
    driver.evaluate("document.querySelector('#window-diagram canvas').focus()")
    driver.press("ArrowRight")
    check("diagram: the read-out of a column", "page 65537 · grid + 0x1000 · home node 1 · 540 accesses: "
          "node 1 500, node 2 40" in page.text("#window-diagram .read-out"), page.text("#window-diagram .read-out"))
    driver.drag("#window-diagram canvas", 0.5, 0.98)
    check("diagram: dragging zooms", "from=" in page.state(), page.state())
    driver.press("0")
    equal("diagram: 0 shows all", "#w=diagram", page.state())
    driver.press("Home")
    driver.press("Enter")
    page.shows("diagram: Enter opens a page", "document.querySelector('#window-page h2')?.innerText.endsWith('65536')")
    page.open("w=heatmap")
    driver.evaluate("document.querySelector('#window-heatmap canvas').focus()")
    driver.press("ArrowRight")
    check("heat map: a cell", "page 65536 · grid · solve: 40 accesses" in page.text("#window-heatmap .read-out"),
          page.text("#window-heatmap .read-out"))


def page_checks(page):
    driver = page.driver
    page.open("w=page&page=65536@0")
    check("page: what it is", "lies on node 0. 110 remote accesses lose 10.1 k cycles. It belongs on node 1" in
          page.text("#page-facts"), page.text("#page-facts"))
    driver.evaluate("[...document.querySelectorAll('#window-page details')].forEach(d => d.open = true)")
    page.shows("page: tables of the charts", "document.querySelectorAll('#window-page details table').length === 3")
    tables = driver.evaluate("[...document.querySelectorAll('#window-page details table')].map(t => "
                             "[...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText)))")
    equal("page: sections", [64, ["0x0", "100"], ["0xfc0", "10"]], [len(tables[0]), tables[0][0], tables[0][63]])
    equal("page: reads and writes", [["0x0", "100", "0"], ["0xfc0", "0", "10"]], [tables[1][0], tables[1][63]])
    equal("page: phases by name", [["begin", "70"], ["solve", "40"]], tables[2])
    page.open("w=page&page=65536@0&s=4")
    driver.evaluate("document.querySelector('#window-page details').open = true")
    page.shows("page: sections of 4 bytes", "document.querySelectorAll('#window-page details table tbody tr').length === 1024")
    page.open("w=structure")
    equal("structure: a name of any characters is text", 1,
          sum(row[0] == "</script><b>\"&x" for row in page.rows("structure")))
    driver.evaluate("document.querySelector('[aria-label=\"Address or element to look up\"]').value = '0x10001010'")
    driver.click("#window-structure .bar button")
    check("structure: an address", "grid (named) + 0x1010. Page 65537, home node 1" in page.text("#found"),
          page.text("#found"))
    page.open("w=advice")
    driver.press("?")
    check("help: ? opens it", driver.evaluate("document.querySelector('#help-box').open"))
    driver.press("Escape")
    driver.evaluate("document.activeElement.blur()")
    driver.press("3")
    check("keys: 3 is the third window", "w=histogram" in page.state(), page.state())
    page.quiet("windows")


def look(page, scratch):
    """Pictures, for people; that they are not empty is checked."""
    driver = page.driver
    for name, fragment, width, height, scheme in (
            ("overview-light", "", 1400, 1000, "light"), ("overview-dark", "", 1400, 1000, "dark"),
            ("overview-phone", "", 390, 844, "light"), ("histogram", "w=histogram", 1400, 700, "light"),
            ("diagram", "w=diagram", 1400, 760, "light"), ("heatmap", "w=heatmap", 1400, 800, "dark"),
            ("page", "w=page&page=65538", 1400, 1000, "light"), ("advice", "w=advice", 1400, 700, "light")):
        driver.scheme(scheme)
        driver.size(width, height)
        driver.open(page.url + "#" + fragment)
        driver.evaluate("new Promise(done => setTimeout(done, 100))")
        driver.screenshot(os.path.join(scratch, name + ".png"))
        if name == "overview-dark":
            equal("dark: by the system's wish", "dark", driver.evaluate("document.documentElement.dataset.theme"))
        if name == "overview-phone":
            equal("phone: nothing is wider than the screen", 390,
                  driver.evaluate("document.documentElement.scrollWidth"))
    driver.click("#theme")
    equal("dark: by the button, in the address", "#w=advice&t=dark", page.state())
    driver.size(1400, 900)
    driver.scheme("light")


def large_checks(smile, driver, scratch):
    begin = time.monotonic()
    got = run(smile, "view", "large.rec", "-o", "large.html")
    made = time.monotonic() - begin
    equal("large: made", 0, got.returncode)
    page = Page(driver, "large.html")
    page.open()
    marks = driver.evaluate("Object.fromEntries(performance.getEntriesByType('mark').map(m => [m.name, m.startTime]))")
    paint = driver.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    print(f"large: 1 M pages x 64 nodes: made in {made:.1f} s, {os.path.getsize('large.html') / 1e6:.1f} MB; "
          f"first paint {paint:.0f} ms, first view {marks['first-view']:.0f} ms, all pages {marks['unpacked']:.0f} ms")
    check("large: the verdict", "of 1,048,576 pages" in page.text("#verdict"), page.text("#verdict"))
    page.open("w=histogram&sort=page&dir=a")
    check("large: rows are made as they are seen", 0 < len(page.rows("histogram")) < 100)
    equal("large: the first row", "65536", page.rows("histogram")[0][0])
    driver.evaluate("[...document.querySelectorAll('#window-histogram tbody tr')].find(r => r.tabIndex === 0).focus()")
    driver.press("End")
    equal("large: the last row", str(65536 + (1 << 20) - 1), page.rows("histogram")[-1][0])
    for name, change in (("sort", "#w=histogram&sort=lost"), ("diagram", "#w=diagram"), ("heatmap", "#w=heatmap")):
        took = driver.evaluate(f"new Promise(done => {{ const t = performance.now(); location.hash = '{change}';"
                               "setTimeout(() => requestAnimationFrame(() => done(performance.now() - t)), 0); })")
        print(f"large: {name}: {took:.0f} ms")
    page.open("w=diagram&from=500000&to=500010")
    check("large: zoomed to ten pages", "1 page a column" in page.text("#window-diagram .range"))
    driver.screenshot(os.path.join(scratch, "large.png"))
    page.quiet("large")


def browser_checks(smile, recordings, path, scratch):
    driver = chromium.Browser(path)
    try:
        page = Page(driver, "known.html")
        for checks in (overview_checks, transfer_checks, transfer_time_checks, advice_checks, histogram_checks, diagram_checks, page_checks):
            checks(page)
        look(page, scratch)
        run(smile, "view", "cards.rec", "-o", "cards.html")
        cards = Page(driver, "cards.html")
        cards.open("w=advice")
        check("advice: of cards: what cannot help is said", "cannot bring a page to another" in
              (cards.text("#no-command") or ""), cards.text("#window-advice"))
        for name, checks in (("phases", phase_checks), ("high", high_checks)):
            run(smile, "view", name + ".rec", "-o", name + ".html")
            checks(Page(driver, name + ".html"))
        places.place_checks(sys.modules[__name__], driver, Page, smile, recordings)
        run(smile, "view", "nothing.rec", "-o", "nothing.html")
        nothing = Page(driver, "nothing.html")
        for window in ("overview", "transfer", "histogram", "diagram", "heatmap", "page", "structure", "advice"):
            nothing.open("w=" + window)
            equal(f"nothing, {window}: no complaint", [], driver.complaints())
        check("nothing: says so", nothing.driver.open(nothing.url) and
              nothing.text("#verdict").startswith("No remote access was recorded"))
        large_checks(smile, driver, scratch)
    finally:
        driver.close()


def main():
    smile, recordings, scratch = (os.path.abspath(a) for a in sys.argv[1:4])
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    for kind in ("known", "nothing", "cards", "sim", "high", "phases", "large"):
        subprocess.run([recordings, kind, kind + ".rec"], check=True)
    run(smile, "advise", "known.rec", "-o", "known.place")
    document_checks(smile)
    script_checks()
    command_checks(smile)
    path = chromium.find()
    if path:
        browser_checks(smile, recordings, path, scratch)
    else:
        tally["skipped"] += BROWSER_CHECKS + places.CHECKS
        print("skipped: no chromium: apt-get install chromium, or make deps")
    os.remove("large.rec")
    closing = "{passed} {failed} {skipped}".format(**tally)
    if os.environ.get("SMILE_TALLY"):
        with open(os.environ["SMILE_TALLY"], "a", encoding="utf-8") as out:
            out.write(closing + "\n")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**tally))
    sys.exit(1 if tally["failed"] else 0)


main()
