#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile top: known recordings and growing ones, as text, as JSON, and on a real screen.

usage: top_test.py SMILE GROW RECORDINGS MKCAPTURE SCRATCH

GROW (tests/top/grow.c) writes a recording on command, RECORDINGS (tests/view/recordings.c) writes whole recordings,
MKCAPTURE (tests/tools/mkcapture.c) a capture. No test depends on speed: an expected event happens, or the test fails.
"""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes
import terminal
from state_writer import StateFile
from test import check, equal, skip, suite_end


def run(*arguments, **options):
    return processes.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


def line(process):
    with processes.within("a line of " + process.args[0]):
        return process.stdout.readline()


def rest(process):
    """The output until the process ends."""
    return process.communicate(timeout=processes.LIMIT)[0]


def look_until(process, wanted, seen=None):
    """The first look of smile top --json for which @wanted is true; all looks until then are added to @seen."""
    until = time.monotonic() + processes.LIMIT
    while time.monotonic() < until:
        look = json.loads(line(process))
        if seen is not None:
            seen.append(look)
        if wanted(look):
            return look
    raise TimeoutError(f"not within {processes.LIMIT} s; the last look: {look}")


class Grow:
    """A recorder that executes commands; say() returns when a command has been executed."""

    def __init__(self, path, node=0, kind="records"):
        self.process = processes.start([GROW, path, str(node), kind], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        assert line(self.process) == "ok\n"

    def say(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        assert line(self.process) == "ok\n", words

    def die(self):
        self.process.stdin.write("die\n")
        self.process.stdin.flush()
        self.end()

    def close(self):
        self.say("close")
        self.end()

    def end(self):
        rest(self.process)


# ---- text and JSON -----------------------------------------------------------------------------

KNOWN = """\
now      no rates: it was not watched while it was written
total    packets 266  records 10  pages 5  phases 2 (solve)
events   265 accepted = 265 delivered + 0 lost

Run-time transfer, accesses in total; * = more than 2 x the mean of 38
from \\ to      0       1       2       3
       0       .       .      30       5
       1     110*      .      30       .
       2       .      40       .       .
       3      20       .      30       .

    PAGE HOME  TOTAL  READS WRITES  LOCKS   COST NODE ITS%  WHERE
   65536    0    110    100     10      0   100k    1 100%  grid+0x0
   65538    2     90     90      0      0  90000    0  33%  </script><b>\"&x+0x0
   65537    1     40     40      0      0  40000    2 100%  grid+0x1000
  131072    0     20      0     20      0    400    3 100%  heap+0x0
   65539    3      5      0      0      5   5000    0 100%  </script><b>\"~0x1000

"""


def text_checks():
    result = run(SMILE, "top", "--batch", "known.rec")
    head, _, rest = result.stdout.partition("\n")
    equal("a known recording as text", KNOWN, rest)
    check("its head names it", head.startswith("smile top  known.rec  node 0  recording complete"),
          head)
    equal("it ends well", (0, ""), (result.returncode, result.stderr))
    check("text has no escape sequence", "\x1b" not in result.stdout)
    result = run(SMILE, "top", "--batch", "--sort", "cost", "--rows", "2", "known.rec")
    pages = [line.split()[0] for line in result.stdout.split("WHERE\n")[1].split("\n") if line]
    equal("--rows 2 by cost", ["65536", "65538"], pages)
    result = run(SMILE, "top", "--batch", "known.rec", env={**os.environ, "COLUMNS": "40"})
    check("narrow text keeps its width",
          result.stdout and all(len(line) <= 40 for line in result.stdout.split("\n")),
          result.stdout)
    check("and its most important columns", "    PAGE HOME  TOTAL NODE ITS%" in result.stdout,
          result.stdout)
    result = run(SMILE, "top", "--batch", "nothing.rec")
    check("a recording of nothing", "no accesses yet" in result.stdout and
          "0 accepted = 0 delivered + 0 lost" in result.stdout, result.stdout)


def json_checks():
    result = run(SMILE, "top", "--json", "--rows", "2", "known.rec")
    look = json.loads(result.stdout)
    equal("one line of JSON a look", 1, result.stdout.count("\n"))
    equal("its schema", "smile.live/1", look["schema"])
    equal("state and source", ("ended", "known.rec", ""),
          (look["state"], look["source"], look["trouble"]))
    equal("no interval before the first look", None, look["interval"])
    equal("account", {"accepted": 265, "delivered": 265, "lost": 0, "pending": 0, "marks_lost": 0,
                      "balanced": True}, look["account"])
    equal("transfers", [[0, 0, 30, 5], [110, 0, 30, 0], [0, 40, 0, 0], [20, 0, 30, 0]],
          look["transfers"]["total"])
    equal("bottlenecks", [[1, 0]], look["transfers"]["total_bottlenecks"])
    equal("pages", [
        {"page": 65536, "home": 0, "interval": None, "total": {
            "accesses": 110, "reads": 100, "writes": 10, "locks": 0, "cost": 100200},
         "dominant_node": 1, "dominant_share": 1.0, "where": "grid+0x0"},
        {"page": 65538, "home": 2, "interval": None, "total": {
            "accesses": 90, "reads": 90, "writes": 0, "locks": 0, "cost": 90000},
         "dominant_node": 0, "dominant_share": 1 / 3, "where": "</script><b>\"&x+0x0"},
    ], look["pages"])
    look = json.loads(run(SMILE, "top", "--json", "--threshold", "0.5", "known.rec").stdout)
    equal("--threshold", [[0, 2], [1, 0], [1, 2], [2, 1], [3, 0], [3, 2]],
          look["transfers"]["total_bottlenecks"])


def large_checks():
    looks = [json.loads(line) for line in
             run(SMILE, "top", "--json", "--rows", "3", "large.rec").stdout.splitlines()]
    check("262,144 pages", bool(looks), looks)
    equal("all of them", (262144, 64, "ended", True),
          (looks[-1]["total"]["pages"], looks[-1]["nodes"], looks[-1]["state"],
           looks[-1]["account"]["balanced"]))
    equal("every transfer", looks[-1]["account"]["delivered"],
          sum(sum(row) for row in looks[-1]["transfers"]["total"]))


def growing_json_checks(kind):
    """A recording of records, or a counting recording."""
    grow = Grow("grow.rec", kind=kind)
    grow.say("100 1 0 read 65536 0")
    top = processes.start([SMILE, "top", "--json", "-d", "0.2", "grow.rec"], text=True,
                           stdout=subprocess.PIPE)
    looks = [json.loads(line(top))]
    grow.say("7 2 3 write 65537 8")
    # The number of looks that see the requests depends on time; the sum of the looks does not.
    look_until(top, lambda look: look["account"]["delivered"] >= 107, looks)
    equal(f"{kind}: what was there before is in no interval", 7,
          sum(look["interval"]["accesses"] for look in looks if look["interval"]))
    equal(f"{kind}: the interval's transfers", 7,
          sum(look["transfers"]["interval"][2][3] for look in looks
              if look["interval"] and look["nodes"] == 4))
    check(f"{kind}: accepted is not known yet", looks[-1]["account"]["accepted"] is None and
          looks[-1]["state"] == "running", looks[-1]["account"])
    grow.say("name 65536 2 grid")
    grow.close()
    last = json.loads(rest(top).splitlines()[-1])
    equal(f"{kind}: closed: ended, and the account holds", ("ended", 107, True),
          (last["state"], last["account"]["accepted"], last["account"]["balanced"]))
    equal(f"{kind}: and the program is known", ["grid+0x0", "grid+0x1000"],
          sorted(page["where"] for page in last["pages"]))
    equal(f"{kind}: it ends with the recording", 0, top.returncode)


def merged_checks():
    # A recording of records and a counting recording.
    left, right = Grow("left.rec", 0), Grow("right.rec", 1, "counts")
    top = processes.start([SMILE, "top", "--json", "-d", "0.1", "left.rec", "right.rec"],
                           text=True, stdout=subprocess.PIPE)
    left.say("5 1 0 read 65536 0")
    right.say("6 0 1 read 65537 0")
    look_until(top, lambda look: look["account"]["delivered"] >= 11)
    right.close()
    look = look_until(top, lambda look: [source["state"] for source in look["sources"]] == ["running", "ended"])
    equal("of two that grow, one that is closed has its account", 6, look["sources"][1]["account"]["accepted"])
    left.say("4 1 0 read 65536 0")
    left.die()
    last = json.loads(rest(top).splitlines()[-1])
    equal("two that grow, one closed, one killed", ("ended", [[0, 6], [9, 0]], None, 0),
          (last["state"], last["transfers"]["total"], last["account"]["accepted"],
           top.returncode))
    equal("the killed one is named, with what it had counted", [("its recording was not closed", 9), ("", 6)],
          [(source["note"], source["account"]["delivered"]) for source in last["sources"]])
    text = run(SMILE, "top", "--batch", "left.rec", "right.rec").stdout
    check("as text, too", "\nnode 0: its recording was not closed\n" in text, text)
    screen = terminal.Terminal([SMILE, "top", "left.rec", "right.rec"])
    check("and on the screen", screen.wait_text("node 0: its recording was not closed"), screen.text())
    screen.keys("n")
    check("n: the list of recordings", screen.wait_text("right.rec") and screen.wait_text("DELIVERED"), screen.text())
    screen.keys("n")
    check("n again: back", screen.wait_text("Run-time transfer"), screen.text())
    screen.keys("q")
    equal("q ends it", 0, screen.end())


def late_checks():
    """A file that appears late and fits no view: a message names it until another file replaces it."""
    first = Grow("first.rec", 0)
    first.say("5 1 0 read 65536 0")
    top = processes.start([SMILE, "top", "--json", "-d", "0.1", "first.rec", "other.rec"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    look = look_until(top, lambda look: look["account"]["delivered"] == 5)
    equal("late: it is awaited", ["", "there is no such recording yet"], [source["note"] for source in look["sources"]])
    equal("late: its counts are not known, so those of all are not", (None, False),
          (look["account"]["accepted"], look["account"]["balanced"]))
    with open("other.rec", "w", encoding="utf-8") as file:
        file.write("no recording" * 10)
    look_until(top, lambda look: "is not a recording" in look["sources"][1]["note"])
    check("late: a file that is no recording is named", True)
    os.remove("other.rec")
    os.mkfifo("other.rec")
    look_until(top, lambda look: "needs a file" in look["sources"][1]["note"])
    check("late: a pipe is named, and not waited for", True)
    os.remove("other.rec")
    # A recording of the same node.
    misfit = Grow("other.rec", 0)
    misfit.say("1 1 0 read 65536 0")
    look_until(top, lambda look: "both of node 0" in look["sources"][1]["note"])
    check("late: a recording that does not fit is named", True)
    misfit.close()
    os.remove("other.rec")
    other = Grow("other.rec", 1)
    other.say("7 0 1 read 65537 0")
    look = look_until(top, lambda look: look["account"]["delivered"] == 12)
    equal("late: another recording in its place fits", [("", 5), ("", 7)],
          [(source["note"], source["account"]["delivered"]) for source in look["sources"]])
    first.close()
    other.close()
    last = json.loads(rest(top).splitlines()[-1])
    equal("late: both are complete", (0, "ended", True), (top.returncode, last["state"], last["account"]["balanced"]))


def swap_checks():
    """A follower of smile record --swap also receives the counts that are still in the card."""
    with open("small.pcap", "rb") as small:
        capture = small.read()
    if not os.path.exists("left.pipe"):
        os.mkfifo("left.pipe")
    if os.path.exists("swap.rec"):
        os.remove("swap.rec")
    record = processes.start([SMILE, "record", "-d", "emu:left.pipe", "--swap", "0.1", "-o", "swap.rec"], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open("left.pipe", "wb", buffering=0) as pipe:
        pipe.write(capture)
        with processes.within("the recording"):
            while not os.path.exists("swap.rec") or not os.path.getsize("swap.rec"):
                time.sleep(0.02)
        top = processes.start([SMILE, "top", "--json", "-d", "0.1", "swap.rec"], text=True, stdout=subprocess.PIPE)
        look = look_until(top, lambda look: look["account"]["delivered"] >= 7)
        equal("--swap: all is there while it counts", ("running", None), (look["state"], look["account"]["accepted"]))
    last = json.loads(rest(top).splitlines()[-1])
    equal("--swap: and the account holds at the end", (True, 7),
          (last["account"]["balanced"], last["account"]["accepted"]))
    rest(record)
    equal("--swap: status", 0, record.returncode)
    result = run(SMILE, "record", "--swap", "0.01", "-d", "emu:small.pcap", "-o", "swap.rec")
    check("--swap: too often", result.returncode == 2 and "0.1 or more" in result.stderr, result.stderr)


def count_checks():
    grow = Grow("grow.rec")
    result = run(SMILE, "top", "--batch", "-n", "2", "-d", "0.1", "grow.rec")
    equal("-n 2: two looks, then the end", (2, 0),
          (result.stdout.count("smile top "), result.returncode))
    top = processes.start([SMILE, "top", "--json", "-d", "0.1", "grow.rec"], text=True,
                           stdout=subprocess.PIPE)
    line(top)
    top.send_signal(signal.SIGTERM)
    said = rest(top)
    check("SIGTERM: a last whole line, status 0",
          top.returncode == 0 and all(json.loads(one) for one in said.splitlines()),
          (top.returncode, said[-200:]))
    grow.close()


def capture_checks():
    """-o saves the same recording as `smile record`."""
    run(MKCAPTURE, "small.pcap", "small")
    result = run(SMILE, "top", "--json", "--range", "64", "-o", "saved.rec", "emu:small.pcap")
    look = json.loads(result.stdout.splitlines()[-1])
    run(SMILE, "record", "-d", "emu:small.pcap", "--range", "64", "-o", "record.rec")
    equal("a capture's counts", (True, "ended"), (look["account"]["balanced"], look["state"]))
    saved, recorded = (run(SMILE, "dump", name).stdout for name in ("saved.rec", "record.rec"))
    check("-o saves what smile record saves", saved and saved == recorded, saved)
    loss = json.loads(run(SMILE, "report", "lost", "--json", "saved.rec").stdout)
    check("and its account holds", loss.get("balanced") is True, loss)
    check("the end is reported", "saved.rec:" in result.stderr, result.stderr)


def matrix(*recordings):
    """Run-time transfer of recordings, as smile report has it."""
    return json.loads(run(SMILE, "top", "--json", *recordings).stdout.splitlines()[-1])["transfers"]["total"]


def captures_checks():
    """Two cards, both of which see the traffic between their nodes."""
    result = run(SMILE, "top", "--json", "-o", "pair.rec", "emu:small.pcap", "emu:small.pcap")
    look = json.loads(result.stdout.splitlines()[-1])
    equal("two cards: their nodes", [0, 1], [source["node"] for source in look["sources"]])
    # Node 0's card sees the four nodes' requests to it, and node 1's card sees its own: each counts once.
    equal("two cards: a transaction counts once",
          [[0, 1, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], [1, 0, 0, 0]], look["transfers"]["total"])
    accounts = [source["account"] for source in look["sources"]]
    check("two cards: each account holds, and that of both is their sum",
          all(account["balanced"] for account in accounts) and look["account"]["balanced"] and
          all(look["account"][name] == accounts[0][name] + accounts[1][name]
              for name in ("accepted", "delivered", "lost")) and accounts[1]["accepted"] > 0, look)
    for node in ("0", "1"):
        run(SMILE, "record", "-d", "emu:small.pcap", "--node", node, "-o", "alone.rec")
        saved, recorded = (run(SMILE, "dump", name).stdout for name in (f"pair-node{node}.rec", "alone.rec"))
        check(f"two cards: -o saves node {node} as smile record does", saved and saved == recorded, saved)
        check(f"two cards: the end of node {node} is reported", f"pair-node{node}.rec: " in result.stderr,
              result.stderr)
    equal("two cards: their recordings, merged, say the same", look["transfers"]["total"],
          matrix("pair-node0.rec", "pair-node1.rec"))
    look = json.loads(run(SMILE, "top", "--json", "--node", "2", "emu:small.pcap",
                          "emu:small.pcap").stdout.splitlines()[-1])
    equal("two cards: --node is the first's", [2, 3], [source["node"] for source in look["sources"]])
    text = run(SMILE, "top", "--batch", "emu:small.pcap", "emu:small.pcap").stdout
    check("two cards: each is listed", "  NODE  STATE " in text and
          sum(line.endswith("emu:small.pcap") for line in text.splitlines()) == 2, text)
    with open("small.pcap", "rb") as whole, open("cut.pcap", "wb") as cut:
        cut.write(whole.read()[:-3])
    result = run(SMILE, "top", "--json", "emu:small.pcap", "emu:cut.pcap")
    look = json.loads(result.stdout.splitlines()[-1])
    check("two captures, one cut off: it is named, the other is whole",
          look["trouble"].startswith("node 1 (emu:cut.pcap): ") and result.returncode == 2 and
          look["sources"][0]["account"]["accepted"] == accounts[0]["accepted"], look)


def mark_checks():
    """A mark ends the phase of all cards."""
    with open("small.pcap", "rb") as small:
        capture = small.read()
    pipes = ["left.pipe", "right.pipe"]
    for pipe in pipes:
        if not os.path.exists(pipe):
            os.mkfifo(pipe)
    top = processes.start([SMILE, "top", "--json", "-d", "0.1", "-o", "mark", *(f"emu:{pipe}" for pipe in pipes)],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    writers = []
    for pipe in pipes:
        # The card starts when the header of its capture has been written.
        with processes.within("a reader of the capture"):
            writers.append(open(pipe, "wb", buffering=0))
        writers[-1].write(capture)
    look = look_until(top, lambda look: look["account"]["accepted"] == 14 and look["total"]["records"] >= 2)
    before = look["total"]["records"]
    top.send_signal(signal.SIGUSR1)
    look_until(top, lambda look: look["total"]["records"] >= before + 2)
    for writer in writers:
        # The frames are sent again, without the file header.
        writer.write(capture[24:])
        writer.close()
    last = json.loads(rest(top).splitlines()[-1])
    equal("a mark: it ends well", ("ended", 0, True),
          (last["state"], top.returncode, last["account"]["balanced"]))
    phases = [json.loads(run(SMILE, "report", "phases", "--json", *names).stdout)
              for names in (["mark-node0.rec"], ["mark-node1.rec"], ["mark-node0.rec", "mark-node1.rec"])]
    equal("a mark: all have the same phases", [last["total"]["phases"]] * 3, [len(p["phases"]) for p in phases])
    # The capture, which contains the end of a phase, passes twice; the third mark is made in between.
    equal("a mark: four phases", 4, last["total"]["phases"])


def refusal(name, pattern, *arguments):
    result = run(SMILE, "top", *arguments)
    check(name, result.returncode == 2 and pattern in result.stderr and not result.stdout,
          (result.returncode, result.stdout, result.stderr))


def refusal_checks():
    refusal("no such recording", "nosuch.rec", "--batch", "nosuch.rec")
    refusal("no such card", "smile_monitor7 does not exist", "--batch", "dev:7")
    refusal("no such capture", "nosuch", "--batch", "emu:nosuch")
    refusal("emu: without a capture", "emu:CAPTURE", "--batch", "emu:")
    refusal("a card among recordings", "cannot be watched together", "--batch", "known.rec", "dev:0")
    refusal("a card and a capture", "emu:small.pcap and dev:8 cannot be watched together", "--batch",
            "emu:small.pcap", "dev:8")
    refusal("the second of two captures is not there", "nosuch.pcap", "--batch", "emu:small.pcap",
            "emu:nosuch.pcap")
    refusal("-o of a recording", "recording already", "--batch", "-o", "x.rec", "known.rec")
    refusal("configuring a recording", "no option can change", "--batch", "--range", "64",
            "known.rec")
    refusal("no terminal", "use --batch", "known.rec")
    refusal("-n without --batch", "--batch", "-n", "3", "known.rec")
    refusal("--rows without --batch", "--batch", "--rows", "3", "known.rec")
    refusal("an interval of nothing", "0.05", "--batch", "-d", "0.001", "known.rec")
    refusal("a sort that is none", "rate, total, cost", "--batch", "-s", "size", "known.rec")
    refusal("a threshold that is none", "--threshold", "--batch", "--threshold", "nan", "known.rec")
    refusal("one node twice", "known.rec and known.rec are both of node 0", "--batch", "known.rec", "known.rec")
    refusal("no recording", "not a recording", "--batch", SMILE)
    refusal("a folder", "Is a directory", "--batch", ".")
    if not os.path.exists("recording.pipe"):
        os.mkfifo("recording.pipe")
    refusal("a pipe, which can block", "needs a file", "--batch", "recording.pipe")
    refusal("a pipe among recordings", "needs a file", "--batch", "known.rec", "recording.pipe")
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = processes.run([SMILE, "top", "--batch", "known.rec"], stdout=full,
                               stderr=subprocess.PIPE, text=True)
    equal("a full disk is an error", 2, result.returncode)


# ---- the screen ---------------------------------------------------------------------------------


def screen_checks():
    grow = Grow("grow.rec")
    grow.say("100 1 0 read 65536 0")
    grow.say("9 2 0 write 65537 4")
    top = terminal.Terminal([SMILE, "top", "-d", "0.2", "--threshold", "1", "grow.rec"])
    check("what is there is shown", top.wait(lambda t: "109 delivered" in t.text() and
                                             "following" in t.text()), top.text())
    check("24 rows are used", top.wait(lambda t: t.screen()[23].startswith("q quit")), top.text())
    grow.say("500 3 1 read 65538 128")
    check("what comes is shown", top.wait_text("609 delivered"), top.text())

    top.keys("t")
    check("t: totals", top.wait_text("accesses in total"), top.text())
    check("bottlenecks are marked", top.wait_text("500*"), top.text())
    row = next(i for i, line in enumerate(top.screen()) if "500*" in line)
    column = top.screen()[row].index("500*")
    check("and red", "31" in top.style(row, column).split(";"), top.style(row, column))
    top.keys("s")
    check("s: by total", top.wait(lambda t: pages(t) == ["65538", "65536", "65537"]), top.text())
    top.keys("jj")
    check("j: another page", top.wait(lambda t: selected(t) == "65537"), top.text())
    top.keys("\x1bOA")
    check("arrow up", top.wait(lambda t: selected(t) == "65536"), top.text())
    top.keys("\r")
    check("Enter: its sections", top.wait_text("Page 65536 of node 0, sections of 256 bytes") and
          top.wait_text("3840"), top.text())
    check("with reads", top.wait(lambda t: t.screen()[7].split()[:5] == ["0", "100", "100", "0", "1"]), top.text())
    top.keys("\x1b")
    check("Escape: back", top.wait(lambda t: len(pages(t)) == 3), top.text())
    top.keys("h")
    check("h: help", top.wait_text("begin a new interval"), top.text())
    top.keys("x")
    check("any key: back", top.wait(lambda t: len(pages(t)) == 3), top.text())
    top.keys("p")
    check("p: paused", top.wait_text("PAUSED"), top.text())
    grow.say("1000 3 1 read 65538 128")
    top.keys("j")
    check("nothing changes meanwhile", top.wait(lambda t: selected(t) == "65537") and
          "609 delivered" in top.text(), top.text())
    top.keys("p")
    check("nothing is lost meanwhile", top.wait_text("1,609 delivered"), top.text())
    top.keys("+")
    check("+: longer", top.wait_text("every 0.5 s"), top.text())

    top.resize(12, 50)
    check("smaller: the head stays", top.wait(lambda t: t.screen()[11].startswith("q quit") and
                                              t.screen()[0].startswith("smile top")), top.text())
    check("and pages", top.wait(lambda t: len(pages(t)) == 3), top.text())
    top.resize(3, 10)
    check("a tiny one is survived", top.wait(lambda t: t.screen()[2].startswith("q quit")),
          top.text())
    top.resize(40, 120)
    check("larger again", top.wait(lambda t: t.screen()[39].startswith("q quit") and
                                   len(pages(t)) == 3), top.text())

    grow.say("name 65536 3 grid")
    grow.close()
    check("its end is reported, the view stays", top.wait_text("recording complete") and
          top.wait_text("grid+0x1000") and len(pages(top)) == 3, top.text())
    check("and the account", top.wait_text("1,609 accepted = 1,609 delivered + 0 lost"), top.text())
    with open("screen.html", "w", encoding="utf-8") as out:
        out.write(terminal.html(top))
    top.keys("q")
    equal("q ends it", 0, top.end())
    check("the terminal is left as it was", "\x1b[?1049l" in top.raw[-300:], top.raw[-300:])


def pages(top):
    """The list of pages, top down."""
    lines = top.screen()
    heads = [i for i, line in enumerate(lines) if line.split()[:2] == ["PAGE", "HOME"]]
    if not heads:
        return []
    words = [line.replace(">", " ").split() for line in lines[heads[0] + 1:]]
    return [line[0] for line in words if len(line) > 5 and line[0].isdigit()]


def selected(top):
    for line in top.screen():
        if line.startswith(">"):
            return line[1:].split()[0]
    return None


def signal_checks():
    for number in (signal.SIGTERM, signal.SIGHUP):
        grow = Grow("grow.rec")
        top = terminal.Terminal([SMILE, "top", "grow.rec"])
        top.wait_text("following")
        top.signal(number)
        equal(f"signal {number.name} ends it", 0, top.end())
        grow.close()
    grow = Grow("grow.rec")
    top = terminal.Terminal([SMILE, "top", "grow.rec"])
    top.wait_text("following")
    top.keys("\x03")
    equal("Ctrl-C ends it", 0, top.end())
    grow.die()


STATES = """\
total    2 s  intervals 2  events 3


     NOW/s       95% BAND/s   READ  EVENT
 ~    1200     1004 to 1396    50%  odd, with "quotes"
        20            exact   100%  all
                  not known    50%  once

~ = estimated, not read in the last interval; READ = share of the time

"""


def comma_checks():
    """A state file on the screen, in a locale that writes numbers with a decimal comma."""
    os.makedirs("locales", exist_ok=True)
    if run("localedef", "-i", "de_DE", "-f", "UTF-8", "locales/de_DE.UTF-8").returncode:
        return skip("the package locales is not installed, for a locale with a decimal comma", 2)
    states = StateFile("comma.csv")
    states.add('1,0.5,all,10,10,0\n2,0.5,all,20,20,0\n')
    states.close()
    top = terminal.Terminal([SMILE, "top", "-d", "0.2", "comma.csv"], LC_ALL="de_DE.UTF-8",
                            LOCPATH=os.path.abspath("locales"))
    check("state file: a locale with a decimal comma", top.wait_text("40            exact"), top.text())
    top.keys("q")
    equal("state file: this locale: q", 0, top.end())


def states_checks():
    """A state file, as text, as JSON, and on the screen while it grows."""
    states = StateFile("grow.csv")
    states.add('1,1,"odd, with ""quotes""",1000,1000,0\n1,1,all,10,10,0\n1,1,once,7,7,0\n')
    states.add('2,1,"odd, with ""quotes""",,1200,100\n2,1,all,20,20,0\n2,1,once,,,\n')
    top = terminal.Terminal([SMILE, "top", "-d", "0.2", "grow.csv"])
    check("state file: events on the screen", top.wait(lambda t: "1004 to 1396" in t.text() and
                                                       "following" in t.text()), top.text())
    states.add('3,0.5,"odd, with ""quotes""",,200,200\n3,0.5,all,3,3,0\n3,0.5,once,9,9,0\n')
    check("state file: the next interval, by the second", top.wait_text("0 to 1184"), top.text())
    check("state file: what was not known is known", top.wait_text("18            exact    60%  once"), top.text())
    top.keys("j")
    check("state file: j: another event", top.wait(lambda t: any(
        line.startswith(">") and line.endswith("all") for line in t.screen())), top.text())
    states.close()
    check("state file: its end", top.wait_text("complete"), top.text())
    top.keys("q")
    equal("state file: q", 0, top.end())
    with open("known.csv", "w", encoding="utf-8") as known:
        known.write(open("grow.csv", encoding="utf-8").read().split("3,0.5")[0])
    result = run(SMILE, "top", "--batch", "known.csv")
    head, _, text = result.stdout.partition("\n")
    equal("state file: as text", STATES, text)
    check("state file: its head", head.startswith("smile top  known.csv  complete"), head)
    result = run(SMILE, "top", "--batch", "known.csv", env={**os.environ, "COLUMNS": "40"})
    check("state file: narrow", "1004 to 1396  odd" in result.stdout and
          all(len(line) <= 40 for line in result.stdout.split("\n")), result.stdout)
    look = json.loads(run(SMILE, "top", "--json", "known.csv").stdout)["state_file"]
    equal("state file: as JSON", ["events/s", 2, [
        {"event": 'odd, with "quotes"', "read_share": 0.5,
         "now": {"rate": 1200, "low_95": 1004, "high_95": 1396, "read": False}},
        {"event": "all", "read_share": 1,
         "now": {"rate": 20, "low_95": 20, "high_95": 20, "read": True}},
        {"event": "once", "read_share": 0.5, "now": None}]],
          [look["unit"], look["intervals"], look["events"]])
    with open("nodes.csv", "w", encoding="utf-8") as nodes:
        nodes.write("interval,dt_s,event,value,estimate,sd,next,next_sd,differs\n"
                    "1,1,node 0: a,10,10,0,10,1,0\n1,1,node 1: a,,90,5,90,5,1\n")
    result = run(SMILE, "top", "--batch", "nodes.csv")
    check("state file: the node that differs", " ~!     90        80 to 100     0%  node 1: a\n" in result.stdout and
          "! = differs from the other nodes" in result.stdout, result.stdout)
    look = json.loads(run(SMILE, "top", "--json", "nodes.csv").stdout)["state_file"]
    equal("state file: as JSON, too", [None, True], [event["now"].get("differs") for event in look["events"]])
    with open("rates.csv", "w", encoding="utf-8") as rates:
        rates.write("interval,dt_s,rate,unit,value,sd,low_95,high_95,flag\n"
                    "1,0.5,node 0: hits,,0.75,0.1,0.55,0.95,0\n1,0.5,node 1: reads,/s,1200,0,1200,1200,0\n")
    result = run(SMILE, "top", "--batch", "rates.csv")
    check("rates file: its rates as they are", result.stdout.split("\n")[4:7] == [
        "       NOW         95% BAND   READ  RATE",
        " ~    0.75     0.55 to 0.95     0%  node 0: hits",
        "      1200            exact   100%  node 1: reads, /s"], result.stdout)
    result = run(SMILE, "top", "--batch", "known.csv", "known.rec")
    check("state file: alone", result.returncode == 2 and "the only source" in result.stderr, result.stderr)
    with open("bad.csv", "w", encoding="utf-8") as bad:
        bad.write(open("known.csv", encoding="utf-8").read() + "1,1,all,1,1,0\n")
    result = run(SMILE, "top", "--batch", "bad.csv")
    check("state file: a row out of order, with its line", result.returncode == 2 and
          "bad.csv:8: interval 1 comes after interval 2" in result.stderr, result.stderr)
    check("state file: what was before it is shown", "FAILED" in result.stdout and
          "intervals 2" in result.stdout, result.stdout)


def color_checks():
    plain = terminal.Terminal([SMILE, "top", "--threshold", "0", "known.rec"], NO_COLOR="1")
    check("NO_COLOR: the screen is there", plain.wait_text("110*"), plain.text())
    plain.keys("q")
    equal("and ends", 0, plain.end())
    check("without a colour", not any(f"[{n}m" in plain.raw or f";{n}m" in plain.raw
                                      for n in range(30, 38)), plain.raw[:300])
    # For an unknown terminal, ncurses keeps memory allocated, which the leak check would report.
    bad = terminal.Terminal([SMILE, "top", "known.rec"], TERM="no-such-terminal",
                            ASAN_OPTIONS="detect_leaks=0")
    bad.wait_text("--batch")
    equal("a terminal that is not known", 2, bad.end())
    check("and the remedy", "TERM" in bad.text() and "--batch" in bad.text(), bad.text())


def saving_checks():
    """A capture on the screen, saved at the same time; the account is printed after the screen is closed."""
    top = terminal.Terminal([SMILE, "top", "-o", "screen.rec", "emu:small.pcap"])
    check("a capture on the screen", top.wait_text("capture ended"), top.text())
    top.keys("q")
    equal("it ends well", 0, top.end())
    check("and reports the account", "delivered" in top.raw.split("\x1b[?1049l")[-1],
          top.raw[-400:])
    saved, recorded = (run(SMILE, "dump", name).stdout for name in ("screen.rec", "saved.default"))
    check("what was saved is whole", saved and saved == recorded, (saved, recorded))


def main():
    os.makedirs(SCRATCH, exist_ok=True)
    os.chdir(SCRATCH)
    for name in os.listdir("."):
        if name.endswith(".rec"):
            os.remove(name)
    for kind in ("known", "nothing", "large"):
        processes.run([RECORDINGS, kind, kind + ".rec"], check=True)
    text_checks()
    json_checks()
    large_checks()
    os.remove("large.rec")
    growing_json_checks("records")
    growing_json_checks("counts")
    merged_checks()
    late_checks()
    count_checks()
    capture_checks()
    captures_checks()
    mark_checks()
    swap_checks()
    run(SMILE, "record", "-d", "emu:small.pcap", "-o", "saved.default")
    refusal_checks()
    screen_checks()
    signal_checks()
    comma_checks()
    states_checks()
    color_checks()
    saving_checks()
    suite_end()


if len(sys.argv) != 6:
    sys.exit(__doc__)
SMILE, GROW, RECORDINGS, MKCAPTURE, SCRATCH = (os.path.abspath(name) for name in sys.argv[1:6])
main()
