# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Ringlets of SCI, symbol by symbol, written from docs/ring.md and docs/cable.md alone: what emu/ring is held to.

What lives here: run(), which gives the packets that leave each node. Sections are those of docs/ring.md; to be read
next to it. Its author did not write emu/ring, and shares nothing with it. Python's standard library only.

A symbol on a link is (packet, at, go). at counts the packet's symbols, and behind them the idle symbols of its gap; a
free idle symbol has no packet. go is the go bit, which idle symbols have alone.
"""
import binascii
import collections
import heapq
import struct

# cable.md: the command symbol.
DOTRY, RETRY_A, RETRY_B = 1, 2, 3
ECHO, BUSY, ECHO_OF_RESPONSE = 0x100, 0x80, 0x40
ECHO_SYMBOLS = 4
TRANSACTIONS = 64
RESPONSE00, RESPONSE16, RESPONSE64, RESPONSE256 = 0x7C, 0x7D, 0x7E, 0x7F

REQUEST, RESPONSE = 0, 1
PASS, SEND, RECOVER = range(3)
FREE, FREE_GO = (None, 0, False), (None, 0, True)

# Bytes of data by command; of requests the command of the response, section 6.
DATA = {0x40: 0, 0x41: 0, 0x42: 16, 0x43: 64, 0x44: 256, 0x45: 16, 0x46: 64, 0x47: 256, RESPONSE00: 0, RESPONSE16: 16,
        RESPONSE64: 64, RESPONSE256: 256}
ANSWERS = {0x40: RESPONSE64, 0x41: RESPONSE256, 0x42: RESPONSE00, 0x43: RESPONSE00, 0x44: RESPONSE00}
for first, data, answer in (0x00, 0, RESPONSE16), (0x10, 16, RESPONSE00), (0x20, 16, RESPONSE16):
    DATA.update(dict.fromkeys(range(first, first + 16), data))
    ANSWERS.update(dict.fromkeys(range(first, first + 16), answer))


def with_crc(symbols):
    """cable.md: symbols, and their CRC behind them."""
    return symbols + [binascii.crc_hqx(struct.pack(f">{len(symbols)}H", *symbols), 0xFFFF)]


class Packet:
    """A request or a response; entry and leave are the nodes of the ringlet where it comes and where it is taken off."""

    def __init__(self, target, source, command, transaction, address=0):
        self.target, self.source, self.command = target, source, command
        self.transaction, self.address, self.phase = transaction, address, DOTRY
        self.kind = RESPONSE if command >= RESPONSE00 else REQUEST
        self.length = 4 + (1 if self.kind == RESPONSE else 3) + DATA[command] // 2 + 1
        self.entry = self.leave = None

    def symbols(self):
        place = [0] if self.kind == RESPONSE else [self.address >> shift & 0xFFFF for shift in (32, 16, 0)]
        return with_crc([self.target, self.phase << 10 | self.command, self.source, self.transaction] + place +
                        [0] * (DATA[self.command] // 2))


class Echo:
    """What a packet leaves in its place: section 4."""
    length = ECHO_SYMBOLS

    def __init__(self, packet, busy, phase):
        self.packet, self.busy, self.phase, self.leave = packet, busy, phase, packet.entry

    def symbols(self):
        command = self.phase << 10 | ECHO | self.packet.transaction
        command |= (BUSY if self.busy else 0) | (ECHO_OF_RESPONSE if self.packet.kind == RESPONSE else 0)
        return with_crc([self.packet.source, command, self.packet.target])


class Input:
    """An input buffer of a class, and who is accepted: section 4.1."""

    def __init__(self, most):
        self.most, self.packets, self.began = most, collections.deque(), None
        self.waiting, self.turn = {RETRY_A: 0, RETRY_B: 0}, RETRY_A

    def decide(self, packet):
        """The echo for a packet whose first symbol arrives."""
        room, other = len(self.packets) < self.most, RETRY_A + RETRY_B - self.turn
        if not self.waiting[self.turn] and self.waiting[other]:
            self.turn, other = other, self.turn
        if packet.phase == DOTRY:
            if room and not self.waiting[self.turn]:
                return Echo(packet, False, DOTRY)
            joins = other if self.waiting[self.turn] else self.turn
            self.waiting[joins] += 1
            return Echo(packet, True, joins)
        accepted = room and packet.phase == self.turn
        self.waiting[packet.phase] -= accepted
        return Echo(packet, not accepted, packet.phase)


class Node:
    """A node of a ringlet: its buffers, and what it does in a clock, section 3. finish() is called when the server ends
    with a packet, and returns whether there was room for what follows; accepted() when an echo says so."""

    def __init__(self, number, config, finish, accepted):
        self.number, self.finish, self.accepted = number, finish, accepted
        self.gap, self.go_bits, self.service = config["gap"], config["go_bits"], config["service"]
        self.output_most, self.active_most = config["output"], config["active"]
        # Each by class.
        self.input = Input(config["input"]), Input(config["input"])
        self.output, self.again = [(collections.deque(), collections.deque()) for _ in range(2)]
        self.active = [0, 0]
        self.state, self.fifo, self.saved, self.last = PASS, collections.deque(), False, FREE_GO
        self.echo = self.sent = None

    def insert(self, packet, leave):
        """Puts a packet into the output buffer; whether there was room."""
        if len(self.output[packet.kind]) == self.output_most:
            return False
        packet.entry, packet.leave = self.number, leave
        self.output[packet.kind].append(packet)
        return True

    def strip(self, symbol):
        """Section 4."""
        packet, at, go = symbol
        if packet is None or packet.leave != self.number:
            return symbol
        if isinstance(packet, Echo):
            if at == ECHO_SYMBOLS - 1:
                self.learn(packet)
            return FREE_GO if go else FREE
        if at == 0:
            self.echo = self.input[packet.kind].decide(packet)
        if at == packet.length - 1 and not self.echo.busy:
            self.input[packet.kind].packets.append(packet)
        at -= packet.length - ECHO_SYMBOLS
        return (self.echo, at, go) if at >= 0 else FREE

    def learn(self, echo):
        """Section 4.2: what an echo says."""
        packet = echo.packet
        if echo.busy:
            packet.phase = echo.phase
            self.again[packet.kind].append(packet)
        else:
            self.active[packet.kind] -= 1
            self.accepted(packet)

    def choose(self):
        """Section 5, which packet: the one to send next, or None."""
        for kind in (RESPONSE, REQUEST):
            if self.again[kind]:
                return self.again[kind].popleft()
            if self.output[kind] and self.active[kind] < self.active_most:
                self.active[kind] += 1
                return self.output[kind].popleft()
        return None

    def store(self, symbol):
        packet, at, go = symbol
        self.saved = self.saved or go
        if packet:
            self.fifo.append((packet, at, False))

    def end(self, symbol):
        """What leaves in SEND and RECOVER, which end behind a gap if the FIFO is empty."""
        packet, at, _ = symbol
        if at < packet.length + self.gap - 1:
            return symbol
        if self.fifo:
            self.state = RECOVER
            return symbol
        self.state = PASS
        return packet, at, self.saved

    def multiplex(self, symbol):
        """Section 5: what leaves."""
        last, last_at, last_go = self.last
        if self.state == SEND:
            self.store(symbol)
            return self.end((self.sent, last_at + 1, False))
        if self.state == RECOVER:
            self.store(symbol)
            return self.end(self.fifo.popleft())
        if (last_go or not self.go_bits) and (last is None or last_at == last.length + self.gap - 1):
            self.sent = self.choose()
            if self.sent:
                self.saved = False
                self.store(symbol)
                self.state = SEND
                return self.sent, 0, False
        packet, at, go = symbol
        return packet, at, go or last_go and (packet is None or at >= packet.length)

    def serve(self, clock):
        """Section 6."""
        for buffer in self.input:
            if not buffer.packets:
                continue
            if buffer.began is None:
                buffer.began = clock
            elif clock >= buffer.began + self.service and self.finish(self, buffer.packets[0]):
                buffer.packets.popleft()
                buffer.began = None

    def step(self, clock, symbol):
        """Section 3: what leaves when this symbol arrives."""
        self.last = self.multiplex(self.strip(symbol))
        self.serve(clock)
        return self.last


class Load:
    """Section 7: what a node offers."""

    def __init__(self, node, config, seed):
        self.config, self.targets = config, [target for target in sorted(config["targets"]) if target != node]
        self.state, self.due = (seed + (node + 1) * 0x9E3779B97F4A7C15) % 2**64, 0
        if self.targets:
            self.draw()

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state // 2**32 * limit // 2**32

    def draw(self):
        """Draws the next request, in the order of the section's list."""
        first, last, steps = self.config["first"], self.config["last"], self.config["steps"]
        if steps:
            number = self.below(2**32 - 1)
            self.due += next((clocks for clocks, share in steps if share >= number), steps[-1][0])
        else:
            self.due += first + self.below(last - first + 1)
        self.target = self.targets[self.below(len(self.targets))]
        self.command = self.config["commands"][self.below(len(self.config["commands"]))]
        self.address = 64 * self.below(2**20)

    def is_due(self, clock):
        return bool(self.targets) and self.due <= clock


class Ring:
    """A ringlet alone: section 6's transactions."""

    def __init__(self, config, seed):
        self.nodes, self.loads, self.free = [], [], []
        for number in range(config["nodes"]):
            self.nodes.append(Node(number, config, self.finish, self.accepted))
            self.loads.append(Load(number, config, seed))
            self.free.append(list(range(TRANSACTIONS)))
        self.links = [collections.deque([FREE_GO] * config["hop"]) for _ in self.nodes]  # each leads to its node

    def offer(self, clock):
        for load, node, free in zip(self.loads, self.nodes, self.free):
            while load.is_due(clock) and free and node.insert(
                    Packet(load.target, node.number, load.command, free[0], load.address), load.target):
                heapq.heappop(free)
                load.draw()

    def finish(self, node, packet):
        if packet.kind == RESPONSE:
            heapq.heappush(self.free[node.number], packet.transaction)
        elif packet.command in ANSWERS:
            return node.insert(Packet(packet.source, packet.target, ANSWERS[packet.command], packet.transaction),
                               packet.source)
        return True

    def accepted(self, packet):
        if packet.kind == REQUEST and packet.command not in ANSWERS:
            heapq.heappush(self.free[packet.source], packet.transaction)

    def step(self, clock):
        """A clock. Yields node and packet of each last symbol that leaves."""
        for node in self.nodes:
            packet, at, go = node.step(clock, self.links[node.number].popleft())
            self.links[(node.number + 1) % len(self.nodes)].append((packet, at, go))
            if packet and at == packet.length - 1:
                yield node.number, packet


def run(config, seed, clocks):
    """Yields (clock, node, symbols) for each packet whose last symbol leaves a node."""
    ring = Ring(config, seed)
    for clock in range(clocks):
        ring.offer(clock)
        for number, packet in ring.step(clock):
            yield clock, number, packet.symbols()
