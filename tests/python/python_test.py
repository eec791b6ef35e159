#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The Python package: its structures against the headers, its results against those of `smile report`.

usage: python_test.py BUILD SCRATCH
"""
import json
import os
import pathlib
import shutil
import signal
import sys
import time
import xml.etree.ElementTree

# Python must not write files beside the sources.
sys.dont_write_bytecode = True
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TOP, "tests", "harness"))
sys.path.insert(0, os.path.join(TOP, "lib", "python"))
BUILD, SCRATCH = (os.path.abspath(a) for a in sys.argv[1:3])
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
os.environ["SMILE_MONITOR_LIBRARY"] = os.path.join(BUILD, "libsmile-monitor.so.0")

import processes
import smile_monitor
from smile_monitor import Monitor, MonitorError
from test import check, equal, suite_end


def run(*arguments, **more):
    return processes.run(arguments, capture_output=True, text=True, cwd=SCRATCH, **more)


def report(*arguments):
    return json.loads(run(os.path.join(BUILD, "bin/smile"), "report", *arguments, "--json").stdout)


def name_checks():
    """A recording's name may have a colon. Each name that smile report accepts is accepted."""
    for name in ("10:30.rec", "dev0:1.rec", "./dev:0.rec"):
        shutil.copy("known.rec", name)
        for source in (name, os.fsencode(name), pathlib.Path(name).absolute(), "file:" + name):
            with Monitor(source) as mon:
                equal(f"{source!r}: read to its end", report("transfers", name)["transactions"], mon.get_packets())


def layout_checks():
    """The structures are copies: each member is where the C compiler puts it."""
    copies = {"Monitor_histogram_row": smile_monitor._HistogramRow, "Monitor_phase": smile_monitor._Phase,
              "smile_config": smile_monitor._Config}
    lines = run(os.path.join(BUILD, "tests/python/layout")).stdout.split("\n")[:-1]
    check("layout: the headers' structures", len(lines) > 25, lines)
    known = {name: 0 for name in copies}
    for line in lines:
        name, member, offset, size = line.split()
        if member == "-":
            equal(f"layout: {name}", int(size), smile_monitor.ctypes.sizeof(copies[name]))
            continue
        field = getattr(copies[name], member)
        known[name] += 1
        equal(f"layout: {name}.{member}", (int(offset), int(size)), (field.offset, field.size))
    for name, copy in copies.items():
        equal(f"layout: {name} has no member besides", known[name], len(copy._fields_))


def view_checks():
    with Monitor("known.rec") as mon:
        transfers = report("transfers", "known.rec")["transactions"]
        equal("get_packets", transfers, mon.get_packets())
        check("get_packets: there is something", sum(map(sum, transfers)) == 265, transfers)
        pages = report("pages", "known.rec")["pages"]
        want = [(p["page"], p["home"], node, n, p["reads"][node], p["writes"][node], p["locks"][node])
                for p in pages for node, n in enumerate(p["accesses"]) if n]
        rows = mon.histogram_info()
        equal("histogram_info", want, [tuple(row)[:7] for row in rows])
        equal("histogram_info: ratios", [1.0, 1.0], [row.ratio for row in rows if row.page in (65536, 131072)])
        page = report("page", "--page", "65536", "--section-bytes", "1024", "known.rec")
        dense = [[0] * 4 for _ in range(4)]
        for section in page["sections"]:
            dense[section["section"]] = section["accesses"]
        got = mon.sections_info(65536, section_bytes=1024)
        equal("sections_info", dense, got.counts)
        equal("sections_info: straddling", page["straddling"]["accesses"], got.straddling)
        equal("sections_read and sections_write, by hand", (100, 10),
              (mon.sections_read(65536).counts[0][1], mon.sections_write(65536).counts[63][1]))
        phases = report("phases", "--page", "65536", "known.rec")["phases"]
        equal("phase_info", [p["accesses"] for p in phases], mon.phase_info(65536, home=0))
        equal("phases", [("begin", False), ("solve", True)], [(p.name, p.open) for p in mon.phases()])
        equal("nodes, page_home", (4, 0), (mon.nodes(), mon.page_home(131072)))


def caches_checks():
    """Accesses of processors, as in reports; transactions on request."""
    with Monitor("caches.rec") as mon:
        pages = report("pages", "caches.rec")["pages"]
        got = {}
        for row in mon.histogram_info():
            got[row.page, row.source] = row.accesses
        check("caches: they are told apart", mon.has_caches())
        equal("caches: accesses, by hand", {(65536, 1): 2000, (65537, 2): 500, (65540, 2): 3000}, got)
        equal("caches: phases", [5500, 0], [phase.accesses for phase in mon.phases()])
        equal("caches: sections", 2000, mon.sections_info(65536, section_bytes=1024).counts[0][1])
        mon.show_transactions()
        equal("caches: transactions", [(p["page"], sum(p["transactions"]["accesses"])) for p in pages
                                       if sum(p["transactions"]["accesses"])],
              [(page, sum(row.accesses for row in mon.histogram_info() if row.page == page))
               for page in sorted({row.page for row in mon.histogram_info()})])
        mon.show_transactions(False)
        equal("caches: accesses again", 5500, sum(row.accesses for row in mon.histogram_info()))
    with Monitor("known.rec") as mon:
        mon.show_transactions()
        equal("without caches: nothing changes", (False, 265), (mon.has_caches(),
                                                                sum(row.accesses for row in mon.histogram_info())))


def error_checks():
    for name, act, wanted in (
            ("a file that is not there", lambda mon: Monitor("not-there.rec"), "not-there.rec"),
            ("a source that is none", lambda mon: Monitor("moon:1"), "is no source"),
            ("a page without accesses", lambda mon: mon.page_home(7), "7"),
            ("a section size that is none", lambda mon: mon.sections_info(65536, section_bytes=3), "3"),
            ("a recording cannot be started", lambda mon: mon.start(), "file")):
        with Monitor("known.rec") as mon:
            try:
                act(mon)
                check(f"refused: {name}", False, "it was not")
            except MonitorError as error:
                check(f"refused: {name}", error.errno > 0 and wanted in error.strerror, error)
    mon = Monitor("known.rec")
    mon.close()
    mon.close()
    try:
        with Monitor("emu:") as mon:
            mon.configure(nothing=1)
        check("a field that is none", False, "")
    except TypeError as error:
        check("a field that is none", "nothing" in str(error), error)
    got = run(sys.executable, "-c", "import smile_monitor",
              env={**os.environ, "PYTHONPATH": os.path.join(TOP, "lib", "python"),
                   "SMILE_MONITOR_LIBRARY": "/not/there.so"})
    check("a library that is not there", got.returncode == 1 and "SMILE_MONITOR_LIBRARY" in got.stderr, got.stderr)


def raised(act):
    """Call a function. Returns the exception that it raises, or None."""
    try:
        act()
    except Exception as error:
        return error
    return None


def closed_checks():
    """Each method of a closed Monitor raises an exception, and does not pass NULL to the library."""
    arguments = {"configure": {"node": 1}, "save": {"path": "closed.rec"}, "event": {"number": 0}}
    page = {"page": 65536, "home": 0}
    for name in ("sections_info", "sections_read", "sections_write", "phase_info"):
        arguments[name] = page
    arguments["page_home"] = {"page": 65536}
    mon = Monitor("known.rec")
    mon.close()
    for name in sorted(n for n in vars(Monitor) if not n.startswith("_") and n != "close"):
        error = raised(lambda: getattr(mon, name)(**arguments.get(name, {})))
        check(f"closed: {name}", isinstance(error, ValueError) and "closed" in str(error), error)
    check("closed: no recording was made", not os.path.exists("closed.rec"))


def limit_checks():
    """An argument that C cannot hold raises an exception. The library does not get a part of its bits."""
    with Monitor("known.rec") as mon, Monitor("emu:") as card:
        card.start()
        for name, act in (
                ("a page", lambda: mon.page_home(2 ** 64 + 65536)), ("a negative page", lambda: mon.page_home(-1)),
                ("a home", lambda: mon.sections_info(65536, home=2 ** 32)),
                ("a section size", lambda: mon.sections_info(65536, section_bytes=2 ** 32 + 64)),
                ("a time limit", lambda: mon.poll(2 ** 32)), ("an event", lambda: card.event(2 ** 32)),
                ("a field", lambda: card.configure(max_range_bytes=2 ** 32 + 64)),
                ("a negative field", lambda: card.configure(node=-1))):
            error = raised(act)
            check(f"out of range: {name}", isinstance(error, OverflowError), repr(error))
        for name, act in (("a source", lambda: Monitor("known.rec\0more")), ("a path", lambda: card.save("cut.rec\0")),
                          ("a command line", lambda: card.save("cut.rec", "a\0b"))):
            error = raised(act)
            check(f"null character: {name}", isinstance(error, ValueError), repr(error))
        check("null character: no recording was made", not os.path.exists("cut.rec"))
        check("a number that is none", isinstance(raised(lambda: mon.page_home(65536.0)), TypeError))


def signal_checks():
    """A signal whose handler returns does not end poll(), and does not lengthen it. One whose handler raises ends it."""
    def stop(number, frame):
        raise KeyboardInterrupt

    os.mkfifo("signal.fifo")
    writer = os.open("signal.fifo", os.O_RDWR)
    with open("small.pcap", "rb") as file:
        os.write(writer, file.read(24))
    with Monitor("emu:signal.fifo") as mon:
        mon.start()
        signal.signal(signal.SIGALRM, lambda number, frame: None)
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        begin = time.monotonic()
        equal("signal: poll() waits until its time limit", 0, mon.poll(300))
        took = time.monotonic() - begin
        check("signal: as long as without the signal", 0.29 < took < 5, took)
        signal.signal(signal.SIGALRM, stop)
        try:
            mon.poll(-1)
            check("signal: an exception of the handler ends poll()", False)
        except KeyboardInterrupt:
            check("signal: an exception of the handler ends poll()", True)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    os.close(writer)


def card_checks():
    with Monitor("emu:small.pcap") as mon:
        mon.configure(max_range_bytes=64)
        mon.save("python.rec", "python_test")
        mon.run()
        rows = mon.histogram_info()
    check("a capture through the card", sum(row.accesses for row in rows) == 7, rows)
    with Monitor("python.rec") as mon:
        equal("and its recording", rows, mon.histogram_info())


def example_checks():
    example = os.path.join(TOP, "docs", "examples", "page_histogram.py")
    paths = {"PYTHONPATH": os.path.join(TOP, "lib", "python"), **os.environ}
    got = run(sys.executable, example, "known.svg", "known.rec", env=paths)
    equal("example: status", 0, got.returncode)
    svg = xml.etree.ElementTree.parse(os.path.join(SCRATCH, "known.svg")).getroot()
    titles = [e.text for e in svg.iter("{http://www.w3.org/2000/svg}title")]
    equal("example: a bar for each page and node", 7, len(titles))
    check("example: with its count", "page 65536 of node 0: 110 accesses by node 1" in titles, titles)
    words = [e.text for e in svg.iter("{http://www.w3.org/2000/svg}text")]
    check("example: unit and legend", any("accesses" in w for w in words) and "node 3" in words, words)
    got = run(sys.executable, example, "x.svg", "not-there.rec", env=paths)
    check("example: an error is one message", got.returncode == 1 and "not-there.rec" in got.stderr and
          "Traceback" not in got.stderr, got.stderr)


def install_checks():
    """With the layout of `make install`, the package is found and works without any variable except
    the path."""
    root = os.path.join(SCRATCH, "root")
    got = processes.run(["make", "-C", TOP, "install-python", f"DESTDIR={root}", "PREFIX=/usr"], capture_output=True,
                        text=True)
    package = os.path.join(root, "usr/lib/python3/dist-packages")
    check("install: with Debian's packages", got.returncode == 0 and
          os.path.exists(os.path.join(package, "smile_monitor/__init__.py")), got.stderr)
    got = run(sys.executable, "-c", "import smile_monitor; print(smile_monitor.version())",
              env={"PYTHONPATH": package, "LD_LIBRARY_PATH": BUILD, "PYTHONDONTWRITEBYTECODE": "1"})
    equal("install: it finds the library by its name", smile_monitor.version() + "\n", got.stdout)


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    os.chdir(SCRATCH)
    for kind in ("known", "caches"):
        processes.run([os.path.join(BUILD, "tests/view/recordings"), kind, kind + ".rec"], check=True)
    processes.run([os.path.join(BUILD, "tests/tools/mkcapture"), "small.pcap", "small"], check=True)
    name_checks()
    layout_checks()
    view_checks()
    caches_checks()
    error_checks()
    closed_checks()
    limit_checks()
    signal_checks()
    card_checks()
    example_checks()
    install_checks()
    for name in ("get_packets", "histogram_info", "sections_info", "sections_read", "sections_write", "phase_info"):
        check(f"{name} has a docstring", len(getattr(Monitor, name).__doc__ or "") > 20, name)
    suite_end()


main()
