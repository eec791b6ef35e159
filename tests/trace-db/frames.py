# SPDX-License-Identifier: GPL-2.0 OR MIT
"""B-Link frames, made and decoded without the project's library, and captures of such frames.

What lives here: the reference for the tests of the trace database and of the dissector. The bits are those of
docs/registers.md and of include/hw/blink_fields.h, written a second time. Python's standard library only.
"""
import random
import struct

EVENT, NOTHING = 0x48, None
# Command: payload of requests; readsb, writesb and locksb are 16 commands each.
REQUESTS = {**{c: 0 for c in range(0x10)}, **{c: 16 for c in range(0x10, 0x30)}, 0x40: 0, 0x41: 0, 0x42: 16,
            0x43: 64, 0x44: 256, 0x45: 16, 0x46: 64, 0x47: 256}
RESPONSES = {0x7C: 0, 0x7D: 16, 0x7E: 64, 0x7F: 256}
SIZES = [0, 16, 64, 256]
NAMES = {**{c: "readsb" for c in range(0x10)}, **{c: "writesb" for c in range(0x10, 0x20)},
         **{c: "locksb" for c in range(0x20, 0x30)}, 0x40: "nread64", 0x41: "nread256", 0x42: "nwrite16",
         0x43: "nwrite64", 0x44: "nwrite256", 0x45: "dmove16", 0x46: "dmove64", 0x47: "dmove256",
         0x48: "event00", 0x7C: "response00", 0x7D: "response16", 0x7E: "response64", 0x7F: "response256"}


def payload_of(command):
    return 0 if command == EVENT else REQUESTS.get(command, RESPONSES.get(command))


def type_of(command, extended):
    if command in REQUESTS:
        return (21 if extended else 25) + SIZES.index(REQUESTS[command])
    if command in RESPONSES:
        return (29 if extended else 33) + SIZES.index(RESPONSES[command])
    return 0


def frame(bd1, bd2, more=b"", trailer=0):
    return struct.pack("<QQ", bd1, bd2) + more + struct.pack("<Q", trailer)


def request(source, target, command, transaction, address, extended=b"", data=None, trailer=0):
    bd1 = source | command << 16 | bool(extended) << 23 | target << 32 | transaction << 48
    return frame(bd1, address | transaction << 48,
                 extended + (bytes(payload_of(command)) if data is None else data), trailer)


def response(source, target, command, transaction, status=0, extended=b"", data=None, trailer=0):
    return request(source, target, command, transaction, status << 44, extended, data, trailer)


def random_frame(chance):
    """A whole frame of any existing command; all other bits are random."""
    command = chance.choice(sorted(NAMES))
    bd1 = chance.getrandbits(64) & ~(0x7F << 16) | command << 16
    length = payload_of(command) + (16 if bd1 >> 23 & 1 else 0)
    return frame(bd1, chance.getrandbits(64), chance.randbytes(length), chance.getrandbits(64))


def damaged_frame(chance):
    """An invalid frame: too short, ragged, too long, of an unknown command, or of a wrong length."""
    kind = chance.randrange(5)
    whole = random_frame(chance)
    if kind == 0:
        return whole[:chance.randrange(16)]
    if kind == 1:
        return whole[:16] + chance.randbytes(8 * chance.randrange(4) + chance.randrange(1, 8))
    if kind == 2:
        return whole[:16] + chance.randbytes(8 * chance.randrange(36, 60))
    if kind == 3:
        return frame(int.from_bytes(whole[:8], "little") & ~(0x7F << 16) | 0x55 << 16, chance.getrandbits(64))
    return whole + bytes(8) if len(whole) < 297 else whole[:-8]


def fault_of(data):
    if len(data) < 16:
        return 1
    if len(data) % 8:
        return 2
    if len(data) > 37 * 8:
        return 3
    command, extended = data[2] & 0x7F, data[2] >> 7
    if command not in NAMES:
        return 4
    return 0 if len(data) == 24 + payload_of(command) + 16 * extended else 5


def row_of(data):
    """The columns on which other views depend, without trace, packet and time, as in the view `packets`."""
    if len(data) < 16:
        return (0, None, None, None, None, None, None, None)
    bd1, bd2 = struct.unpack_from("<QQ", data)
    command, extended = bd1 >> 16 & 0x7F, bd1 >> 23 & 1
    has_address = command in REQUESTS or command == EVENT
    body = len(data) - (24 if fault_of(data) == 0 else 16)
    return (type_of(command, extended), bd1 >> 32 & 0xFFFF, bd1 & 0xFFFF, command, bd1 >> 48 & 63,
            bd2 & (1 << 48) - 1 if has_address else None, body - (16 if extended and body >= 16 else 0), extended)


def fields_of(data):
    """Every field of a whole frame by name."""
    bd1, bd2 = struct.unpack_from("<QQ", data)
    trailer, = struct.unpack_from("<Q", data, len(data) - 8)
    fields = {"source": bd1 & 0xFFFF, "command": bd1 >> 16 & 0x7F, "extended": bd1 >> 23 & 1,
              "echo": bd1 >> 24 & 1, "old": bd1 >> 25 & 1, "phase": bd1 >> 26 & 3, "spr": bd1 >> 28 & 3,
              "mpr": bd1 >> 30 & 3, "target": bd1 >> 32 & 0xFFFF, "transaction_id": bd1 >> 48 & 63,
              "code": bd1 >> 54, "transaction_id_again": bd2 >> 48 & 63, "tpr": bd2 >> 54 & 3,
              "tod_mantissa": bd2 >> 56 & 3, "tod_exponent": bd2 >> 58 & 31, "trace_bit": bd2 >> 63,
              "parity": trailer & 0xFFFF, "reserved": trailer >> 16 & 0xFFFF, "post": trailer >> 32 & 0xFFFF,
              "crc": trailer >> 48}
    if fields["command"] in RESPONSES:
        fields.update({"status": bd2 >> 44 & 15, "status_rest": bd2 & (1 << 44) - 1})
    else:
        fields["address"] = bd2 & (1 << 48) - 1
    if fields["extended"]:
        fields.update({f"extended_{i}": n for i, n in enumerate(struct.unpack_from("<8H", data, 16))})
    return fields


def capture(path, packets):
    """Write a capture. @packets: (time in ns, frame)."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 147))
        for time, data in packets:
            out.write(struct.pack("<IIII", time // 10**9, time % 10**9, len(data), len(data)) + data)


def random_packets(seed, count, damaged=0.0):
    chance, time, packets = random.Random(seed), 10**9, []
    for _ in range(count):
        time += chance.randrange(2000)
        packets.append((time, (damaged_frame if chance.random() < damaged else random_frame)(chance)))
    return packets


def pairs_of(packets):
    """The number of each response's request, or None: at most 64 outstanding requests of a node, by id."""
    waiting, pairs = {}, []
    for number, (_, data) in enumerate(packets):
        pairs.append(None)
        if len(data) < 16:
            continue
        _, target, source, command, transaction = row_of(data)[:5]
        if command in REQUESTS:
            waiting[source, transaction] = number, target
        elif command in RESPONSES and waiting.get((target, transaction), (0, None))[1] == source:
            pairs[-1] = waiting.pop((target, transaction))[0]
    return pairs
