# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Ringlets of SCI, symbol by symbol, written only from docs/ring.md and docs/cable.md: the reference for emu/ring.

What lives here: network(), whose run() returns the packets that leave each node, and points() the measured values.
Section numbers are those of docs/ring.md; read both side by side. The author of this model did not write emu/ring, and
the two share no code. Python's standard library only.

A symbol on a link is (packet, at, go). at counts the packet's symbols, and after them the idle symbols of its gap; a
free idle symbol has no packet. go is the go bit, which only idle symbols have.
"""
import binascii
import collections
import functools
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

# Bytes of data by command; for a request, those of the command of its response, section 6.
DATA = {0x40: 0, 0x41: 0, 0x42: 16, 0x43: 64, 0x44: 256, 0x45: 16, 0x46: 64, 0x47: 256, RESPONSE00: 0, RESPONSE16: 16,
        RESPONSE64: 64, RESPONSE256: 256}
ANSWERS = {0x40: RESPONSE64, 0x41: RESPONSE256, 0x42: RESPONSE00, 0x43: RESPONSE00, 0x44: RESPONSE00}
for first, data, answer in (0x00, 0, RESPONSE16), (0x10, 16, RESPONSE00), (0x20, 16, RESPONSE16):
    DATA.update(dict.fromkeys(range(first, first + 16), data))
    ANSWERS.update(dict.fromkeys(range(first, first + 16), answer))


def with_crc(symbols):
    """cable.md: the symbols, followed by their CRC."""
    return symbols + [binascii.crc_hqx(struct.pack(f">{len(symbols)}H", *symbols), 0xFFFF)]


class Packet:
    """A request or a response; entry and leave are the nodes where it enters and leaves the ringlet."""

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
    """The echo that replaces a packet: section 4."""
    length = ECHO_SYMBOLS

    def __init__(self, packet, busy, phase):
        self.packet, self.busy, self.phase, self.leave = packet, busy, phase, packet.entry

    def symbols(self):
        command = self.phase << 10 | ECHO | self.packet.transaction
        command |= (BUSY if self.busy else 0) | (ECHO_OF_RESPONSE if self.packet.kind == RESPONSE else 0)
        return with_crc([self.packet.source, command, self.packet.target])


class Level:
    """Section 9: the number of packets in a buffer, sampled."""

    def __init__(self):
        self.samples = self.sum = self.highest = 0

    def sample(self, packets):
        self.samples += 1
        self.sum += packets
        self.highest = max(self.highest, packets)


class Input:
    """An input buffer of a class, and the rule that accepts packets: section 4.1."""

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
    """A node of a ringlet: its buffers, and its actions in a clock, section 3. finish() is called when the server has
    finished a packet, and returns whether there was room for the following packet. accepted() is called when an echo
    reports that a packet was accepted."""

    def __init__(self, number, config, finish, accepted):
        self.number, self.finish, self.accepted = number, finish, accepted
        self.gap, self.go_bits, self.service = config["gap"], config["go_bits"], config["service"]
        self.output_most, self.active_most = config["output"], config["active"]
        # One for each class.
        self.input = Input(config["input"]), Input(config["input"])
        self.output, self.again = [(collections.deque(), collections.deque()) for _ in range(2)]
        self.active = [0, 0]
        self.state, self.fifo, self.saved, self.last = PASS, collections.deque(), False, FREE_GO
        self.echo = self.sent = None
        self.levels = [Level() for _ in range(3)]
        self.idles = self.idles_sum = self.idles_highest = self.arrivals = 0
        # Symbols of own packets, of other packets, and of gaps; the first two numbers and the clock at the last sample.
        self.symbols, self.sampled, self.due = [0, 0, 0], (0, 0, 0), False

    def insert(self, packet, leave):
        """Puts a packet into the output buffer. Returns whether there was room."""
        if len(self.output[packet.kind]) == self.output_most:
            return False
        packet.entry, packet.leave = self.number, leave
        self.output[packet.kind].append(packet)
        self.levels[0].sample(sum(map(len, self.output)))
        self.due = True
        return True

    def strip(self, symbol):
        """Section 4: the symbol after the stripper."""
        packet, at, go = symbol
        if packet is None or at >= packet.length:
            self.idles += 1
        elif at == 0:
            self.arrivals += 1
            self.idles_sum += self.idles
            self.idles_highest = max(self.idles_highest, self.idles)
            self.idles = 0
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
            self.levels[2].sample(sum(len(buffer.packets) for buffer in self.input))
        at -= packet.length - ECHO_SYMBOLS
        return (self.echo, at, go) if at >= 0 else FREE

    def learn(self, echo):
        """Section 4.2: the effect of an echo."""
        packet = echo.packet
        if echo.busy:
            packet.phase = echo.phase
            self.again[packet.kind].append(packet)
        else:
            self.active[packet.kind] -= 1
            self.levels[1].sample(sum(self.active))
            self.accepted(packet)

    def choose(self):
        """Section 5: the packet to send next, or None."""
        for kind in (RESPONSE, REQUEST):
            if self.again[kind]:
                return self.again[kind].popleft()
            if self.output[kind] and self.active[kind] < self.active_most:
                packet = self.output[kind].popleft()
                self.active[kind] += 1
                self.levels[0].sample(sum(map(len, self.output)))
                self.levels[1].sample(sum(self.active))
                return packet
        return None

    def store(self, symbol):
        packet, at, go = symbol
        self.saved = self.saved or go
        if packet:
            self.fifo.append((packet, at, False))

    def end(self, symbol):
        """The symbol that leaves in SEND and RECOVER. Both states end after a gap if the FIFO is empty."""
        packet, at, _ = symbol
        if at < packet.length + self.gap - 1:
            return symbol
        if self.fifo:
            self.state = RECOVER
            return symbol
        self.state = PASS
        return packet, at, self.saved

    def multiplex(self, symbol):
        """Section 5: the symbol that leaves."""
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
        """Section 6: the servers."""
        for buffer in self.input:
            if not buffer.packets:
                continue
            if buffer.began is None:
                buffer.began = clock
            elif clock >= buffer.began + self.service and self.finish(self, buffer.packets[0]):
                buffer.packets.popleft()
                buffer.began = None
                self.levels[2].sample(sum(len(buffer.packets) for buffer in self.input))

    def step(self, clock, symbol):
        """Section 3: the symbol that leaves when this symbol arrives."""
        if self.due:
            self.sampled, self.due = (self.symbols[0], self.symbols[1], clock), False
        self.last = self.multiplex(self.strip(symbol))
        packet, at, _ = self.last
        if packet:
            self.symbols[2 if at >= packet.length else packet is not self.sent] += 1
        self.serve(clock)
        return self.last

    def points(self):
        """Section 9: the measured values."""
        levels = [(level.samples, level.sum, level.highest) for level in self.levels]
        return [number for level in levels for number in level] + [
            self.idles_sum, self.idles_highest, self.arrivals, *self.symbols, *self.sampled]


class Load:
    """Section 7: the load of a node."""

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

    def taken(self, transaction):
        """The request that was due is now in the output buffer."""
        self.draw()

    def ended(self, transaction, clock):
        """A transaction of the node has ended."""


class Trace:
    """Section 7, a trace: rows of the clocks to wait, whether the wait starts at the end of the previous request, the
    target, the command and the address."""

    def __init__(self, rows):
        self.rows, self.due, self.last, self.waits = iter(rows), 0, None, False
        self.taken(None)

    def is_due(self, clock):
        return self.row is not None and not self.waits and self.due <= clock

    def taken(self, transaction):
        self.last, self.row = transaction, next(self.rows, None)
        if self.row:
            self.wait, self.waits, self.target, self.command, self.address = self.row
            self.due += self.wait

    def ended(self, transaction, clock):
        if self.waits and transaction == self.last:
            self.waits, self.due = False, clock + self.wait


class Alone:
    """Section 8, ring. Each of the three topologies determines a way: the node where a packet of a node enters on its
    path to a target, the node where it leaves a ringlet, and the node where it continues, if the target is in another
    ringlet. A place is (ringlet, node of it)."""

    def __init__(self, nodes):
        self.sizes = [nodes]

    def enters(self, node, target):
        return 0, node

    def leaves(self, ringlet, target):
        return target

    def goes_on(self, place, target):
        return None


class Ringlets:
    """Section 8, ringlets:K."""

    def __init__(self, nodes, width):
        self.width, self.switch = width, -(-nodes // width)
        # The nodes of each ringlet plus its port; the last size is that of the switch.
        self.sizes = [min(width, nodes - first) + 1 for first in range(0, nodes, width)] + [self.switch]

    def enters(self, node, target):
        return node // self.width, node % self.width

    def leaves(self, ringlet, target):
        if ringlet == self.switch:
            return target // self.width
        return target % self.width if target // self.width == ringlet else self.sizes[ringlet] - 1

    def goes_on(self, place, target):
        ringlet, number = place
        if ringlet == self.switch:
            return number, self.sizes[number] - 1
        return (self.switch, ringlet) if target // self.width != ringlet else None


class Torus:
    """Section 8, torus:XxY."""

    def __init__(self, nodes, width):
        self.width, self.rows = width, nodes // width
        self.sizes = [width] * self.rows + [self.rows] * width

    def enters(self, node, target):
        row, column = divmod(node, self.width)
        return (row, column) if column != target % self.width else (self.rows + column, row)

    def leaves(self, ringlet, target):
        return target % self.width if ringlet < self.rows else target // self.width

    def goes_on(self, place, target):
        ringlet, number = place
        return (self.rows + number, ringlet) if ringlet < self.rows and target // self.width != ringlet else None


class Ringlet:
    """The nodes, and the links to them."""

    def __init__(self, size, config, finish, accepted):
        self.nodes = [Node(number, config, finish, accepted) for number in range(size)]
        self.links = [collections.deque([FREE_GO] * config["hop"]) for _ in self.nodes]

    def step(self, clock):
        """Executes one clock. Yields node and packet of each last symbol that leaves."""
        for node, link in zip(self.nodes, self.links):
            packet, at, go = node.step(clock, link.popleft())
            self.links[(node.number + 1) % len(self.nodes)].append((packet, at, go))
            if packet and at == packet.length - 1:
                yield node.number, packet


class Network:
    """Section 8: ringlets, and the transactions of the nodes that they join."""

    def __init__(self, config, seed, way):
        self.way, self.clock = way, 0
        self.loads = [Trace(rows) for rows in config["trace"]] if config["trace"] else [
            Load(node, config, seed) for node in range(config["nodes"])]
        self.free = [list(range(TRANSACTIONS)) for _ in self.loads]
        self.ringlets = [Ringlet(size, config, functools.partial(self.finish, ringlet), self.accepted)
                         for ringlet, size in enumerate(way.sizes)]

    def put(self, packet, place):
        """Puts a packet into an output buffer. Returns whether there was room."""
        ringlet, number = place
        return self.ringlets[ringlet].nodes[number].insert(packet, self.way.leaves(ringlet, packet.target))

    def end(self, node, packet):
        heapq.heappush(self.free[node], packet.transaction)
        self.loads[node].ended(packet.transaction, self.clock)

    def finish(self, ringlet, node, packet):
        """A node's server in a ringlet has finished a packet. Returns whether there was room for the next packet."""
        place = self.way.goes_on((ringlet, node.number), packet.target)
        if place:
            return self.put(Packet(packet.target, packet.source, packet.command, packet.transaction, packet.address),
                            place)
        if packet.kind == RESPONSE:
            self.end(packet.target, packet)
        elif packet.command in ANSWERS:
            return self.put(Packet(packet.source, packet.target, ANSWERS[packet.command], packet.transaction),
                            self.way.enters(packet.target, packet.source))
        else:
            self.unanswered(packet)
        return True

    def unanswered(self, packet):
        """The server at the target has finished a request that has no response."""
        self.end(packet.source, packet)

    def accepted(self, packet):
        """An echo reports that a packet was accepted."""

    def offer(self):
        for node, (load, free) in enumerate(zip(self.loads, self.free)):
            while load.is_due(self.clock) and free and self.put(
                    Packet(load.target, node, load.command, free[0], load.address), self.way.enters(node, load.target)):
                load.taken(heapq.heappop(free))

    def run(self, clocks):
        """Yields (clock, ringlet, node of it, symbols) for each packet whose last symbol leaves a node."""
        for self.clock in range(clocks):
            self.offer()
            for number, ringlet in enumerate(self.ringlets):
                for node, packet in ringlet.step(self.clock):
                    yield self.clock, number, node, packet.symbols()

    def points(self):
        """The values that each node of each ringlet measured."""
        return [node.points() for ringlet in self.ringlets for node in ringlet.nodes]


class Ring(Network):
    """Section 6: a single ringlet, whose nodes learn from the echo that a request without response has ended."""

    def unanswered(self, packet):
        pass

    def accepted(self, packet):
        if packet.kind == REQUEST and packet.command not in ANSWERS:
            self.end(packet.source, packet)


def network(config, seed):
    kind, width = config["topology"], config["width"]
    if kind == "alone":
        return Ring(config, seed, Alone(config["nodes"]))
    if kind == "ring":
        return Network(config, seed, Alone(config["nodes"]))
    return Network(config, seed, {"ringlets": Ringlets, "torus": Torus}[kind](config["nodes"], width))
