"""The process of one run: trains turn by turn, and between two turns carries out what it is asked."""

import contextlib
import json
import signal
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.body import Posted
from app.compute.answering import OK, answered, encode
from app.compute.process_limits import limit_time
from app.compute.worker import Given, shut_off
from app.training.frames import ANSWER, COMMAND, EVENT, EVERY, FRAME, SAVED, STATUSES

PIECE = 1 << 16
OWN = ("about", "walk")  # questions that the server words itself; what comes of them is only for whoever asked
RUN = "a training run"


@dataclass(frozen=True)
class Bounds:
    """What the process of a run may take: bytes of memory, and seconds of processor time to begin and in all."""

    memory: int
    begin: float
    whole: float


@dataclass(frozen=True)
class Begun:
    """What a run goes on from: its last state, if it has one, and how many steps of each of two were told since."""

    saved: bytes | None = None
    told: tuple[int, int] = (0, 0)


def train(link: socket.socket, given: Given, bounds: Bounds, body: bytes, begun: Begun) -> None:
    """Carry out one run until the other end of `link` closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the server has gone: there is nobody to tell
        Conversation(link).hold(given, bounds, body, begun)


class Conversation:
    """One process's end of the link to the server."""

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        self.session: Any = None
        self.saved = 0.0

    def hold(self, given: Given, bounds: Bounds, body: bytes, begun: Begun) -> None:
        """Begin the run in the sandbox, say whether it began, and go on to the end."""
        answer = answered(lambda: served(given), RUN)
        self.memory = shut_off(self.link, bounds.memory)  # from here on a stranger's program is read
        if answer[0] == OK:
            limit_time(bounds.begin)
            answer = answered(lambda: self.begin(given, body, begun.saved), RUN)
            limit_time(bounds.whole)
        self.tell(ANSWER, answer[1], 0, answer[0])
        if answer[0] != OK:
            return
        self.session.go_on(begun.told)
        self.tell_all(self.session.begin())
        self.save()
        self.work()

    def begin(self, given: Given, body: bytes, saved: bytes | None) -> bytes:
        """Read the program, and its state where it goes on from one; `session` is there only if nothing was refused."""
        import backend  # here and not above: the server's own process stays free of torch

        self.session = backend.training_session(Posted(body, {}).read("training"), given.names, saved)
        return encode(self.session.about())

    def work(self) -> None:
        """Turn by turn, with whatever was asked in between."""
        while True:
            while self.wait(block=not self.session.busy):
                self.carry_out()
            self.tell_all(self.session.turn())
            if not self.session.busy or time.monotonic() - self.saved > EVERY:
                self.save()

    def wait(self, block: bool) -> bool:
        """Whether a command is there; the end of the link ends the process."""
        try:
            there = self.link.recv(1, socket.MSG_PEEK | (0 if block else socket.MSG_DONTWAIT))
        except BlockingIOError:
            return False
        if not there:
            raise SystemExit
        return True

    def carry_out(self) -> None:
        """Read one command and answer it."""
        number, name_length, length = COMMAND.unpack(self.read(COMMAND.size))
        name, body = self.read(name_length).decode(), self.read(length)
        events: list[Any] = []

        def command() -> bytes:
            told = json.loads(body) if name in OWN else Posted(body or b"{}", {}).read(f"training-{name}")
            events.extend(self.session.command(told | {"do": name}))
            return encode(events[-1] if events else {})

        status, answer = answered(command, RUN)
        if name not in (*OWN, "compare", "sample", "replay", "cancel-replay"):
            self.save(number)  # first, so that nothing is answered, or told, that may be lost
        if status == OK and name not in OWN:
            self.tell_all(events)
        self.tell(ANSWER, answer, number, status)

    def read(self, length: int) -> bytes:
        """So many bytes of the link."""
        data = bytearray()
        while len(data) < length:
            piece = self.link.recv(min(length - len(data), PIECE))
            if not piece:
                raise SystemExit
            data += piece
        return bytes(data)

    def tell_all(self, events: Iterable[Any]) -> None:
        """Send events as they come."""
        for event in events:
            self.tell(EVENT, encode(event))

    def save(self, number: int = 0) -> None:
        """Send the state, from which another process can go on; with the number of the command that has changed it."""
        self.saved = time.monotonic()
        self.tell(SAVED, self.session.save(), number)

    def tell(self, kind: int, body: bytes, number: int = 0, status: int = 0) -> None:
        """Send one frame."""
        place = STATUSES.index(self.session.status) if self.session is not None else 0
        self.link.sendall(FRAME.pack(kind, place, number, status, len(body)))
        self.link.sendall(body)


def served(given: Given) -> bytes:
    """Have everything that is read from files while that may be done."""
    given.serve()
    return b""
