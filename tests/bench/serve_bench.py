# SPDX-License-Identifier: GPL-2.0 OR MIT
"""serve_bench.py BUILD SCRATCH [PAGES [NODES [SECONDS]]]: the merged view of many cards, by `smile serve` of their
growing recordings.

What lives here: rows of a table in Markdown, compared with `smile view`, which makes the same picture once, and with
`smile report transfers`, which reads the same records and shows a small part of them. A picture is the document
without the rows of pages, as the page receives it. An update is a newer document, while each card counts accesses in
each second. Processor time is that of the server and of the processes that make its documents. Memory is the maximum
that they use at the same time, including the unnamed files that hold models and documents.
"""
import json
import os
import resource
import subprocess
import sys
import time
import urllib.request

build, scratch = (os.path.abspath(argument) for argument in sys.argv[1:3])
pages, nodes, seconds = (int(given) for given in (sys.argv[3:] + ["1048576", "64", "20"][len(sys.argv) - 3:]))
TICKS = os.sysconf("SC_CLK_TCK")


def processor(pid, fields=4):
    """Seconds of a process and of its ended children; with two fields, without these children."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        numbers = file.read().rpartition(")")[2].split()
    return sum(int(number) for number in numbers[11:11 + fields]) / TICKS


def memory(pid):
    """Megabytes of a process, its children and its files without names, each page once."""
    total = 0
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        group = [pid, *map(int, file.read().split())]
    for one in group:
        try:
            with open(f"/proc/{one}/smaps_rollup", encoding="utf-8") as file:
                sizes = {line.split()[0]: int(line.split()[1]) for line in file if line.startswith("Pss")}
            total += 1024 * (sizes["Pss:"] - sizes["Pss_Shmem:"])
        except (OSError, ValueError, KeyError):
            pass
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            path = f"/proc/{pid}/fd/{number}"
            total += 512 * os.stat(path).st_blocks if os.readlink(path).startswith("/memfd:") else 0
        except OSError:
            pass
    return total / (1 << 20)


class Feeder:
    """The recording of the card of one node, which grows on command."""

    def __init__(self, node):
        self.file = os.path.join(scratch, f"bench-node{node}.rec")
        self.process = subprocess.Popen([f"{build}/tests/serve/feeder", self.file, "records", str(node)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def ask(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def done(self, lines=1):
        for _ in range(lines):
            assert self.process.stdout.readline() == "ok\n"


def view(url):
    with urllib.request.urlopen(f"{url}view.json") as answer:
        return json.load(answer)


def row(name, *cells):
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def peer(name, *command):
    """Run a process from its start to its end."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    most = os.wait4(process.pid, 0)[2].ru_maxrss
    passed, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    row(name, f"{passed:.2f}", f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f}",
        f"{most / 1024:.0f}")


def main():
    os.makedirs(scratch, exist_ok=True)
    feeders = [Feeder(node) for node in range(nodes)]
    for feeder in feeders:
        feeder.ask(f"part {pages} {nodes}")
    for feeder in feeders:
        feeder.done()
    files = [feeder.file for feeder in feeders]
    size = sum(os.path.getsize(file) for file in files)
    print(f"{pages} pages, {nodes} cards, {size / 1e6:.0f} MB of recordings\n")
    print("| | elapsed s | CPU s | MB |\n|---|---|---|---|")
    peer("smile report transfers", f"{build}/bin/smile", "report", "transfers", *files)
    peer("smile view", f"{build}/bin/smile", "view", "-o", os.path.join(scratch, "bench.html"), *files)
    begun = time.monotonic()
    server = subprocess.Popen([f"{build}/bin/smile", "serve", "--listen", "127.0.0.1:0", *files],
                              stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        # An open page requests events; then a document is made whenever there are new counts.
        events = urllib.request.urlopen(f"{url}events")
        document = view(url)
        row(f"serve: first picture, of {document['pages']['count']} pages", f"{time.monotonic() - begun:.2f}",
            f"{processor(server.pid):.2f}", f"{memory(server.pid):.0f}")
        while document["pages"]["count"] < pages:
            document = view(url)
            time.sleep(0.1)
        row("serve: a picture of all pages", f"{time.monotonic() - begun:.2f}", f"{processor(server.pid):.2f}",
            f"{memory(server.pid):.0f}")
        begun, before, before_own, most = time.monotonic(), processor(server.pid), processor(server.pid, 2), 0
        made, age = {document["live"]["document"]}, 0
        while time.monotonic() < begun + seconds:
            for number, feeder in enumerate(feeders):
                feeder.ask(f"reads 1 {(number + 1) % nodes} {number} {65536 + number}")
            for feeder in feeders:
                feeder.done()
            until = time.monotonic() + 1
            while time.monotonic() < until:
                most = max(most, memory(server.pid))
                time.sleep(0.1)
            live = view(url)["live"]
            made.add(live["document"])
            age = max(age, live["advice_age_ms"])
        passed, updates = time.monotonic() - begun, max(1, len(made) - 1)
        spent, own = processor(server.pid) - before, processor(server.pid, 2) - before_own
        row("serve: an update", f"{passed / updates:.2f}", f"{(spent - own) / updates:.2f}", f"{most:.0f}")
        row("serve: a second of taking in and sampling", "1.00", f"{own / passed:.2f}", "")
        print(f"\nserve: {100 * spent / passed:.1f} % of a processor; advice at most {age / 1000:.0f} s old\n")
        events.close()
    finally:
        server.terminate()
        server.wait()
        for feeder in feeders:
            feeder.process.kill()
            feeder.process.wait()


main()
