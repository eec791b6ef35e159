#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Writes perf.data files with known samples, as `perf mem record` does on processors that this machine lacks.

usage: perf_data.py CASE FILE [PROGRAM VARIABLE...]

The format is that of perf.data-file-format.txt in Linux's documentation of perf, and of <linux/perf_event.h>. CASE is a function
below. PROGRAM is an ELF file that process 100 executes; VARIABLE is one of its variables, as "name=address" of nm.
"""
import struct
import sys

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM, RAW, BRANCH, REGS_USER, STACK, WEIGHT, DATA_SRC, \
    IDENTIFIER, TRANSACTION, REGS_INTR, PHYS, AUX, CGROUP, DATA_PAGE, CODE_PAGE, WEIGHT_STRUCT = (1 << i for i in range(25))
MEMORY = IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT | DATA_SRC
MMAP, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, MMAP2, LOST_SAMPLES = 1, 2, 3, 4, 5, 7, 9, 10, 13
AUX_DATA, FINISHED_ROUND, AUXTRACE_INFO, AUXTRACE, TIME_CONV, COMPRESSED = 11, 68, 70, 71, 79, 81
COMM_EXEC = 1 << 13
BIAS = 0x555555554000
HEAP = 0x555556000000

# ---- data sources: operation, old level and hit, new level, remote, hops
LOAD, STORE = 2, 4
HIT, MISS, L1, LFB, L2, L3, LOCAL, REMOTE1, REMOTE2, REMOTE_CACHE1 = (1 << i for i in range(1, 11))


def source(operation, level, number=0, remote=0, hops=0, lock=1):
    return operation | level << 5 | lock << 24 | number << 33 | remote << 37 | hops << 43


INTEL_LOCAL = source(LOAD, HIT | LOCAL, 0xd)
INTEL_REMOTE = source(LOAD, HIT | REMOTE1, 0xd, 1)
INTEL_L1 = source(LOAD, HIT | L1, 1)
INTEL_REMOTE_CACHE = source(LOAD, HIT | REMOTE_CACHE1, 3, 1)
INTEL_LOCKED = source(LOAD, HIT | LOCAL, 0xd, lock=2)
INTEL_STORE_HIT = source(STORE, HIT | L1)
INTEL_STORE_MISS = source(STORE, MISS | L1)
AMD_LOCAL = source(LOAD, HIT | LOCAL, 0xd)
AMD_REMOTE = source(STORE, HIT | REMOTE1, 0xd, 1, 2)
AMD_PEER = source(LOAD, HIT | L3, 0xb, 1, 1)
NOTHING = source(1, 1, 0xf) | 1 << 19 | 1 << 26  # PERF_MEM_NA


def text(value, room=8):
    """A text with its terminating zero byte, padded."""
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % room)


def header_text(value):
    data = text(value, 64)
    return struct.pack("<I", len(data)) + data


class Event:
    def __init__(self, name, sample_type, ids=(), period=0, read_format=0, size=128, **other):
        self.name, self.sample_type, self.ids, self.read_format = name, sample_type, ids, read_format
        self.other, self.size, self.period = other, size, period
        freq = 0 if period else 1
        # inherit, mmap, comm, freq, task, precise, mmap_data, sample_id_all, mmap2, comm_exec
        flags = 1 << 1 | 1 << 8 | 1 << 9 | freq << 10 | 1 << 13 | 2 << 15 | 1 << 17 | 1 << 18 | 1 << 23 | 1 << 24
        self.attr = struct.pack("<IIQQQQQIIQQQQIiQ", other.get("type", 4), size, other.get("config", 0x1cd), period or
                                4000, sample_type, read_format, flags, 0, 0, other.get("ldlat", 30), 0,
                                other.get("branch", 0), other.get("regs_user", 0), 0, 0, other.get("regs_intr", 0))
        self.attr += b"\0" * (size - len(self.attr))


class File:
    def __init__(self, events):
        self.events, self.records, self.features, self.time = events, [], {}, 1000
        self.feature(6, header_text("x86_64"))
        self.feature(3, header_text("numabox"))
        words = ["/usr/bin/perf", "mem", "record", "--sample-cpu", "prog"]
        self.feature(11, struct.pack("<I", len(words)) + b"".join(map(header_text, words)))
        described = struct.pack("<II", len(events), events[0].size)
        for event in events:
            described += event.attr + struct.pack("<I", len(event.ids)) + header_text(event.name)
            described += b"".join(struct.pack("<Q", i) for i in event.ids)
        self.feature(12, described)

    def feature(self, number, data):
        self.features[number] = data

    def nodes(self, lists, sockets):
        """The processors of each node, and the socket of each processor."""
        data = struct.pack("<I", len(lists))
        for number, cpus in lists.items():
            data += struct.pack("<IQQ", number, 1 << 20, 1 << 19) + header_text(cpus)
        self.feature(14, data)
        self.feature(7, struct.pack("<II", len(sockets), len(sockets)))
        data = struct.pack("<I", 0) * 2
        self.feature(13, data + b"".join(struct.pack("<II", core, socket) for core, socket in enumerate(sockets)))

    def memory(self, nodes):
        """The blocks of 128 MB of each node."""
        data = struct.pack("<QQQ", 1, 1 << 27, len(nodes))
        for node, blocks in nodes.items():
            data += struct.pack("<QQQ", node, 70, 70)
            data += sum(1 << block for block in blocks).to_bytes(16, "little")
        self.feature(22, data)

    def record(self, kind, misc, body):
        self.records.append(struct.pack("<IHH", kind, misc, 8 + len(body)) + body)

    def identity(self, time, pid, cpu=0):
        """The end of records that are not samples."""
        kinds, data = self.events[0].sample_type, b""
        data += struct.pack("<II", pid, pid) if kinds & TID else b""
        data += struct.pack("<Q", time) if kinds & TIME else b""
        number = self.events[0].ids[0] if self.events[0].ids else 0
        data += struct.pack("<Q", number) if kinds & ID else b""
        data += struct.pack("<Q", 0) if kinds & STREAM else b""
        data += struct.pack("<II", cpu, 0) if kinds & CPU else b""
        data += struct.pack("<Q", number) if kinds & IDENTIFIER else b""
        return data

    def tick(self):
        self.time += 10
        return self.time

    def comm(self, pid, name, misc=0):
        self.record(COMM, misc, struct.pack("<II", pid, pid) + text(name) + self.identity(self.tick(), pid))

    def executes(self, pid, name):
        self.comm(pid, name, COMM_EXEC)

    def fork(self, pid, parent):
        time = self.tick()
        self.record(FORK, 0, struct.pack("<IIIIQ", pid, parent, pid, parent, time) + self.identity(time, parent))

    def map(self, pid, start, end, offset, protection, name, flags=2):
        self.record(MMAP2, 2, struct.pack("<IIQQQIIQQII", pid, pid, start, end - start, offset, 8, 1, 77, 0, protection,
                                          flags) + text(name) + self.identity(self.tick(), pid))

    def program(self, pid, path):
        """The file's segments, as the kernel maps them, and the heap."""
        with open(path, "rb") as file:
            data = file.read()
        at, = struct.unpack_from("<Q", data, 32)
        entry, count = struct.unpack_from("<HH", data, 54)
        for i in range(count):
            kind, flags, offset, address, _, in_file, in_memory, _ = struct.unpack_from("<IIQQQQQQ", data, at + i * entry)
            if kind != 1:
                continue
            start, end = BIAS + address & ~4095, BIAS + address + in_file + 4095 & ~4095
            self.map(pid, start, end, offset & ~4095, 1 | (flags & 2) | (flags & 1) << 2, path, 0x1802)
            whole = BIAS + address + in_memory + 4095 & ~4095
            if whole > end:
                self.map(pid, end, whole, 0, 3, "//anon")
        self.map(pid, HEAP, HEAP + 0x21000, 0, 3, "[heap]")

    def lost(self, count):
        self.record(LOST, 0, struct.pack("<QQ", 1, count) + self.identity(self.tick(), 100))

    def lost_samples(self, count):
        self.record(LOST_SAMPLES, 0, struct.pack("<Q", count) + self.identity(self.tick(), 100))

    def throttle(self):
        self.record(THROTTLE, 0, struct.pack("<QQQ", self.tick(), 1, 1) + self.identity(self.time, 100))

    def round(self):
        self.record(FINISHED_ROUND, 0, b"")

    def sample(self, address, data_src, cpu=0, pid=100, event=0, period=1000, weight=40, time=None, misc=2,
               physical=0):
        event, kinds, data = self.events[event], self.events[event].sample_type, b""
        number = event.ids[cpu % len(event.ids)] if event.ids else 0
        time = self.tick() if time is None else time
        data += struct.pack("<Q", number) if kinds & IDENTIFIER else b""
        data += struct.pack("<Q", BIAS + 0x1234) if kinds & IP else b""
        data += struct.pack("<II", pid, pid) if kinds & TID else b""
        data += struct.pack("<Q", time) if kinds & TIME else b""
        data += struct.pack("<Q", address) if kinds & ADDR else b""
        data += struct.pack("<Q", number) if kinds & ID else b""
        data += struct.pack("<Q", 9) if kinds & STREAM else b""
        data += struct.pack("<II", cpu, 0) if kinds & CPU else b""
        data += struct.pack("<Q", period) if kinds & PERIOD else b""
        # value, which perf expects to grow, time enabled, time running, id
        data += struct.pack("<QQQQ", time, 6, 7, number) if kinds & READ else b""
        data += struct.pack("<QQQQ", 3, 1, 2, 3) if kinds & CALLCHAIN else b""
        data += struct.pack("<I", 12) + b"r" * 12 if kinds & RAW else b""
        # two branches, preceded by an index
        data += struct.pack("<QQ", 2, 0) + b"b" * 48 if kinds & BRANCH else b""
        data += struct.pack("<QQQ", 2, 1, 2) if kinds & REGS_USER else b""
        data += struct.pack("<Q", 16) + b"s" * 16 + struct.pack("<Q", 16) if kinds & STACK else b""
        data += struct.pack("<Q", weight) if kinds & (WEIGHT | WEIGHT_STRUCT) else b""
        data += struct.pack("<Q", data_src) if kinds & DATA_SRC else b""
        data += struct.pack("<Q", 0) if kinds & TRANSACTION else b""
        data += struct.pack("<QQ", 2, 1) if kinds & REGS_INTR else b""
        data += struct.pack("<Q", physical) if kinds & PHYS else b""
        data += struct.pack("<Q", 1) if kinds & CGROUP else b""
        data += struct.pack("<Q", 4096) if kinds & DATA_PAGE else b""
        data += struct.pack("<Q", 4096) if kinds & CODE_PAGE else b""
        data += struct.pack("<Q", 8) + b"a" * 8 if kinds & AUX else b""
        self.record(SAMPLE, misc, data)

    def samples(self, count, *arguments, **named):
        for _ in range(count):
            self.sample(*arguments, **named)

    def write(self, path):
        size = self.events[0].size
        ids_at = 104
        ids = b"".join(struct.pack("<Q", i) for event in self.events for i in event.ids)
        attrs_at, attrs, at = ids_at + len(ids), b"", ids_at
        for event in self.events:
            attrs += event.attr + struct.pack("<QQ", at, 8 * len(event.ids))
            at += 8 * len(event.ids)
        data_at, data = attrs_at + len(attrs), b"".join(self.records)
        bits = sum(1 << number for number in self.features)
        feature_at = data_at + len(data) + 16 * len(self.features)
        sections, contents = b"", b""
        for number in sorted(self.features):
            sections += struct.pack("<QQ", feature_at + len(contents), len(self.features[number]))
            contents += self.features[number]
        header = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, size + 16, attrs_at, len(attrs), data_at, len(data), 0, 0)
        header += bits.to_bytes(32, "little")
        with open(path, "wb") as file:
            file.write(header + ids + attrs + data + sections + contents)


# ---- Arm SPE

NEOVERSE_N1 = "0x00000000413fd0c0"
# The meaning of data sources on these processors, and perf's values for them.
SPE_L1, SPE_SYSTEM_CACHE, SPE_REMOTE, SPE_DRAM = 0, 0xb, 0xd, 0xe
ARM_L1 = source(LOAD, HIT | L1, 1, lock=0)
ARM_REMOTE = source(LOAD, REMOTE_CACHE1, 0xb, 1, lock=0)
ARM_LOCAL = source(LOAD, HIT | LOCAL, 0xd, lock=0)
ARM_STORE = source(STORE, 1, 0xf, lock=0)


def spe_access(time, address, served, pid=100, latency=40, physical=0):
    """The packets of an access; served is None for a store, whose packets name no data source."""
    data = struct.pack("<BI", 0x65, pid) + struct.pack("<BQ", 0xb0, BIAS + 0x1234) + struct.pack("<BQ", 0xb2, address)
    data += struct.pack("<BQ", 0xb3, physical | 1 << 63) if physical else b""
    data += struct.pack("<BBBHBH", 0x49, served is None, 0x52, 1 << 1, 0x98, latency)
    data += struct.pack("<BB", 0x43, served) if served is not None else b""
    return data + struct.pack("<BQ", 0x71, time)


def spe_events(kinds=MEMORY | IDENTIFIER):
    return [Event("arm_spe_0/ts_enable=1,load_filter=1,store_filter=1,min_latency=30/", kinds, (11, 12, 13, 14), type=8,
                  config=1, period=1024),
            Event("dummy:u", kinds, (21, 22, 23, 24), type=1, config=9)]


def arm(file):
    two_nodes(file)
    file.feature(6, header_text("aarch64"))
    file.feature(9, header_text(NEOVERSE_N1))
    # perf's clock is that of the processors.
    file.record(TIME_CONV, 0, struct.pack("<QQQQQQ", 0, 1, 0, 0, 0, 1))
    return file


def spe_accesses():
    """Accesses by processor: to one page on node 0 by nodes 0 and 1; to another page by one node."""
    return {0: [(HEAP, SPE_DRAM)] * 20 + [(HEAP, SPE_L1)] * 5 + [(HEAP, None)] * 4,
            2: [(HEAP + 8, SPE_REMOTE)] * 9, 3: [(HEAP + 4096, SPE_DRAM)] * 7}


def spe_packets(flags=0, phys=0):
    file = arm(File(spe_events(MEMORY | IDENTIFIER | phys)))
    file.record(AUXTRACE_INFO, 0, struct.pack("<IIQQ", 4, 0, 8, 1))
    file.executes(100, "prog")
    file.map(100, HEAP, HEAP + 0x21000, 0, 3, "[heap]")
    for cpu, accesses in spe_accesses().items():
        data = b"".join(spe_access(file.tick(), *access, physical=phys and 3 * (1 << 27) + 64) for access in accesses)
        data += b"\0" * (-len(data) % 8)
        file.record(AUX_DATA, 0, struct.pack("<QQQ", 0, len(data), flags) + file.identity(file.tick(), 100, cpu))
        file.record(AUXTRACE, 0, struct.pack("<QQQIIII", len(data), 0, 0, cpu, 0xffffffff, cpu, 0))
        file.records.append(data)
    file.round()
    return file


# ---- cases

def spe(*_):
    return spe_packets()


def spe_physical(*_):
    file = spe_packets(phys=PHYS)
    file.memory({0: [0], 1: [3]})
    return file


def spe_losing(*_):
    """Each buffer has lost packets (1), and had a collision (8)."""
    return spe_packets(flags=9)


def spe_converted(*_, twice=False):
    """The result of `perf inject --itrace=M` for this file."""
    made = [Event("memory", MEMORY | IDENTIFIER, (1000000011,), type=0, config=0, period=1)]
    made += [Event("l1d-access", MEMORY | IDENTIFIER, (1000000012,), type=0, config=0, period=1)] if twice else []
    file = arm(File(spe_events() + made))
    file.executes(100, "prog")
    file.map(100, HEAP, HEAP + 0x21000, 0, 3, "[heap]")
    says = {SPE_L1: ARM_L1, SPE_REMOTE: ARM_REMOTE, SPE_DRAM: ARM_LOCAL, None: ARM_STORE}
    for cpu, accesses in spe_accesses().items():
        for address, served in accesses:
            file.sample(address, says[served], cpu=cpu, event=2, period=1)
            if twice:
                file.sample(address, says[served], cpu=cpu, event=3, period=1)
    return file


def spe_twice(*_):
    return spe_converted(twice=True)


def intel_events(size=128):
    kinds = MEMORY | IDENTIFIER
    return [Event("cpu/mem-loads,ldlat=30/P", kinds, (11, 12, 13, 14), size=size),
            Event("cpu/mem-stores/P", kinds, (21, 22, 23, 24), config=0x82d0, ldlat=0, size=size)]


def two_nodes(file):
    file.nodes({0: "0-1", 1: "2-3"}, [0, 0, 1, 1])
    return file


def begin(file, program=None):
    """Process 100 starts as a copy of perf, and executes the program."""
    file.comm(99, "perf")
    file.map(99, 0x400000, 0x500000, 0, 5, "/usr/bin/perf")
    file.fork(100, 99)
    file.comm(100, "perf-exec")
    file.samples(2, 0x400040, INTEL_LOCAL)
    file.executes(100, "prog")
    if program:
        file.program(100, program)
    else:
        file.map(100, HEAP, HEAP + 0x21000, 0, 3, "[heap]")


def known(file, left, right):
    """The samples that the tests expect. See perf_data_test.sh."""
    file.samples(30, left, INTEL_LOCAL, cpu=1)
    file.samples(5, left + 4, INTEL_L1, cpu=0)
    file.samples(12, left + 8, INTEL_REMOTE, cpu=2)
    file.samples(2, left, INTEL_REMOTE_CACHE, cpu=3)
    file.samples(1, left, INTEL_LOCKED, cpu=0)
    file.samples(20, right, INTEL_LOCAL, cpu=3)
    file.samples(7, right, INTEL_STORE_HIT, cpu=2, event=1, period=500)
    file.samples(3, right, INTEL_STORE_MISS, cpu=2, event=1, period=500)
    # A page whose node is unknown.
    file.samples(4, HEAP, INTEL_L1, cpu=0)
    # Samples that are not counted.
    file.samples(2, 0xffff888000001000, INTEL_LOCAL, misc=1)
    file.samples(3, 0, NOTHING)
    file.samples(8, HEAP + 64, NOTHING)
    file.samples(6, HEAP, INTEL_LOCAL, pid=200)
    file.sample(HEAP, INTEL_LOCAL, cpu=9)
    file.sample(1 << 50, INTEL_LOCAL)
    file.lost(11)
    file.lost_samples(4)
    file.throttle()
    file.round()


def intel(program, variables, size=128):
    file = two_nodes(File(intel_events(size)))
    begin(file, program)
    known(file, BIAS + variables["left"], BIAS + variables["right"])
    # The file has the samples of each processor together, not in the order of their times.
    file.records[-60:-20] = reversed(file.records[-60:-20])
    return file


def weights(program, variables):
    """Latencies: two samples of each kind of left; one of right, and some without a latency."""
    file = two_nodes(File(intel_events()))
    begin(file, program)
    left, right = BIAS + variables["left"], BIAS + variables["right"]
    for cycles in (100, 140):
        file.samples(10, left, INTEL_LOCAL, cpu=0, weight=cycles)
        file.samples(10, left, INTEL_REMOTE, cpu=2, weight=3 * cycles)
    file.sample(right, INTEL_LOCAL, cpu=2, weight=77)
    file.samples(5, right, INTEL_L1, cpu=2, weight=0)
    return file


def many(*_):
    """300,000 samples, 24 MB: records of two nodes in turn."""
    file = two_nodes(File(intel_events()))
    begin(file)
    at = len(file.records)
    file.sample(HEAP, INTEL_LOCAL, cpu=0)
    file.sample(HEAP, INTEL_REMOTE, cpu=2)
    file.records += file.records[at:] * 149999
    return file


def larger_attr(program, variables):
    return intel(program, variables, 200)


def amd(*_):
    file = two_nodes(File([Event("ibs_op//", (MEMORY & ~WEIGHT) | WEIGHT_STRUCT, type=11, config=0, ldlat=0)]))
    begin(file)
    file.samples(10, HEAP, AMD_LOCAL, cpu=0, weight=2 << 32 | 70)
    file.samples(15, HEAP, AMD_REMOTE, cpu=1)
    file.samples(25, HEAP, AMD_PEER, cpu=3)
    file.samples(40, 0, NOTHING)
    return file


def nodes_of_four(sockets):
    file = File(intel_events())
    file.nodes({0: "0", 1: "1", 2: "2", 3: "3"}, sockets)
    begin(file)
    # Two pages: samples of the first page name it local to a node; no sample of the second one does.
    file.samples(20, HEAP, INTEL_LOCAL, cpu=2)
    file.samples(30, HEAP, INTEL_REMOTE, cpu=1)
    file.samples(5, HEAP, INTEL_L1, cpu=3)
    file.samples(9, HEAP + 4096, INTEL_REMOTE, cpu=1)
    return file


def four(*_):
    return nodes_of_four([0, 1, 2, 3])


def shared_sockets(*_):
    return nodes_of_four([0, 0, 1, 1])


def physical(*_):
    """Physical addresses determine the nodes of pages, whatever the sockets are."""
    file = File([Event("cpu/mem-loads,ldlat=30/P", MEMORY | PHYS)])
    file.nodes({0: "0", 1: "1", 2: "2", 3: "3"}, [0, 0, 1, 1])
    file.memory({0: [0, 1], 1: [2], 2: [69], 3: [3]})
    begin(file)
    file.samples(9, HEAP, INTEL_REMOTE, cpu=1, physical=3 * (1 << 27) + 64)
    file.samples(5, HEAP, INTEL_L1, cpu=0, physical=3 * (1 << 27) + 64)
    file.samples(3, HEAP + 4096, INTEL_LOCAL, cpu=2, physical=69 << 27)
    file.samples(2, HEAP + 8192, INTEL_LOCAL, cpu=2, physical=5 << 27)
    return file


def forked(*_):
    """A copy of a program that has executed: it has the same memory as that program."""
    file = two_nodes(File(intel_events()))
    begin(file)
    file.sample(HEAP, INTEL_LOCAL)
    file.fork(300, 100)
    file.map(100, HEAP + 0x100000, HEAP + 0x101000, 0, 3, "//anon")
    file.samples(50, HEAP, INTEL_LOCAL, cpu=2, pid=300)
    return file


def wide(*_):
    """All fields that a sample can have, before and after the fields that are read."""
    kinds = (MEMORY | IDENTIFIER | ID | STREAM | READ | CALLCHAIN | RAW | BRANCH | REGS_USER | STACK | TRANSACTION |
             REGS_INTR | PHYS | CGROUP | DATA_PAGE | CODE_PAGE | AUX)
    file = two_nodes(File([Event("cpu/mem-loads,ldlat=30/P", kinds, (11, 12, 13, 14), read_format=7, branch=1 << 17 | 1,
                                 regs_user=3, regs_intr=4)]))
    begin(file)
    file.samples(3, HEAP, INTEL_LOCAL, cpu=2)
    file.samples(4, HEAP, INTEL_REMOTE, cpu=0)
    return file


def mixed(*_):
    """An event whose samples have no address, together with one whose samples have addresses."""
    file = two_nodes(File([Event("dummy:HG", IP | TID | TIME | CPU | IDENTIFIER, (1, 2, 3, 4), type=1, config=9),
                           intel_events()[0]]))
    file.executes(100, "prog")
    file.map(100, HEAP, HEAP + 0x21000, 0, 3, "[heap]")
    file.samples(3, HEAP, INTEL_LOCAL, cpu=2, event=1)
    file.samples(2, 0, 0, event=0)
    return file


def only(kinds):
    file = two_nodes(File([Event("cpu/mem-loads,ldlat=30/P", kinds)]))
    file.executes(100, "prog")
    file.sample(HEAP, INTEL_LOCAL)
    return file


def no_address(*_):
    return only(MEMORY & ~ADDR)


def no_source(*_):
    return only(MEMORY & ~DATA_SRC)


def no_cpu(*_):
    return only(MEMORY & ~CPU)


def no_time(*_):
    return only(MEMORY & ~TIME)


def unknown_field(*_):
    return only(MEMORY | 1 << 30)


def no_samples(*_):
    file = two_nodes(File(intel_events()))
    file.executes(100, "prog")
    return file


def other_event(*_):
    file = two_nodes(File([Event("page-faults", MEMORY, type=1, config=2, period=1)]))
    file.executes(100, "prog")
    file.samples(3, HEAP, NOTHING)
    return file


def other_build(program, _):
    """A file of the program, and its build id, which differs from that of the present file."""
    file = intel_begun()
    path = text(program or "/prog")
    if program:
        file.program(100, program)
    body = struct.pack("<I", 100) + bytes(range(1, 21)) + b"\x14\0\0\0" + path
    file.feature(2, struct.pack("<IHH", 0, 2 | 1 << 15, 8 + len(body)) + body)
    return file


def other_machine(*_):
    file = intel_begun()
    file.feature(6, header_text("ppc64le"))
    return file


def one_node(*_):
    file = intel_begun()
    file.nodes({0: "0-3"}, [0, 0, 1, 1])
    return file


def no_nodes(*_):
    file = intel_begun()
    del file.features[14], file.features[13], file.features[7]
    return file


def compressed(*_):
    file = intel_begun()
    file.record(COMPRESSED, 0, b"z" * 16)
    return file


def damaged(*_):
    file = intel_begun()
    file.records.append(struct.pack("<IHH", SAMPLE, 0, 4))
    return file


def short_sample(*_):
    file = intel_begun()
    file.record(SAMPLE, 2, b"s" * 16)
    return file


def intel_begun():
    file = two_nodes(File(intel_events()))
    begin(file)
    file.samples(10, HEAP, INTEL_LOCAL, cpu=0)
    file.samples(6, HEAP, INTEL_REMOTE, cpu=2)
    return file


def plain(*_):
    return intel_begun()


if __name__ == "__main__":
    arguments = sys.argv[3:]
    addresses = {name: int(value, 16) for name, value in (word.split("=") for word in arguments[1:])}
    globals()[sys.argv[1]](arguments[0] if arguments else None, addresses).write(sys.argv[2])
