"""One run as the server sees it: its process, its log of events, its last state, and who watches."""

import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import AsyncGenerator
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess

from app.compute.answering import OK, Answer
from app.compute.link import read
from app.compute.pool import end, not_starting
from app.compute.worker import Given
from app.errors import Failure
from app.events.stream import follow, page
from app.events.tail import Tail
from app.settings import Settings
from app.training.frames import ANSWER, COMMAND, EVENT, FRAME, LONGEST, LONGEST_EVENT, SAVED, STATUSES
from app.training.process import Begun, Bounds, train

START_SECONDS = 90.0  # its processor time is limited besides
NICENESS = 5  # a third of what a walk gets where both want all of a core
PATIENCE = 60.0  # for the answer to a command
MOST_WAITING = 32  # commands that one run has yet to answer
OVER = frozenset({"finished", "stopped", "diverged", "lost"})
FIRST = 0  # the number of what a process says before it is asked for anything
log = logging.getLogger("gradwalk.training")


class TrainingRun:
    """A run and the process that it lives in; `status` is the session's own, or `lost` where its process has died."""

    def __init__(self, settings: Settings, context: ForkServerContext, client: str, body: bytes) -> None:
        self.settings, self.context, self.client, self.body = settings, context, client, body
        self.id = secrets.token_urlsafe(16)
        self.log = Tail(settings.training_log_mib << 20)
        self.status: str = "running"
        self.saved: bytes | None = None
        self.saved_after = 0  # the number of the last event before it
        self.viewers = 0
        self.begun = self.left = self.since = time.monotonic()  # `left` by its viewers; `since` it is as it is
        self.answers: dict[int, asyncio.Future[Answer | None]] = {}  # None where the process has died
        self.asked = 0
        self.process: BaseProcess | None = None
        self.launch: asyncio.Future[None] | None = None
        self.link: socket.socket | None = None
        self.reading: asyncio.Task[None] | None = None
        self.turns = asyncio.Lock()
        self.sending: set[asyncio.Task[None]] = set()

    # The process.
    async def start(self) -> Answer:
        """Start the process, from the beginning or the last state; its first answer says whether the run began."""
        await self._end_process()
        first: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self.answers[FIRST] = first
        try:
            ours, self.launch = self._launched()
            await asyncio.shield(self.launch)
        except OSError:  # no folder for temporary files, no descriptors, no processes
            log.exception("the process of a training run did not start")
            self._lost()
            raise not_starting() from None
        self.reading = asyncio.create_task(self._read_all(ours))
        try:
            async with asyncio.timeout(START_SECONDS):
                answer = await first
        except TimeoutError:
            raise Failure(503, "training-slow", "The run did not begin in time.", "Try again in a moment.") from None
        if answer is None:
            raise await self._stillborn()
        self._give_way()
        self.left = self.since = time.monotonic()
        return answer

    def _give_way(self) -> None:
        """Let walks go first from now on: whoever starts a run waits for its beginning as for a walk."""
        if self.process is not None and self.process.pid is not None:
            with contextlib.suppress(ProcessLookupError):  # it has ended, which its link tells
                os.setpriority(os.PRIO_PROCESS, self.process.pid, NICENESS)

    def _launched(self) -> tuple[socket.socket, asyncio.Future[None]]:
        """Our end of the link to a new process, and the start of it, which goes on whoever waits for it."""
        settings = self.settings
        given = Given(settings.names, settings.lessons, settings.mnist)
        hours = settings.training_hours
        bounds = Bounds(settings.training_memory_mib << 20, settings.training_begin, hours * 3600)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        arguments = theirs, given, bounds, self.body, Begun(self.saved, told_after(self.log, self.saved_after))
        self.process, self.link = self.context.Process(target=train, args=arguments, daemon=True), ours
        return ours, asyncio.ensure_future(asyncio.to_thread(start, self.process, theirs))

    async def _stillborn(self) -> Failure:
        """Why the process died before it had anything to say."""
        process = self.process
        if process is None:
            return gone()
        await asyncio.to_thread(process.join)
        if process.exitcode != -signal.SIGPROF:
            return gone()
        seconds = f"{self.settings.training_begin:g} s of processor time"
        message = f"The program took more than {seconds} before its first step."
        return Failure(504, "too-slow", message, "Make it smaller.")

    async def _read_all(self, link: socket.socket) -> None:
        try:
            while True:
                kind, place, number, status, length = FRAME.unpack(await read(link, FRAME.size))
                if length > (LONGEST_EVENT if kind == EVENT else LONGEST) or place >= len(STATUSES):
                    raise EOFError
                await self._take(kind, STATUSES[place], number, (status, await read(link, length)))
        except (EOFError, OSError):
            self._lost()
            await self._tell_lost()

    async def _take(self, kind: int, status: str, number: int, answer: Answer) -> None:
        if status != self.status:
            self.status, self.since = status, time.monotonic()
        if kind == EVENT:
            await self._tell(answer[1])
        elif kind == SAVED:
            await self._keep(answer[1], number)
        elif kind == ANSWER and (waiting := self.answers.pop(number, None)) is not None and not waiting.done():
            waiting.set_result(answer)

    async def _tell(self, document: bytes) -> None:
        """Tell whoever watches."""
        self.log.append(document)

    async def _tell_lost(self) -> None:
        if self.log.last and not self.log.closed:
            self.status = "lost"
            await self._tell(json.dumps({"kind": "lost", "resumable": self.saved is not None}).encode())

    async def _keep(self, state: bytes, _command: int, /) -> None:
        """Keep a state to go on from; with the number of the command that has changed it, or 0."""
        self.saved, self.saved_after = state, self.log.last

    def _lost(self) -> None:
        """The process has died, or is to: whoever waits is told."""
        for waiting in self.answers.values():
            if not waiting.done():
                waiting.set_result(None)
        self.answers.clear()
        for task in self.sending:
            task.cancel()
        if self.link is None:
            return
        self.link.close()
        self.link = None

    # What is asked of it.
    async def ask(self, name: str, body: bytes = b"{}") -> Answer:
        """Have a command carried out; a run whose process has died is started again from its last state to resume."""
        async with self.turns:
            if self.link is None and name in ("resume", "restart"):
                begun = await self.start()
                if begun[0] != OK:
                    return begun
        if self.link is None:
            raise gone()
        if len(self.answers) >= MOST_WAITING:
            raise Failure(503, "training-busy", "The run has many commands to carry out.", headers={"Retry-After": "1"})
        self.since = time.monotonic()
        self.asked += 1
        number = self.asked
        waiting: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self.answers[number] = waiting
        self._send(COMMAND.pack(number, len(name), len(body)) + name.encode() + body, waiting)
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await waiting
        except TimeoutError:
            raise Failure(504, "training-slow", "The run did not answer in time.", "Try again in a moment.") from None
        finally:
            self.answers.pop(number, None)
        if answer is None:
            raise gone()
        return answer

    def _send(self, frame: bytes, waiting: asyncio.Future[Answer | None]) -> None:
        """Send a command, whole even where nobody waits for its answer any more: the next one begins behind it."""

        async def send() -> None:
            async with self.turns:
                if self.link is None:
                    raise gone()
                await asyncio.get_running_loop().sock_sendall(self.link, frame)

        def sent(task: asyncio.Task[None]) -> None:
            self.sending.discard(task)
            if not task.cancelled() and task.exception() is not None and not waiting.done():
                waiting.set_result(None)

        task = asyncio.create_task(send())
        self.sending.add(task)
        task.add_done_callback(sent)

    def stream(self, number: int) -> AsyncGenerator[bytes, None]:
        """The events after one, and then those to come, until the run is forgotten or the server stops."""
        return follow(self.log, self._known(number))

    async def page(self, number: int, seconds: float) -> bytes:
        """Some of them as a document, waited for as long where there is none yet."""
        return await page(self.log, self._known(number), seconds)

    def _known(self, number: int) -> int:
        return number if number <= self.log.last else 0

    @property
    def starting(self) -> bool:
        """Whether its process has yet to say whether the run begins."""
        return FIRST in self.answers

    @property
    def idle(self) -> float:
        """Seconds since somebody last watched; 0 while somebody does."""
        return 0.0 if self.viewers else time.monotonic() - self.left

    @property
    def rested(self) -> float:
        """Seconds since it paused, or ended, or was last asked for anything; 0 while it trains."""
        return 0.0 if self.status == "running" else time.monotonic() - self.since

    @property
    def age(self) -> float:
        """Seconds since it was begun."""
        return time.monotonic() - self.begun

    def about(self) -> dict[str, object]:
        """What the server itself knows of it."""
        return {
            "id": self.id, "status": self.status, "first_event": self.log.first, "last_event": self.log.last,
            "watched": self.viewers > 0,
        }  # fmt: skip

    async def end(self) -> None:
        """End the process at once, and every stream; what it held is given back now, and not at some collection."""
        self.log.clear()
        await self._end_process()
        self.saved = None

    async def _end_process(self) -> None:
        """End the process, if there is one, and give back what belongs to it."""
        if self.reading is not None:
            self.reading.cancel()
            await asyncio.gather(self.reading, return_exceptions=True)
        self._lost()
        process, launch = self.process, self.launch
        self.process = self.launch = self.reading = None
        if process is not None and launch is not None:
            await asyncio.gather(launch, return_exceptions=True)
            await asyncio.to_thread(end, process)


def told_after(log: Tail, number: int) -> tuple[int, int]:
    """How many steps of a run, and of the one beside it, were told after an event."""
    told = [0, 0]
    while (event := log.after(number)) is not None:
        document, number = json.loads(event.document), event.number
        if "steps_taken" in document:
            told[document["run"]] = document["steps_taken"]
    return told[0], told[1]


def start(process: BaseProcess, theirs: socket.socket) -> None:
    """Start a process with its end of the link."""
    with theirs:
        process.start()


def gone() -> Failure:
    """The 409 for a run whose process has died."""
    hint = "Resume it: it goes on from its last state."
    return Failure(409, "training-lost", "The process of this run ended unexpectedly.", hint)
