# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A ringlet of SCI, written from docs/ring.md and docs/cable.md alone: the sections are those of ring.md.

What lives here: a second model, slow, whose links carry the 16 bits of each symbol. A symbol on a link is
(value, packet): packet is None for an idle symbol; for the first symbol of a packet it is all its symbols, since the
stripper decides with the first; for the others it is (). Python's standard library only.
"""
from collections import deque

GO = 0x8000
DOTRY, RETRY_A, RETRY_B = 1, 2, 3
REQUEST, RESPONSE = 0, 1
ECHO, BUSY, ECHO_OF_RESPONSE = 0x100, 0x80, 0x40
MASK = 2**64 - 1
DATA = {0x40: 0, 0x41: 0, 0x42: 8, 0x43: 32, 0x44: 128, 0x45: 8, 0x46: 32, 0x47: 128, 0x7C: 0, 0x7D: 8, 0x7E: 32,
        0x7F: 128}
RESPONSES = {0x40: 0x7E, 0x41: 0x7F, 0x42: 0x7C, 0x43: 0x7C, 0x44: 0x7C}


def idle(go):
    flow = GO if go else 0
    return flow | ~(flow >> 8) & 0xFF, None


def is_idle(symbol):
    return symbol[1] is None


def has_go(symbol):
    return is_idle(symbol) and bool(symbol[0] & GO)


def data_symbols(command):
    return DATA[command] if command >= 0x40 else 0 if command < 0x10 else 8


def response_of(command):
    if command < 0x40:
        return 0x7C if 0x10 <= command < 0x20 else 0x7D
    return RESPONSES.get(command)


def with_crc(symbols):
    value = 0xFFFF
    for symbol in symbols:
        value ^= symbol
        for _ in range(16):
            value = (value << 1 ^ (0x1021 if value & 0x8000 else 0)) & 0xFFFF
    return tuple(symbols) + (value,)


class Packet:
    """A request or response in a buffer."""

    def __init__(self, target, source, command, transaction, address=0, phase=DOTRY):
        self.target, self.source, self.command = target, source, command
        self.transaction, self.address, self.phase = transaction, address, phase

    def kind(self):
        return RESPONSE if self.command >= 0x7C else REQUEST

    def symbols(self):
        address = [0] if self.kind() == RESPONSE else [self.address >> 32, self.address >> 16 & 0xFFFF,
                                                       self.address & 0xFFFF]
        return with_crc([self.target, self.phase << 10 | self.command, self.source, self.transaction] + address +
                        [0] * data_symbols(self.command))

    @staticmethod
    def parse(symbols):
        response = symbols[1] & 0x7F >= 0x7C
        return Packet(symbols[0], symbols[2], symbols[1] & 0x7F, symbols[3] & 0x3F,
                      0 if response else symbols[4] << 32 | symbols[5] << 16 | symbols[6], symbols[1] >> 10 & 3)


class Input:
    """An input buffer of a class: section 4.1."""

    def __init__(self, room):
        self.packets, self.room = deque(), room
        self.waiting, self.turn, self.until = {RETRY_A: 0, RETRY_B: 0}, RETRY_A, None

    def accept(self, phase):
        """Whether a packet with this phase is accepted, and the phase of the echo."""
        other = {RETRY_A: RETRY_B, RETRY_B: RETRY_A}
        if not self.waiting[self.turn] and self.waiting[other[self.turn]]:
            self.turn = other[self.turn]
        room = len(self.packets) < self.room
        if phase == DOTRY:
            if room and not self.waiting[self.turn]:
                return True, phase
            joins = other[self.turn] if self.waiting[self.turn] else self.turn
            self.waiting[joins] += 1
            return False, joins
        if room and phase == self.turn:
            self.waiting[phase] -= 1
            return True, phase
        return False, phase


class Node:
    def __init__(self, number, config):
        self.number, self.config = number, config
        self.output, self.again, self.active = ([], []), ([], []), ([], [])
        self.input = Input(config["input"]), Input(config["input"])
        self.free_ids = set(range(64))
        self.state, self.fifo, self.saved = "PASS", deque(), False
        self.last, self.may_follow = idle(True), True
        self.leaving = None
        # Of what arrives: the packet that is stripped, its symbols so far, and the place in the gap.
        self.arriving, self.fate, self.at, self.gap = None, None, 0, config["gap"]
        self.gap_sent = config["gap"]

    # ---- section 4: each symbol becomes (symbol, is it free)

    def strip(self, symbol):
        if is_idle(symbol):
            in_gap = self.gap < self.config["gap"]
            self.gap += 1
            return symbol, not in_gap or self.fate == "echo"
        self.gap = 0
        if symbol[1]:
            self.arriving, self.at = symbol[1], 0
            self.fate = self.decide(symbol[1])
        assert self.arriving[self.at] == symbol[0]
        self.at += 1
        last = self.at == len(self.arriving)
        if self.fate == "pass":
            return symbol, False
        if self.fate == "echo":
            if last:
                self.echo_came(self.arriving)
            return idle(False), True
        if last and self.accepted:
            self.input[Packet.parse(self.arriving).kind()].packets.append(Packet.parse(self.arriving))
        place = self.at - 1 - (len(self.arriving) - 4)
        if place < 0:
            return idle(False), True
        return (self.echo[place], () if place else self.echo), False

    def decide(self, symbols):
        if symbols[0] != self.number:
            return "pass"
        if symbols[1] & ECHO:
            return "echo"
        packet = Packet.parse(symbols)
        self.accepted, phase = self.input[packet.kind()].accept(packet.phase)
        self.echo = with_crc([packet.source, phase << 10 | ECHO | (0 if self.accepted else BUSY) |
                              (ECHO_OF_RESPONSE if packet.kind() else 0) | packet.transaction, packet.target])
        return "send"

    def echo_came(self, symbols):
        kind = RESPONSE if symbols[1] & ECHO_OF_RESPONSE else REQUEST
        packet, = [sent for sent in self.active[kind] if (sent.target, sent.transaction) ==
                   (symbols[2], symbols[1] & 0x3F)]
        if symbols[1] & BUSY:
            packet.phase = symbols[1] >> 10 & 3
            self.again[kind].append(packet)
            return
        self.active[kind].remove(packet)
        if kind == REQUEST and response_of(packet.command) is None:
            self.free_ids.add(packet.transaction)

    # ---- section 5

    def choose(self):
        for kind in (RESPONSE, REQUEST):
            if self.again[kind]:
                return self.again[kind].pop(0)
            if self.output[kind] and len(self.active[kind]) < self.config["active"]:
                self.active[kind].append(self.output[kind].pop(0))
                return self.active[kind][-1]
        return None

    def store(self, symbol, free):
        self.saved = self.saved or has_go(symbol)
        if not free:
            self.fifo.append(idle(False) if is_idle(symbol) else symbol)

    def ends(self):
        if self.fifo:
            self.state = "RECOVER"
            return idle(False)
        self.state = "PASS"
        return idle(self.saved)

    def own(self):
        if self.leaving:
            return self.leaving.popleft()
        self.left_to_send -= 1
        return self.ends() if not self.left_to_send else idle(False)

    def multiplex(self, symbol, free):
        gap = self.config["gap"]
        if self.state == "PASS":
            allowed = is_idle(self.last) and self.gap_sent >= gap and (has_go(self.last) or not self.config["go_bits"])
            packet = self.choose() if allowed else None
            if packet:
                symbols = packet.symbols()
                self.saved = False
                self.store(symbol, free)
                self.state = "SEND"
                self.leaving = deque([(symbols[0], symbols)] + [(value, ()) for value in symbols[1:]])
                self.left_to_send = gap
                leaves = self.own()
            else:
                leaves = idle(True) if is_idle(symbol) and has_go(self.last) else symbol
        elif self.state == "SEND":
            self.store(symbol, free)
            leaves = self.own()
        else:
            self.store(symbol, free)
            leaves = self.fifo.popleft()
            place = self.gap_sent + 1 if is_idle(leaves) else 0
            if place == gap:
                leaves = self.ends()
        self.gap_sent = self.gap_sent + 1 if is_idle(leaves) else 0
        self.last = leaves
        return leaves

    # ---- section 6

    def offer(self, packet):
        """Put into the output buffer; whether there was room."""
        kind = packet.kind()
        if len(self.output[kind]) == self.config["output"]:
            return False
        if kind == REQUEST:
            if not self.free_ids:
                return False
            packet.transaction = min(self.free_ids)
            self.free_ids.remove(packet.transaction)
        self.output[kind].append(packet)
        return True

    def serve(self, clock):
        for kind in (REQUEST, RESPONSE):
            buffer = self.input[kind]
            if not buffer.packets:
                continue
            if buffer.until is None:
                buffer.until = clock + self.config["service"]
            elif clock >= buffer.until:
                packet = buffer.packets[0]
                if kind == RESPONSE:
                    self.free_ids.add(packet.transaction)
                elif response_of(packet.command) is not None and not self.offer(
                        Packet(packet.source, packet.target, response_of(packet.command), packet.transaction)):
                    continue
                buffer.packets.popleft()
                buffer.until = None


class Source:
    """Section 7."""

    def __init__(self, node, config, seed):
        self.node, self.config, self.due = node, config, 0
        self.random = seed + (node + 1) * 0x9E3779B97F4A7C15 & MASK
        self.targets = [target for target in config["targets"] if target != node]
        self.draw()

    def below(self, limit):
        self.random = self.random * 6364136223846793005 + 1442695040888963407 & MASK
        return (self.random >> 32) * limit >> 32

    def draw(self):
        if not self.targets:
            self.due = None
            return
        if self.config["steps"]:
            number = self.below(2**32 - 1)
            self.due += next((clocks for clocks, share in self.config["steps"][:-1] if share >= number),
                             self.config["steps"][-1][0])
        else:
            self.due += self.config["first"] + self.below(self.config["last"] - self.config["first"] + 1)
        target = self.targets[self.below(len(self.targets))]
        command = self.config["commands"][self.below(len(self.config["commands"]))]
        self.packet = Packet(target, self.node, command, 0, 64 * self.below(2**20))


def run(config, seed, clocks):
    """Yields (clock, node, symbols) for each packet whose last symbol leaves a node."""
    count, hop = config["nodes"], config["hop"]
    nodes = [Node(number, config) for number in range(count)]
    sources = [Source(number, config, seed) for number in range(count)]
    links = [deque([idle(True)] * hop) for _ in range(count)]
    passing = [[] for _ in range(count)]
    for clock in range(clocks):
        for source in sources:
            while source.due is not None and source.due <= clock and nodes[source.node].offer(source.packet):
                source.draw()
        arriving = [links[number - 1].popleft() for number in range(count)]
        for number, node in enumerate(nodes):
            symbol = node.multiplex(*node.strip(arriving[number]))
            links[number].append(symbol)
            if symbol[1] is not None:
                if symbol[1]:
                    passing[number] = [len(symbol[1])]
                passing[number].append(symbol[0])
                if len(passing[number]) == passing[number][0] + 1:
                    yield clock, number, passing[number][1:]
            node.serve(clock)
