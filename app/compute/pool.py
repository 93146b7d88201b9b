"""A warm pool of worker processes, each killed by the kernel when a job has used up its processor time.

Each worker is forked from a process that has torch loaded already, and talks over a socket pair of its own that the
event loop reads as plain bytes: the server unpickles nothing that a sandboxed process wrote, and a worker that dies in
the middle of an answer leaves no lock behind. pebble 5.2.3 was tried in its place: it unpickles answers in the server,
one idle worker killed breaks its whole pool, and one killed while it sends leaves the pool hanging. An answer of 1 MB
took 0.24 ms here and 0.60 ms there; behind this interface it saved 24 lines.
"""

import asyncio
import json
import logging
import pickle
import signal
import socket
import tempfile
from dataclasses import dataclass
from functools import cache
from multiprocessing.process import BaseProcess
from typing import Any

from app.compute import fork_server
from app.compute.answering import Answer
from app.compute.fair_queue import FairQueue
from app.compute.fork_server import CONTEXT
from app.compute.link import read
from app.compute.lock import FULL
from app.compute.single_flight import Flights
from app.compute.worker import FRAME, REQUEST, Given, serve
from app.errors import Failure, stopping
from app.settings import Settings

SEND_BUFFER = 4 << 20  # a worker hands a whole answer to the kernel at once where the kernel allows it
START_SECONDS = 60.0
RETRY_SECONDS, LONGEST_RETRY = 1.0, 30.0
OK = 200
MANY_FAILURES = 2  # starts that fail in a row before this is no accident
NO_FOLDER = "there is no folder for temporary files, and workers need one: mount a /tmp (docker run --tmpfs /tmp)"
log = logging.getLogger("gradwalk.workers")


@dataclass(eq=False)
class Worker:
    """One worker process and the socket to it."""

    process: BaseProcess
    link: socket.socket
    jobs: int = 0
    spent: bool = False  # earlier jobs left too little for the next one
    ended: bool = False

    async def call(self, request: bytes) -> Answer:
        """Have one job done; EOFError or OSError when the process has died."""
        self.jobs += 1
        await asyncio.get_running_loop().sock_sendall(self.link, REQUEST.pack(len(request)) + request)
        return await self.answer()

    async def answer(self) -> Answer:
        """Read one finished answer."""
        status, spent, length = FRAME.unpack(await read(self.link, FRAME.size))
        self.spent |= spent
        return status, await read(self.link, length)

    def start(self, theirs: socket.socket) -> None:
        """Start the process with its end of the link; the very first start waits until torch is loaded."""
        with theirs:
            self.process.start()

    async def was_late(self) -> bool:
        """Whether the process, which has died, had used up its job's processor time."""
        await asyncio.to_thread(self.process.join)
        return self.process.exitcode == -signal.SIGPROF

    async def kill(self) -> None:
        """End the process at once, whatever it is doing, wait until it is gone, and give its descriptors back."""
        self.link.close()  # a process that is only just starting finds its link closed and ends by itself
        if not self.ended:  # a worker that could not be replaced at the first attempt is dismissed at each
            self.ended = True
            await asyncio.to_thread(end, self.process)


def end(process: BaseProcess) -> None:
    """End a process at once, whatever it is doing, wait until it is gone, and give its descriptors back."""
    if process.pid is not None:
        process.kill()
        process.join()
        process.close()


Slot = asyncio.Future[Worker]


class Pool:
    """Hands jobs to idle workers, queues a bounded number, and replaces workers that time out, die or fill up."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.locked = ""  # what holds the workers, once there are any
        self._idle: list[Worker] = []
        self._queue: FairQueue[Worker] = FairQueue(settings.queue, settings.workers)
        self._slots: dict[bytes, Slot] = {}
        self._workers: set[Worker] = set()
        self._hiring: set[asyncio.Task[None]] = set()
        self._flights = Flights()
        self._failed_starts = self._renewals = 0
        self._stopping = False

    @property
    def warm(self) -> int:
        """The number of workers that are alive and ready."""
        return len(self._workers)

    @property
    def begun(self) -> bool:
        """Whether there has been a worker."""
        return bool(self.locked)

    @property
    def failing(self) -> bool:
        """Whether there is no worker because the latest ones failed to start, rather than because they are starting."""
        return not self._workers and self._failed_starts >= MANY_FAILURES

    def start(self) -> None:
        """Start the workers; `warm` counts those that are ready."""
        for _ in range(self.settings.workers):
            self._hire()

    def renew(self) -> None:
        """Replace all workers, which have read what they serve: idle ones now, the others after their job."""
        self._renewals += 1  # nobody joins an answer that an old one is at
        for worker in self._workers:
            worker.spent = True
        for worker in list(self._idle):
            self._hire(self._take(worker))

    def close(self) -> None:
        """Accept no more jobs: waiting ones are refused, those under way may finish."""
        self._stopping = True
        self._queue.fail_all(stopping())

    async def stop(self) -> None:
        """End every worker."""
        self.close()
        if self._hiring and not self.begun:
            fork_server.end()
        for task in self._hiring:
            task.cancel()
        await asyncio.gather(*self._hiring, return_exceptions=True)
        for worker in self._idle:
            asyncio.get_running_loop().remove_reader(worker.link)
        await asyncio.gather(*(worker.kill() for worker in self._workers))
        self._workers.clear()

    async def run(self, job: str, argument: Any = None, client: str = "") -> Answer:
        """The answer to a job: 503 at once when too many wait, 504 when it takes more processor time than the deadline.

        Jobs that are equal and under way at the same time are done once; clients take turns.
        """
        request = pickle.dumps((job, argument), pickle.HIGHEST_PROTOCOL)
        asked = self._renewals.to_bytes(4) + request
        if asked in self._slots:  # whose turn comes first, of all who ask the same
            self._queue.join(client, self._slots[asked])
            self._serve()
        return await self._flights.join(asked, lambda: self._compute(asked, request, client))

    async def _compute(self, asked: bytes, request: bytes, client: str) -> Answer:
        slot = self._slots[asked] = self._queue.join(client)
        try:
            return await self._carried_out(await self._turn(slot, client), request)
        finally:
            del self._slots[asked]
            self._queue.leave(slot)
            self._serve()

    async def _turn(self, slot: Slot, client: str) -> Worker:
        if self._stopping:
            raise stopping()
        if self.failing:
            raise not_starting()
        self._serve()
        if not slot.done() and self._queue.overfull(client):
            raise busy()
        return await self._given(slot)

    async def _given(self, slot: Slot) -> Worker:
        if slot.done():
            return slot.result()
        try:
            async with asyncio.timeout(self.settings.queue_patience):
                return await slot
        except BaseException as error:
            if slot.done() and not slot.cancelled() and slot.exception() is None:
                self._rest(slot.result())  # its turn came in the very moment in which it left
            if isinstance(error, TimeoutError):
                raise (busy() if self.begun else starting()) from None
            raise

    async def _carried_out(self, worker: Worker, request: bytes) -> Answer:
        """One worker's answer; from a fresh one if this one died or ran out of memory that earlier jobs left in use."""
        first = worker.jobs == 0
        answer = await self._attempt(worker, request)
        if not self._stopping and (answer is None or (worker.spent and not first and answer[0] != OK)):
            successor: Slot = asyncio.get_running_loop().create_future()
            self._hire(worker, successor)
            worker = await self._given(successor)
            answer = await self._attempt(worker, request)
        if worker.spent:
            self._hire(worker)
        else:
            self._rest(worker)
        if answer is None:
            raise lost()
        return answer

    async def _attempt(self, worker: Worker, request: bytes) -> Answer | None:
        """One worker's answer; None when it died of anything but its deadline."""
        try:
            return await self._called(worker, request)
        except BaseException:  # the time is over, or the client went away, and what it asked for with it
            self._hire(worker)
            raise

    async def _called(self, worker: Worker, request: bytes) -> Answer | None:
        try:
            async with asyncio.timeout(self.settings.wall_deadline):
                return await worker.call(request)
        except TimeoutError:
            raise crowded(self.settings.wall_deadline) from None
        except (EOFError, OSError):
            self._workers.discard(worker)
            if await worker.was_late():
                raise overdue(self.settings.deadline) from None
            worker.spent = True
            return None

    def _rest(self, worker: Worker) -> None:
        self._idle.append(worker)
        asyncio.get_running_loop().add_reader(worker.link, self._died, worker)
        self._serve()

    def _serve(self) -> None:
        while self._idle and (slot := self._queue.next()) is not None:
            slot.set_result(self._take(self._idle[-1]))

    def _take(self, worker: Worker) -> Worker:
        self._idle.remove(worker)
        asyncio.get_running_loop().remove_reader(worker.link)
        return worker

    def _died(self, worker: Worker) -> None:
        """Called when an idle worker's socket is readable, which means that the worker has died."""
        log.warning("a worker ended while it was idle; there will be another one")
        self._hire(self._take(worker))

    def _hire(self, instead_of: Worker | None = None, slot: Slot | None = None) -> None:
        task = asyncio.create_task(self._add_worker(instead_of, slot))
        self._hiring.add(task)
        task.add_done_callback(self._hiring.discard)

    async def _add_worker(self, old: Worker | None, slot: Slot | None) -> None:
        """Start a worker in place of another, and give it to whoever waits at `slot`."""
        if old is not None and not old.spent:  # a spent one counts until there is another
            await self._dismiss(old)
        worker = None
        while worker is None and not self._stopping:
            try:
                worker = await self._new_worker()
                self._workers.add(worker)
            except (EOFError, OSError, TimeoutError, NotReadyError) as error:
                await self._failed_start(error)
            finally:
                if old is not None:
                    await self._dismiss(old)
        if worker is not None:
            self._welcome(worker, slot)
        elif slot is not None and not slot.done():
            slot.set_exception(stopping())

    def _welcome(self, worker: Worker, slot: Slot | None) -> None:
        self._failed_starts = 0
        if slot is None or slot.done():
            self._rest(worker)
        else:
            slot.set_result(worker)

    async def _dismiss(self, worker: Worker) -> None:
        self._workers.discard(worker)
        await worker.kill()

    async def _failed_start(self, error: Exception) -> None:
        self._failed_starts += 1
        if no_folder(error):
            log.error("no worker can start: %s", NO_FOLDER)
        else:
            log.error("a worker did not start; trying again", exc_info=error)
        if self.failing:
            self._queue.fail_all(not_starting())
        await asyncio.sleep(min(RETRY_SECONDS * self._failed_starts, LONGEST_RETRY))

    async def _new_worker(self) -> Worker:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        settings = self.settings
        given = Given(settings.names, settings.lessons, settings.mnist)
        limits = settings.memory_mib << 20, settings.deadline
        process = CONTEXT.Process(target=serve, args=(theirs, given, *limits), daemon=True)
        worker = Worker(process, ours)
        try:
            await asyncio.to_thread(worker.start, theirs)
            async with asyncio.timeout(START_SECONDS):
                status, body = await worker.answer()
            if status != OK:
                raise NotReadyError(body.decode())
        except BaseException:
            await worker.kill()
            raise
        self.locked = json.loads(body)["locked"]
        tell(self.locked)
        return worker


@cache
def tell(locked: str) -> None:
    """Log what holds the workers, once."""
    log.log(logging.INFO if locked == FULL else logging.WARNING, "workers are held by %s", locked)


class NotReadyError(Exception):
    """A worker process was started but didn't become ready."""


def no_folder(error: Exception) -> bool:
    """Whether a worker couldn't start because there is no folder for the fork server's socket."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        return isinstance(error, FileNotFoundError)
    return False


def not_starting() -> Failure:
    """The 503 while no worker can start at all, which waiting doesn't cure."""
    hint = "Whoever runs it finds the reason in its log."
    headers = {"Retry-After": str(int(LONGEST_RETRY))}
    return Failure(503, "workers-failing", "The server's worker processes do not start.", hint, headers)


def starting() -> Failure:
    """The 503 before there has been a worker."""
    return Failure(503, "starting", "gradwalk is starting.", "Ask again in a moment.", {"Retry-After": "1"})


def busy() -> Failure:
    """The 503 when every worker is busy and the queue is full."""
    hint = "Try again in a second."
    return Failure(503, "busy", "The server is busy with other programs.", hint, {"Retry-After": "1"})


def overdue(seconds: float) -> Failure:
    """The 504 for a program that was stopped when it had used up its processor time."""
    message = f"The program took more than {seconds:g} s of processor time and was stopped."
    return Failure(504, "too-slow", message, "Make it smaller.")


def crowded(seconds: float) -> Failure:
    """The 503 for a program that didn't get the processor time it may use: a matter of the machine's other work."""
    message = f"The server's machine is busy: in {seconds:g} s it had too little processor time for this program."
    return Failure(503, "busy", message, "Try again when less is running.", {"Retry-After": "5"})


def lost() -> Failure:
    """The 500 when a job killed its worker process."""
    return Failure(500, "worker-lost", "The process that ran this program ended unexpectedly.", "Make it smaller.")
