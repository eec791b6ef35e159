# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The harness of the suites in Python: named checks, their count, and the closing line of a suite.

It has the same purpose as test.sh for shell scripts. May use only Python's standard library. The processes
of a test are in processes.py.
"""
import sys

SHOWN_MOST = 10000
_counts = {"passed": 0, "failed": 0, "skipped": 0}


def check(name, is_so, got=""):
    _counts["passed" if is_so else "failed"] += 1
    print(("ok " if is_so else "not ok ") + name.replace("\n", "?"))
    if not is_so:
        print("  got: " + str(got)[:SHOWN_MOST])


def equal(name, expected, got):
    check(name, expected == got, f"{got!r}\n  expected: {expected!r}")


def skip(why, count=1):
    """Skip @count checks."""
    _counts["skipped"] += count
    print(f"skipped {count}: {why}")


def suite_end():
    """The last call of a suite: ends the program, with its status."""
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**_counts))
    sys.exit(1 if _counts["failed"] else 0)
