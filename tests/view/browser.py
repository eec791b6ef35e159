# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A headless Chromium, driven by the DevTools protocol over a pipe.

What lives here: the browser, and what a test asks of a page: evaluate, click, press, look. Python's
standard library only. Everything that the page says on its console, every error and every request
is kept, so that a test can ask that there were none.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

LIMIT = 60


def find():
    """The browser's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="smile-view-")
        to_read, self.to = os.pipe()
        self.come, to_write = os.pipe()

        def fds():
            # Whatever their numbers are: 3 and 4 are where Chromium looks.
            a, b = os.dup2(to_read, 30), os.dup2(to_write, 31)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-extensions", "--disable-background-networking",
             "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=fds, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(1400, 900)

    def close(self):
        try:
            os.close(self.to)
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, limit):
        until = time.monotonic() + limit
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.come], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            some = os.read(self.come, 1 << 20)
            if not some:
                raise EOFError("the browser has ended")
            self.buffer += some
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message(LIMIT)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    # ---- what tests ask ------------------------------------------------------------------------

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, limit=LIMIT):
        until = time.monotonic() + limit
        while time.monotonic() < until:
            if self.evaluate(expression):
                return True
            time.sleep(0.02)
        return False

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=url)
        return self.wait("document.documentElement?.dataset.ready === '1'")

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])

    def press(self, key, text=None):
        codes = {"Enter": 13, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39,
                 "End": 35, "Home": 36, "Tab": 9, "Escape": 27, "PageDown": 34}
        extra = {"windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        if text or len(key) == 1:
            extra["text"] = text or key
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **extra)

    def mouse(self, kind, x, y, button="left"):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                  button="none" if kind == "mouseMoved" else button, clickCount=1)

    def box(self, selector):
        return self.evaluate(
            "(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
            " const b = e.getBoundingClientRect();"
            " return [b.x, b.y, b.width, b.height]; })()" % json.dumps(selector))

    def click(self, selector):
        x, y, width, height = self.box(selector)
        self.mouse("mousePressed", x + width / 2, y + height / 2)
        self.mouse("mouseReleased", x + width / 2, y + height / 2)

    def drag(self, selector, begin, end):
        x, y, width, height = self.box(selector)
        self.mouse("mouseMoved", x + begin * width, y + height / 2)
        self.mouse("mousePressed", x + begin * width, y + height / 2)
        self.mouse("mouseMoved", x + end * width, y + height / 2)
        self.mouse("mouseReleased", x + end * width, y + height / 2)

    def screenshot(self, path):
        shot = self.call("Page.captureScreenshot", format="png")
        with open(path, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def names(self):
        """(role, name) of all that a screen reader finds."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(n.get("role", {}).get("value"), n.get("name", {}).get("value", ""))
                for n in nodes if not n.get("ignored")]

    def complaints(self):
        """Errors and warnings of the page, so far."""
        self.evaluate("0")
        found = []
        for event in self.events:
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(json.dumps(params["exceptionDetails"])[:500])
            elif event["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(json.dumps(params["args"])[:300])
        return found

    def requests(self):
        """What was asked for, but for the page itself and data: addresses."""
        urls = [e["params"]["request"]["url"] for e in self.events
                if e["method"] == "Network.requestWillBeSent"]
        return [u for u in urls[1:] if not u.startswith("data:")]
