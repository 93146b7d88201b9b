"""Returns the memory of large answers to the operating system (glibc's mmap threshold)."""

import ctypes
import platform

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # as malloc.h has them
ON_ITS_OWN = 1 << 20
KEPT_FREE = 8 << 20


def give_back() -> None:
    """Fix glibc's mmap threshold at 1 MiB, which otherwise grows with use.

    Otherwise a server that has sent a few answers of 16 MiB keeps 100 MiB for good. Other C libraries need no such
    setting.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, ON_ITS_OWN)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT_FREE)
