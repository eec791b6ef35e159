# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The traffic on a B-Link, counted without the project's card or library.

What lives here: decoding a capture's frames as docs/recording.md describes them; requests by home, page and node; and
the records of the dynamic array for one page, computed only from docs/registers.md, section 6.

usage: blink.py CAPTURE
           JSON: requests; pages: rows of home, page, reads by node, writes by node, in this order
       blink.py CAPTURE HOME PAGE COUNTERS/RANGE...
           JSON: for each configuration with untyped tags [records, extensions]
"""
import json
import struct
import sys
from collections import Counter

MAGIC, LINK_TYPE = 0xA1B23C4D, 147
READS, WRITES = range(0x00, 0x10), range(0x10, 0x20)  # readsb, writesb


def requests(path):
    """(source, home, whether it is a write, address) of each readsb and writesb."""
    with open(path, "rb") as capture:
        data = capture.read()
    if struct.unpack_from("<I16xI", data) != (MAGIC, LINK_TYPE):
        sys.exit(f"{path} is no capture of a B-Link in nanoseconds")
    at = 24
    while at < len(data):
        length = struct.unpack_from("<8xI", data, at)[0]
        bd1, bd2 = struct.unpack_from("<QQ", data, at + 16)
        at += 16 + length
        command = bd1 >> 16 & 0x7F
        if command in READS or command in WRITES:
            yield bd1 & 0xFFFF, bd1 >> 32 & 0xFFFF, command in WRITES, bd2 & (1 << 48) - 1


def by_page(path):
    counts = Counter((home, address >> 12, write, source) for source, home, write, address in requests(path))
    nodes = max(key[3] for key in counts) + 1
    rows = [[home, page] + [[counts[home, page, write, node] for node in range(nodes)] for write in (False, True)]
            for home, page in sorted({key[:2] for key in counts})]
    return {"requests": sum(counts.values()), "pages": rows}


class Entry:
    def __init__(self, source, word):
        self.source, self.first, self.last, self.used = source, word, word, 0

    def holds(self, word):
        return self.first <= word <= self.last

    def joined(self, word):
        return max(self.last, word) - min(self.first, word) + 1


def records(accesses, counters, span):
    """The number of records written, including those of the last swap, and of extensions; @span in words."""
    table, written, extensions = [None] * counters, 0, 0
    for time, (source, word) in enumerate(accesses):
        fit = [entry for entry in table if entry and entry.source == source and entry.joined(word) <= span]
        entry = next((entry for entry in fit if entry.holds(word)), fit[0] if fit else None)
        if not entry:
            entry = table[table.index(None)] = Entry(source, word)
        extensions += not entry.holds(word)
        entry.first, entry.last, entry.used = min(entry.first, word), max(entry.last, word), time
        if None not in table:
            table[table.index(min(table, key=lambda entry: entry.used))] = None
            written += 1
    return [written + sum(entry is not None for entry in table), extensions]


def main():
    if len(sys.argv) == 2:
        result = by_page(sys.argv[1])
    elif len(sys.argv) > 4:
        home, page = int(sys.argv[2]), int(sys.argv[3])
        accesses = [(source, address % 4096 // 4) for source, target, _, address in requests(sys.argv[1])
                    if target == home and address >> 12 == page]
        result = [records(accesses, counters, span // 4) for counters, span in
                  (map(int, spec.split("/")) for spec in sys.argv[4:])]
    else:
        sys.exit(__doc__)
    print(json.dumps(result, separators=(",", ":")))


main()
