# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Packets of the SCI cable, decoded only by docs/cable.md, without the project's library.

What lives here: the decoder with whose results tests of captures of link type 148 compare. May use
only Python's standard library.
"""
import struct

PAYLOADS = [0, 8, 32, 128]


def payload(command):
    if command < 0x10 or command in (0x40, 0x41, 0x7C):
        return 0
    return 1 if command < 0x40 else {0x42: 1, 0x45: 1, 0x7D: 1, 0x43: 2, 0x46: 2, 0x7E: 2, 0x44: 3, 0x47: 3, 0x7F: 3}[command]


def crc(symbols):
    value = 0xFFFF
    for symbol in symbols:
        for bit in range(15, -1, -1):
            top = value >> 15 ^ symbol >> bit & 1
            value = value << 1 & 0xFFFF ^ (0x1021 if top else 0)
    return value


def decode(data):
    kind, *symbols = struct.unpack(f"<{len(data) // 2}H", data)
    if kind == 2:
        assert symbols[0] >> 8 ^ symbols[0] & 0xFF == 0xFF and len(symbols) == 3
        return [19] + [0] * 15 + [symbols[0] >> 8, symbols[1] | symbols[2] << 16]
    if kind == 3:
        assert symbols == [0xFFFF] * 7 + [0]
        return [20] + [0] * 17
    assert kind == 1 and crc(symbols[:-1]) == symbols[-1]
    target, command, source = symbols[:3]
    route = [target, source, command >> 14, command >> 12 & 3, command >> 10 & 3, command >> 9 & 1]
    if command & 0x100:
        assert len(symbols) == 4
        return [18 if command & 0x40 else 9] + route + [0, command >> 7 & 1, command & 0x3F] + [0] * 8
    extended, code, control = command >> 7 & 1, command & 0x7F, symbols[3]
    response = code >= 0x7C
    kind = (10 if response else 1) + (0 if extended else 4) + payload(code)
    assert len(symbols) == 4 + (1 if response else 3) + 8 * extended + PAYLOADS[payload(code)] + 1
    address = 0 if response else symbols[4] << 32 | symbols[5] << 16 | symbols[6]
    return [kind] + route + [code, 0, control & 0x3F, control >> 15, control >> 10 & 31, control >> 8 & 3,
                             control >> 6 & 3, address, symbols[4] if response else 0, 0, 0]
