# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The page of `smile serve` in a headless browser, while a recording grows.

What lives here: that what comes in is seen without a reload, that the reader's place is kept, and that
the page says when nothing more comes, and why.
"""
import json
import os
import signal
import struct

import browser as chromium
from serving import Feeder, Server, check, equal

def capture_write(path):
    """A capture of 300 reads by node 1 of three pages of node 0."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 147))
        for i in range(300):
            # The source, READSB of four bytes, the home; the address; a checksum that nobody looks at.
            frame = struct.pack("<QQQ", 1 | 3 << 16, (100 + i % 3) * 4096, 0)
            out.write(struct.pack("<IIII", 1, 1000 * i, len(frame), len(frame)) + frame)


class Page:
    """What is asked of the page."""

    def __init__(self, driver, server):
        self.driver, self.server = driver, server

    def open(self, fragment=""):
        check(f"open #{fragment}", self.driver.open(self.server.url + "#" + fragment))

    def ask(self, expression):
        return self.driver.evaluate(expression)

    def text(self, selector):
        return self.ask(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def shows(self, name, expression):
        check(name, self.driver.wait(expression, 30), self.ask("document.body.innerText")[:800])

    def says(self, name, text):
        self.shows(name, f"document.querySelector('#live-state').textContent.startsWith({json.dumps(text)})")

    def document(self):
        return int(self.ask("document.documentElement.dataset.document"))

    def newer(self, name, before):
        self.shows(name, f"Number(document.documentElement.dataset.document) > {before}")

    def pages(self):
        return self.ask("[...document.querySelectorAll('#window-histogram tbody tr:not(.spacer)')]"
                        ".map(r => r.cells[0].innerText)")


def update_checks(page, feed):
    page.open()
    page.says("live: says so", "Live")
    check("live: the data so far", "1 of 1 page lies on the wrong node" in page.text("#verdict"), page.text("#verdict"))
    feed.do("reads 20 2 1 300")
    page.shows("live: new pages are seen without a reload",
               "document.querySelector('#verdict').innerText.includes('2 of 2 pages')")
    check("live: the status is read out, once", page.ask(
        "document.querySelector('#live-state').getAttribute('role') === 'status' && "
        "document.querySelector('#live-state').getAttribute('aria-live') === 'polite' && "
        "!document.querySelector('#live-when').hasAttribute('aria-live')"))


def histogram_checks(page, feed):
    """Sixty pages; the reader is at one of them."""
    feed.do("reads 2 1 0 200 60")
    page.open("w=histogram&sort=page&dir=a")
    page.shows("histogram: all there is", "document.querySelector('#window-histogram [role=status], #window-histogram .note')"
               " && [...document.querySelectorAll('#window-histogram *')].some(e => e.textContent.startsWith('62 pages'))")
    page.ask("(() => { const b = document.querySelector('#window-histogram .scroll'); b.scrollTop = 260; })()")
    page.ask("new Promise(done => setTimeout(done, 200))")
    page.ask("[...document.querySelectorAll('#window-histogram tbody tr')].find(r => r.cells[0].innerText === '215').focus()")
    page.driver.press("ArrowDown")
    page.driver.press("ArrowUp")
    page.ask("(() => { const r = [...document.querySelectorAll('#window-histogram tbody tr')]"
             ".find(r => r.tabIndex === 0); r?.focus(); })()")
    row = page.ask("document.activeElement.cells?.[0].innerText")
    scroll = page.ask("document.querySelector('#window-histogram .scroll').scrollTop")
    address, before = page.ask("location.hash"), page.document()
    feed.do("reads 3 2 0 50 5")
    page.newer("histogram: new data", before)
    page.shows("histogram: with the new pages",
               "[...document.querySelectorAll('#window-histogram *')].some(e => e.textContent.startsWith('67 pages'))")
    equal("histogram: the address is the same", address, page.ask("location.hash"))
    equal("histogram: so is the place", scroll, page.ask("document.querySelector('#window-histogram .scroll').scrollTop"))
    equal("histogram: and the row with the focus", row, page.ask("document.activeElement.cells?.[0].innerText"))
    page.ask("document.querySelector('#filter').focus()")
    for letter in "home:2":
        page.driver.press(letter)
    before = page.document()
    feed.do("reads 3 3 2 400")
    page.newer("histogram: more data while a filter is typed", before)
    equal("histogram: what was typed is there", ["home:2", "filter"],
          page.ask("[document.querySelector('#filter').value, document.activeElement.id]"))
    page.shows("histogram: and is applied to the new data",
               "[...document.querySelectorAll('#window-histogram tbody tr:not(.spacer)')].map(r => r.cells[0].innerText).join() === '400'")


def transfer_checks(page, feed, scratch):
    page.open("w=transfer")
    page.ask("document.querySelector('#over-time details').open = true")
    page.ask("[...document.querySelectorAll('#window-transfer table.matrix td')].find(t => t.pair.join() === '2,1').focus()")
    for _ in range(12):
        before = page.document()
        feed.do("reads 400 1 0 100")
        feed.do("reads 150 2 1 300")
        page.driver.wait(f"Number(document.documentElement.dataset.document) > {before}", 30)
    page.shows("transfer: the matrix grows",
               "[...document.querySelectorAll('#window-transfer table.matrix td')].find(t => t.pair.join() === '1,0').innerText.includes('4,970')")
    equal("transfer: the cell with the focus", "2,1", page.ask("document.activeElement.pair?.join()"))
    table = "[...document.querySelectorAll('#over-time tbody tr')].map(r => [...r.cells].map(c => c.innerText))"
    page.shows("transfer: over time, as a table that stays open",
               f"document.querySelector('#over-time details').open && {table}.some(r => r[1] !== '0')")
    rows = page.ask(table)
    heads = page.ask("[...document.querySelectorAll('#over-time thead th')].map(c => c.innerText)")
    equal("transfer: by node", ["Ago", "All", "node 0", "node 1", "node 2", "node 3"], heads)
    check("transfer: node 0 and 3 ask for nothing now, 1 and 2 do",
          any(r[3] != "0" for r in rows) and any(r[4] != "0" for r in rows) and all(r[2] == "0" for r in rows), rows)
    label = page.ask("document.querySelector('#over-time canvas').getAttribute('aria-label')")
    check("transfer: in words", "a second" in label and label.startswith("Packets a second over time"), label)
    page.driver.screenshot(os.path.join(scratch, "live-transfer.png"))


def window_checks(page, feed):
    page.open("w=diagram&from=10&to=20")
    number = page.ask("document.querySelector('#window-diagram .range').innerText")
    before = page.document()
    feed.do("reads 1 1 0 10 7")
    page.newer("diagram: pages come in below", before)
    check("diagram: the same pages are shown", "from=17&to=27" in page.ask("location.hash"), page.ask("location.hash"))
    check("diagram: as many", number and "1 page a column" in page.text("#window-diagram .range"), number)
    page.open("w=page")
    first = page.text("#window-page h2")
    page.ask("document.querySelector('#window-page input').focus()")
    page.ask("document.querySelector('#window-page input').select()")
    page.driver.press("7")
    before = page.document()
    feed.do("reads 3000 3 0 250")
    page.newer("page: another page is the hottest now", before)
    equal("page: the one that is looked at stays", first, page.text("#window-page h2"))
    equal("page: so does what is typed", "7", page.ask("document.querySelector('#window-page input').value"))
    page.open()
    x, y, width, height = page.driver.box("#theme")
    page.driver.mouse("mousePressed", x + width / 2, y + height / 2)
    before = page.document()
    feed.do("reads 5 1 0 500")
    page.ask("new Promise(done => setTimeout(done, 1500))")
    equal("held: nothing changes under a pressed button", before, page.document())
    page.driver.mouse("mouseReleased", x + width / 2, y + height / 2)
    page.newer("held: and then it does", before)
    check("held: the press was one", "t=" in page.ask("location.hash"), page.ask("location.hash"))
    page.driver.mouse("mousePressed", x + width / 2, y - 5)
    page.ask("window.dispatchEvent(new Event('blur'))")
    before = page.document()
    feed.do("reads 5 1 0 504")
    page.newer("held: not by a press whose end the window does not see", before)
    page.driver.mouse("mouseReleased", x + width / 2, y - 5)
    page.driver.mouse("mousePressed", x + width / 2, y - 5, "right")
    before = page.document()
    feed.do("reads 5 1 0 503")
    page.newer("held: nor by another button", before)
    page.driver.mouse("mouseReleased", x + width / 2, y - 5, "right")
    page.driver.evaluate("getSelection().removeAllRanges()")
    page.driver.evaluate("getSelection().selectAllChildren(document.querySelector('#verdict'))")
    before = page.document()
    feed.do("reads 5 1 0 502")
    page.says("selected: says that it waits", "New data waits")
    equal("selected: nothing changes", before, page.document())
    page.driver.evaluate("getSelection().removeAllRanges()")
    page.newer("selected: and then it does", before)
    page.says("selected: is live again", "Live")
    page.driver.click("#pause")
    page.says("pause: says so", "Paused")
    before = page.document()
    feed.do("reads 5 1 0 501")
    page.ask("new Promise(done => setTimeout(done, 1500))")
    equal("pause: nothing changes", [before, "true"], [page.document(), page.ask("document.querySelector('#pause').ariaPressed")])
    page.driver.click("#pause")
    page.newer("pause: goes on", before)


def end_checks(page, feed, smile, scratch):
    driver = page.driver
    page.open("w=structure")
    feed.do("region 200 60 matrix")
    feed.do("end")
    page.says("end: is told", "The source has ended")
    page.shows("end: names that come at the end are there",
               "[...document.querySelectorAll('#window-structure tbody tr')].some(r => r.cells[0]?.innerText === 'matrix')")
    equal("no complaint on the console", [], driver.complaints())
    elsewhere = [u for u in driver.requests() if not u.startswith(page.server.url)]
    equal("no request to anywhere else", [], elsewhere)
    names = driver.names()
    check("screen readers find the state and the button", "status" in [r for r, _ in names] and
          ("button", "Pause") in names, names[:40])
    driver.screenshot(os.path.join(scratch, "live-ended.png"))
    page.server.process.send_signal(signal.SIGTERM)
    page.server.process.wait(60)
    page.says("lost: is told", "Connection lost")
    driver.screenshot(os.path.join(scratch, "live-lost.png"))
    with Server(smile, "growing.rec", listen=page.server.host):
        page.says("lost: another server at the same place is found", "The source has ended")


def all_checks(smile, feeder, path, scratch):
    driver = chromium.Browser(path)
    try:
        with Feeder(feeder, "growing.rec") as feed, Server(smile, "growing.rec", "--interval", "0.2") as server:
            feed.do("reads 50 1 0 100")
            page = Page(driver, server)
            for checks in (update_checks, histogram_checks):
                checks(page, feed)
            transfer_checks(page, feed, scratch)
            window_checks(page, feed)
            end_checks(page, feed, smile, scratch)
    finally:
        driver.close()
