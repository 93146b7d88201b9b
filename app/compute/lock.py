"""The sandbox of a worker process: Landlock and seccomp, so that it opens no file, socket or other process.

Whatever a program might make the interpreter do happens in a process that can only compute and use its one socket. The
sandbox can't be left again, so it is entered after everything a job needs has been loaded.
"""

import contextlib
import errno
import logging
import os
from pathlib import Path

try:
    import landlockpy
    import seccompy
except ImportError:  # they are installed on Linux alone
    landlockpy = seccompy = None  # type: ignore[assignment]  # a module that may be missing has no type

FULL, NONE = "landlock+seccomp", "limits"
ALLOWED = {
    "memory": "brk mmap munmap mprotect mremap madvise",
    "what it has open": "read write sendto recvfrom pread64 lseek fstat close",
    "threads": "futex rseq set_robust_list sched_yield sched_getaffinity getcpu membarrier gettid getpid",
    "time": "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday restart_syscall",
    "its own use": "getrusage sysinfo uname getrandom",
    "signals it gets": "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack",
    "its end": "exit exit_group",
}
A_THREAD = 0x10000  # CLONE_THREAD in clone's first argument: a thread of this process, and no process
OWN_PROCESSOR_TIME = {0: 2}  # ITIMER_PROF, setitimer's first argument
log = logging.getLogger("gradwalk.lock")


def lock() -> str:
    """Enter the sandbox for good; returns what enforces it: "landlock+seccomp", one of the two, or "limits"."""
    find_c_library()
    held = []
    for name, put_on in (("landlock", _landlock), ("seccomp", _seccomp)):
        try:
            put_on()
        except OSError as error:  # the kernel lacks it, or whoever started this process forbids it
            log.warning("a worker goes without %s: %s", name, error)
        else:
            held.append(name)
    return "+".join(held) or NONE


def find_c_library() -> None:
    """Let both libraries locate libc before the fork: it opens files and takes time."""
    for library in (landlockpy, seccompy):
        with contextlib.suppress(OSError, AttributeError):
            library.supported()


def _landlock() -> None:
    """Forbid opening files by name, TCP, and signals to other processes."""
    if landlockpy is None:
        raise OSError(errno.ENOSYS, "this is not Linux")
    scope = landlockpy.Scope.SIGNAL | landlockpy.Scope.ABSTRACT_UNIX_SOCKET
    with landlockpy.Ruleset(scoped=scope) as nothing:
        nothing.restrict()


def _seccomp() -> None:
    """Allow only the listed system calls; any other fails with EPERM."""
    if seccompy is None:
        raise OSError(errno.ENOSYS, "this is not Linux")
    rules = seccompy.Filter(seccompy.Action.ERRNO | errno.EPERM, flags=seccompy.FilterFlag.TSYNC)
    for name in " ".join(ALLOWED.values()).split():
        rules.allow(name)
    rules.allow("setitimer", args=OWN_PROCESSOR_TIME)
    rules.allow("clone", args=[seccompy.ArgCmp(0, seccompy.CmpOp.MASKED_EQ, A_THREAD, A_THREAD)])
    rules.errno("clone3", errno.ENOSYS)  # its flags can't be seen from here; the C library then asks for `clone`
    rules.load()


def hear_nothing() -> None:
    """Let nothing come in from the terminal that the server was started at."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def close_all_but(*kept: int) -> None:
    """Close all file descriptors except the standard three and `kept`."""
    for number in {int(path.name) for path in Path("/dev/fd").iterdir()} - {0, 1, 2, *kept}:
        with contextlib.suppress(OSError):  # the one the list was read from is closed already
            os.close(number)
