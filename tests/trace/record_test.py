#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile trace record: the contents of the file, against an independent reading of the capture.

usage: record_test.py SMILE SCRATCH
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "harness")]
from pcapng import random_frames, read_pcapng, write_pcap  # noqa: E402
from test import check, equal, skip, suite_end  # noqa: E402

KEPT = 304
smile = os.path.realpath(sys.argv[1])
shutil.rmtree(sys.argv[2], ignore_errors=True)
os.makedirs(sys.argv[2])
os.chdir(sys.argv[2])


def run(*arguments, **how):
    return subprocess.run([smile, "trace", "record", *arguments], capture_output=True, timeout=120, **how)


def record(*arguments):
    """The section and the JSON account of a recording."""
    done = run(*arguments, "-o", "out.pcapng", "--json")
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stderr.decode()}")
    return read_pcapng("out.pcapng"), json.loads(done.stdout)["sources"]


def cut(frames):
    return [(time_ns, data[:KEPT]) for time_ns, data in frames]


def packets(section, interface=0):
    return [(packet.time_ns, packet.data) for packet in section.packets if packet.interface == interface]


class Fields:
    """The fields of a frame; missing bytes are 0."""
    def __init__(self, data):
        bd1, bd2 = struct.unpack("<QQ", data[:16].ljust(16, b"\0"))
        self.source, self.target = bd1 & 0xFFFF, bd1 >> 32 & 0xFFFF
        self.command, self.extended = bd1 >> 16 & 0x7F, bd1 >> 23 & 1
        self.transaction = bd1 >> 48 & 0x3F
        self.response = self.command >= 0x7C
        self.address = None if self.response else bd2 & (1 << 48) - 1
        self.read = self.command < 0x10 or self.command in (0x40, 0x41)
        self.write = 0x10 <= self.command < 0x20 or 0x42 <= self.command < 0x48
        self.lock = 0x20 <= self.command < 0x30

    def kind(self):
        payload = 1 if 0x10 <= self.command < 0x30 else {0x42: 1, 0x43: 2, 0x44: 3, 0x45: 1, 0x46: 2, 0x47: 3, 0x7D: 1,
                                                         0x7E: 2, 0x7F: 3}.get(self.command, 0)
        if not (self.read or self.write or self.lock or self.response):
            return 0
        return (29 if self.response else 21) + (0 if self.extended else 4) + payload


frames = random_frames(1, 4000)
write_pcap("a.pcap", frames)
whole, (account,) = record("a.pcap")
equal("the whole trace is the capture, frames of more than 304 bytes cut", cut(frames), packets(whole))
equal("lengths on the link", [len(data) for _, data in frames], [packet.length for packet in whole.packets])
equal("the account of the whole trace", [4000, 4000, sum(len(data) > KEPT for _, data in frames)],
      [account["seen"], account["stored"], account["cut"]])

# ---- filters ----
filters = {
    "any": lambda f: True,
    "source=2": lambda f: f.source == 2,
    "source=1/3,target=0": lambda f: f.source in (1, 3) and f.target == 0,
    "type=read": lambda f: f.read,
    "type=write/lock": lambda f: f.write or f.lock,
    "type=response": lambda f: f.response,
    "type=event": lambda f: f.command == 0x48,
    "type=request,source=0..1": lambda f: f.source < 2 and (f.read or f.write or f.lock),
    "command=nwrite64": lambda f: f.command == 0x43,
    "command=nread64/0x44": lambda f: f.command in (0x40, 0x44),
    "command=5..9": lambda f: 5 <= f.command <= 9,
    "extended=1": lambda f: f.extended,
    "transaction=7..12": lambda f: 7 <= f.transaction <= 12,
    "address=0..0xffff": lambda f: f.address is not None and f.address < 0x10000
    and (f.read or f.write or f.lock or f.command == 0x48 or f.command not in range(0x7C, 0x80)),
    "address=0x40000..0x5ffff,type=read": lambda f: f.read and 0x40000 <= f.address < 0x60000,
    "not type=read or source=2": lambda f: not (f.read or f.source == 2),
    **{f"type={kind}": lambda f, kind=kind: f.kind() == kind for kind in range(21, 37)},
}
matching = {text: [frame for frame in frames if accepts(Fields(frame[1]))] for text, accepts in filters.items()}
for text, expected in matching.items():
    section, (account,) = record("a.pcap", "--filter", text)
    equal(f"filter {text}", cut(expected), packets(section))
    equal(f"filter {text}: the account", [4000, len(expected), 4000 - len(expected)],
          [account["seen"], account["stored"], account["filtered"]])
check("each filter but any accepts some frames, and not all",
      all(0 < len(expected) < 4000 for text, expected in matching.items() if text != "any"),
      {text: len(expected) for text, expected in matching.items()})
section, _ = record("a.pcap", "--filter", "source=2", "--filter", "type=lock or extended=1")
equal("several filters", cut([frame for frame in frames if (lambda f: f.source == 2 or f.lock or f.extended)(
    Fields(frame[1]))]), packets(section))

# ---- triggers ----
fields = [Fields(data) for _, data in frames]
start = [i for i, f in enumerate(fields) if f.lock][4]
stop = [i for i, f in enumerate(fields) if i > start and f.source == 3 and f.response][2]
section, (account,) = record("a.pcap", "--trigger", "type=lock count=5 then=store", "--trigger",
                             "source=3,type=response count=3", "--position", "100")
equal("every packet between two triggers", cut(frames[start:stop + 1]), packets(section))
equal("the account of it", ["packet", 2, stop, frames[stop][0], stop + 1, start], [
    account["trigger"]["by"], account["trigger"]["level"], account["trigger"]["packet"],
    account["trigger"]["time_ns"], account["seen"], account["outside"]])
equal("comments at both triggers", {0: b"start: level 1: type=lock count=5 then=store",
                                    stop - start: b"trigger: this packet: level 2: source=3,type=response count=3"},
      {i: packet.options[1] for i, packet in enumerate(section.packets) if 1 in packet.options})
section, (account,) = record("a.pcap", "--trigger", "type=lock count=500", "--memory", "16k", "--position", "25")
third = [i for i, f in enumerate(fields) if f.lock][499]


def sizes(part):
    return sum(16 + (min(len(data), KEPT) + 7) // 8 * 8 for _, data in part)


first = account["overwritten"]
last = account["seen"]
equal("position 25 of 16 KB: what is stored", cut(frames[first:last]), packets(section))
check("and that is as much as fits in front of and behind the trigger", sizes(frames[first:last]) <= 16384 and
      sizes(frames[first - 1:last]) > 16384 - KEPT - 16 and sizes(frames[third:last]) <= 12288
      < sizes(frames[third:last + 1]), [first, third, last])
gap = max(range(1, 4000), key=lambda i: frames[i][0] - frames[i - 1][0])
section, (account,) = record("a.pcap", "--trigger",
                             f"any count=4000000000 within={frames[gap][0] - frames[0][0]}ns else=stop")
equal("a time-out triggers", ["timeout", gap], [account["trigger"]["by"], account["trigger"]["packet"]])
section, (account,) = record("a.pcap", "--memory", "4k", "--full", "stop")
fit = len(packets(section))
equal("memory full, stop: what was first", cut(frames)[:3], packets(section)[:3])
equal("memory full, stop: the account", 4000, account["stored"] + account["missed"])
check("memory full, stop: drop counts", account["missed"] and any(4 in p.options for p in section.packets) or
      account["missed"] == 4000 - fit, account)
section, (account,) = record("a.pcap", "--memory", "4k")
equal("memory full, wrap: the last", cut(frames)[-account["stored"]:], packets(section))
done = run("a.pcap", "-o", "none.pcapng", "--trigger", "source=77")
check("a trigger that does not occur is a warning", done.returncode == 0 and b"has not occurred" in done.stderr,
      done.stderr)

# ---- several instruments ----
others = random_frames(2, 3000, frames[100][0] + 1)
write_pcap("b.pcap", others)
section, accounts = record("a.pcap", "b.pcap", "--node", "0", "--node", "3", "--trigger", "type=lock count=200")
trigger = [i for i, f in enumerate(fields) if f.lock][199]
both = sorted([(time_ns, 0) for time_ns, _ in frames] + [(time_ns, 1) for time_ns, _ in others])
equal("several instruments: names of the snoop points", [b"node0", b"node3"], [i[2] for i in section.interfaces])
by = sorted((account["trigger"]["by"], account["trigger"]["time_ns"]) for account in accounts)
check("several instruments: one triggers, the other with it at the same time",
      [cause for cause, _ in by] == ["line", "packet"] and by[0][1] == by[1][1], by)
times = [packet.time_ns for packet in section.packets]
check("several instruments: one axis of time", times == sorted(times) and {0, 1} == {
    packet.interface for packet in section.packets})
equal("flags: outbound, inbound, neither", [], [
    (packet, f.source, f.target) for packet in section.packets for f in [Fields(packet.data)]
    for node in [(0, 3)[packet.interface]] if len(packet.data) >= 16 and
    (struct.unpack("<I", packet.options.get(2, bytes(4)))[0] & 3) !=
    (1 if f.target == node else 2 if f.source == node else 0)])

# A file of several interfaces, as smile writes it, is read as the same number of sources.
os.rename("out.pcapng", "both.pcapng")
again, accounts = record("both.pcapng")
equal("several interfaces: names", [b"node0", b"node3"], [i[2] for i in again.interfaces])
equal("several interfaces: their packets", [packets(section, 0), packets(section, 1)], [packets(again, 0), packets(again, 1)])
equal("several interfaces: their accounts", [len(packets(section, 0)), len(packets(section, 1))],
      [account["stored"] for account in accounts])
equal("several interfaces: named", ["node0", "node3"], [account["interface"] for account in accounts])
third, _ = record("a.pcap", "both.pcapng", "b.pcap")
equal("several interfaces: between other sources", [cut(frames), *(packets(section, i) for i in (0, 1)), cut(others)],
      [packets(third, i) for i in range(4)])
done = run("both.pcapng", "--node", "1", "-o", "none.pcapng")
check("several interfaces: --node is refused", done.returncode == 2 and b"leave --node out" in done.stderr, done.stderr)
for seconds in "0", "1e-12", "5":
    done = run("both.pcapng", "--seconds", seconds, "-o", "none.pcapng")
    check(f"a capture: --seconds {seconds} is refused", done.returncode == 2 and
          b"--seconds is for instruments" in done.stderr, done.stderr)

# ---- the format ----
section, (account,) = record("a.pcap", "--filter", "not type=read", "--node", "2")
equal("one statistics block", 1, len(section.statistics))
numbers = {code: struct.unpack("<Q", value)[0] for code, value in section.statistics[0][2].items() if code in (4, 5, 6, 8)}
equal("statistics: received, dropped, accepted, delivered",
      [account["seen"], account["missed"], account["stored"], account["stored"]], [numbers[code] for code in (4, 5, 6, 8)])
equal("nanoseconds, the filter's text, the program", [b"\x09", b"\0not type=read", b"smile "],
      [section.interfaces[0][9], section.interfaces[0][11], section.options[4][:6]])
mine = [(packet.time_ns, packet.length) for packet in section.packets]
done = run("out.pcapng", "-o", "again.pcapng")
equal("libpcap reads it: the same frames and stamps", packets(section), packets(read_pcapng("again.pcapng")))


def wireshark(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


if shutil.which("tshark"):
    def tshark(path):
        lines = wireshark("tshark", "-r", path, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len").split("\n")
        return [(int(seconds.replace(".", "")), int(length)) for seconds, length in
                (line.split("\t") for line in lines if line)]

    equal("tshark: the same stamps and lengths", mine, tshark("out.pcapng"))
    wireshark("editcap", "out.pcapng", "edited.pcapng")
    equal("editcap: the same stamps and lengths", mine, tshark("edited.pcapng"))
    run("b.pcap", "-o", "b.pcapng")
    wireshark("mergecap", "-w", "merged.pcapng", "out.pcapng", "b.pcapng")
    equal("mergecap: the same stamps and lengths", sorted(mine + [(time_ns, len(data)) for time_ns, data in others]),
          sorted(tshark("merged.pcapng")))
    equal("tshark: the name of the interface and the comments", {"node2"}, set(wireshark(
        "tshark", "-r", "out.pcapng", "-T", "fields", "-e", "frame.interface_name").split()))
    check("capinfos: the strict order and the number of packets", f"{len(mine)}\n" in wireshark(
        "capinfos", "-M", "-c", "out.pcapng").replace(" ", ""))
else:
    skip("tshark is not installed", 5)

# ---- together with the card ----
for name in "a.pcap", "whole.pcapng":
    if name == "whole.pcapng":
        run("a.pcap", "-o", name)
    subprocess.run([smile, "replay", name, "-o", name + ".rec"], check=True, capture_output=True, timeout=120)
dumps = [subprocess.run([smile, "dump", name + ".rec"], check=True, capture_output=True, timeout=120).stdout
         for name in ("a.pcap", "whole.pcapng")]
check("the card's records of a trace are those of the capture", dumps[0] == dumps[1] and dumps[0].count(b"\n") > 100)

# ---- bad input ----
done = run("a.pcap", "-o", "-")
with open("stdout.pcapng", "wb") as file:
    file.write(done.stdout)
equal("standard output", packets(whole), packets(read_pcapng("stdout.pcapng")))
with open("a.pcap", "rb") as file:
    everything = file.read()
with open("cut.pcap", "wb") as file:
    file.write(everything[:-5])
done = run("cut.pcap", "-o", "cut.pcapng")
check("a capture that is cut off: all whole packets, and an error", done.returncode == 2 and
      b"cut off" in done.stderr and packets(read_pcapng("cut.pcapng")) == cut(frames)[:-1], done.stderr)
done = run("-", "-o", "stdin.pcapng", input=everything)
equal("standard input", packets(whole), packets(read_pcapng("stdin.pcapng")))
for arguments, says in {
        (): "which capture",
        ("missing.pcap",): "cannot open",
        ("a.pcap", "--filter", "source=70000"): "largest is 65535",
        ("a.pcap", "--filter", "sourc=1"): "no condition",
        ("a.pcap", "--filter", "source"): "no condition",
        ("a.pcap", "--filter", "source="): "value is missing",
        ("a.pcap", "--filter", ""): "empty",
        ("a.pcap", "--filter", "source=1,source=2"): "given twice",
        ("a.pcap", "--filter", "source=3..1"): "range is empty",
        ("a.pcap", "--filter", "source=x"): "a number is needed",
        ("a.pcap", "--filter", "type=reed"): "type does not exist",
        ("a.pcap", "--filter", "type=5"): "SCI cable",
        ("a.pcap", "--filter", "command=nread65"): "command does not exist",
        ("a.pcap", "--filter", "type=write,command=nread64"): "no packet can match",
        ("a.pcap", "--filter", "type=response,address=4"): "a response has no address",
        ("a.pcap", "--filter", "type=event,extended=1,command=0..5"): "no packet can match",
        ("a.pcap", "--filter", "address=1..0xfffffffffffe"): "needs .* patterns",
        ("a.pcap", "--filter", "source=1", "--filter", "not source=2"): "begin with 'not'",
        ("a.pcap", "--filter", "source=1 target=2"): "separate patterns by",
        ("a.pcap", "--trigger", "source=1 count=0"): "from 1",
        ("a.pcap", "--trigger", "source=1 within=10"): "in ns, us, ms or s",
        ("a.pcap", "--trigger", "source=1 then=jump"): "next, back, store or stop",
        ("a.pcap", "--trigger", "source=1 else=back"): "without within",
        ("a.pcap", "--trigger", "source=1 then=stop", "--trigger", "any"): "never reached",
        ("a.pcap", *["--trigger", "any"] * 5): "one too many",
        ("a.pcap", "--trigger", "any", "--position", "101"): "position",
        ("a.pcap", "--position", "10"): "needs a trigger",
        ("a.pcap", "--memory", "1000"): "multiple of 4096",
        ("a.pcap", "--memory", "8G"): "memory",
        ("a.pcap", "-o", "a.pcap"): "overwritten",
        ("a.pcap", "--node", "1", "--node", "2"): "given 2 times for 1",
}.items():
    done = run(*arguments)
    check(f"refuses {' '.join(arguments) or 'nothing'}", done.returncode == 2 and not done.stdout and
          re.search(says, done.stderr.decode()), done.stderr)

# The range in the message fits, and a range that is one block smaller at either end does not.
for wanted, others in ("address=1..0xfffffffffffe", ""), ("address=0x28123..0x57ffd", ",source=1/2"), (
        "source=1..65534", ",type=read"):
    done = run("a.pcap", "--filter", wanted + others)
    near = re.search(r"that fits is (\w+)=(0x[0-9a-f]+)\.\.(0x[0-9a-f]+)", done.stderr.decode())
    check(f"{wanted}{others}: a range that fits is named", done.returncode == 2 and near, done.stderr)
    low, high = (int(text, 0) for text in re.split(r"=|\.\.", wanted)[1:])
    first, last = int(near[2], 0), int(near[3], 0)
    check("it holds the range that was wanted", first <= low and high <= last, near[0])
    fits = [run("a.pcap", "-o", "near.pcapng", "--filter", f"{near[1]}={one:#x}..{two:#x}{others}").returncode
            for one, two in ((first, last), (first + (first < low), last), (first, last - (last > high)))]
    check("it fits, and one number less does not", fits == [0] + [2 if first < low else 0, 2 if last > high else 0],
          (near[0], fits))
equal("the capture is as it was", everything, pathlib.Path("a.pcap").read_bytes())
suite_end()
