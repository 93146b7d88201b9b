"""A warm pool of worker processes with a deadline that kills.

Each worker is forked from a process that has torch loaded already, so a replacement is ready in milliseconds, and
talks over a socket pair that the event loop reads straight into the answer's own buffer: no threads, no pickling of
answers. The pools that exist were measured first: `anyio.to_process` and pebble cost 1.4 and 1.6 ms per 800 kB answer
(this: 0.2), and the former needs a second to replace a worker.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import pickle
import socket
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any

from app.errors import Failure
from app.flights import Flights
from app.line import Line
from app.settings import Settings
from app.worker import FRAME, REQUEST, Answer, serve

SEND_BUFFER = 4 << 20  # a worker hands a whole answer to the kernel at once where the kernel allows it
START_SECONDS = 60.0
RETRY_SECONDS, LONGEST_RETRY = 1.0, 30.0
MANY_FAILURES = 2  # starts that fail in a row before this is no accident
ATTEMPTS = 2  # a worker may have died while it was idle, which only shows when it gets a job
log = logging.getLogger("gradwalk.workers")


@dataclass(eq=False)
class Worker:
    """One worker process and the socket to it."""

    process: BaseProcess
    link: socket.socket

    async def call(self, request: bytes) -> Answer:
        """Have one job done; EOFError or OSError when the process has died."""
        await asyncio.get_running_loop().sock_sendall(self.link, REQUEST.pack(len(request)) + request)
        return await self.answer()

    async def answer(self) -> Answer:
        """Read one finished answer."""
        status, length = FRAME.unpack(await self._read(FRAME.size))
        return status, await self._read(length)

    async def _read(self, length: int) -> bytes:
        loop, buffer = asyncio.get_running_loop(), bytearray(length)
        rest = memoryview(buffer)
        while rest:
            got = await loop.sock_recv_into(self.link, rest)
            if not got:
                raise EOFError
            rest = rest[got:]
        return bytes(buffer)

    def start(self, theirs: socket.socket) -> None:
        """Start the process with its end of the link; the very first start waits until torch is loaded."""
        with theirs:
            self.process.start()

    async def kill(self) -> None:
        """End the process at once, whatever it is doing, and wait until it is gone."""
        self.link.close()  # a process that is only just starting finds its link closed and ends by itself
        if self.process.pid is not None:
            self.process.kill()
            await asyncio.to_thread(self.process.join)


class Pool:
    """Hands jobs to idle workers, lets a bounded number wait, and replaces a worker that is late, lost or unwanted."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["app.preload"])
        self._idle: list[Worker] = []
        self._line: Line[Worker] = Line(settings.queue)
        self._workers: set[Worker] = set()
        self._hiring: set[asyncio.Task[None]] = set()
        self._flights = Flights()
        self._failed_starts = 0

    @property
    def warm(self) -> int:
        """How many workers are alive and warm."""
        return len(self._workers)

    @property
    def failing(self) -> bool:
        """Whether there is no worker because the latest ones did not start, rather than because they still do."""
        return not self._workers and self._failed_starts >= MANY_FAILURES

    def start(self) -> None:
        """Begin to hire; `warm` tells how far it is."""
        for _ in range(self.settings.workers):
            self._hire()

    async def stop(self) -> None:
        """End every worker."""
        for task in self._hiring:
            task.cancel()
        await asyncio.gather(*self._hiring, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self._workers))
        self._workers.clear()

    async def run(self, job: str, argument: Any = None, client: str = "") -> Answer:
        """The answer to a job: 503 at once when too many wait, 504 when it takes longer than the deadline.

        Jobs that are equal and under way at the same time are done once; clients take turns.
        """
        request = pickle.dumps((job, argument), pickle.HIGHEST_PROTOCOL)
        return await self._flights.join(request, lambda: self._compute(request, client))

    async def _compute(self, request: bytes, client: str) -> Answer:
        for _ in range(ATTEMPTS):
            with contextlib.suppress(EOFError, OSError):
                return await self._attempt(request, client)
        raise lost()

    async def _attempt(self, request: bytes, client: str) -> Answer:
        worker = await self._next_idle(client)
        try:
            async with asyncio.timeout(self.settings.deadline):
                answer = await worker.call(request)
        except TimeoutError:
            self._hire(instead_of=worker)
            raise overdue(self.settings.deadline) from None
        except BaseException:  # it died, or the client went away: either way it is not idle
            self._hire(instead_of=worker)
            raise
        self._rest(worker)
        return answer

    async def _next_idle(self, client: str) -> Worker:
        if self.failing:
            raise not_starting()
        if self._idle:
            return self._idle.pop()
        if self._line.full(client):
            raise busy()
        place = self._line.join(client)
        try:
            async with asyncio.timeout(self.settings.queue_patience):
                return await place
        except BaseException as error:
            self._line.leave(client, place)
            if place.done() and not place.cancelled() and place.exception() is None:
                self._rest(place.result())  # its turn came in the very moment in which it left
            if isinstance(error, TimeoutError):
                raise busy() from None
            raise

    def _rest(self, worker: Worker) -> None:
        if not self._line.serve(worker):
            self._idle.append(worker)

    def _hire(self, instead_of: Worker | None = None) -> None:
        task = asyncio.create_task(self._add_worker(instead_of))
        self._hiring.add(task)
        task.add_done_callback(self._hiring.discard)

    async def _add_worker(self, instead_of: Worker | None) -> None:
        if instead_of is not None:
            self._workers.discard(instead_of)
            await instead_of.kill()
        while True:
            try:
                worker = await self._new_worker()
            except (EOFError, OSError, TimeoutError, NotReadyError):
                self._failed_starts += 1
                log.exception("a worker did not start; trying again")
                if self.failing:
                    self._line.disband(not_starting())
                await asyncio.sleep(min(RETRY_SECONDS * self._failed_starts, LONGEST_RETRY))
            else:
                self._failed_starts = 0
                self._workers.add(worker)
                self._rest(worker)
                return

    async def _new_worker(self) -> Worker:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        settings = self.settings
        limits = settings.memory_mib << 20, settings.deadline
        process = self._context.Process(target=serve, args=(theirs, settings.names, *limits), daemon=True)
        worker = Worker(process, ours)
        try:
            await asyncio.to_thread(worker.start, theirs)
            async with asyncio.timeout(START_SECONDS):
                status, body = await worker.answer()
            if status != 200:
                raise NotReadyError(body.decode())
        except BaseException:
            await worker.kill()
            raise
        return worker


class NotReadyError(Exception):
    """A worker process runs, and could not get ready."""


def not_starting() -> Failure:
    """The answer while no worker can be had at all: not a matter of waiting, but of mending."""
    hint = "Whoever runs it finds the reason in its log."
    headers = {"Retry-After": str(int(LONGEST_RETRY))}
    return Failure(503, "workers-failing", "The server's worker processes do not start.", hint, headers)


def busy() -> Failure:
    """The refusal when every worker is busy and enough requests wait already."""
    hint = "Try again in a second."
    return Failure(503, "busy", "The server is busy with other programs.", hint, {"Retry-After": "1"})


def overdue(seconds: float) -> Failure:
    """The answer to a program that was stopped at its deadline."""
    return Failure(504, "too-slow", f"The program ran for more than {seconds:g} s and was stopped.", "Make it smaller.")


def lost() -> Failure:
    """The answer when a worker process died of the job it was given."""
    return Failure(500, "worker-lost", "The process that ran this program ended unexpectedly.", "Make it smaller.")
