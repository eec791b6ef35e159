# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Runs the command with the readers of its output: a pipe, a terminal, a program that reads CSV or JSON.

What lives here: running the command, reading its output, and checks of the output.
"""
import codecs
import csv
import fcntl
import io
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes
import test

# As in the JSON documents, each byte that is not part of a character becomes one U+FFFD.
codecs.register_error("each", lambda e: ("\ufffd", e.start + 1))


class Command:
    def __init__(self, smile, recordings, mkcapture, scratch):
        self.command, self.recordings = os.path.abspath(smile), os.path.abspath(recordings)
        self.mkcapture = os.path.abspath(mkcapture)
        self.scratch = os.path.abspath(scratch)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)

    # ---- checks

    @staticmethod
    def check(name, holds, got):
        test.check(name, holds, got)

    def same(self, name, want, got):
        text = f"expected: {str(want)[:600]}\n  got:      {str(got)[:600]}"
        if isinstance(want, list) and isinstance(got, list):
            differ = [(w, g) for w, g in zip(want, got) if w != g]
            text = f"{len(want)} rows expected, {len(got)} there; first difference: {differ[:1]}"
        self.check(name, want == got, text)

    def refuses(self, name, message, arguments):
        result = self.run(arguments)
        self.check(name, result.returncode == 2 and not result.stdout and
               message in result.stderr.decode(), result)

    # ---- files

    def make(self, kind):
        processes.run([self.recordings, kind, f"{kind}.rec"], cwd=self.scratch, check=True)

    def capture(self, kind):
        processes.run([self.mkcapture, f"{kind}.pcap", kind], cwd=self.scratch, check=True)

    def record(self, recording, capture, *options):
        processes.run([self.command, "replay", capture, "-o", recording, *options],
                   cwd=self.scratch, check=True, capture_output=True)

    # ---- the command

    def environment(self, **variables):
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"):
            if name in os.environ:
                environment[name] = os.environ[name]
        environment.update({name: str(value) for name, value in variables.items()})
        return environment

    def run(self, arguments, **variables):
        return processes.run([self.command, *arguments], cwd=self.scratch, capture_output=True,
                      env=self.environment(**variables))

    def smile(self, arguments, **variables):
        result = self.run(arguments, **variables)
        if result.returncode:
            self.check(f"{' '.join(arguments)} succeeds", False, result.stderr.decode())
        return result.stdout

    def text(self, arguments, **variables):
        return self.smile(arguments, **variables).decode(errors="each").rstrip("\n")

    def json(self, arguments):
        return json.loads(self.smile(arguments + ["--json"]))

    def csv(self, arguments, option="--csv"):
        text = self.smile(arguments + [option]).decode(errors="each")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        if len({len(row) for row in rows}) != 1:
            self.check(f"{' '.join(arguments)}: rows of one length", False, rows[:3])
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def terminal(self, arguments, columns=200, rows=40, **variables):
        """The bytes that the command writes to a terminal of this size."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        process = processes.start([self.command, *arguments], cwd=self.scratch, stdout=theirs,
                       stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                       env=self.environment(**variables))
        os.close(theirs)
        taken = b""
        with processes.within(f"the end of {' '.join(arguments)}"):
            while True:
                try:
                    part = os.read(ours, 65536)
                except TimeoutError:
                    raise
                except OSError:
                    # The terminal is closed on the other side.
                    break
                if not part:
                    break
                taken += part
            status = process.wait()
        os.close(ours)
        if status:
            self.check(f"{' '.join(arguments)} succeeds on a terminal", False, taken)
        return taken.decode(errors="each").replace("\r\n", "\n")

    @staticmethod
    def width(line):
        return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


if __name__ == "__main__":
    sys.exit("this is a part of report_test.py")
