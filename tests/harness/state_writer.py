#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A state file that grows, as `smile stat --live -o` writes it: locked until it is closed.

usage: state_writer.py FILE

Each line of standard input has rows of the file, separated by blanks; the program prints "ok" when the rows are
in the file. As a module: StateFile.
"""
import fcntl
import struct
import sys

HEADER = "interval,dt_s,event,value,estimate,sd\n"


class StateFile:
    """add(): append rows; close(): unlock the file, which then has no writer."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")
        lock = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
        fcntl.fcntl(self.file, fcntl.F_OFD_SETLK, lock)
        self.add(HEADER)

    def add(self, text):
        self.file.write(text)
        self.file.flush()

    def close(self):
        self.file.close()


def main():
    out = StateFile(sys.argv[1])
    print("ok", flush=True)
    for line in sys.stdin:
        out.add("".join(row + "\n" for row in line.split()))
        print("ok", flush=True)
    out.close()


if __name__ == "__main__":
    main()
