#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile serve: its HTTP and its metrics. The live page in a browser is tested by live_test.mjs.

usage: serve_test.py SMILE RECORDINGS FEEDER SCRATCH

What lives here: the allowed and refused requests of a client, and the end of the server. RECORDINGS makes known
recordings, FEEDER makes a recording that grows on command.
"""
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import openmetrics
from serving import LIMIT, Feeder, Listener, Server, capture_write, processes, soon
from test import check, equal, skip, suite_end


def moving(data):
    """Packets arrived during the last sample."""
    return data["sample"] and any(data["sample"]["packets"])


# ---- allowed and refused requests --------------------------------------------------------------

def header_checks(server):
    for path, kind in (("/", "text/html; charset=utf-8"), ("/data.json", "application/json"),
                       ("/view.json", "application/json"),
                       ("/metrics", "application/openmetrics-text; version=1.0.0; charset=utf-8")):
        status, headers, body = server.get(path)
        equal(f"{path}: status", 200, status)
        equal(f"{path}: content type", kind, headers["Content-Type"])
        equal(f"{path}: common headers", ["nosniff", "no-referrer", "no-store", "same-origin"],
              [headers.get(h) for h in ("X-Content-Type-Options", "Referrer-Policy", "Cache-Control",
                                        "Cross-Origin-Resource-Policy")])
        policy = headers["Content-Security-Policy"]
        check(f"{path}: policy", policy.startswith("default-src 'none'") and "frame-ancestors 'none'" in policy
              and "unsafe" not in policy, policy)
        check(f"{path}: nothing for other origins", not [h for h in headers if h.lower().startswith("access-control")])
        check(f"{path}: has a body", len(body) > 500)
        head = server.get(path, "HEAD")
        equal(f"{path}: HEAD", [200, kind, b""], [head[0], head[1]["Content-Type"], head[2]])
        equal(f"{path}: with a query", 200, server.get(path + "?a=b")[0])
    policy = server.get("/")[1]["Content-Security-Policy"]
    check("/: its own script and its own data alone", "script-src 'sha256-" in policy and "style-src 'sha256-" in policy
          and "connect-src 'self'" in policy, policy)
    check("/: no second policy that would forbid its data", b"http-equiv" not in server.get("/")[2])
    head = server.get("/events", "HEAD")
    equal("/events: HEAD", [200, "text/event-stream", b""], [head[0], head[1]["Content-Type"], head[2]])


def refusal_checks(server):
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"):
        status, headers, _ = server.get("/", method)
        equal(f"{method}: refused, and what is allowed", [405, "GET, HEAD"], [status, headers.get("Allow")])
    for path in ("/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/./",
                 "/data.json/", "/data.json/..", "/data%2ejson", "/DATA.JSON", "/%00", "/metrics%00", "/known.rec",
                 "/index.html", "/favicon.ico", "/view.json/", "/pages",
                 "/pages?key=", "/pages?key=../../etc/passwd", "/pages?key=0000000000000000", "/pages?key=" + "f" * 17, "/.git/config", "/%", "/\\..\\..", "/data.json;x", "/" + "a" * 4000):
        equal(f"no such path: {path[:40]}", 404, server.get(path)[0])
    equal("a body is refused", 413, server.get("/", "GET", body=b"x" * 10)[0])
    host = f"127.0.0.1:{server.port}"
    for name in ("localhost", "LOCALHOST", "127.0.0.1", "[::1]"):
        # A port that is forwarded to this one may have another number.
        for port in (f":{server.port}", f":{server.port + 1}", ""):
            equal(f"host {name}{port}", 200, server.get("/", host=f"{name}{port}")[0])
    for name in ("evil.example", f"evil.example:{server.port}", "localhost:", "localhost:80a", "127.0.0.1:evil.example",
                 f"127.0.0.1.evil.example:{server.port}", f"localhost:{server.port}@evil.example", f"{host}.", ""):
        for path in ("/", "/data.json", "/events", "/metrics"):
            status = server.get(path, host=name)[0]
            check(f"host {name!r} gets nothing: {path}", status in (400, 421), status)
    raw = server.raw(b"GET / HTTP/1.1\r\n\r\n")
    check("no host gets nothing", raw.startswith((b"HTTP/1.1 400", b"HTTP/1.1 421")), raw[:60])
    raw = server.raw(b"GET / HTTP/1.0\r\n\r\n")
    check("no host of old gets nothing", b" 421 " in raw[:20] or b" 400 " in raw[:20], raw[:60])
    for name, request in (("a head that is too large", b"GET / HTTP/1.1\r\nHost: " + host.encode() + b"\r\nX: " +
                           b"a" * 100000 + b"\r\n\r\n"),
                          ("a path that is too long", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n"),
                          ("no HTTP at all", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
                          ("no method", b" / HTTP/1.1\r\n\r\n")):
        answer = server.raw(request)
        check(f"refused: {name}", not answer or answer.split(b" ")[1][:1] in (b"4", b"5"), answer[:60])
    equal("and it still answers", 200, server.get("/")[0])


def limit_checks(server):
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    slow = socket.create_connection(("127.0.0.1", server.port))
    slow.sendall(b"GET / HTTP/1.1\r\nHost: 127")
    equal("idle connections block no client", 200, server.get("/")[0])
    until = time.monotonic() + LIMIT
    slow.settimeout(1)
    gone = False
    while not gone and time.monotonic() < until:
        try:
            # One byte at a time, forever: the time-out must end this connection.
            slow.sendall(b"0")
            gone = slow.recv(1000) == b""
        except socket.timeout:
            pass
        except OSError:
            gone = True
    check("a request that never ends is hung up on", gone)
    ended = 0
    for one in idle:
        one.settimeout(LIMIT)
        try:
            ended += one.recv(1) == b""
        except OSError:
            ended += 1
    equal("so are those that ask for nothing", 20, ended)
    listeners = [Listener(server) for _ in range(32)]
    equal("listeners up to a limit", [200] * 32, [l.status for l in listeners])
    equal("and one too many is reported to wait", [503, "10"],
          [server.get("/events")[0], server.get("/events")[1].get("Retry-After")])
    equal("the page is still there for others", 200, server.get("/")[0])
    for one in listeners:
        one.close()


# ---- documents and events ----------------------------------------------------------------------

def document_checks(smile, server):
    document = json.loads(server.get("/data.json")[2])
    live = document.pop("live")
    equal("data: that of smile view", json.loads(processes.run(
        [smile, "view", "--json", "known.rec"], capture_output=True, check=True).stdout), document)
    equal("data: what is live about it", ["recordings", "ended", "known.rec", ""],
          [live[k] for k in ("kind", "state", "name", "message")])
    head = json.loads(server.get("/view.json")[2])
    keys = head["pages"].pop("keys")
    equal("view: the head, without the texts", {**document, "live": live, "pages": {**document["pages"], "chunks": []}},
          head)
    for key, text in zip(keys, document["pages"]["chunks"], strict=True):
        got = server.get(f"/pages?key={key}")
        equal("pages: a text by its key", [200, "text/plain; charset=utf-8", text],
              [got[0], got[1]["Content-Type"], got[2].decode()])
    listener = Listener(server)
    first = listener.next()
    equal("events: at once what there is", ["news", "ended", live["instance"], live["document"]],
          [first["event"]] + [first["data"][k] for k in ("state", "instance", "document")])
    check("events: an id and when to come back", first["id"].isdigit() and first["retry"] == "2000", first)
    listener.close()


def metrics_checks(server):
    equal("the parser refuses what is wrong", [], openmetrics.self_check())
    families = openmetrics.parse(server.get("/metrics")[2].decode())
    value = lambda name: families[name].samples[0][2]
    equal("metrics: totals", [265, 0, 265, 266, 2], [value("smile_" + n) for n in (
        "events_delivered", "events_lost", "events_accepted", "packets_seen", "phases")])
    equal("metrics: transfers", {("1", "0"): 110, ("2", "1"): 40, ("0", "2"): 30, ("1", "2"): 30, ("3", "2"): 30,
                                 ("3", "0"): 20, ("0", "3"): 5},
          {(l["source"], l["home"]): n for _, l, n in families["smile_transfers"].samples})
    pages = {(l["page"], l["home"], l["node"]): n for _, l, n in families["smile_page_accesses"].samples}
    equal("metrics: the two top pages by node", {("65536", "0", "1"): 110, ("65538", "2", "0"): 30, (
        "65538", "2", "1"): 30, ("65538", "2", "3"): 30}, pages)
    equal("metrics: all pages are counted", 5, value("smile_pages"))
    equal("metrics: the source ended", {"running": 0, "ended": 1, "failed": 0},
          {l["smile_source_state"]: n for _, l, n in families["smile_source_state"].samples})
    equal("metrics: a name of any characters", 'kn"o\\w\nn.rec'.replace("\n", "?"),
          families["smile_source"].samples[0][1]["name"].replace("\n", "?"))
    check("metrics: the build", families["smile_build"].samples[0][1]["version"])
    check("metrics: each has a type and a help", all(f.type and f.help for f in families.values()))


def pages_of(server, count):
    """The document once it has so many pages; the last document if it never has."""
    found = []

    def has():
        found[:] = [json.loads(server.get("/data.json")[2])]
        return found[0]["pages"]["count"] == count
    soon(has)
    return found[0]


def demand_checks(smile, feeder):
    """No document is made without a request, and one document answers many requests."""
    with Feeder(feeder, "demand.rec") as feed, Server(smile, "demand.rec", "--interval", "0.2") as server:
        metric = lambda name: openmetrics.parse(server.get("/metrics")[2].decode())[name].samples[0][2]
        made = lambda: metric("smile_document_seconds")
        # The server sees new records at intervals: several of them have passed.
        for taken in (10, 20, 30):
            feed.do("reads 10 1 0 100")
            check(f"demand: {taken} accesses come in", soon(lambda: metric("smile_events_delivered") == taken))
        equal("demand: no document without a reader", 0.0, made())
        equal("demand: one for the first", 1, pages_of(server, 1)["pages"]["count"])
        check("demand: how long it took is reported", soon(lambda: made() > 0))
        feed.do("reads 10 1 0 101")
        feed.do("reads 10 1 0 102")
        second = pages_of(server, 3)
        equal("demand: the next reader gets what is there by then", 3, second["pages"]["count"])
        readers = [Listener(server) for _ in range(5)]
        feed.do("reads 10 1 0 103")
        seen = [r.until(lambda d: d["document"] > second["live"]["document"]) for r in readers]
        equal("demand: one document for five readers", 1, len({s and s["document"] for s in seen}))
        feed.do("reads 10 1 0 104")
        moved = readers[0].until(moving)
        equal("demand: what came in by node", [0, True], moved and [moved["sample"]["packets"][0],
                                                                     moved["sample"]["packets"][1] > 0])
        for reader in readers:
            reader.close()


def text_checks(smile, feeder):
    """A slow reader requests texts when there are newer documents."""
    with Feeder(feeder, "texts.rec") as feed, Server(smile, "texts.rec", "--interval", "0.1") as server:
        first = None
        for count in range(1, 4):
            feed.do(f"reads {count} 1 0 {100 + count}")
            document = pages_of(server, count)
            keys = json.loads(server.get("/view.json")[2])["pages"]["keys"]
            first = first or (keys[0], document["pages"]["chunks"][0])
        check("texts: the newest document has others", first[0] not in keys, keys)
        status, _, text = server.get("/pages?key=" + first[0])
        equal("texts: of the document before the last, it is the same", [200, first[1]], [status, text.decode()])
        before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        open_now = [server.connect() for _ in range(2)]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (3, before[1]))
        answers = [server.ask(c, "/pages?key=" + key) for c, key in zip(open_now, (keys[0], "0" * 16), strict=True)]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, before)
        equal("texts: no files left: to be tried again", [503, "5"], [answers[0][0], answers[0][1].get("Retry-After")])
        equal("texts: no such text is none then, too", 404, answers[1][0])
        equal("texts: and then it is there", 200, server.get("/pages?key=" + keys[0])[0])
        for connection in open_now:
            connection.close()


# ---- start and end ------------------------------------------------------------------------------

def command_checks(smile):
    run = lambda *a: processes.run([smile, "serve", *a], capture_output=True, text=True)
    equal("help: status", 0, run("--help").returncode)
    for name, wanted, arguments in (
            ("an address without a port", "ADDRESS:PORT", ["--listen", "127.0.0.1", "known.rec"]),
            ("a port that is none", "port", ["--listen", "127.0.0.1:x", "known.rec"]),
            ("a port too high", "65535", ["--listen", "127.0.0.1:65536", "known.rec"]),
            ("an IPv6 address without brackets", "[::1]", ["--listen", "::1:80", "known.rec"]),
            ("an address that other hosts reach", "ssh -L", ["--listen", "0.0.0.0:0", "known.rec"]),
            ("a socket's path that is too long", "107", ["--listen", "unix:" + "a" * 108, "known.rec"]),
            ("no recording", "not-there.rec", ["--listen", "127.0.0.1:0", "not-there.rec"]),
            ("no card", "smile_monitor99", ["--listen", "127.0.0.1:0", "dev:99"]),
            ("an interval too short", "0.1", ["--interval", "0", "known.rec"]),
            ("too many pages", "--top", ["--top", "100000", "known.rec"]),
            ("an output for recordings", "-o", ["--listen", "127.0.0.1:0", "-o", "x.rec", "known.rec"]),
            ("an unknown option", "--help", ["--nothing"])):
        got = run(*arguments)
        check("refused: " + name, got.returncode == 2 and wanted in got.stderr and not got.stdout, got.stderr)
    with open("/dev/full", "w", encoding="utf-8") as full:
        got = processes.run([smile, "serve", "--listen", "127.0.0.1:0", "known.rec"], stdout=full, stderr=subprocess.PIPE,
                            text=True)
    check("refused: an address that nobody is told", got.returncode == 2 and "No space left" in got.stderr, got.stderr)
    with Server(smile, "known.rec") as server:
        got = run("--listen", f"127.0.0.1:{server.port}", "known.rec")
        check("refused: a port in use", got.returncode == 2 and "in use" in got.stderr and ":0" in got.stderr, got.stderr)
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as error:
        skip(f"IPv6: {error}", 2)
        return
    with Server(smile, "known.rec", listen="[::1]:0") as server:
        equal("IPv6", 200, server.get("/")[0])
        equal("IPv6: the host is looked at", 421, server.get("/", host="evil.example")[0])


def end_checks(smile, feeder):
    for number in (signal.SIGINT, signal.SIGTERM):
        with Server(smile, "known.rec") as server:
            listener = Listener(server)
            listener.next()
            server.process.send_signal(number)
            equal(f"{number.name}: status", 0, server.process.wait(LIMIT))
            check(f"{number.name}: listeners are let go", listener.over())
            equal(f"{number.name}: nothing is said", "", server.complaints())
    with Server(smile, "emu:known.pcap", "-o", "saved.rec", "--range", "64") as server:
        state = Listener(server).until(lambda d: d["state"] == "ended")
        check("capture: is read to its end", state)
        equal("capture: what it is", "capture", json.loads(server.get("/data.json")[2])["live"]["kind"])
        server.process.send_signal(signal.SIGINT)
        equal("capture: status", 0, server.process.wait(LIMIT))
    saved = processes.run([smile, "report", "lost", "--json", "saved.rec"], capture_output=True, text=True)
    equal("capture: the recording is complete", 0, saved.returncode)
    with Feeder(feeder, "killed.rec") as feed, Server(smile, "killed.rec", "--interval", "0.2") as server:
        feed.do("reads 10 1 0 100")
        listener = Listener(server)
        equal("killed: runs", "running", listener.next()["data"]["state"])
        feed.close()
        check("killed: its end is reported", listener.until(lambda d: d["state"] == "ended"))
    with Feeder(feeder, "cut.rec") as feed, Server(smile, "cut.rec", "--interval", "0.2") as server:
        feed.do("reads 10 1 0 100")
        listener = Listener(server)
        check("cut off: runs", listener.until(moving))
        os.truncate("cut.rec", 20)
        reported = listener.until(lambda d: d["message"])
        check("cut off: the reason is reported", reported and "cut.rec" in reported["message"], reported)
        server.process.send_signal(signal.SIGINT)
        equal("cut off: status", 2, server.process.wait(LIMIT))


def counting_checks(smile, feeder):
    """A counting recording that grows: the server sees each checkpoint, and each count once."""
    with Feeder(feeder, "grows.rec", "counts") as feed, Server(smile, "grows.rec", "--interval", "0.2") as server:
        for turn in range(1, 4):
            feed.do("reads 10 1 0 100")
            feed.do("reads 5 2 0 101")

            def delivered():
                return json.loads(server.get("/data.json")[2])["loss"]["delivered"]
            check(f"counting: checkpoint {turn} is seen", soon(lambda: delivered() == 15 * turn), delivered())
        feed.do("end")
        listener = Listener(server)
        check("counting: its end is reported", listener.until(lambda d: d["state"] == "ended"))
        equal("counting: pages", 2, pages_of(server, 2)["pages"]["count"])
        equal("counting: nothing was said meanwhile", "", server.complaints())


def nodes_checks(smile, feeder):
    """Several recordings, one of which is closed and one killed; two cards."""
    sources = lambda: json.loads(server.get("/data.json")[2])["live"]["sources"]
    with Feeder(feeder, "first.rec", node=0) as first, Feeder(feeder, "second.rec", node=1) as second, \
            Server(smile, "first.rec", "second.rec", "--interval", "0.2") as server:
        first.do("reads 10 1 0 100")
        second.do("reads 20 0 1 101")
        check("nodes: both are read", soon(lambda: [s["account"]["delivered"] for s in sources()] == [10, 20]), sources())
        first.do("end")
        check("nodes: one has ended, the other runs",
              soon(lambda: [s["state"] for s in sources()] == ["ended", "running"]), sources())
        equal("nodes: the view runs", "running", Listener(server).next()["data"]["state"])
        second.do("reads 5 0 1 101")
        check("nodes: the other goes on", soon(lambda: sources()[1]["account"]["delivered"] == 25), sources())
        second.close()
        check("nodes: the end", Listener(server).until(lambda d: d["state"] == "ended"))
        equal("nodes: the one that was killed is named", [(0, ""), (1, "its recording was not closed")],
              [(s["node"], s["note"]) for s in sources()])
        families = openmetrics.parse(server.get("/metrics")[2].decode())
        equal("nodes: metrics of each", [("0", 10), ("1", 25)],
              [(l["node"], c) for _, l, c in families["smile_card_events_delivered"].samples])
        equal("nodes: none runs", [0, 0], [c for _, _, c in families["smile_card_running"].samples])
    with Server(smile, "emu:known.pcap", "emu:known.pcap", "-o", "pair.rec") as server:
        check("cards: both are read", Listener(server).until(lambda d: d["state"] == "ended"))
        document = json.loads(server.get("/data.json")[2])
        # Of 300 reads by node 1 at node 0, both cards count each.
        equal("cards: each has its account", [(0, 300, True), (1, 300, True)],
              [(s["node"], s["account"]["accepted"], s["account"]["balanced"]) for s in document["live"]["sources"]])
        equal("cards: a transaction counts once", 300, document["summary"]["accesses"])
        server.process.send_signal(signal.SIGINT)
        equal("cards: status", 0, server.process.wait(LIMIT))
    for node in range(2):
        saved = processes.run([smile, "report", "lost", "--json", f"pair-node{node}.rec"], capture_output=True, text=True)
        equal(f"cards: the recording of node {node} is complete", 0, saved.returncode)


def home_checks(smile, feeder):
    """Two nodes have pages with the same number."""
    with Feeder(feeder, "homes.rec") as feed:
        for page in (100, 101):
            feed.do(f"reads 10 1 0 {page}")
            feed.do(f"reads 20 0 1 {page}")
        feed.do("end")
    with Server(smile, "homes.rec") as server:
        document = pages_of(server, 4)
        equal("homes: a page of each node", 4, document["pages"]["count"])
        families = openmetrics.parse(server.get("/metrics")[2].decode())
        equal("homes: so they are in the metrics",
              {(p, h, n): c for p in ("100", "101") for h, n, c in (("0", "1", 10), ("1", "0", 20))},
              {(l["page"], l["home"], l["node"]): c for _, l, c in families["smile_page_accesses"].samples})
        equal("homes: nothing was said meanwhile", "", server.complaints())


def large_checks(smile, feeder):
    """Many pages: documents are made less often than requested, and that is reported."""
    with Feeder(feeder, "many.rec") as feed, Server(smile, "many.rec", "--interval", "0.1") as server:
        feed.do("reads 1 1 0 100 240000")
        check("many: while it grows, it is said that data comes less often",
              soon(lambda: server.get("/data.json")[0] == 200 and server.slow()), server.messages())
        took, between = server.slow() or (0, 0)
        check("many: how long it takes, and how often it comes", took > 0 and between >= 0.2, [took, between])
    with Server(smile, "large.rec", "--interval", "0.1", "--top", "2") as server:
        begin = time.monotonic()
        check("large: is read to its end", Listener(server).until(lambda d: d["state"] == "ended", 5 * LIMIT))
        print(f"large: 262,144 pages x 64 nodes: read in {time.monotonic() - begin:.1f} s")
        begin = time.monotonic()
        document = json.loads(server.get("/data.json", limit=5 * LIMIT)[2])
        print(f"large: {time.monotonic() - begin:.1f} s to the document")
        equal("large: all pages", 1 << 18, document["pages"]["count"])
        families = openmetrics.parse(server.get("/metrics", limit=5 * LIMIT)[2].decode())
        rows = families["smile_page_accesses"].samples
        equal("large: metrics of the top pages alone", 2, len({l["page"] for _, l, _ in rows}))
        equal("large: metrics count them all", 1 << 18, families["smile_pages"].samples[0][2])
        took = families["smile_document_seconds"].samples[0][2]
        event = Listener(server).next()
        check("large: the time between two is ten times the processor time that one takes",
              event["data"]["interval_ms"] >= 10000 * took - 1, [event["data"]["interval_ms"], took])


def main():
    smile, recordings, feeder, scratch = (os.path.abspath(a) for a in sys.argv[1:5])
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    for kind in ("known", "large"):
        processes.run([recordings, kind, kind + ".rec"], check=True)
    processes.run([recordings, "known", 'kn"o\\w\nn.rec'], check=True)
    capture_write("known.pcap")
    command_checks(smile)
    with Server(smile, "known.rec", "--top", "2") as server:
        for checks in (header_checks, refusal_checks):
            checks(server)
        document_checks(smile, server)
        limit_checks(server)
        equal("nothing was said meanwhile", "", server.complaints())
    with Server(smile, 'kn"o\\w\nn.rec', "--top", "2") as server:
        metrics_checks(server)
    demand_checks(smile, feeder)
    text_checks(smile, feeder)
    end_checks(smile, feeder)
    counting_checks(smile, feeder)
    nodes_checks(smile, feeder)
    home_checks(smile, feeder)
    large_checks(smile, feeder)
    os.remove("large.rec")
    suite_end()


main()
