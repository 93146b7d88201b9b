"""The inside of a worker process: answer one job after another over a socket, within limits the kernel enforces."""

import contextlib
import json
import logging
import pickle
import signal
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows has no such limits; the pool's deadline holds there too
    resource = None  # type: ignore[assignment]

FRAME = struct.Struct("!HQ")  # status, length
REQUEST = struct.Struct("!Q")  # length
Answer = tuple[int, bytes]
log = logging.getLogger("gradwalk.worker")


def serve(link: socket.socket, names: Path | None, memory: int, deadline: float) -> None:
    """Answer jobs until the other end of `link` closes; each gets `deadline` seconds, all share `memory` bytes more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the server decides when to stop
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the server has gone: there is no one to answer
        work(link, names, memory, deadline)


def work(link: socket.socket, names: Path | None, memory: int, deadline: float) -> None:
    """Get ready, say so, and answer jobs."""
    jobs = load_jobs(names, deadline)
    hello = answer(jobs, "ready", None)
    limit_memory(memory)
    send(link, hello)
    stream = link.makefile("rb")
    while head := stream.read(REQUEST.size):
        job, argument = pickle.loads(stream.read(*REQUEST.unpack(head)))  # noqa: S301 - our own server wrote it
        limit_time(int(deadline) + 1)
        send(link, answer(jobs, job, argument))


def load_jobs(names: Path | None, deadline: float) -> dict[str, Callable[[Any], bytes]]:
    """Every job by its name, as a function from its argument to a finished JSON document."""
    import backend  # here and not above: the server's own process imports this module and must stay free of torch

    def ready(_: None) -> bytes:
        backend.warm()
        if names is not None:
            backend.walk({"lesson": "makemore-mlp"}, names)
        return b"{}"

    return {
        "ready": ready,
        "walk": lambda request: backend.walk(request, names),
        "cell": lambda wanted: encode(backend.cell(wanted, names)),
        "check": lambda request: encode(backend.check(request)),
        "export": lambda wanted: encode(backend.export(wanted["walk"], wanted["format"], names)),
        "open": lambda wanted: encode(backend.opened(wanted["walk"], wanted["line"])),
        "numeric": lambda wanted: encode(backend.numeric(wanted, names, deadline)),
        "jacobian": lambda wanted: encode(backend.jacobian(wanted, names)),
        "tensor": lambda wanted: encode(backend.window(wanted, names)),
        "starts": lambda _: encode({"starts": backend.starts()}),
        "lessons": lambda _: encode({"lessons": backend.lessons()}),
        "lesson": lambda name: encode(backend.lesson(name)),
        "program": lambda wanted: encode(backend.program(wanted["lesson"], wanted["seed"], names)),
        "operations": lambda _: encode({"operations": backend.operations()}),
    }


def answer(jobs: dict[str, Callable[[Any], bytes]], job: str, argument: Any) -> Answer:
    """The status and the document of one job; a refusal is an answer too, and a fault says nothing of its cause."""
    from backend import Refusal

    try:
        return 200, jobs[job](argument)
    except Refusal as refusal:
        error: dict[str, Any] = {"code": refusal.code, "message": refusal.message, "hint": refusal.hint}
        if refusal.where is not None and "text" in refusal.where:  # a backward line has no place in what was pasted
            error["where"] = refusal.where
        return refusal.status, encode({"error": error})
    except Exception as error:
        if isinstance(error, MemoryError) or "can't allocate memory" in str(error):  # the latter is torch's own
            return 422, fault("memory", "This needs more memory than one program may use.", "Make its tensors smaller.")
        log.exception("the job %r failed", job)
        return 500, fault("internal", "Something went wrong inside the server.", "Its own log says more.")


def fault(code: str, message: str, hint: str) -> bytes:
    """An error document."""
    return encode({"error": {"code": code, "message": message, "hint": hint}})


def encode(document: object) -> bytes:
    """A document as compact JSON in UTF-8."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def send(link: socket.socket, reply: Answer) -> None:
    """Write one answer as a frame."""
    status, body = reply
    link.sendall(FRAME.pack(status, len(body)))
    link.sendall(body)


def limit_memory(extra: int) -> None:
    """Let the address space grow by `extra` bytes from what torch mapped, whichever build of torch that is."""
    if resource is None or not sys.platform.startswith("linux"):
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + extra
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: int) -> None:
    """Let the kernel end this process after `seconds` more of processor time, should the server be unable to."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + seconds, hard))
