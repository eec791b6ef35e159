#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Compare the nodes that a placement file gives for the structures of tests/place/programs/several.c with the nodes
in the program's output, page by page. It shares no code with the command's own reader of the file.

With NAME, NAME.numa_maps and NAME.maps are copies of the files of /proc: then the kernel's policy and counts of the
memory that contains a page are compared instead.

usage: compare.py PLACEMENT OUTPUT [NAME]
Prints a line for each page that differs, and the number of compared pages; exits 1 if no page was compared.
"""
import sys

PAGE = 4096


def placement(path):
    """Node of each page; (start, bytes) of each structure by name and number."""
    nodes, regions = {}, {}
    for line in open(path, encoding="utf-8"):
        words = line.split("#")[0].split()
        if words[:1] == ["pages"]:
            first, _, last = words[1].partition("-")
            for page in range(int(first), int(last or first) + 1):
                nodes[page] = int(words[3])
        if words[:1] != ["region"]:
            continue
        start, size = words[1].split("+")
        where = (int(start, 0), int(size))
        if words[2] == "variable":
            regions[words[5], 0] = where
        elif words[2] == "block" and "several" in words[4]:
            regions["block", int(words[3])] = where
        elif words[2] == "named":
            regions[words[4], int(words[3])] = where
        elif words[2] == "mapping":
            regions["mapping", int(words[3])] = where
    return nodes, regions


def numa_maps(name):
    """(start, end, policy, nodes that have pages) of each mapping."""
    ends = {}
    for line in open(name + ".maps", encoding="utf-8"):
        start, end = line.split()[0].split("-")
        ends[int(start, 16)] = int(end, 16)
    maps = []
    for line in open(name + ".numa_maps", encoding="utf-8"):
        words = line.split()
        start = int(words[0], 16)
        have = {int(word[1:].split("=")[0]) for word in words if word[0] == "N" and word[1:2].isdigit()}
        maps.append((start, ends.get(start, start), words[1], have))
    return maps


def node_of(maps, address):
    """The node that a mapping's policy prefers, if all its pages lie there; otherwise the policy
    and the nodes of its pages."""
    for start, end, policy, have in maps:
        if start <= address < end:
            node = int(policy[7:]) if policy.startswith("prefer:") else None
            return node if have == {node} else f"{policy} {have}"
    return "no mapping"


def compare(nodes, regions, output, maps):
    compared = 0
    for line in open(output, encoding="utf-8"):
        words = line.split()
        if len(words) < 5 or (words[0], int(words[1])) not in regions:
            continue
        recorded = regions[words[0], int(words[1])][0]
        start = int(words[2])
        for index, lies in enumerate(map(int, words[4:])):
            # The recorded page that covers most of this page.
            address = (start // PAGE + index) * PAGE - start + recorded
            wanted = nodes.get((address + PAGE // 2) // PAGE)
            # Pages that the placement does not name may lie on any node.
            if wanted is None:
                continue
            compared += 1
            if maps:
                lies = node_of(maps, (start // PAGE + index) * PAGE)
            if wanted != lies:
                print(f"{words[0]} {words[1]}, page {index}: differs: {wanted} wanted, {lies} found")
    return compared


pages = compare(*placement(sys.argv[1]), sys.argv[2], numa_maps(sys.argv[3]) if len(sys.argv) > 3 else None)
print(f"{pages} pages compared")
sys.exit(pages == 0)
