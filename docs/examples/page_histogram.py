#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page histogram of recordings as an SVG: a column for each page, a colour for each node.

usage: page_histogram.py OUTPUT.svg RECORDING...

It needs smile_monitor, which `make install` installs, and nothing else.
"""
import sys

from smile_monitor import Monitor, MonitorError

COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a800", "#7f7f7f"]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 960, 360, 80, 40, 60


def pages_of(rows):
    """Accesses by page: {(page, home): {source: accesses}}, in the order of the rows."""
    pages = {}
    for row in rows:
        pages.setdefault((row.page, row.home), {})[row.source] = row.accesses
    return pages


def text(x, y, words, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def histogram(rows, nodes):
    """The picture: stacked columns, an axis in accesses, a legend of the nodes."""
    pages = pages_of(rows)
    most = max((sum(by.values()) for by in pages.values()), default=1)
    wide, high = (WIDTH - LEFT - 20) / max(1, len(pages)), HEIGHT - TOP - BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for tick in range(5):
        y = TOP + high - high * tick / 4
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 20}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, f"{most * tick / 4:,.0f}", "end"))
    parts.append(text(8, TOP - 20, "accesses by page; the colour shows the accessing node"))
    for i, ((page, home), by) in enumerate(pages.items()):
        y = TOP + high
        for source in sorted(by):
            tall = high * by[source] / most
            y -= tall
            parts.append(f'<rect x="{LEFT + i * wide:.2f}" y="{y:.2f}" width="{max(0.5, wide - 1):.2f}" '
                         f'height="{tall:.2f}" fill="{COLOURS[source % len(COLOURS)]}"><title>page {page} of node '
                         f'{home}: {by[source]:,} accesses by node {source}</title></rect>')
        if i % max(1, len(pages) // 10) == 0:
            parts.append(text(LEFT + (i + 0.5) * wide, HEIGHT - BOTTOM + 16, f"page {page}", "middle"))
    for node in range(min(nodes, len(COLOURS))):
        x = LEFT + node * 90
        parts.append(f'<rect x="{x}" y="{HEIGHT - 28}" width="12" height="12" fill="{COLOURS[node]}"/>')
        parts.append(text(x + 17, HEIGHT - 18, f"node {node}" + (" and others" if nodes > len(COLOURS) and
                                                                node == len(COLOURS) - 1 else "")))
    return "\n".join(parts + ["</svg>", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        with Monitor(*sys.argv[2:]) as mon:
            picture = histogram(mon.histogram_info(), mon.nodes())
    except MonitorError as error:
        sys.exit(f"{sys.argv[0]}: {error.strerror}")
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(picture)


main()
