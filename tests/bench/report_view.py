#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""report_view.py PAGE: when a page of `smile view` is first seen, and what it takes.

What lives here: the rows of the bench: name, seconds since the navigation began, "" (processors'
seconds are not known of a browser's page), kilobytes of the largest of the browser's processes.
Chromium runs headless, without a network; each row is the median of three navigations.
"""
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "view"))
import browser

ROUNDS = 3


def largest(profile):
    """Kilobytes at its peak of the largest process that was started with this profile's children."""
    peak = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if profile.encode() not in file.read() and not is_renderer(pid, profile):
                    continue
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                peak = max(peak, int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)))
        except (OSError, AttributeError):
            continue
    return peak


def is_renderer(pid, profile):
    """A process below one that was started with this profile."""
    for _ in range(4):
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            pid = file.read().rsplit(")", 1)[1].split()[1]
        if pid in ("0", "1"):
            return False
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if profile.encode() in file.read():
                return True
    return False


def main():
    path = browser.find()
    if not path:
        sys.exit("report_view: no Chromium is there: make deps-bench installs it")
    marks = {"first paint": [], "first view": [], "all pages unpacked": []}
    peak = 0
    for _ in range(ROUNDS):
        driver = browser.Browser(path)
        try:
            if not driver.open("file://" + os.path.abspath(sys.argv[1])):
                sys.exit("report_view: the page was not ready in time")
            if not driver.wait("performance.getEntriesByName('unpacked').length > 0"):
                sys.exit("report_view: the page was not unpacked in time")
            for name, entry in (("first paint", "first-contentful-paint"), ("first view", "first-view"),
                                ("all pages unpacked", "unpacked")):
                marks[name].append(driver.evaluate(f"performance.getEntriesByName('{entry}')[0].startTime"))
            peak = max(peak, largest(driver.profile))
        finally:
            driver.close()
    for name, times in marks.items():
        print(f"{name}, from the navigation\t{statistics.median(times) / 1000:.6f}\t\t{peak}")


main()
