# SPDX-License-Identifier: GPL-2.0 OR MIT
"""tshark with the project's dissector.

What lives here: runs of tshark, each of which must succeed, and rows of fields. Uses processes.py and test.py.
"""
import os

import processes
from test import check


# Wireshark 4.4 loads no Lua as root. It does so as another user, which here may still open root's files.
NOT_ROOT = [] if os.geteuid() else [
    "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps", "+dac_override",
    "--ambient-caps", "+dac_override"]


class Tshark:
    """@script: the dissector, as installed. tshark stores its files in the current folder."""

    def __init__(self, script):
        self.script = os.path.abspath(script)

    def tshark(self, capture, *arguments):
        environment = {**os.environ, "HOME": os.getcwd(), "LC_ALL": "C.UTF-8"}
        result = processes.run([*NOT_ROOT, "tshark", "-n", "-X", f"lua_script:{self.script}", "-r", capture,
                                *arguments], env=environment, capture_output=True, text=True)
        error = "\n".join(line for line in result.stderr.splitlines() if "Running as user" not in line)
        if result.returncode or error or "Lua Error" in result.stdout:
            check(f"tshark {' '.join(arguments)} on {capture}", False, (result.returncode, error[:2000]))
        return result.stdout

    def rows(self, capture, names, *arguments):
        """A list of fields for each packet; if a field occurs several times, all values with commas."""
        options = [option for name in names for option in ("-e", name)]
        text = self.tshark(capture, "-T", "fields", "-E", "occurrence=a", *options, *arguments)
        rows = [line.split("\t") for line in text.splitlines()]
        return [row + [""] * (len(names) - len(row)) for row in rows]
