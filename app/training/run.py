"""One run as the server sees it: its process, its log of events, its last state, and who watches."""

import asyncio
import json
import secrets
import socket
import time
from collections.abc import AsyncIterator
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess

from app.compute.worker import Answer, Given
from app.errors import Failure
from app.settings import Settings
from app.training.event_log import EventLog
from app.training.frames import ANSWER, COMMAND, EVENT, FRAME, LONGEST, SAVED, STATUSES
from app.training.process import train

PIECE = 1 << 18
START_SECONDS = 60.0
PATIENCE = 30.0  # for the answer to a command
MOST_WAITING = 32  # commands that one run has yet to answer
PING_SECONDS = 15.0  # a comment that shows either side that the connection is alive
PING = b": still here\n\n"
RETRY = b"retry: 1000\n\n"  # milliseconds until a browser takes a lost connection up again
OVER = frozenset({"finished", "stopped", "diverged", "lost"})
OK = 200


class Run:
    """A run and the process that it lives in; `status` is the session's own, or `lost` where its process has died."""

    def __init__(self, settings: Settings, context: ForkServerContext, client: str, body: bytes) -> None:
        self.settings, self.context, self.client, self.body = settings, context, client, body
        self.id = secrets.token_urlsafe(16)
        self.log = EventLog(settings.training_log_mib << 20)
        self.status: str = "running"
        self.saved: bytes | None = None
        self.viewers, self.left = 0, time.monotonic()
        self.answers: dict[int, asyncio.Future[Answer]] = {}
        self.asked = 0
        self.process: BaseProcess | None = None
        self.link: socket.socket | None = None
        self.reading: asyncio.Task[None] | None = None
        self.turns = asyncio.Lock()
        self.sending: set[asyncio.Task[None]] = set()

    # The process.
    async def start(self, saved: bytes | None = None) -> Answer:
        """Start the process, from the beginning or from a state; its first answer says whether the run began."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        limits = self.settings.training_memory_mib << 20, int(self.settings.training_hours * 3600)
        given = Given(self.settings.names, self.settings.lessons, self.settings.mnist)
        arguments = theirs, given, limits, self.body, saved
        self.process, self.link = self.context.Process(target=train, args=arguments, daemon=True), ours
        first: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.answers[0] = first
        await asyncio.to_thread(self._launch, self.process, theirs)
        self.reading = asyncio.create_task(self._read_all(ours))
        try:
            async with asyncio.timeout(START_SECONDS):
                return await first
        except TimeoutError:
            raise Failure(503, "training-slow", "The run did not begin in time.", "Try again in a moment.") from None

    @staticmethod
    def _launch(process: BaseProcess, theirs: socket.socket) -> None:
        with theirs:
            process.start()

    async def _read_all(self, link: socket.socket) -> None:
        try:
            while True:
                kind, place, number, status, length = FRAME.unpack(await self._read(link, FRAME.size))
                if length > LONGEST or place >= len(STATUSES):
                    raise EOFError
                self._take(kind, STATUSES[place], number, (status, await self._read(link, length)))
        except (EOFError, OSError):
            self._lost()

    def _take(self, kind: int, status: str, number: int, answer: Answer) -> None:
        self.status = status
        if kind == EVENT:
            self.log.append(answer[1])
        elif kind == SAVED:
            self.saved = answer[1]
        elif kind == ANSWER and (waiting := self.answers.pop(number, None)) is not None and not waiting.done():
            waiting.set_result(answer)

    async def _read(self, link: socket.socket, length: int) -> bytes:
        loop, buffer = asyncio.get_running_loop(), bytearray(length)
        rest = memoryview(buffer)
        while rest:
            got = await loop.sock_recv_into(link, rest[:PIECE])
            if not got:
                raise EOFError
            rest = rest[got:]
            await asyncio.sleep(0)  # others have a turn, however much there is to read
        return bytes(buffer)

    def _lost(self) -> None:
        """The process has died: whoever waits is told, and so is whoever watches."""
        for waiting in self.answers.values():
            if not waiting.done():
                waiting.set_exception(gone())
        self.answers.clear()
        for task in self.sending:
            task.cancel()
        if self.link is not None:
            self.link.close()
            self.link = None
        if self.log.last and not self.log.closed:
            self.status = "lost"
            self.log.append(json.dumps({"kind": "lost", "resumable": self.saved is not None}).encode())

    # What is asked of it.
    async def ask(self, name: str, body: bytes = b"{}") -> Answer:
        """Have a command carried out; a run whose process has died is started again from its last state to resume."""
        async with self.turns:
            if self.link is None and name in ("resume", "restart"):
                answer = await self.start(self.saved)
                if answer[0] != OK:
                    return answer
        if self.link is None:
            raise gone()
        if len(self.answers) >= MOST_WAITING:
            raise Failure(503, "training-busy", "The run has many commands to carry out.", headers={"Retry-After": "1"})
        self.asked += 1
        number = self.asked
        waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.answers[number] = waiting
        self._send(COMMAND.pack(number, len(name), len(body)) + name.encode() + body, waiting)
        try:
            async with asyncio.timeout(PATIENCE):
                return await waiting
        except TimeoutError:
            raise Failure(504, "training-slow", "The run did not answer in time.", "Try again in a moment.") from None
        finally:
            self.answers.pop(number, None)

    def _send(self, frame: bytes, waiting: asyncio.Future[Answer]) -> None:
        """Send a command, whole even where nobody waits for its answer any more: the next one begins behind it."""

        async def send() -> None:
            async with self.turns:
                if self.link is None:
                    raise gone()
                await asyncio.get_running_loop().sock_sendall(self.link, frame)

        def sent(task: asyncio.Task[None]) -> None:
            self.sending.discard(task)
            if not task.cancelled() and task.exception() is not None and not waiting.done():
                waiting.set_exception(gone())

        task = asyncio.create_task(send())
        self.sending.add(task)
        task.add_done_callback(sent)

    async def stream(self, number: int) -> AsyncIterator[bytes]:
        """The events after one, and then those to come, until the run is forgotten or the server stops."""
        self.viewers += 1
        try:
            if number > self.log.last:
                number = 0
            yield RETRY
            while True:
                if number + 1 < self.log.first:
                    yield missed(number + 1, self.log.first - 1)
                    number = self.log.first - 1
                if events := self.log.after(number):
                    yield b"".join(event.lines for event in events)
                    number = events[-1].number
                    await asyncio.sleep(0)  # others have a turn, however long the log is
                elif self.log.closed:
                    return
                elif not await self._news():
                    yield PING
        finally:
            self.viewers -= 1
            self.left = time.monotonic()

    async def _news(self) -> bool:
        before = self.log.last, self.log.closed
        await self.log.news(PING_SECONDS)
        return (self.log.last, self.log.closed) != before

    @property
    def idle(self) -> float:
        """Seconds since somebody last watched; 0 while somebody does."""
        return 0.0 if self.viewers else time.monotonic() - self.left

    def about(self) -> dict[str, object]:
        """What the server itself knows of it."""
        return {
            "id": self.id, "status": self.status, "first_event": self.log.first, "last_event": self.log.last,
            "watched": self.viewers > 0,
        }  # fmt: skip

    async def end(self) -> None:
        """End the process at once, and every stream."""
        self.log.close()
        if self.reading is not None:
            self.reading.cancel()
            await asyncio.gather(self.reading, return_exceptions=True)
        self._lost()
        if self.process is not None and self.process.pid is not None:
            self.process.kill()
            await asyncio.to_thread(self.process.join)


def missed(first: int, last: int) -> bytes:
    """What a stream says in place of events that are forgotten; it has the number of the last of them."""
    return b"id: %d\ndata: %s\n\n" % (last, json.dumps({"kind": "missed", "first": first, "last": last}).encode())


def gone() -> Failure:
    """The 409 for a run whose process has died."""
    hint = "Resume it: it goes on from its last state."
    return Failure(409, "training-lost", "The process of this run ended unexpectedly.", hint)
