"""A worker process: answers jobs one after another over a socket, within limits that the kernel enforces."""

import contextlib
import inspect
import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.body import Posted
from app.classroom import class_types
from app.compute.answering import OUT_OF_MEMORY, Answer, answered, encode
from app.compute.lock import close_all_but, hear_nothing, lock
from app.compute.process_limits import Memory, limit_time
from app.endpoints import BY_PATH, ENDPOINTS, Endpoint

FRAME = struct.Struct("!H?Q")  # status, whether the worker is spent, length
REQUEST = struct.Struct("!Q")  # length
AT_ONCE = 1 << 18  # bytes of an answer that are sent with what is told of it: most are no longer
FIRST_LESSON = {"lesson": "makemore-mlp"}
Jobs = dict[str, Callable[[Any], bytes]]


@dataclass(frozen=True)
class Given:
    """What an operator gives to be served: a list of words, a folder of chapters, one with the files of MNIST."""

    names: Path | None = None
    lessons: Path | None = None
    mnist: Path | None = None

    def serve(self) -> None:
        """Let the engine of this process have the words, the chapters and the digits: it may soon open no file."""
        import app.compute.preload  # noqa: F401 - loaded already where this process was forked from one that has it
        import backend  # here and not above: the server's own process imports this module and must stay free of torch

        with contextlib.suppress(OSError, backend.WordListError):  # told where words are needed
            backend.kept_words(self.names)
        if self.lessons is not None:
            backend.serve_chapters(self.lessons)
        if self.mnist is not None:
            backend.serve_mnist(self.mnist)


def serve(link: socket.socket, given: Given, memory: int, deadline: float) -> None:
    """Answer jobs until the other end of `link` closes; each gets `deadline` seconds of processor time, and all of them
    share `memory` bytes more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the server decides when to stop
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the server has gone: there is no one to answer
        work(link, given, memory, deadline)


def work(link: socket.socket, given: Given, memory: int, deadline: float) -> None:
    """Load, enter the sandbox, walk once, report readiness, and answer jobs."""
    jobs = load_jobs(given.names, deadline)
    begun = answer(jobs, "load", given)
    held, used = shut_off(link, memory)
    send(link, answer(jobs, "ready", held) if begun[0] == 200 else begun)
    stream = link.makefile("rb")
    while head := stream.read(REQUEST.size):
        job, argument = pickle.loads(stream.read(*REQUEST.unpack(head)))  # noqa: S301 - our own server wrote it
        limit_time(deadline)
        reply = answer(jobs, job, argument)
        send(link, reply, reply == OUT_OF_MEMORY or used.spent())


def shut_off(link: socket.socket, memory: int) -> tuple[str, Memory]:
    """Enter the sandbox with the socket, the log, and `memory` bytes more; returns its name and the memory limit."""
    os.environ.clear()
    hear_nothing()
    close_all_but(link.fileno())
    used = Memory(memory)
    return lock(), used


def load_jobs(names: Path | None, deadline: float) -> Jobs:
    """Every job by its name, as a function from its argument to a finished JSON document."""
    import backend  # here and not above: the server's own process imports this module and must stay free of torch
    from app.site.here import Here
    from app.site.recording import exported

    posted = {endpoint.job: carried_out(endpoint, {"names": names, "deadline": deadline}) for endpoint in ENDPOINTS}
    here = Here("", lambda path, body: posted[BY_PATH[path].job](body))

    def export(wanted: Any) -> bytes:
        if wanted["format"] == "html":
            return encode(exported(here, wanted["walk"], deadline))
        return posted["export"](wanted)

    def load(given: Given) -> bytes:
        given.serve()
        return backend.walk(FIRST_LESSON, names)

    def ready(held: str) -> bytes:
        backend.walk(FIRST_LESSON, names)
        return encode({"locked": held})

    return {
        "load": load,
        "ready": ready,
        **posted,
        "export": export,
        "drills": lambda wanted: encode(backend.drills(*wanted)),
        "starts": lambda _: encode({"starts": backend.starts()}),
        "chapters": lambda _: encode({"chapters": backend.chapters(), "faults": backend.chapter_faults()}),
        "chapter": lambda name: encode(backend.chapter(name, names)),
        "exhibits": lambda _: encode(backend.exhibits()),
        "exhibit": lambda name: encode(backend.exhibit(name, names)),
        "sections": lambda _: encode({"sections": backend.sections()}),
        "lessons": lambda _: encode({"lessons": backend.lessons()}),
        "lesson": lambda name: encode(backend.lesson(name)),
        "operation-walk": lambda name: encode(backend.operation_walk(name)),
        "operations": lambda _: encode({"operations": backend.operations()}),
        "answer-schemas": lambda names: encode(backend.answer_schemas(names, (class_types,))),
        "number-judged": lambda asked: encode(backend.number_judged(*asked)),
        "number-text": lambda number: encode(backend.number_text(number)),
        "uses": lambda _: encode({"uses": backend.uses()}),
    }


def carried_out(endpoint: Endpoint, known: Mapping[str, object]) -> Callable[[Any], bytes]:
    """The job of an endpoint; of what this process knows its function is given what it has parameters for."""
    function = endpoint.load()
    given = {name: known[name] for name in known.keys() & inspect.signature(function).parameters}

    def carry_out(wanted: Any) -> bytes:
        told = function(*([wanted[field] for field in endpoint.fields] or [wanted]), **given)
        return told if isinstance(told, bytes) else encode(told)

    return carry_out


def answer(jobs: Jobs, job: str, argument: Any) -> Answer:
    """HTTP status and JSON document of one job."""
    return answered(lambda: jobs[job](argument.read(job) if isinstance(argument, Posted) else argument), f"job {job!r}")


def send(link: socket.socket, reply: Answer, spent: bool = False) -> None:
    """Write one answer as a frame; `spent` asks the pool to replace this worker."""
    status, body = reply
    whole = memoryview(body)
    link.sendall(FRAME.pack(status, spent, len(body)) + whole[:AT_ONCE])  # whoever reads is woken once
    if len(whole) > AT_ONCE:
        link.sendall(whole[AT_ONCE:])
