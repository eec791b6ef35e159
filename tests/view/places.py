# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Data structure and location in the page: names of addresses, and addresses of names, in C, C++ and
Fortran; everything about one variable. The programs are those of tests/structures, which are built
here and not run: their recordings are made by RECORDINGS (tests/view/recordings.c)."""
import json
import os
import re
import subprocess

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "structures", "programs")
# How many checks there are with a browser and all compilers.
CHECKS = 64

# What an element is called, the linker's name of its variable, and where it is in it: by hand, from
# the sources. particle is 112 bytes: pos 0, mass 24, tag 28, old 40.
KNOWN = {
    "layout": (["gcc", "-DFIRST_LINE=1", "-DSECOND_LINE=2"], ["layout.c", "library.c"], ["-lpthread"], [
        ("matrix[0][0]", "matrix", 0),
        ("matrix[130][17]", "matrix", (130 * 64 + 17) * 8),
        ("matrix[255][63]", "matrix", 131064),
        ("particles[12].pos.x", "particles", 12 * 112),
        ("particles[7].mass", "particles", 7 * 112 + 24),
        ("particles[7].tag+5", "particles", 7 * 112 + 28 + 5),
        ("particles[99].old[2].z", "particles", 99 * 112 + 40 + 2 * 24 + 16),
        ("shared_items[3].weight", "shared_items", 96),
        ("own::calls[3]", "calls.0", 12)]),
    "scopes": (["g++"], ["scopes.cpp"], ["-lpthread"], [
        ("sim::cells[42].id", "_ZN3sim5cellsE", 42 * 40),
        ("sim::cells[42].value[3]", "_ZN3sim5cellsE", 42 * 40 + 8 + 24),
        ("sim::grid.edge[1][2]", "_ZN3sim4gridE", 40)]),
    "modules": (["gfortran", "-fopenmp"], ["modules.f90"], [], [
        ("fields::a(17,130)", "__fields_MOD_a", (130 * 40 + 16) * 8),
        ("fields::a(1,0)", "__fields_MOD_a", 0),
        ("fields::points(12)%y", "__fields_MOD_points", 11 * 16 + 8),
        ("fields::text+40000", "__fields_MOD_text", 40000),
        ("/block/c(7)", "block_", 48)]),
}


def symbols(path):
    """Address and bytes of each variable, by the linker's name."""
    found = {}
    for line in subprocess.run(["nm", "-S", path], capture_output=True, text=True, check=True).stdout.split("\n"):
        parts = line.split()
        if len(parts) == 4 and parts[2] in "bBdD":
            found[parts[3]] = (int(parts[0], 16), int(parts[1], 16))
    return found


def build(name, recordings):
    """The program and its recording; the known names, with their addresses, and some more addresses."""
    compiler, sources, libraries, known = KNOWN[name]
    subprocess.run([*compiler, "-g", "-O1", "-no-pie", "-fno-pie", "-o", name,
                    *(os.path.join(PROGRAMS, s) for s in sources), *libraries], check=True)
    where = symbols(name)
    names = [(text, where[symbol][0] + offset) for text, symbol, offset in known]
    used = sorted({where[symbol] for _, symbol, _ in known})
    some = [start + bytes * k // 7 + k for start, bytes in used for k in range(1, 7) if k < bytes]
    accessed = {address & ~3 for _, address in names}
    # All of the matrix's pages, so that something is known along it.
    for start, size in used:
        accessed |= set(range(start & ~3, start + size, 4096))
    first, last = min(s for s, _ in used), max(s + b for s, b in used)
    subprocess.run([recordings, "program", name + ".rec", os.path.abspath(name), hex(first)[2:], hex(last)[2:],
                    *(hex(a)[2:] for a in sorted(accessed))], check=True)
    return names, some


def look_up(driver, text):
    """What the page answers to an address or a name: the element's name, and all it says."""
    return driver.evaluate(
        "new Promise(done => { location.hash = '#w=structure&at=' + encodeURIComponent(%s);"
        " setTimeout(() => requestAnimationFrame(() => done([document.querySelector('#found-name')?.innerText ?? null,"
        " document.querySelector('#found')?.innerText ?? ''])), 30); })" % json.dumps(text))


def name_checks(test, page, smile, name, names, some):
    driver = page.driver
    page.open("w=structure")
    for text, address in names:
        by_address, by_name = look_up(driver, hex(address)), look_up(driver, text)
        test.check(f"{name}: {text} and back", by_address[0] == text and hex(address) in by_name[1] and
                   by_name[0] == text, [by_address, by_name])
    wanted, got = [], []
    for address in some:
        report = subprocess.run([smile, "report", "structures", "--json", "--address", hex(address), name + ".rec"],
                                capture_output=True, text=True, check=False).stdout
        wanted.append(json.loads(report)["place"]["name"] if report else None)
        got.append(look_up(driver, hex(address))[0])
    test.check(f"{name}: there are addresses between", sum(w is not None for w in wanted) >= 6, wanted)
    test.equal(f"{name}: any address is called as by smile report structures", wanted, got)


def text_checks(test, page, make_page, names):
    """A variable without parts: each page has its own name."""
    driver, start = page.driver, dict(names)["fields::text+40000"] - 40000
    page.open("w=histogram&sort=page&dir=a&q=fields::text")
    wanted = [f"fields::text+{number * 4096 - start}" for number in range(start // 4096 + 1, (start + 65535) // 4096 + 1)]
    got = [row[1] for row in page.rows("histogram") if row[1].startswith("fields::text+")]
    # Of the last page another variable may have more.
    test.equal("histogram: pages of one text have names of their own", wanted[:15], got[:15])
    page.open("w=structure&at=fields::text")
    driver.evaluate("document.querySelector('#variable details').open = true")
    page.shows("variable: nodes along a text, as a table", "document.querySelectorAll('#variable details table').length")
    rows = driver.evaluate("[...document.querySelector('#variable details table').tBodies[0].rows].map(r => r.cells[0].innerText)")
    test.equal("variable: its pages by where they begin", wanted[:15], [r for r in rows if "+" in r][:15])
    # As if there were too many types: none is told.
    test.altered("modules.html", "untold.html", lambda document: document.update(types=[]))
    page = make_page(driver, "untold.html")
    page.open("w=structure")
    test.equal("of a type that is not told, the offset is", f"fields::points+{11 * 16 + 8}",
               look_up(driver, hex(dict(names)["fields::points(12)%y"]))[0])
    page.quiet("texts")


def layout_checks(test, page, names):
    driver, where = page.driver, dict(names)
    address = where["matrix[130][17]"]
    page.open("w=structure")
    driver.evaluate("document.querySelector('[aria-label=\"Address or element to look up\"]').focus()")
    for letter in "matrix[130][17]":
        driver.press(letter)
    driver.press("Enter")
    found = page.text("#found")
    home = address // 4096 % 4
    test.check("look up: an element", "matrix[130][17] (double): 8 bytes at " + hex(address) in found, found)
    test.check("look up: its page, home and section", f"Page {address // 4096}, home node {home}, section "
               f"{hex(address % 4096 // 64 * 64)} of 64 bytes" in found, found)
    test.equal("look up: who accesses it", [[f"node {(home + 1) % 4}", "1", "0", "0", "1"],
                                            [f"node {(home + 2) % 4}", "0", "2", "0", "2"]],
               sorted(driver.evaluate("[...document.querySelectorAll('#found tbody tr')]"
                                      ".map(r => [...r.cells].map(c => c.innerText.trim()))"), key=lambda r: r[4]))
    test.check("look up: is in the address", "at=matrix%5B130%5D%5B17%5D" in page.state(), page.state())
    test.equal("look up: its variable is shown", "matrix", page.text("#variable-title"))
    test.check("variable: what it is", "double [256][64], layout.c:" in page.text("#variable-facts") and
               "131,072 bytes" in page.text("#variable-facts"), page.text("#variable-facts"))
    for text, wanted in (("matrix[256][0]", "Index 256 is outside of 0 to 255"), ("matrix[1].x", "no member x"),
                         ("nothing", "Nothing that was accessed is called nothing"),
                         ("matrix[1", "What does"), ("particles[3].none", "no member none"),
                         (hex(where["particles[12].pos.x"] + 3), "particles[12].pos.x (double): 8 bytes")):
        answer = look_up(driver, text)[1]
        test.check(f"look up: {text}", wanted in answer, answer)
    look_up(driver, "matrix[3]")
    test.check("look up: a whole row", "matrix[3]" in page.text("#found-name") and "512 bytes" in page.text("#found"),
               page.text("#found"))
    page.open("w=structure&at=matrix")
    driver.evaluate("document.querySelector('#variable details').open = true")
    page.shows("variable: nodes along it, as a table", "document.querySelectorAll('#variable details table').length")
    rows = driver.evaluate("[...document.querySelector('#variable details table').tBodies[0].rows]"
                           ".map(r => [...r.cells].map(c => c.innerText))")
    test.check("variable: one column a page, by rows of the array", len(rows) in (32, 33) and
               all(re.match(r"matrix\[\d+\]\[\d+\] – matrix\[\d+\]\[\d+\]", row[0]) for row in rows), rows[:3])
    test.equal("variable: shares of a page that one node read once and another wrote twice", ["33 %", "67 %"],
               sorted(cell for cell in rows[5][2:] if cell != "0 %"))
    driver.evaluate("[...document.querySelectorAll('#window-structure .tall tbody tr')]"
                    ".find(r => r.cells[0].innerText === 'particles').click()")
    members = driver.evaluate("[...document.querySelectorAll('#variable table')]"
                              ".find(t => t.caption.innerText === 'Accesses by member')?.innerText ?? ''")
    test.check("variable: members", all(m in members for m in (
        "particles[ ].pos.x", "particles[ ].mass", "particles[ ].old[ ].z")), members)
    test.check("variable: is in the address", "v=particles%40" in page.state(), page.state())
    driver.evaluate("document.querySelector('#variable canvas').focus()")
    driver.press("ArrowRight")
    test.check("variable: the map by keys", "lies on node" in page.text("#variable .read-out"),
               page.text("#variable .read-out"))
    driver.press("Enter")
    page.shows("variable: Enter opens the page", "document.querySelector('#window-page h2')?.innerText.includes('page')")
    page.open(f"w=page&page={address // 4096}&s=64")
    driver.evaluate("document.querySelector('#window-page details').open = true")
    section = address % 4096 // 64
    page.shows("page: elements of a section", "[...document.querySelectorAll('#window-page details table tbody tr')]"
               f"[{section}]?.innerText.includes('matrix[130][')")
    driver.evaluate("(i => { i.value = 'particles[7].mass'; i.focus(); })"
                    "(document.querySelector('[aria-label=\"Page number, address or element\"]'))")
    driver.press("Enter")
    test.check("page: asked for by an element", f"page={where['particles[7].mass'] // 4096}" in page.state(), page.state())
    page.open("w=histogram&sort=page&dir=a")
    where_cells = driver.evaluate("[...document.querySelectorAll('#window-histogram tbody td:nth-child(2) span')]"
                                  ".map(s => [s.innerText, s.title])")
    test.check("histogram: elements, and all of the page when pointed at", any(
        re.match(r"matrix\[\d+\]\[\d+\]$", text) and re.search(r"matrix\[\d+\]\[\d+\] – matrix\[\d+\]\[\d+\]", title)
        for text, title in where_cells), where_cells[:4])
    page.quiet("places")


def place_checks(test, driver, make_page, smile, recordings):
    """All of them; @make_page opens a file."""
    for name in KNOWN:
        names, some = build(name, recordings)
        subprocess.run([smile, "view", name + ".rec", "-o", name + ".html"], check=True, capture_output=True)
        page = make_page(driver, name + ".html")
        name_checks(test, page, smile, name, names, some)
        if name == "layout":
            layout_checks(test, page, names)
        if name == "modules":
            text_checks(test, page, make_page, names)
    driver.size(1400, 1500)
    for name, fragment, scheme in (("layout", "w=structure&at=particles[12].pos.x", "light"),
                                   ("modules", "w=structure&at=a(17,130)", "dark")):
        driver.scheme(scheme)
        driver.open(make_page(driver, name + ".html").url + "#" + fragment)
        driver.evaluate("new Promise(done => setTimeout(done, 100))")
        driver.screenshot(f"structure-{name}.png")
    driver.size(1400, 900)
    driver.scheme("light")
