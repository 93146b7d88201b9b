"""A worker process's limits on memory and processor time (RLIMIT_AS, ITIMER_PROF), and its memory use."""

import contextlib
import ctypes
import gc
import math
import os
import signal
import sys

if sys.platform != "win32":  # it has no such limits; what the pool allows on the clock holds there too
    import resource

MOST_KEPT = 1 / 3  # of its memory: a worker that keeps more between jobs has too little left for the next one
STATM = "/proc/self/statm"
SHORTEST = 1e-3  # seconds: a timer of none at all is no limit


class Memory:
    """The limit on this process's address space, relative to its size now."""

    def __init__(self, extra: int) -> None:
        """Allow `extra` bytes beyond what is mapped already, which depends on the build of torch."""
        self.extra = extra
        self.file: int | None = None  # kept open: a locked process can't open it
        if not sys.platform.startswith("linux"):
            return
        self.file = os.open(STATM, os.O_RDONLY)
        self.start = self.used()
        resource.setrlimit(resource.RLIMIT_AS, (at_most(resource.RLIMIT_AS, self.start + extra),) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def used(self) -> int:
        """Bytes mapped."""
        if self.file is None:
            return 0
        return int(os.pread(self.file, 64, 0).split()[0]) * resource.getpagesize()

    def spent(self) -> bool:
        """Whether the process holds more than MOST_KEPT of its limit even after a garbage collection."""
        if self.file is None or not self._grown():
            return False
        gc.collect()
        with contextlib.suppress(AttributeError):  # glibc alone has it
            ctypes.CDLL(None).malloc_trim(0)
        return self._grown()

    def _grown(self) -> bool:
        return self.used() - self.start > self.extra * MOST_KEPT


def limit_time(seconds: float) -> None:
    """Have the kernel end this process by SIGPROF after `seconds` more of processor time; `inf` lifts the limit.

    A process that waits for a processor, as on a busy machine, uses none up.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, max(seconds, SHORTEST) if math.isfinite(seconds) else 0)


def at_most(kind: int, wanted: int) -> int:
    """A limit that doesn't go beyond one that whoever started the server has set, as with `ulimit -v`."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
