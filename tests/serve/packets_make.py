# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Makes captures for the page of packets, and prints their contents as JSON.

usage: packets_make.py DIRECTORY
"""
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trace-db"))
import frames

TRANSACTIONS, EPOCH = 20000, 1_700_000_000_123_456_789


def main():
    chance, time, packets = random.Random(4), EPOCH, []
    for number in range(TRANSACTIONS):
        time += 7013
        source = number % 3
        command, answer = ((0x40, 0x7E), (0x13, 0x7C), (0x03, 0x7D))[number % 3]
        packets.append((time, frames.request(source, 3, command, number // 3 % 64, 4096 * chance.randrange(64))))
        packets.append((time + 3001, frames.response(3, source, answer, number // 3 % 64)))
    packets[777] = (packets[777][0], packets[777][1][:8])
    frames.capture(os.path.join(sys.argv[1], "node3.pcap"), packets)
    # The packets that node 0's side sees, 40 ns earlier or later.
    side = [(at - 40 if frames.row_of(data)[2] == 0 else at + 40, data) for at, data in packets
            if 0 in frames.row_of(data)[1:3]]
    frames.capture(os.path.join(sys.argv[1], "node0.pcap"), side)
    rows = [frames.row_of(data) for _, data in packets]
    print(json.dumps({
        "packets": len(packets), "times": [str(at) for at, _ in packets[:3]],
        "page5": [number for number, row in enumerate(rows) if row[5] is not None and row[5] // 4096 == 5],
        "responses": [number for number, row in enumerate(rows) if row[0] > 28][-40:],
    }))


main()
