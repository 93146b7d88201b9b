"""`python -m tests.support.probing`: what a locked worker process can still reach, tried from inside it."""

import ctypes
import errno
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import seccompy
from seccompy import syscalls

from app.compute import lock, worker
from app.compute.process_limits import limit_time

# Called with zeros these would stop or end the process that asks, were they allowed; the last two are the kernel's own.
FATAL = {"pause", "vfork", "fork", "rt_sigsuspend", "reboot", "vhangup", "uprobe", "uretprobe"}
TABLE = syscalls.X86_64_SYSCALLS if seccompy.arch() == "x86_64" else syscalls.AARCH64_SYSCALLS
PARENT = os.getppid()


def connect(kind: socket.AddressFamily, address: Any) -> None:
    with socket.socket(kind) as client:
        client.connect(address)


ATTEMPTS: dict[str, Callable[[], object]] = {
    "read a file": lambda: Path("/etc/passwd").read_bytes(),
    "read this file": lambda: Path(__file__).read_bytes(),
    "list a folder": lambda: os.listdir("/"),  # noqa: PTH208
    "ask for a file": lambda: Path("/etc/passwd").stat(),
    "write a file": lambda: Path("/tmp/probe").write_text("x"),
    "make a folder": lambda: Path("/tmp/probe-folder").mkdir(),
    "remove a file": lambda: Path("/tmp/probe").unlink(),
    "write to its memory's file": lambda: Path("/proc/self/mem").write_bytes(b"x"),
    "read another's environment": lambda: Path(f"/proc/{PARENT}/environ").read_bytes(),
    "open a TCP connection": lambda: connect(socket.AF_INET, ("127.0.0.1", 9)),
    "open a local connection": lambda: connect(socket.AF_UNIX, "/run/docker.sock"),
    "make a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "fork": os.fork,
    "start a program": lambda: subprocess.run(["/bin/true"], check=True),
    "become a program": lambda: os.execv("/bin/true", ["true"]),
    "see another process": lambda: os.kill(PARENT, 0),
    "end every process": lambda: os.kill(-1, 0),
    "wait in nobody's file": lambda: os.memfd_create("probe"),
    "lift its limit": lambda: lift_memory_limit(),
}
BY_LANDLOCK = {
    "read a file",
    "read this file",
    "list a folder",
    "write a file",
    "make a folder",
    "write to its memory's file",
    "read another's environment",
    "open a TCP connection",
    "see another process",
}


def lift_memory_limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, resource.getrlimit(resource.RLIMIT_AS))


def outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except PermissionError:
        return "denied"
    except ValueError as error:  # as setrlimit says it
        return "denied" if "not allowed" in str(error) else repr(error)
    except Exception as error:
        return repr(error)
    return "done"


def allowed_calls() -> list[str]:
    """The system calls that are let through, of all that are on no list of ours."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    known = set(" ".join(lock.ALLOWED.values()).split()) | {"setitimer", "clone"} | FATAL
    found = []
    for name, number in TABLE.items():
        if name not in known and (call(number, *[0] * 6) != -1 or ctypes.get_errno() not in REFUSED):
            found.append(name)
    return found


REFUSED = {errno.EPERM, errno.ENOSYS}


def still_living() -> list[str]:
    """What a worker needs: memory, a thread, its limit of time, randomness."""
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.append("thread"))
    thread.start()
    thread.join()
    limit_time(100)
    assert len(bytearray(50 << 20)) == 50 << 20
    assert len(os.urandom(8)) == 8
    return seen


def main() -> None:
    if sys.argv[1] == "landlock":
        lock._landlock()
        found: Any = {name: outcome(ATTEMPTS[name]) for name in BY_LANDLOCK}
    elif sys.argv[1] == "seccomp":
        lock.find_c_library()
        lock._seccomp()
        found = {"calls": allowed_calls()} | {name: outcome(one) for name, one in ATTEMPTS.items()}
    else:
        found = shut_off()
    print(json.dumps(found))


def shut_off() -> dict[str, Any]:
    ours, theirs = socket.socketpair()
    terminal, keyboard = os.pipe()
    os.write(keyboard, b"typed")
    os.dup2(terminal, 0)
    extra = os.open("/etc/hostname", os.O_RDONLY)
    held, _ = worker.shut_off(ours, 512 << 20)
    still_open = [number for number in (extra, theirs.fileno()) if outcome(partial(os.fstat, number)) == "done"]
    heard = os.read(0, 5).decode()
    return {
        "held": held, "open": still_open, "environment": dict(os.environ), "heard": heard, "living": still_living(),
    }  # fmt: skip


if __name__ == "__main__":
    main()
