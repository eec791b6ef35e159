# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A `smile serve` for a test, its clients, and a recording that grows.

What lives here: the processes, HTTP with http.client and byte by byte, and server-sent events.
Python's standard library only.
"""
import http.client
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes
from processes import LIMIT
from test import check

SLOW = re.compile(r"^smile serve: making the data takes ([0-9.]+) s of a processor: it is made at most every ([0-9.]+) s\n", re.M)


class LocalConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path, limit):
        super().__init__("localhost", timeout=limit)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Server:
    """Runs until the end of the block. Has the address and the messages of the server."""

    def __init__(self, smile, *arguments, listen="127.0.0.1:0", before=()):
        self.errors = f"serve-{os.getpid()}-{time.monotonic_ns()}.err"
        with open(self.errors, "w", encoding="utf-8") as errors:
            self.process = processes.start([*before, smile, "serve", "--listen", listen, *arguments],
                                           stdout=subprocess.PIPE, stderr=errors, text=True)
        self.url = ""
        if select.select([self.process.stdout], [], [], LIMIT)[0]:
            self.url = self.process.stdout.readline().strip()
        self.path = self.url[5:] if self.url.startswith("unix:") else None
        self.host = "localhost"
        if self.path:
            return
        found = re.fullmatch(r"http://(\[::1\]|[^:/]+):(\d+)/", self.url)
        if not found:
            self.__exit__()
            raise RuntimeError(f"no address: {self.url!r}, {self.messages()!r}")
        self.port = int(found.group(2))
        self.address = "::1" if found.group(1) == "[::1]" else "127.0.0.1"
        self.host = f"{found.group(1)}:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                check("the server ends when it is asked to", False)
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        if os.path.exists(self.errors) and not os.path.getsize(self.errors):
            os.remove(self.errors)

    def messages(self):
        if not os.path.exists(self.errors):
            return ""
        with open(self.errors, encoding="utf-8") as errors:
            return errors.read()

    def slow(self):
        """The reported (seconds that making the data takes, seconds between two documents), or None."""
        found = SLOW.search(self.messages())
        return found and tuple(float(text) for text in found.groups())

    def complaints(self):
        """The text on stderr, without the report that this machine is slow."""
        return SLOW.sub("", self.messages())

    def connection(self, limit=LIMIT):
        if self.path:
            return LocalConnection(self.path, limit)
        return http.client.HTTPConnection(self.address, self.port, timeout=limit)

    def get(self, path, method="GET", host=None, body=None, limit=LIMIT):
        """(status, headers, body); the path is sent unchanged."""
        connection = self.connection(limit)
        try:
            connection._validate_path = lambda url: None
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", self.host if host is None else host)
            if body:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def connect(self):
        """A connection that has been used and stays open."""
        connection = self.connection()
        self.ask(connection, "/")
        return connection

    def ask(self, connection, path):
        """(status, headers, body), on an open connection."""
        connection.request("GET", path, headers={"Host": self.host})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def raw(self, request):
        """The answer to any bytes."""
        with socket.create_connection((self.address, self.port), LIMIT) as connection:
            answer = b""
            try:
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR)
                while some := connection.recv(65536):
                    answer += some
            except OSError:
                pass
            return answer


def capture_write(path):
    """A capture of 300 reads by node 1 of three pages of node 0."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 147))
        for i in range(300):
            # The source, READSB of four bytes, the home; the address; a checksum that is not read.
            frame = struct.pack("<QQQ", 1 | 3 << 16, (100 + i % 3) * 4096, 0)
            out.write(struct.pack("<IIII", 1, 1000 * i, len(frame), len(frame)) + frame)


def soon(is_so):
    """Wait until the condition is true, up to the limit. Return whether it was true; it may be false again now."""
    until = time.monotonic() + LIMIT
    while not (true := is_so()) and time.monotonic() < until:
        time.sleep(0.1)
    return true


class Listener:
    """A client that reads /events."""

    def __init__(self, server):
        self.connection = server.connection()
        self.connection.request("GET", "/events", headers={"Host": server.host})
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def next(self):
        """The next event, as a dictionary; None at the end."""
        event = {}
        # Comments keep the connection alive, so its own time-out does not expire.
        end = time.monotonic() + LIMIT
        try:
            while time.monotonic() < end and (line := self.answer.readline().decode()):
                name, _, value = line.rstrip("\n").partition(": ")
                if not line.strip() and "data" in event:
                    event["data"] = json.loads(event["data"])
                    return event
                event[name] = value
        except (OSError, http.client.HTTPException):
            pass
        return None

    def until(self, wanted, limit=LIMIT):
        """The data of the first event for which @wanted is true."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            event = self.next()
            if event is None:
                return None
            if wanted(event["data"]):
                return event["data"]
        return None

    def over(self):
        while self.next():
            pass
        return True

    def close(self):
        self.answer.close()
        self.connection.close()


class Feeder:
    """A recording that grows."""

    def __init__(self, feeder, path, kind="records", node=0):
        self.process = processes.start([feeder, path, kind, str(node)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.await_answer()

    def await_answer(self):
        with processes.within("the feeder's answer"):
            said = self.process.stdout.readline()
        if said != "ok\n":
            raise RuntimeError(f"the feeder says {said!r}")

    def do(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.await_answer()

    def __enter__(self):
        return self

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(LIMIT)
            self.process.stdout.close()

    def __exit__(self, *_):
        self.close()
