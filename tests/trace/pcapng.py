# SPDX-License-Identifier: GPL-2.0 OR MIT
"""pcapng files and captures, read without the project's code or libpcap.

What lives here: frames of a pcap file, blocks of a pcapng file by the draft of the IETF's opsawg, and
random frames of a B-Link. Python's standard library only.
"""
import random
import struct
from collections import namedtuple

Packet = namedtuple("Packet", "interface time_ns length data options")
Section = namedtuple("Section", "options interfaces packets statistics")

LINK_TYPE = 147
COMMANDS = [*range(0x00, 0x30), *range(0x40, 0x49), *range(0x7C, 0x80)]
PAYLOAD = {0x42: 2, 0x43: 8, 0x44: 32, 0x45: 2, 0x46: 8, 0x47: 32, 0x7D: 2, 0x7E: 8, 0x7F: 32}


def options_of(data):
    """Options by code, each of which occurs once; the end marker must be present."""
    found, at = {}, 0
    while at < len(data):
        code, length = struct.unpack_from("<HH", data, at)
        at += 4
        if code == 0:
            assert length == 0 and at == len(data), "bytes behind the end of options"
            return found
        assert code not in found, f"option {code} twice"
        found[code] = data[at:at + length]
        assert data[at + length:at + (length + 3) // 4 * 4].strip(b"\0") == b"", "padding is not 0"
        at += (length + 3) // 4 * 4
    assert not data, "options without an end"
    return found


def read_pcapng(path, link_type=LINK_TYPE):
    with open(path, "rb") as file:
        data = file.read()
    section, at = None, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        assert length % 4 == 0 and length >= 12 and at + length <= len(data), f"block at {at} has a bad length"
        assert struct.unpack_from("<I", data, at + length - 4)[0] == length, f"lengths of the block at {at} differ"
        body = data[at + 8:at + length - 4]
        at += length
        if kind == 0x0A0D0D0A:
            assert section is None and struct.unpack_from("<IHHq", body) == (0x1A2B3C4D, 1, 0, -1)
            section = Section(options_of(body[16:]), [], [], [])
        elif kind == 1:
            link, reserved, _ = struct.unpack_from("<HHI", body)
            assert (link, reserved) == (link_type, 0)
            section.interfaces.append(options_of(body[8:]))
        elif kind == 6:
            interface, high, low, kept, length = struct.unpack_from("<IIIII", body)
            assert interface < len(section.interfaces) and kept <= length
            section.packets.append(Packet(interface, high << 32 | low, length, body[20:20 + kept],
                                          options_of(body[20 + (kept + 3) // 4 * 4:])))
        elif kind == 5:
            interface, high, low = struct.unpack_from("<III", body)
            section.statistics.append((interface, high << 32 | low, options_of(body[12:])))
        else:
            raise AssertionError(f"block of type {kind}")
    return section


def write_pcap(path, frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, LINK_TYPE))
        for time_ns, data in frames:
            file.write(struct.pack("<IIII", time_ns // 10**9, time_ns % 10**9, len(data), len(data)) + data)


def random_frames(seed, count, start_ns=1_700_000_000_123_456_789):
    """Random (time stamp, bytes): all commands, few nodes, some malformed frames."""
    chance, frames, time_ns = random.Random(seed), [], start_ns
    for _ in range(count):
        command, extended = chance.choice(COMMANDS), chance.random() < 0.2
        transaction = chance.randrange(64)
        bd1 = (chance.randrange(4) | command << 16 | extended << 23 | chance.randrange(4) << 32 | transaction << 48)
        bd2 = chance.randrange(1 << 20) & ~3 | transaction << 48
        if command >= 0x7C:
            bd2 = chance.randrange(16) << 44 | transaction << 48
        words = PAYLOAD.get(command, 2 if 0x10 <= command < 0x30 else 0) + 2 * extended + 1
        data = struct.pack("<QQ", bd1, bd2) + chance.randbytes(8 * words)
        if chance.random() < 0.03:
            data = data[:chance.randrange(len(data))]
        elif chance.random() < 0.01:
            data += bytes(400)
        frames.append((time_ns, data))
        time_ns += chance.randrange(2000)
    return frames
