# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The maps of `smile report heat`: comparisons with fixed texts, and properties of all maps.

What lives here: whole maps of the recording `known`, whose counts are all in tests/view/recordings.c;
height, folding and colours with the recording `wide`. Run by report_test.py.
"""
import re

BY_NODE = r"""
  PAGE  0     1     2     3       ALL WHERE
 65536 |     H@@@@@@            | 110 grid+0x0
 65537 |           H%%%%%%      |  40 grid+0x1000
 65538 |############     H######|  90 </script><b>"&x+0x0
 65539 |======                 H|   5 </script><b>"&x+0x1000
131072 |     H            ******|  20 heap+0x0

legend: columns are nodes; shades are accesses of a page by a node, 110 at most:
...... from 1  :::::: 2  ------ 3  ====== 5  ++++++ 9  ****** 14  ###### 23
%%%%%% 39  @@@@@@ 66
H = home: the node that holds the page; its own accesses to the page are seen by
no card.
rows: 5 accessed pages.
all = accesses of the row; where = what its first page is part of.
"""

BY_TIME = r"""
  PAGE HOME  0     1       ALL WHERE
 65536    0 |@@@@@@%%%%%%| 110 grid+0x0
 65537    1 |%%%%%%      |  40 grid+0x1000
 65538    2 |      @@@@@@|  90 </script><b>"&x+0x0
 65539    3 |      ======|   5 </script><b>"&x+0x1000
131072    0 |      ******|  20 heap+0x0
"""

BARS = r"""
  PAGE HOME  0                                   110  ALL WHERE
 65536    0 |111111111111111111111111111111111111111| 110 grid+0x0
 65537    1 |22222222222222                         |  40 grid+0x1000
 65538    2 |00000000000111111111133333333333       |  90 </script><b>"&x+0x0
 65539    3 |00                                     |   5 </script><b>"&x+0x1000
131072    0 |3333333                                |  20 heap+0x0
"""

BLOCKS = """
  PAGE  0     1     2     3       ALL WHERE
 65536 \u2502     H\u2588\u2588\u2588\u2588\u2588\u2588            \u2502 110 grid+0x0
 65537 \u2502           H\u2588\u2588\u2588\u2588\u2588\u2588      \u2502  40 grid+0x1000
"""


def rows(text):
    return [line for line in text.split("\n") if "|" in line]


def golden_tests(t):
    heat = ["report", "heat", "known.rec"]
    t.same("heat: the map", BY_NODE.strip("\n"), t.text(heat, COLUMNS=80).strip("\n"))
    text = t.text(heat + ["--by", "time"], COLUMNS=80)
    t.same("heat: over the phases", BY_TIME.strip("\n"), text.split("\n\n")[0])
    t.check("heat: names of phases", "phases: 0 begin, 1 solve" in text, text)
    t.same("heat: bars", BARS.strip("\n"), t.text(heat + ["--bars"], COLUMNS=80).split("\n\n")[0])
    text = t.text(heat, COLUMNS=80, LC_ALL="C.UTF-8")
    t.check("heat: blocks where there is UTF-8", text.startswith(BLOCKS.strip("\n")), text)
    t.same("heat: 80 columns without a terminal", rows(BY_NODE), rows(t.text(heat)))
    t.same("heat: nothing to show", "no page was accessed", t.text(["report", "heat", "nothing.rec"]))


def fold_tests(t):
    heat = ["report", "heat", "wide.rec"]
    text = t.text(heat, COLUMNS=80)
    t.check("heat: columns fold, and that is reported", re.search(
        r"There is no room for 64 nodes: [2-9] share a\s+column", text), text)
    t.same("heat: 24 rows without a terminal", True, 12 < len(rows(text)) <= 24)
    t.check("heat: groups are reported", "neighbours share a row" in text, text)
    text = t.text(heat, COLUMNS=200)
    t.check("heat: 64 nodes have room in 200 columns", "no room" not in text and
        len(rows(text)) > 1, text)
    text = t.text(heat + ["-n", "40"], COLUMNS=200)
    t.same("heat: as many rows as asked for", 40, len(rows(text)))
    diagonal = [row.split("|")[1].find("H") // 2 for row in rows(text)]
    t.same("heat: the home is marked in each row", list(range(40)), diagonal)
    text = t.text(heat + ["-n", "7"], COLUMNS=200)
    t.check("heat: no more rows than asked for", 1 < len(rows(text)) <= 7, text)
    sums = [int(row.split("|")[2].split()[0].replace(",", "")) for row in rows(text)]
    t.same("heat: no access is missing", 63 * sum(range(1, 41)) + 5000, sum(sums))
    for height in (16, 30):
        text = t.terminal(heat, columns=120, rows=height, LC_ALL="C", NO_COLOR="1")
        t.check(f"heat: fits {height} lines", 1 < len(rows(text)) <= height - 9, text)


def color_tests(t):
    heat = ["report", "heat", "known.rec"]
    text = t.terminal(heat, columns=80)
    t.check("heat: 256 colours where the terminal has them", "\033[48;5;226;38;5;16m" in text, text)
    shown = re.sub(r"\033\[[0-9;]*m", "", text)
    t.check("heat: no character but the mark in a colour", "@" not in shown and "H" in shown, shown)
    for name, variables in (("NO_COLOR", {"NO_COLOR": "1"}), ("TERM=dumb", {"TERM": "dumb"})):
        text = t.terminal(heat, columns=80, **variables)
        t.same(f"heat: {name}: characters", BY_NODE.strip("\n"), text.strip("\n"))
    text = t.terminal(heat, columns=80, TERM="xterm")
    t.check("heat: 8 colours: characters", "48;5" not in text and "@@@@@@" in text, text)
    text = t.terminal(heat, columns=80, TERM="xterm", COLORTERM="truecolor")
    t.check("heat: COLORTERM", "48;5" in text, text)
    text = t.terminal(heat + ["--bars"], columns=80)
    t.check("heat: bars in colours", "\033[48;5;214;38;5;16m1" in text, text)


def tests(t):
    golden_tests(t)
    fold_tests(t)
    color_tests(t)
    t.refuses("heat: --by", "neither node nor time", ["report", "heat", "--by", "page", "known.rec"])
    t.refuses("heat: --bars --by time", "--bars has no effect with --by time",
          ["report", "heat", "--by", "time", "--bars", "known.rec"])
    t.refuses("--bars of another view", "--bars has no effect with the view top", ["report", "top", "--bars", "known.rec"])
