# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Processes of a test: they end with the test, and every wait has a time limit.

What lives here: the arguments that the tests in Python pass to subprocess, and a limit for calls that block.
May use only Python's standard library.
"""
import contextlib
import ctypes
import os
import signal
import subprocess

# Seconds: twenty times the duration of any operation on an idle machine. Only a process that hangs
# reaches the limit.
LIMIT = 300
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def owned():
    """For preexec_fn, and for children that were forked in another way: the child is killed when
    this process ends."""
    parent = os.getpid()

    def begin():
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    return begin


def start(arguments, **options):
    """subprocess.Popen of a process that ends when this process ends, however this process ends."""
    return subprocess.Popen(arguments, preexec_fn=owned(), **options)


def run(arguments, **options):
    """The same for subprocess.run; a process that does not end is killed after the time limit."""
    options = {"check": False, "timeout": LIMIT, **options}
    return subprocess.run(arguments, preexec_fn=owned(), **options)


@contextlib.contextmanager
def within(what, seconds=LIMIT):
    """A block that ends with an error if @what has not happened in time. Blocks must not be
    nested."""
    def late(*_):
        raise TimeoutError(f"{what}: not within {seconds} s")
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
