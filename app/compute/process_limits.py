"""A worker process's limits on memory and processor time (RLIMIT_AS, RLIMIT_CPU), and its memory use."""

import contextlib
import ctypes
import gc
import os
import sys

if sys.platform != "win32":  # it has no such limits; the pool's deadline holds there too
    import resource

MOST_KEPT = 1 / 3  # of its memory: a worker that keeps more between jobs has too little left for the next one
STATM = "/proc/self/statm"


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


def limit_time(seconds: int) -> None:
    """Have the kernel kill this process after `seconds` more of processor time, should the server fail to."""
    if sys.platform == "win32":
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = at_most(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def at_most(kind: int, wanted: int) -> int:
    """A limit that doesn't go beyond one that whoever started the server has set, as with `ulimit -v`."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
