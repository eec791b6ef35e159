#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The demonstration, as a newcomer meets it: the page names the structure on the wrong node, and the
command that it gives mends it.

usage: demo_test.py BUILD SCRATCH [PICTURES]

BUILD holds the built tree; everything is made in SCRATCH. Pictures of the page go to PICTURES, if
given: the README's. Without a browser what needs one is skipped.
"""
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "view"))
import browser as chromium

# How many checks need a browser.
BROWSER_CHECKS = 7
NODES = 4
tally = {"passed": 0, "failed": 0, "skipped": 0}


def check(name, is_so, got=""):
    tally["passed" if is_so else "failed"] += 1
    print(("ok " if is_so else "not ok ") + name)
    if not is_so:
        print("  got: " + str(got)[-1500:])


def remote(text):
    """Remote accesses of a run, as it tells them."""
    found = re.search(r"^accesses: .* \+ ([0-9,]+) remote$", text, re.M)
    return int(found[1].replace(",", "")) if found else None


def demonstration(build, scratch):
    done = subprocess.run([os.path.join(HERE, "demo.sh")], capture_output=True, text=True,
                          env={**os.environ, "B": build, "DEMO": scratch}, check=False)
    text = done.stdout + done.stderr
    check("demo: ends well", done.returncode == 0, text)
    check("demo: names grid in words", "grid: 193 of 257 pages lie on the wrong node" in text, text)
    check("demo: what was predicted was measured",
          re.search(r"; cycles of accesses: ([0-9,]+) predicted, \1 measured$", text, re.M), text)
    check("demo: tells where the page is",
          f"file://{os.path.realpath(scratch)}/report.html" in text, text)
    return text


def page(scratch, before, pictures):
    browser = chromium.Browser(chromium.find())
    try:
        check("page: opens", browser.open(f"file://{os.path.realpath(scratch)}/report.html"))
        text = browser.evaluate("document.body.innerText")
        check("page: its first view names the structure",
              re.search(r"\bgrid: 193 of 257 pages lie on the wrong node", text), text)
        command = browser.evaluate("document.getElementById('fix-command')?.innerText ?? ''")
        check("page: its first view gives the command", "--place" in command, command)
        check("page: nothing to complain about", not browser.complaints(), browser.complaints())
        if pictures:
            take_pictures(browser, pictures)
    finally:
        browser.close()
    # As it stands there, in the recordings' directory.
    done = subprocess.run(["bash", "-c", command or "false"], cwd=scratch, capture_output=True,
                          text=True, check=False)
    said = done.stdout + done.stderr
    check("page: the command works", done.returncode == 0, said)
    after = remote(said)
    check("page: and mends it", after is not None and before and after < before / 10,
          f"{before} before, {after} after\n{said}")
    check("page: the program is none the worse", "sor: correct" in said, said)


def take_pictures(browser, directory):
    """What a newcomer sees: the first view, and the diagram of all pages."""
    os.makedirs(directory, exist_ok=True)
    url = browser.evaluate("location.href").split("#")[0]
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        browser.size(1200, 800)
        for window in ("overview", "diagram"):
            check(f"picture: {window}, {scheme}", browser.open(f"{url}#w={window}"))
            # What is shown at once is there; the pages behind it take a moment to unpack.
            time.sleep(1)
            browser.screenshot(os.path.join(directory, f"{window}-{scheme}.png"))


def main():
    build, scratch = sys.argv[1], sys.argv[2]
    os.makedirs(scratch, exist_ok=True)
    os.environ["PATH"] = os.path.realpath(os.path.join(build, "bin")) + ":" + os.environ["PATH"]
    before = remote(demonstration(build, scratch))
    if chromium.find():
        page(scratch, before, sys.argv[3] if len(sys.argv) > 3 else None)
    else:
        print("skipped: there is no browser (package chromium)")
        tally["skipped"] += BROWSER_CHECKS
    print(f"{tally['passed']} passed, {tally['failed']} failed, {tally['skipped']} skipped")
    if "SMILE_TALLY" in os.environ:
        with open(os.environ["SMILE_TALLY"], "a", encoding="ascii") as out:
            out.write(f"{tally['passed']} {tally['failed']} {tally['skipped']}\n")
    return 1 if tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
