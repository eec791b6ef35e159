# SPDX-License-Identifier: MIT
"""SMiLE Monitor: which nodes access which pages.

This module uses the library libsmile-monitor through ctypes. Open a recording, a capture or a card, read its
records, and get the counts. The six functions of the papers have their names without the prefix Monitor_:

    from smile_monitor import Monitor
    with Monitor("sor-node0.rec", "sor-node1.rec") as mon:
        for row in mon.histogram_info():
            print(row.page, row.home, row.source, row.accesses)

Counts are exact Python integers. A failure raises MonitorError, which is an OSError with the message of
the library. The message names the failure and the remedy. A call for a closed Monitor, or with a text that has a null
character, raises ValueError. A number that the library's type cannot hold raises OverflowError. Only one thread at a
time may use a Monitor.
"""
import ctypes
import errno
import operator
import os
import time
from collections import namedtuple

__all__ = ["Monitor", "MonitorError", "HistogramRow", "Phase", "Sections", "PAGE_BYTES", "version"]

PAGE_BYTES = 4096
_CONFIG_FIELDS = ("size", "node", "filter", "mode", "max_range_bytes", "entries", "phase_events", "reserved",
                  "timer_us", "timer_event", "time_us", "watermark_records", "latency_us")

HistogramRow = namedtuple("HistogramRow", "page home source accesses reads writes locks ratio")
HistogramRow.__doc__ = """Accesses of one node to one page; ratio is the share of these accesses in all accesses to the
page."""
Sections = namedtuple("Sections", "counts straddling")
Sections.__doc__ = """Accesses to the sections of a page, as counts[section][node]. straddling[node] is the number of
accesses that were counted in a range that touches several sections. They are included in the totals of the page, but in
no section."""
Phase = namedtuple("Phase", "phase name open event end_ns accesses")
Phase.__doc__ = """A phase of the program. phase is its number, from 0; name is its name, or None. open is true if no
mark has ended the phase yet; otherwise event is the event that ended it, and end_ns is the card's clock at that time.
accesses is the number of accesses to all pages."""


class MonitorError(OSError):
    """A failure, with the message of the library. errno is the error that the library returned."""


class _HistogramRow(ctypes.Structure):
    _fields_ = [("page", ctypes.c_uint64), ("home", ctypes.c_uint32), ("source", ctypes.c_uint32),
                ("accesses", ctypes.c_uint64), ("reads", ctypes.c_uint64), ("writes", ctypes.c_uint64),
                ("locks", ctypes.c_uint64), ("ratio", ctypes.c_double)]


class _Config(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in _CONFIG_FIELDS] + [("reserved2", ctypes.c_uint32 * 3)]


class _Phase(ctypes.Structure):
    _fields_ = [("event", ctypes.c_uint32), ("open", ctypes.c_uint32), ("end_ns", ctypes.c_uint64),
                ("accesses", ctypes.c_uint64)]


_monitor, _counts, _size, _unsigned = ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t, ctypes.c_uint
_SIGNATURES = {
    "Monitor_accesses_known": [_monitor, _unsigned],
    "Monitor_accesses_show": [_monitor, ctypes.c_int],
    "Monitor_attach": [_monitor, ctypes.c_char_p],
    "Monitor_close": [_monitor],
    "Monitor_config_set": [_monitor, ctypes.POINTER(_Config)],
    "Monitor_ended": [_monitor],
    "Monitor_event": [_monitor, _unsigned],
    "Monitor_get_packets": [_monitor, _counts, _size],
    "Monitor_histogram_info": [_monitor, ctypes.POINTER(_HistogramRow), _size],
    "Monitor_nodes": [_monitor],
    "Monitor_open": [ctypes.POINTER(_monitor), ctypes.c_char_p],
    "Monitor_page_home": [_monitor, ctypes.c_uint64],
    "Monitor_phase_info": [_monitor, _unsigned, ctypes.c_uint64, _counts, _size, _size],
    "Monitor_phases": [_monitor, ctypes.POINTER(_Phase), _size],
    "Monitor_poll": [_monitor, ctypes.c_int],
    "Monitor_save": [_monitor, ctypes.c_char_p, ctypes.c_char_p],
    "Monitor_sections_info": [_monitor, _unsigned, ctypes.c_uint64, _unsigned, _counts, _counts, _size],
    "Monitor_sections_read": [_monitor, _unsigned, ctypes.c_uint64, _unsigned, _counts, _counts, _size],
    "Monitor_sections_write": [_monitor, _unsigned, ctypes.c_uint64, _unsigned, _counts, _counts, _size],
    "Monitor_start": [_monitor],
    "Monitor_stop": [_monitor],
    "Monitor_swap": [_monitor],
}


def _load():
    """Load the shared library from the file that SMILE_MONITOR_LIBRARY names or, without it, that the system finds."""
    name = os.environ.get("SMILE_MONITOR_LIBRARY", "libsmile-monitor.so.0")
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"{name} cannot be loaded: {error}: install the library and run ldconfig, or set "
                          "SMILE_MONITOR_LIBRARY to its path") from error
    for function, arguments in _SIGNATURES.items():
        getattr(library, function).argtypes = arguments
        getattr(library, function).restype = ctypes.c_int
    library.Monitor_config_default.argtypes = [ctypes.POINTER(_Config)]
    library.Monitor_config_default.restype = None
    library.Monitor_error_message.restype = ctypes.c_char_p
    library.Monitor_version.restype = ctypes.c_char_p
    library.Monitor_phase_name.argtypes = [_monitor, _size]
    library.Monitor_phase_name.restype = ctypes.c_char_p
    return library


_library = _load()


def version():
    """Get the version of the library, such as "1.2.3"."""
    return _library.Monitor_version().decode()


def _number(kind, value):
    """Convert an integer to the C type kind. ctypes alone would silently cut off the integer's high bits."""
    number = operator.index(value)
    if kind(number).value != number:
        raise OverflowError(f"{number} is out of range")
    return number


def _argument(kind, value):
    """Convert an argument of a C function whose parameter has the type kind."""
    if kind is _monitor and not value:
        raise ValueError("the Monitor is closed")
    if kind is ctypes.c_char_p and b"\0" in value:
        raise ValueError(f"{value!r} has a null character, at which C would end the text")
    return _number(kind, value) if kind in (ctypes.c_int, ctypes.c_uint, ctypes.c_size_t, ctypes.c_uint64) else value


def _call(name, *arguments):
    function = getattr(_library, name)
    result = function(*map(_argument, function.argtypes, arguments))
    if result < 0:
        raise MonitorError(-result, _library.Monitor_error_message().decode(errors="replace"))
    return result


def _matrix(numbers, rows, columns):
    return [list(numbers[i * columns:(i + 1) * columns]) for i in range(rows)]


class Monitor:
    """A source of records, and the counts of the records that were read so far.

    Monitor(source, *more): A source is "file:RECORDING" or the path of a recording, "emu:CAPTURE", "dev:N", "read:N" or
    "pci:SLOT", as in Monitor_open(3). Further recordings are merged into the view. A recording is read to its end
    immediately. For a card or a capture, call start(), then poll() while it counts, then stop() and swap(). For a
    capture, run() makes all these calls.

    If a machine has caches that serve all memory, a recording of smile run has both the accesses of processors and the
    transactions that the caches did not serve. The views count accesses; show_transactions() selects transactions.
    For other machines, and for cards, the views count the transactions that the cards counted.
    """

    def __init__(self, source, *more):
        self._mon = ctypes.c_void_p()
        _call("Monitor_open", ctypes.byref(self._mon), os.fsencode(source))
        try:
            for one in more:
                _call("Monitor_attach", self._mon, os.fsencode(one))
            # A recording's name may also have a colon.
            if os.fsdecode(source).split(":")[0] not in ("dev", "read", "emu", "pci"):
                while self.poll(0):
                    pass
                self.show_transactions(False)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def close(self):
        """Close the Monitor, and complete a recording that is being saved. Closing twice is allowed."""
        mon, self._mon = self._mon, ctypes.c_void_p()
        if mon:
            _call("Monitor_close", mon)

    def configure(self, **fields):
        """Configure a stopped card. Arguments are fields of struct smile_config, such as max_range_bytes=64; all other
        fields get the library's default values."""
        config = _Config()
        _library.Monitor_config_default(ctypes.byref(config))
        for name, value in fields.items():
            if name not in _CONFIG_FIELDS:
                raise TypeError(f"struct smile_config has no field '{name}'")
            setattr(config, name, _number(ctypes.c_uint32, value))
        _call("Monitor_config_set", self._mon, ctypes.byref(config))

    def save(self, path, command_line=""):
        """Begin to write all further records also to a recording."""
        _call("Monitor_save", self._mon, os.fsencode(path), command_line.encode())

    def start(self):
        """Start counting."""
        _call("Monitor_start", self._mon)

    def poll(self, timeout_ms=-1):
        """Read records. Wait at most timeout_ms for the first record; -1: no limit. Returns the number of records. If
        a signal arrives whose handler raises no exception, the call continues to wait."""
        end = time.monotonic() + timeout_ms / 1000
        while True:
            try:
                return _call("Monitor_poll", self._mon, timeout_ms)
            except MonitorError as error:
                if error.errno != errno.EINTR:
                    raise
            if timeout_ms > 0:
                timeout_ms = max(0, round((end - time.monotonic()) * 1000))

    def stop(self):
        """Stop counting. The card keeps the counts in its counters until swap()."""
        _call("Monitor_stop", self._mon)

    def swap(self):
        """Read the counts that are still in the card's counters. Returns the number of records."""
        return _call("Monitor_swap", self._mon)

    def event(self, number):
        """Raise a global event. If this event is configured as a phase mark, it ends a phase."""
        _call("Monitor_event", self._mon, number)

    def ended(self):
        """Return True if no further records will arrive."""
        return bool(_call("Monitor_ended", self._mon))

    def run(self):
        """Pass a whole capture to the emulated card: start, read all records, stop, and swap."""
        self.start()
        while not self.ended():
            self.poll(100)
        self.stop()
        self.swap()
        return self

    # ---- the views ----

    def has_caches(self):
        """Return True if accesses of processors are known, in addition to transactions."""
        return any(_call("Monitor_accesses_known", self._mon, node) for node in range(self.nodes()))

    def show_transactions(self, show=True):
        """Make the views of pages, sections and phases count the transactions that the caches did not serve. With
        show=False, make the views count accesses, as they do initially. If the recordings do not distinguish
        transactions from accesses, nothing changes."""
        if self.has_caches():
            _call("Monitor_accesses_show", self._mon, 0 if show else 1)

    def nodes(self):
        """Get the number of nodes so far, which is the highest node id plus one."""
        return _call("Monitor_nodes", self._mon)

    def get_packets(self):
        """Get the number of transactions from each node to each node, by [source][destination]."""
        nodes = self.nodes()
        counts = (ctypes.c_uint64 * (nodes * nodes))()
        _call("Monitor_get_packets", self._mon, counts, nodes)
        return _matrix(counts, nodes, nodes)

    def histogram_info(self):
        """Get the accesses by page: a list of HistogramRow, ascending by page, home and source."""
        count = _call("Monitor_histogram_info", self._mon, None, 0)
        rows = (_HistogramRow * count)()
        count = min(count, _call("Monitor_histogram_info", self._mon, rows, count))
        return [HistogramRow(*(getattr(row, name) for name in HistogramRow._fields)) for row in rows[:count]]

    def page_home(self, page):
        """Get the home node of a page."""
        return _call("Monitor_page_home", self._mon, page)

    def _sections(self, function, page, home, section_bytes):
        nodes = self.nodes()
        rows = PAGE_BYTES // section_bytes if section_bytes > 0 else 1
        counts, straddling = (ctypes.c_uint64 * (rows * nodes))(), (ctypes.c_uint64 * nodes)()
        home = self.page_home(page) if home is None else home
        _call(function, self._mon, home, page, section_bytes, counts, straddling, nodes)
        return Sections(_matrix(counts, rows, nodes), list(straddling))

    def sections_info(self, page, home=None, section_bytes=64):
        """Get the accesses to one page, by section and node: Sections. section_bytes is a power of two from 4 to 4096.
        If several nodes have a page with this number, home is the page's node."""
        return self._sections("Monitor_sections_info", page, home, section_bytes)

    def sections_read(self, page, home=None, section_bytes=64):
        """Get only the reads of sections_info()."""
        return self._sections("Monitor_sections_read", page, home, section_bytes)

    def sections_write(self, page, home=None, section_bytes=64):
        """Get only the writes of sections_info()."""
        return self._sections("Monitor_sections_write", page, home, section_bytes)

    def phases(self):
        """Get the phases of the program so far: a list of Phase."""
        count = _call("Monitor_phases", self._mon, None, 0)
        phases = (_Phase * count)()
        _call("Monitor_phases", self._mon, phases, count)
        names = [_library.Monitor_phase_name(self._mon, i) for i in range(count)]
        return [Phase(i, name.decode(errors="replace") if name else None, bool(phase.open),
                      None if phase.open else phase.event, None if phase.open else phase.end_ns, phase.accesses)
                for i, (name, phase) in enumerate(zip(names, phases))]

    def phase_info(self, page, home=None):
        """Get the accesses to one page in each phase: counts by [phase][node]."""
        nodes, phases = self.nodes(), _call("Monitor_phases", self._mon, None, 0)
        counts = (ctypes.c_uint64 * (phases * nodes))()
        home = self.page_home(page) if home is None else home
        _call("Monitor_phase_info", self._mon, home, page, counts, phases, nodes)
        return _matrix(counts, phases, nodes)
