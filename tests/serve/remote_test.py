#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tests of smile serve and smile top on several machines: they merge the recordings that other smile serve offer.

usage: remote_test.py SMILE RECORDINGS FEEDER SCRATCH

What lives here: the sums of the merged view; nodes that start late, are killed and start again; the users that may
connect; and hostile peers. The machines are processes on this machine; a socket that ssh forwards is the same socket.
"""
import contextlib
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from serving import LIMIT, Feeder, LocalConnection, Server, capture_write, processes, soon
from test import check, equal, skip, suite_end


def at(name):
    """The address of a socket of this test."""
    return "unix:" + os.path.abspath(name)


def document(server):
    return json.loads(server.get("/data.json")[2])


def sources(server):
    return document(server)["live"]["sources"]


def delivered(server):
    return [s["account"]["delivered"] for s in sources(server)]


def states(server):
    return [s["state"] for s in sources(server)]


def notes(server):
    return [s["note"] for s in sources(server)]


def data_of(server):
    """The part of a document that the counts determine."""
    whole = document(server)
    return {key: whole[key] for key in whole if key not in ("live", "files", "origin")}


# ---- sums --------------------------------------------------------------------------------------

def merge_checks(smile, feeder):
    """Two machines, one connected by a socket and one by a port; then both recordings in one place."""
    with Feeder(feeder, "a.rec", node=0) as first, Feeder(feeder, "b.rec", "counts", node=1) as second, \
            Server(smile, "a.rec", listen=at("a.sock")) as one, Server(smile, "b.rec") as other, \
            Server(smile, one.url, other.url, "--interval", "0.2") as view:
        for turn in range(1, 4):
            first.do("reads 10 1 0 100 50")
            second.do("reads 4 1 0 100 50")
            second.do("reads 3 0 1 200 70")
            check(f"merge: turn {turn} is seen", soon(lambda: delivered(view) == [500 * turn, 410 * turn]),
                  delivered(view))
        equal("merge: both run", ["running"] * 2, states(view))
        equal("merge: nothing is said of them", [""] * 2, notes(view))
        first.do("region 100 50 grid")
        first.do("end")
        check("merge: one has ended", soon(lambda: states(view) == ["ended", "running"]), states(view))
        second.do("end")
        check("merge: both have", soon(lambda: states(view) == ["ended"] * 2), states(view))
        equal("merge: each account is balanced", [True] * 2, [s["account"]["balanced"] for s in sources(view)])
        with Server(smile, "a.rec", "b.rec") as local:
            check("merge: here, too", soon(lambda: states(local) == ["ended"] * 2))
            equal("merge: all is as in the recordings", data_of(local), data_of(view))
        # A view offers its sources unchanged.
        with Server(smile, view.url, "--interval", "0.2") as above:
            check("merge: a view of a view", soon(lambda: states(above) == ["ended"] * 2), states(above))
            equal("merge: and it is the same", data_of(view), data_of(above))
        got = processes.run([smile, "top", "--json", one.url, other.url], capture_output=True, text=True)
        last = json.loads(got.stdout.splitlines()[-1])
        equal("merge: smile top", [0, "ended", [1500, 1230]],
              [got.returncode, last["state"], [s["account"]["delivered"] for s in last["sources"]]])
        for server in (one, other, view):
            equal("merge: nothing was said meanwhile", "", server.complaints())


def advice_checks(smile):
    """A command names recordings, so the page shows it only on the machine that has them."""
    with Server(smile, "known.rec", listen=at("known.sock")) as here, \
            Server(smile, here.url, "--interval", "0.2") as view, \
            Server(smile, "known.rec", here.url, "--interval", "0.2") as both:
        for name, server in (("here", here), ("there", view)):
            check(f"advice: {name}: it has read all", soon(lambda server=server: states(server) == ["ended"]))
        local, remote = document(here)["advice"], document(view)["advice"]
        check("advice: where the recording is: the command", local["command"].startswith("smile advise ") and
              "known.rec" in local["command"] and not local["elsewhere"], local["command"])
        equal("advice: elsewhere: none, and why", [None, True], [remote["command"], remote["elsewhere"]])
        check("advice: elsewhere: all else is the same", local["to_move"] and
              {**local, "command": None, "elsewhere": True} == remote, remote)
        check("advice: of the node that is here, too", soon(lambda: "both of node 0" in notes(both)[1]), notes(both))
        equal("advice: not all recordings are here: none", [None, True],
              [document(both)["advice"][key] for key in ("command", "elsewhere")])


def card_checks(smile):
    """Cards whose records are not saved are offered from a file without a name."""
    with Server(smile, "emu:known.pcap", "emu:known.pcap", listen=at("cards.sock")) as cards, \
            Server(smile, cards.url, "--interval", "0.2") as view:
        check("cards: both are read", soon(lambda: delivered(view) == [300, 300]), sources(view))
        cards.process.send_signal(signal.SIGTERM)
        equal("cards: the server ends", 0, cards.process.wait(LIMIT))
        check("cards: and their end has come", soon(lambda: states(view) == ["ended"] * 2), sources(view))
        equal("cards: complete, to the last record", [("", 300, True)] * 2,
              [(s["note"], s["account"]["accepted"], s["account"]["balanced"]) for s in sources(view)])
        equal("cards: a transaction counts once", 300, document(view)["summary"]["accesses"])
        equal("cards: nothing was said", "", cards.complaints())
        check("cards: the socket is gone", not os.path.exists("cards.sock"))
    with Server(smile, "emu:known.pcap") as server:
        status, _, text = server.get("/recordings")
        equal("cards: none is offered that is not saved", [404, True], [status, b"--listen unix:" in text])
        with Server(smile, server.url, "--interval", "0.2") as view:
            check("cards: which is said there", soon(lambda: "-o FILE" in notes(view)[0]), notes(view))


# ---- nodes that start and end ------------------------------------------------------------------

def late_checks(smile, feeder):
    with Feeder(feeder, "early.rec", node=0) as early, Feeder(feeder, "late.rec", node=1) as late:
        early.do("reads 10 1 0 100")
        late.do("reads 20 0 1 101")
        with Server(smile, "early.rec", listen=at("early.sock")) as first, \
                Server(smile, first.url, at("late.sock"), "not-yet.rec", "--interval", "0.2") as view:
            check("late: the other one is there", soon(lambda: delivered(view) == [10, 0, 0]), sources(view))
            equal("late: two are awaited", ["running", "awaited", "awaited"], states(view))
            equal("late: their nodes are not known", [0, None, None], [s["node"] for s in sources(view)])
            check("late: and named, with a remedy", "forwarded" in notes(view)[1] and "no such recording" in notes(view)[2],
                  notes(view))
            running = [line for line in view.get("/metrics")[2].decode().splitlines() if line.startswith("smile_card_running")]
            equal("late: metrics have none of them", ['smile_card_running{node="0"} 1'], running)
            with Server(smile, "late.rec", listen=at("late.sock")) as second:
                check("late: it comes", soon(lambda: delivered(view) == [10, 20, 0]), sources(view))
                equal("late: as its node", [0, 1, None], [s["node"] for s in sources(view)])
                second.process.send_signal(signal.SIGKILL)
                second.process.wait(LIMIT)
                check("late: killed, it is named", soon(lambda: "connect" in notes(view)[1]), notes(view))
                equal("late: with what it had counted", [10, 20, 0], delivered(view))
            early.do("reads 5 1 0 100")
            check("late: the other goes on", soon(lambda: delivered(view) == [15, 20, 0]), sources(view))
            late.do("reads 1 0 1 101")
            # The socket's file still exists, and no process listens.
            with Server(smile, "late.rec", listen=at("late.sock")):
                check("late: it comes back", soon(lambda: delivered(view) == [15, 21, 0]), sources(view))
                check("late: what it had counted is told", "begun again" in notes(view)[1] and "20 delivered" in notes(view)[1],
                      notes(view))
            with Feeder(feeder, "not-yet.rec", node=2) as third:
                third.do("reads 7 0 2 300")
                check("late: a file comes", soon(lambda: delivered(view) == [15, 21, 7]), sources(view))
            check("late: its recorder is killed", soon(lambda: "not closed" in notes(view)[2]), notes(view))
            with Feeder(feeder, "not-yet.rec", node=2) as third:
                third.do("reads 3 0 2 300")
                check("late: and begins anew", soon(lambda: delivered(view) == [15, 21, 3]), sources(view))
                check("late: which is told", "7 delivered" in notes(view)[2], notes(view))
            with Server(smile, "late.rec", listen=at("again.sock")) as again, \
                    Server(smile, first.url, again.url, at("late.sock"), "--interval", "0.2") as both:
                check("late: two of three are there", soon(lambda: delivered(both) == [15, 21, 0]), sources(both))
                with Server(smile, "late.rec", listen=at("late.sock")):
                    check("late: a node that is there already stays out, and is named",
                          soon(lambda: "both of node 1" in notes(both)[2]), notes(both))
                equal("late: the others are as before", [15, 21, 0], delivered(both))


def overwritten_checks(smile, feeder):
    """Another recording in the same file is read from its start, and is not mixed with the first one."""
    with Feeder(feeder, "over.rec", node=0) as first, Feeder(feeder, "new.rec", node=0) as second, \
            Server(smile, "over.rec", listen=at("over.sock")) as one, Server(smile, one.url, "--interval", "0.2") as view:
        first.do("reads 5 1 0 100")
        second.do("reads 7 1 0 100")
        check("overwritten: the first one is there", soon(lambda: delivered(view) == [5]), sources(view))
        with open("new.rec", "rb") as new, open("over.rec", "r+b") as old:
            old.write(new.read())
            old.truncate()
        check("overwritten: then the other one", soon(lambda: delivered(view) == [7]), sources(view))
        check("overwritten: which is told", "5 delivered" in notes(view)[0], notes(view))
        equal("overwritten: nothing else is said there", "", document(view)["live"]["message"])


# ---- who may connect ---------------------------------------------------------------------------

def socket_checks(smile):
    run = lambda *a: processes.run([smile, "serve", *a], capture_output=True, text=True)
    with Server(smile, "known.rec", listen=at("own.sock")) as server:
        equal("socket: for its user alone", 0o600, os.stat("own.sock").st_mode & 0o777)
        equal("socket: the page", 200, server.get("/")[0])
        for name in ("evil.example", "localhost:80a", ""):
            check(f"socket: host {name!r} gets nothing", server.get("/recordings", host=name)[0] in (400, 421))
        equal("socket: nothing can be written", 405, server.get("/recordings", "POST")[0])
        got = run("--listen", server.url, "known.rec")
        check("socket: refused: one that is used", got.returncode == 2 and "another path" in got.stderr, got.stderr)
        check("socket: which is as it was", soon(lambda: server.get("/")[0] == 200))
        if os.geteuid():
            skip("socket: another user: this is not root", 1)
        else:
            os.chmod("own.sock", 0o666)
            os.chmod(".", 0o755)
            ask = ("import socket, os; os.setgid(65534); s = socket.socket(socket.AF_UNIX); s.connect('own.sock'); "
                   "s.sendall(b'GET /recordings HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n'); print(s.recv(100))")
            # The client connects as the user nobody, in its current directory, which is already open.
            other = processes.run([sys.executable, "-c", "import os; os.setgroups([])\n" + ask.replace(
                "s.connect", "os.setuid(65534); s.connect")], capture_output=True, text=True)
            check("socket: another user gets nothing", "403" in other.stdout or "Permission" in other.stderr,
                  other.stdout + other.stderr)
    check("socket: is gone with its server", not os.path.exists("own.sock"))
    with open("file.sock", "w", encoding="utf-8"):
        pass
    got = run("--listen", at("file.sock"), "known.rec")
    check("socket: refused: a file", got.returncode == 2 and os.path.exists("file.sock"), got.stderr)
    for source, wanted in (("http://node1:8340", "ssh -L"), ("http://192.0.2.1:8340/", "ssh -L"), ("http://localhost", "PORT"),
                           ("http://localhost:0", "1 to"), ("unix:", "bytes")):
        for command in ("serve", "top"):
            arguments = ["--listen", "127.0.0.1:0"] if command == "serve" else ["--batch"]
            got = processes.run([smile, command, *arguments, source], capture_output=True, text=True)
            check(f"{command}: refused: {source}", got.returncode == 2 and wanted in got.stderr, got.stderr)


# ---- requests that change something ------------------------------------------------------------

@contextlib.contextmanager
def card(smile, name, node):
    """A smile serve with a card that counts until the block ends: its capture is a pipe that stays open."""
    if not os.path.exists(name + ".pipe"):
        os.mkfifo(name + ".pipe")
    pipe = os.open(name + ".pipe", os.O_RDWR)
    try:
        with open("known.pcap", "rb") as file:
            os.write(pipe, file.read())
        with Server(smile, f"emu:{name}.pipe", "--node", str(node), "--interval", "0.2", listen=at(name + ".sock")) as server:
            yield server
    finally:
        os.close(pipe)


def phases(server):
    return len(document(server)["phases"])


def ask(server, action, ticket=None, more=""):
    if ticket is None:
        ticket = server.get("/ticket")[2].decode().strip()
    status, _, text = server.get(f"/control?action={action}&ticket={ticket}{more}", "POST")
    return status, text.decode()


def control_checks(smile):
    run = lambda *a: processes.run([smile, "control", *a], capture_output=True, text=True)
    with card(smile, "one", 0) as one, card(smile, "two", 1) as two, \
            Server(smile, one.url, two.url, "--interval", "0.2", listen=at("both.sock")) as view:
        check("control: both cards are in view", soon(lambda: states(view) == ["running"] * 2), states(view))
        equal("control: no phase has ended", [0, 0], [phases(one), phases(two)])
        got = run("mark", one.url, two.url)
        equal("control: both are marked", [0, f"{one.url}: marked\n{two.url}: marked\n", ""],
              [got.returncode, got.stdout, got.stderr])
        check("control: one phase of each has ended", soon(lambda: [phases(one), phases(two)] == [1, 1]))
        check("control: with all that they had counted", soon(lambda: delivered(view) == [300, 300]), sources(view))
        check("control: which is the same in the view", soon(lambda: phases(view) == 1), phases(view))
        view.process.send_signal(signal.SIGUSR1)
        check("control: SIGUSR1 marks all", soon(lambda: [phases(one), phases(two), phases(view)] == [2, 2, 2]))
        got = run("mark", view.url)
        check("control: a view passes it on", got.returncode == 0 and soon(lambda: [phases(one), phases(two)] == [3, 3]),
              got.stderr)
        got = run("mark", one.url, at("gone.sock"), two.url)
        check("control: what it does not reach is named", got.returncode == 2 and "gone.sock: cannot connect" in got.stderr
              and got.stdout.count("marked") == 2, got.stdout + got.stderr)
        for action, told in (("stop", "stopped"), ("start", "started")):
            got = run(action, one.url, two.url)
            equal(f"control: {action}", [0, 2], [got.returncode, got.stdout.count(told)])
        got = run("configure", "--range", "128", one.url, two.url)
        equal("control: configure", [0, 2], [got.returncode, got.stdout.count("configured")])
        got = run("configure", "--types", "read", one.url)
        check("control: what would change the records' meaning is refused",
              got.returncode == 2 and "cannot change" in got.stderr, got.stderr)
        equal("control: and the card counts on", [0, "marked"], [run("mark", one.url).returncode, ask(one, "mark")[1].strip()])
        # Each request needs a ticket, which is valid once.
        ticket = one.get("/ticket")[2].decode().strip()
        before = phases(one)
        for name, given in (("none", ""), ("a wrong one", "0" * 32), ("another server's", two.get("/ticket")[2].decode().strip())):
            equal(f"control: {name}: refused", 403, ask(one, "mark", given)[0])
        equal("control: the ticket", (200, "marked\n"), ask(one, "mark", ticket))
        equal("control: the same request again", 403, ask(one, "mark", ticket)[0])
        check("control: marked once", soon(lambda: phases(one) == before + 1), [before, phases(one)])
        for name, request in (("no such action", ("destroy",)), ("no configuration", ("configure",)),
                              ("another release's configuration", ("configure", None, "&config=00"))):
            equal(f"control: {name}: refused", 400, ask(one, *request)[0])
        for method in ("GET", "PUT", "OPTIONS"):
            check(f"control: {method} changes nothing", one.get("/control?action=mark", method)[0] in (404, 405))
        equal("control: another host's name gets no ticket", 421, one.get("/ticket", host="evil.example")[0])
        # A machine that is stopped, and one that is killed.
        two.process.send_signal(signal.SIGSTOP)
        got = run("mark", one.url, two.url)
        check("control: one that does not answer is named", got.returncode == 2 and "two.sock: no answer" in got.stderr
              and "one.sock: marked" in got.stdout, got.stdout + got.stderr)
        two.process.send_signal(signal.SIGCONT)
        two.process.send_signal(signal.SIGKILL)
        two.process.wait(LIMIT)
        view.process.send_signal(signal.SIGUSR1)
        check("control: one that is gone is named in the view",
              soon(lambda: "two.sock" in document(view)["live"]["message"]), document(view)["live"]["message"])
        view.process.send_signal(signal.SIGTERM)
        equal("control: and in the view's status", 2, view.process.wait(LIMIT))
    with Server(smile, "emu:known.pcap") as server:
        equal("control: a port gives no ticket", 403, server.get("/ticket")[0])
        check("control: nor does it take a request", ask(server, "mark", "0" * 32)[0] == 403)
        got = run("mark", server.url)
        check("control: which is told, with the remedy", got.returncode == 2 and "--listen unix:PATH" in got.stderr, got.stderr)
    for name, arguments in (("nothing", []), ("no server", ["mark"]), ("no action", ["now", at("x")]),
                            ("no configuration", ["configure", at("x")]), ("one too many", ["mark", "--range", "64", at("x")]),
                            ("a node", ["configure", "--node", "3", at("x")]), ("another host", ["mark", "http://node1:80"])):
        got = run(*arguments)
        check(f"control: refused: {name}", got.returncode == 2 and got.stderr, got.stderr)
    equal("control: help", 0, run("--help").returncode)


# ---- hostile peers -----------------------------------------------------------------------------

@contextlib.contextmanager
def peer(path, answer, stays=False):
    """Answers each connection with some bytes; then it closes the connection or sends nothing more."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(8)
    open_now = []

    def serve():
        while True:
            try:
                one, _ = listening.accept()
            except OSError:
                return
            with contextlib.suppress(OSError):
                one.recv(4096)
                one.sendall(answer)
            open_now.append(one) if stays else one.close()
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(LIMIT)
        for one in open_now:
            one.close()
        os.unlink(path)


def head(version=1, count=1, instance=b"1.2-3", magic=b"SMILESTR"):
    return b"HTTP/1.0 200 OK\r\n\r\n" + magic + struct.pack("<II", version, count) + instance.ljust(48, b"\0")


def frame(kind, recording, offset, data, length=None):
    return struct.pack("<IIQII", kind, recording, offset, len(data) if length is None else length, 0) + data


def hostile_checks(smile, feeder):
    with open("known.rec", "rb") as file:
        known = file.read()
    header = known[:struct.unpack("<I", known[12:16])[0]]
    other = header[:8] + struct.pack("<I", 99) + header[12:]
    peers = (
        ("garbage", b"\xff" * 10000, "no smile serve"),
        ("no status", b"HTTP/1.0" + b" " * 4000 + b"\r\n\r\n" + b" " * 200000, "no smile serve"),
        ("endless", b"a" * 3000000, "no smile serve"),
        ("nothing", b"", "connection was lost"),
        ("half", b"HTTP/1.0 200 OK\r\n", "connection was lost"),
        ("refusal", b"HTTP/1.0 503 No\r\n\r\nToo many \x1b[2Jof them\nmore", "refused: Too many"),
        ("page", b"HTTP/1.0 200 OK\r\n\r\n" + b"<html>" * 100, "no smile serve"),
        ("version", head(version=7), "version 7"),
        ("none", head(count=0), "not possible"),
        ("many", head(count=1 << 31), "not possible"),
        ("name", head(instance=b"../../x"), "not possible"),
        ("kind", head() + frame(9, 0, 0, b"x"), "no recording"),
        ("number", head() + frame(1, 5, 0, header), "no recording"),
        ("hole", head() + frame(1, 0, 1 << 40, header), "no recording"),
        ("size", head() + frame(1, 0, 0, b"", 1 << 31), "no recording"),
        ("over", head() + frame(2, 0, 0, b""), "no recording"),
        ("broken", head() + frame(1, 0, 0, b"SMILEREC" + b"\xff" * 1000), "version"),
        ("later", head() + frame(1, 0, 0, other), "version 99"),
        ("same", head() + frame(1, 0, 0, header), "node 0"),
        ("one of two", head(count=2) + frame(1, 0, 0, header), "connection was lost"),
    )
    with Feeder(feeder, "good.rec", node=0) as good, Server(smile, "good.rec", listen=at("good.sock")) as serve, \
            contextlib.ExitStack() as stack:
        for name, answer, _ in peers:
            stack.enter_context(peer(name + ".bad", answer))
        with Server(smile, serve.url, *(at(name + ".bad") for name, _, _ in peers), "--interval", "0.2") as view:
            for turn in range(1, 4):
                good.do("reads 10 1 0 100")
                check(f"hostile: turn {turn} of the good one is seen", soon(lambda: delivered(view)[0] == 10 * turn),
                      sources(view))
            for index, (name, _, wanted) in enumerate(peers, 1):
                check(f"hostile: {name}: is named", soon(lambda: wanted in notes(view)[index]), notes(view)[index])
            equal("hostile: none is in view", ["running"] + ["awaited"] * len(peers), states(view))
            check("hostile: no control characters", not any("\x1b" in note for note in notes(view)), notes(view))
    some = head(count=2) + frame(1, 0, 0, header)
    with peer("some.bad", some, True), Server(smile, at("some.bad"), "--interval", "0.2") as view:
        check("hostile: one of two recordings, and silence: is named",
              soon(lambda: "2 recordings are expected" in notes(view)[0]), notes(view))
        equal("hostile: nothing of it is in view", ["awaited"], states(view))
    cut = head() + frame(1, 0, 0, header) + frame(1, 0, len(header), b"\xff" * 160)
    with Feeder(feeder, "good.rec", node=5) as good, peer("cut.bad", cut, True), \
            Server(smile, "good.rec", at("cut.bad"), "--interval", "0.2") as view:
        good.do("reads 10 1 0 100")
        check("hostile: records that cannot be", soon(lambda: delivered(view)[0] == 10 and document(view)["live"]["message"]),
              sources(view))


def files_checks(smile):
    """A server that cannot open its recordings a second time to send them offers none of them."""
    names = [f"many-{node}.rec" for node in range(60)]
    for node, name in enumerate(names):
        processes.run([smile, "record", "-d", "emu:known.pcap", "--node", str(node), "-o", name], check=True,
                      capture_output=True)
    with Server(smile, *names, listen=at("many.sock"), before=("prlimit", "--nofile=100:100")) as server, \
            Server(smile, server.url, "--interval", "0.2") as view:
        check("files: those are read", soon(lambda: states(server) == ["ended"] * 60), states(server))
        status, _, text = server.get("/recordings")
        equal("files: none is offered, and why", [503, True], [status, b"ulimit -n" in text])
        check("files: which is said there", soon(lambda: "Too many open files" in notes(view)[0]), notes(view))
        limit = resource.prlimit(view.process.pid, resource.RLIMIT_NOFILE)
        equal("files: a server may open as many as the system allows", limit[1], limit[0])


def limit_checks(smile, feeder):
    """A reader that does not read, and connections without limit."""
    with Feeder(feeder, "big.rec", node=0) as big, Server(smile, "big.rec", listen=at("big.sock")) as server:
        slow = socket.socket(socket.AF_UNIX)
        slow.connect("big.sock")
        slow.sendall(b"GET /recordings HTTP/1.0\r\nHost: localhost\r\n\r\n")
        with Server(smile, server.url, "--interval", "0.2") as view:
            big.do("reads 1 1 0 100 60000")
            check("limits: a slow reader keeps no other waiting", soon(lambda: delivered(view) == [60000]), delivered(view))
        slow.close()
    with Server(smile, "known.rec", listen=at("known.sock")) as server:
        readers = [LocalConnection("known.sock", LIMIT) for _ in range(16)]
        for one in readers:
            one.request("GET", "/recordings")
        check("limits: the stream of a recording that is over ends", all(one.getresponse().read() for one in readers))
    with Feeder(feeder, "open.rec", node=0), Server(smile, "open.rec", listen=at("open.sock")) as server:
        readers = [LocalConnection("open.sock", LIMIT) for _ in range(16)]
        for one in readers:
            one.request("GET", "/recordings")
        equal("limits: readers up to a limit", [200] * 16, [one.getresponse().status for one in readers])
        equal("limits: and one too many is told", 503, server.get("/recordings")[0])
        for one in readers:
            one.close()
        check("limits: once they are gone there is room", soon(lambda: server.get("/recordings", "HEAD")[0] == 200))
    with Server(smile, "known.rec") as server:
        idle = [socket.create_connection(("127.0.0.1", server.port), LIMIT) for _ in range(1000)]
        files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        check("limits: 1,000 connections are not 1,000 files", files < 250, files)
        answers = []
        for one in idle:
            with contextlib.suppress(OSError):
                answers.append(one.recv(100))
        # Accepted connections that sent no request were closed.
        check("limits: most are refused, and told why", sum(b" 503 " in answer for answer in answers) >= 500,
              [answer[:20] for answer in answers if answer][:3])
        for one in idle:
            one.close()
        check("limits: and then it answers", soon(lambda: server.get("/")[0] == 200))


def main():
    smile, recordings, feeder, scratch = (os.path.abspath(a) for a in sys.argv[1:5])
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    for name in os.listdir("."):
        if name.endswith((".sock", ".bad", ".rec", ".pipe")):
            os.unlink(name)
    processes.run([recordings, "known", "known.rec"], check=True)
    capture_write("known.pcap")
    merge_checks(smile, feeder)
    advice_checks(smile)
    card_checks(smile)
    late_checks(smile, feeder)
    overwritten_checks(smile, feeder)
    socket_checks(smile)
    control_checks(smile)
    hostile_checks(smile, feeder)
    files_checks(smile)
    limit_checks(smile, feeder)
    suite_end()


main()
