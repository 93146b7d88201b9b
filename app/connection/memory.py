"""The memory of a process: that of large answers goes back to the system, and garbage is looked for seldom."""

import ctypes
import gc
import platform

from app.client import forget_clients

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # as malloc.h has them
ON_ITS_OWN = 1 << 20
KEPT_FREE = 8 << 20
# A plan is some 50,000 objects that stay, and Python looks through the young ones at every 700.
SELDOM = 20_000, 20, 100


def give_back() -> None:
    """Fix glibc's mmap threshold at 1 MiB, which otherwise grows with use.

    Otherwise a server that has sent a few answers of 16 MiB keeps 100 MiB for good. Other C libraries need no such
    setting.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, ON_ITS_OWN)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT_FREE)


def give_back_now() -> None:
    """What a thousand connections have left, which would wait long: cycles are looked for seldom, and pages of small
    objects stay with the C library. A mebibyte of them goes back only as a whole: one address keeps it."""
    forget_clients()
    gc.collect()
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def collect_seldom() -> None:
    """Leave out what is loaded now of every later garbage collection, and have fewer of them.

    They took an eighth of a first walk; no cycle holds a plan or a run, so nothing large waits for one.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
