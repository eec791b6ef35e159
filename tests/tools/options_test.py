#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of every option in every form of every command: it must change the command's result, or be refused.

What lives here: the forms, a value of each option that is not its default, and the comparison of exit status, output
and files. An option that is accepted and changes nothing is a failure, unless the help text states that it has no
effect, or HERE_WITHOUT_EFFECT gives the reason why this machine cannot show the effect.

usage: options_test.py SMILE MKCAPTURE MKSAMPLED SCRATCH
"""
import os
import re
import shutil
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes
from test import check, skip, suite_end

SMILE, MKCAPTURE, MKSAMPLED, SCRATCH = (os.path.abspath(path) for path in sys.argv[1:5])
DATA = os.path.join(SCRATCH, "data")
TRIAL = os.path.join(SCRATCH, "trial")

# Values that are not the default; several if one value may have no effect on the traffic of a form.
VALUES = {
    "--address": ["8192", "0x28000"],
    "--adapter": ["window=256M"],
    "--aligned": ["on", "off"],
    "--all-cpus": [None],
    "--bars": [None],
    "--by": ["time"],
    "--cache": ["4K,64,4"],
    "--caches": ["l1=4K/64/4"],
    "--capture": ["caught"],
    "--card": ["pace=realtime"],
    "--check": ["none"],
    "--color": ["always"],
    "--command": ["readsb"],
    "--copy": ["../data/small.pcap"],
    "--counters": ["1", "2"],
    "--csv": [None],
    "--delay": ["0.05"],
    "--details": ["1", "0"],
    "--device": ["dev:77"],
    "--direction": ["out", "in"],
    "--distribution": ["times.csv"],
    "--duration": ["0.01"],
    "--earlier": ["../data/samples.csv"],
    "--env": ["COLOUR=red"],
    "--event": ["page-faults"],
    "--events": ["1"],
    "--fail-over": ["0"],
    "--figures": ["figures"],
    "--filter": ["../data/turns.csv", "source=1"],
    "--fit": ["../data/samples.csv"],
    "--from-phase": ["sor"],
    "--full": ["stop"],
    "--guest": ["elsewhere"],
    "--home": ["1"],
    "--hot": ["1000"],
    "--interval": ["7", "0.002"],
    "--iterations": ["2"],
    "--json": [None],
    "--latency": ["sci2006", "1ms"],
    "--layout": ["placed"],
    "--limit": ["1"],
    "--link": ["400"],
    "--listen": ["127.0.0.1:0"],
    "--load": ["../data/times.csv"],
    "--machine": ["server2", None],
    "--match": ["nothing"],
    "--memory": ["4096", "512"],
    "--min-accesses": ["1000000000"],
    "--min-gain": ["1000000000"],
    "--model": ["auto"],
    "--name": ["red"],
    "--node": ["1"],
    "--node-ids": ["narrow"],
    "--nodes": ["2"],
    "--only-phase": ["init"],
    "--output": ["named"],
    "--packets": ["all", "0..1"],
    "--page": ["40", "1"],
    "--parameters": ["../data/parameters.csv"],
    "--phase": ["init"],
    "--phase-events": ["none"],
    "--phases": ["fine"],
    "--place": ["single"],
    "--plot": ["drawn.svg"],
    "--position": ["100"],
    "--range": ["64", "8"],
    "--rate": ["odd a even=odd/even"],
    "--rates": ["rates.csv"],
    "--read-static": ["0:1ms"],
    "--readings": ["../data/turns.csv"],
    "--reset-static": ["0:1ms"],
    "--ring": ["host"],
    "--rows": ["1", "cyclic"],
    "--sample-phases": ["2"],
    "--samples": ["7"],
    "--seconds": ["3"],
    "--section-bytes": ["1024"],
    "--seed": ["2"],
    "--sets": ["3"],
    "--share": ["../data"],
    "--shared": ["100", "0"],
    "--simulate": ["../data/parameters.csv"],
    "--size": ["64"],
    "--slices": ["../data/small.pcap"],
    "--sort": ["total", "cost"],
    "--source": ["1"],
    "--static": ["page=40"],
    "--tag-table": ["faithful"],
    "--target": ["0"],
    "--thread-nodes": ["0,0,1,1"],
    "--threads": ["2", "0,0,1,1"],
    "--threshold": ["1000000", "0"],
    "--time": ["1ms", "0..1000"],
    "--timer": ["1ms:1", "2us:1"],
    "--to-phase": ["sor"],
    "--topology": ["torus:2x2"],
    "--top": ["1"],
    "--trace": ["2"],
    "--transaction-id": ["1"],
    "--trigger": ["type=write"],
    "--type": ["request", "23"],
    "--typed-tags": ["off"],
    "--types": ["write"],
    "--variable": ["grid"],
    "--wait-link": ["1"],
    "--watermark": ["7"],
    "--window": ["0"],
    "--write": ["passed.pcapng"],
}


def smile(arguments, cwd):
    environment = dict(os.environ, LC_ALL="C", COLUMNS="80")
    environment.pop("NO_COLOR", None)
    return processes.run([SMILE, *arguments], cwd=cwd, capture_output=True, env=environment,
                         stdin=processes.subprocess.DEVNULL)


def options_of(words):
    """The long options of a help text, with the lines that describe them."""
    options, name = {}, None
    for line in smile([*words, "--help"], SCRATCH).stdout.decode().split("\n"):
        named = re.match(r" +(?:-\w, )?(--[a-z][a-z-]*)", line)
        if named and len(line) - len(line.lstrip()) < 16:
            names = re.findall(r"--[a-z][a-z-]*", re.split(r"(?<![,]) {2,}", line.strip())[0])
            for name in names:
                options.setdefault(name, line)
        elif name and line.startswith("   "):
            options[name] += line
        else:
            name = None
    return options


def recording(data):
    """A recording's data of the traffic, and its description of the card; without time, host and command line."""
    size = struct.unpack_from("<I", data, 12)[0]
    trailer, kept, card = len(data), [data[:12]], b""
    for begin, end in ((32, size), (None, len(data))):
        at = trailer if begin is None else begin
        while at + 8 <= end:
            tag, length = struct.unpack_from("<II", data, at)
            if not tag:
                break
            body = data[at + 8:at + 8 + length]
            at += 8 + (length + 7) // 8 * 8
            if tag == 6:
                place = struct.unpack_from("<Q", body)[0]
                trailer = place or len(data)
            elif tag == 1:
                card = body
            elif tag not in (3, 4, 19, 23):
                kept.append(struct.pack("<I", tag) + body)
    return b"".join(kept) + data[size:trailer], card


def trial(arguments):
    """The command's results in an empty folder: exit status, output, files, descriptions of cards."""
    shutil.rmtree(TRIAL, ignore_errors=True)
    os.mkdir(TRIAL)
    result = smile(arguments, TRIAL)
    files, cards = {}, {}
    for name in sorted(os.path.join(folder, name) for folder, _, names in os.walk(TRIAL) for name in names):
        with open(name, "rb") as file:
            data = file.read()
        if data.startswith(b"SMILEREC"):
            data, cards[name] = recording(data)
        files[name] = data
    return result.returncode, result.stdout, result.stderr, files, cards


def capture_shift(name, later, shift_ns):
    """A pcap file whose packets have later time stamps."""
    with open(os.path.join(DATA, name), "rb") as file:
        data = bytearray(file.read())
    at = 24
    while at < len(data):
        seconds, ns, length = struct.unpack_from("<III", data, at)
        seconds, ns = divmod(seconds * 10**9 + ns + shift_ns, 10**9)
        struct.pack_into("<II", data, at, seconds, ns)
        at += 16 + length
    with open(os.path.join(DATA, later), "wb") as file:
        file.write(data)


def data_make():
    """Make the input of the forms: captures, recordings, a database of traces, readings and samples."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(DATA)
    for kind in ("small", "straddle", "sweep", "same"):
        processes.run([MKCAPTURE, f"{kind}.pcap", kind], cwd=DATA, check=True)
    processes.run([MKSAMPLED, "sampled"], cwd=DATA, check=True)
    processes.run([MKSAMPLED, "chance", "chance"], cwd=DATA, check=True)
    with open(os.path.join(DATA, "turns.csv"), "w") as file:
        file.write("interval,dt_s,event,value\n")
        for k in range(1, 61):
            file.write(f"{k},0.01,all,{100 if k % 20 < 10 else 300}\n"
                       f"{k},0.01,{'odd' if k % 2 else 'even'},{200 + 3 * (k % 7)}\n")
    with open(os.path.join(DATA, "parameters.csv"), "w") as file:
        file.write("event,sigma,beta,mean,r\nall,20,5,200,0\nodd,3,2,210,1\neven,3,2,209,1\n")
    for arguments, output in (
            (["replay", "small.pcap", "-o", "small.rec", "--static", "page=40"], None),
            (["replay", "sweep.pcap", "-o", "sweep.rec", "--counters", "1"], None),
            (["sim", "sor", "--size", "64", "--iterations", "2", "-o", "sor", "--capture", "sor"], None),
            (["sim", "sor", "--size", "64", "--iterations", "2", "-o", "placed", "--layout", "placed"], None),
            (["sim", "sor", "--size", "64", "--iterations", "2", "-o", "block", "--place", "block"], None),
            (["trace", "import", "sor-node0.pcap", "sor-node1.pcap", "-o", "traces.db"], None),
            (["trace", "interarrival", "traces.db", "--distribution", "times.csv"], None),
            (["trace", "import", "sor-node0.pcap", "-o", "shifted.db"], None),
            (["trace", "import", "later-node1.pcap", "-o", "shifted.db"], None),
            (["stat", "--simulate", "parameters.csv", "--samples", "100", "--sets", "2"], "samples.csv"),
            (["stat", "--readings", "turns.csv", "-o", "state.csv"], None)):
        result = smile(arguments, DATA)
        check(f"smile {' '.join(arguments)}", not result.returncode, result.stderr.decode())
        if output:
            with open(os.path.join(DATA, output), "wb") as file:
                file.write(result.stdout)
        if "--capture" in arguments:
            capture_shift("sor-node1.pcap", "later-node1.pcap", 50000)


D = "../data/"
SOR = [f"{D}sor-node{n}.rec" for n in range(4)]
PLACED = [f"{D}placed-node{n}.rec" for n in range(4)]
BLOCK = [f"{D}block-node{n}.rec" for n in range(4)]
EMU = [f"emu:{D}{name}.pcap" for name in ("small", "sor-node0")]
CAPTURES = [[D + "small.pcap"], [D + "sweep.pcap"], ["--range", "64", D + "sor-node0.pcap"],
            ["--packets", "all", D + "same.pcap"]]
SAMPLED = [f"{D}sampled-node{n}.rec" for n in range(2)]
CHANCE = [f"{D}chance-node{n}.rec" for n in range(2)]
STATIC = [("page=40", D + "small.pcap"), ("page=70000", D + "small.pcap"), ("page=1,packets=all", D + "same.pcap")]
READINGS = ["--readings", D + "turns.csv"]
SIM = ["--size", "16", "--iterations", "1"]
# For these commands, only these options are tried: all of them take too long. The suites of tests/serve, tests/run and
# tests/guest test the others.
TRIED = {"cluster": ("--kill-on-bad-exit", "--records", "--range", "--output"),
         "serve": ("--top", "--details", "--hot", "--output", "--range"),
         "sim": ("--records", "--phases", "--all-phases", "--layout", "--aligned", "--node")}

# The forms: the command, and command lines of that form, without the command. An option has an effect if it has one
# on any of these lines.
FORMS = [
    ("list", [[]]),
    ("doctor", [[]]),
    ("replay", CAPTURES),
    ("replay", [["--counts", *capture] for capture in CAPTURES]),
    ("replay", [["--static", static, "--static-only", capture] for static, capture in STATIC]),
    ("record", [["--device", f"emu:{capture[-1]}", "--static", "page=40", *capture[:-1]] for capture in CAPTURES]),
    ("sweep", [[D + "sweep.pcap"], ["--page", "1", "--node", "0", D + "straddle.pcap"]]),
    ("sweep", [["--json", D + "sweep.pcap"]]),
    ("sweep", [["--csv", D + "sweep.pcap"], ["--csv", "--page", "1", "--node", "0", D + "straddle.pcap"]]),
    *[("report", [[view, *how, *SOR]]) for view in ("transfers", "pages", "top", "phases", "heat", "structures", "lost")
      for how in ([], ["--json"], ["--csv"])[:3 if view in ("top", "heat") else 1]],
    *[("report", [["page", "--page", "40", *how, D + "small.rec"]]) for how in ([], ["--json"], ["--csv"])],
    ("report", [["phases", "--page", "40", D + "small.rec"]]),
    ("report", [["static", D + "small.rec"]]),
    ("report", [["heat", "--by", "time", *SOR]]),
    ("report", [["heat", "--bars", *SOR]]),
    ("report", [["structures", "--variable", "grid", *SOR]]),
    ("view", [SOR]), ("view", [["--json", *SOR]]),
    ("view", [[D + "state.csv"]]),
    ("stat", [READINGS]), ("stat", [[*READINGS, "--json"]]), ("stat", [[*READINGS, "--csv"]]),
    ("stat", [[*READINGS, "--live"]]),
    ("stat", [["--device", f"slices:{D}sor-node0.pcap", *how, "--interval", "0.1"] for how in ([], ["--counters", "4"])]),
    ("stat", [["--device", f"emu:{D}small.pcap", "--static", "page=40", "--static", "page=70000", *how]
              for how in ([], ["--interval", "0.001"], ["--interval", "0.001", "--counters", "1"])]),
    ("stat", [["--filter", D + "turns.csv", "--parameters", D + "parameters.csv"]]),
    ("stat", [["--fit", D + "samples.csv"]]),
    ("stat", [["--simulate", D + "parameters.csv"]]),
    ("stat", [["--slices", D + "sor-node0.pcap", "--interval", "0.1"]]),
    ("top", [["--batch", *SOR], ["--batch", EMU[1]]]),
    ("top", [["--batch", D + "state.csv"]]),
    ("advise", [BLOCK]), ("advise", [["--json", *BLOCK]]), ("advise", [["--csv", *BLOCK]]),
    ("diff", [[SOR[0], PLACED[0]]]), ("diff", [["--json", SOR[0], PLACED[0]]]),
    *[("diff", [[f"--csv={table}", SOR[0], PLACED[0]]]) for table in ("pages", "regions", "transfers")],
    *[("report", [[view, *how, *SAMPLED]]) for view in ("pages", "structures", "phases", "lost")
      for how in ([], ["--json"], ["--csv"])],
    ("advise", [SAMPLED]), ("advise", [["--json", *SAMPLED]]),
    ("view", [SAMPLED]), ("view", [["--json", *SAMPLED]]),
    *[("diff", [[*how, *SAMPLED, "--", *CHANCE]]) for how in ([], ["--json"])],
    ("dump", [[D + "small.rec"]]), ("dump", [["--raw", D + "small.rec"]]),
    ("ring", [["--nodes", "4"]]), ("ring", [["--nodes", "4", "--json"]]),
    ("ring", [["--nodes", "4", D + "sor-node0.pcap"]]),
    *[("trace list", [[*how, D + "traces.db"]])
      for how in ([], ["--traces"], ["--merge"], ["--count"], ["--json"], ["--reverse"])],
    ("trace latency", [[D + "traces.db"]]), ("trace latency", [["--json", D + "traces.db"]]),
    ("trace interarrival", [[D + "traces.db"]]), ("trace interarrival", [["--json", D + "traces.db"]]),
    ("trace show", [[D + "traces.db", "1", "3"]]),
    *[(f"trace {verb}", [[D + "shifted.db", "2", "3"]]) for verb in ("transaction", "follow")],
    ("trace import", [["--output", "new.db", D + "sor-node0.pcap"]]),
    ("trace record", [[D + "sor-node0.pcap"]]),
    ("trace record", [["--memory", "4096", D + "sor-node0.pcap"]]),
    ("trace record", [["--trigger", "type=write", "--memory", "4096", "--position", "0", D + "sor-node0.pcap"]]),
    ("sim", [[*SIM, "sor"]]),
    ("sim", [[*SIM, "--output", "run", "sor"]]),
    ("serve", [[D + "traces.db"]]),
    ("serve", [[D + "state.csv"]]),
    ("cluster", [["--guest", "elsewhere", "--shell"]]),
]
# The status of these commands depends on the machine, or on things that are missing in this test.
MAY_FAIL = ("doctor", "serve", "cluster", "place")

# Settings of the transfer of a card's records to its reader: an emulated card's records arrive with any setting. The
# effect is in the description of the card in the recording.
DESCRIBED = ("--ring", "--watermark", "--latency")

# Options without an effect on these data: by option, the words of the command on which it has no effect, and the
# reason.
HERE_WITHOUT_EFFECT = {
    "--duration": ("record", "a capture of a few milliseconds has ended by then"),
    "--reset-static": ("record", "likewise"),
    "--delay": ("top", "a file that is complete is shown once"),
    "--sort": ("top", "its pages come in the same order"),
    "--total": ("top", "only totals are known of it"),
}


def has_effect(words, bases, before, option):
    """Return whether any value changes the result of any of the lines."""
    part = slice(None) if option in DESCRIBED else slice(0, 4)
    for value in VALUES.get(option, [None]):
        given = [option] if value is None else [f"{option}={value}"]
        for base, was in zip(bases, before):
            result = trial([*words, *given, *base])
            if result[part] != was[part]:
                return True
    return False


WRONG_TRIED = set()


def wrong_try(command, base, option):
    """Wrong arguments: an empty one is refused with a message, and no argument causes another status than 0, 1 or 2."""
    if command in MAY_FAIL or (command, option) in WRONG_TRIED:
        return
    WRONG_TRIED.add((command, option))
    for value in ("", "5 x"):
        result = smile([*command.split(), f"{option}={value}", *base], TRIAL)
        check(f"smile {command} {option}='{value}': refused with a message" if not value else
              f"smile {command} {option}='{value}': its status",
              result.returncode == 2 and result.stderr or value and result.returncode in (0, 1),
              (result.returncode, result.stderr))


def options_try(command, bases):
    words = command.split()
    # A server does not end, so every option that is tried with it must be refused.
    before = [(0,) if command == "serve" else trial([*words, *base]) for base in bases]
    name = f"smile {command} {' '.join(bases[0])}"
    if command not in MAY_FAIL:
        check(f"{name}: works", not any(was[0] for was in before), [was[:3] for was in before])
    for option, text in options_of(words).items():
        if option == "--help" or any(word.split("=")[0] == option for word in bases[0]):
            continue
        reason = HERE_WITHOUT_EFFECT.get(option, ("", ""))
        if reason[0] == words[0] or "no effect" in text or option not in TRIED.get(command, (option,)):
            continue
        wrong_try(command, bases[0], option)
        check(f"{name} {option}: has an effect, or is refused", has_effect(words, bases, before, option),
              "it is accepted and changes nothing")


def main():
    if not shutil.which("qemu-x86_64"):
        skip("no qemu-x86_64: its recordings are what most forms read")
        suite_end()
    data_make()
    for command, bases in FORMS:
        if os.environ.get("ONLY", command.split()[0]) == command.split()[0]:
            options_try(command, bases)
    suite_end()


main()
