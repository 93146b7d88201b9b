"""All runs of a server: bounded in number, paused when nobody watches, ended when they are abandoned."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from app.compute.answering import OK, Answer
from app.compute.fork_server import CONTEXT
from app.errors import Failure, stopping
from app.settings import Settings
from app.training.run import OVER, TrainingRun

LOOK_EVERY = 0.5
log = logging.getLogger("gradwalk.training")


class Runs:
    """The runs by their ids, which nobody can guess."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._runs: dict[str, TrainingRun] = {}
        self._following: Counter[str] = Counter()
        self._keeper: asyncio.Task[None] | None = None
        self._stopping = False

    def open(self) -> None:
        """Begin to look after runs."""
        self._keeper = asyncio.create_task(self._keep())

    async def begin(self, client: str, body: bytes) -> tuple[TrainingRun, Answer]:
        """A new run, and what it says to its request; 429 or 503 where there are too many."""
        if self._stopping:
            raise stopping()
        await self._make_room(client)
        run = self._new(client, body)
        self._runs[run.id] = run
        try:
            answer = await run.start()
        except BaseException:
            await self.end(run)
            raise
        if answer[0] != OK:
            await self.end(run)
        return run, answer

    def _new(self, client: str, body: bytes) -> TrainingRun:
        return TrainingRun(self.settings, CONTEXT, client, body)

    async def _make_room(self, client: str) -> None:
        """See to a free place; others may have come while a run was ended."""
        while len(self._runs) >= self.settings.training_runs:
            await self.end(self._least_needed(client))

    def _least_needed(self, client: str) -> TrainingRun:
        """The run that makes room for one of a client's: what is over and unwatched; else one of whoever has the most.

        A class behind one address is one client with many runs, so the share of a client is no limit while there is
        room: it is what every other client is sure of. What has rested longest goes first.
        """
        runs, share = list(self._runs.values()), self.settings.training_runs_per_client
        if over := [run for run in runs if run.status in OVER and not run.viewers]:
            return max(over, key=lambda run: run.idle)
        held = Counter(run.client for run in runs)
        most, count = max(held.items(), key=lambda item: item[1], default=("", 0))
        theirs = [run for run in runs if run.client == most and not run.starting]
        if held[client] >= share or count <= share or not theirs:
            raise too_many(429 if held[client] >= share else 503, held[client], len(runs))
        return max(theirs, key=lambda run: (run.rested, run.age))

    def follow(self, run: TrainingRun, client: str) -> Callable[[], None]:
        """Count a client among those who follow a run, until what is returned is called; 429 where there are too many.

        A stream is a connection that no other client's need takes back, and holds what its client has yet to read.
        """
        settings = self.settings
        if run.viewers >= settings.training_streams_per_run:
            raise too_many_streams("Too many clients follow the events of this run.")
        if self._following[client] >= settings.training_streams_per_client:
            raise too_many_streams("You follow the events of too many runs at once.")
        self._following[client] += 1
        run.viewers += 1
        return partial(self._left, run, client)

    def _left(self, run: TrainingRun, client: str) -> None:
        run.viewers, run.left = run.viewers - 1, time.monotonic()
        self._following[client] -= 1
        if not self._following[client]:
            del self._following[client]

    async def find(self, number: str) -> TrainingRun:
        """The run of that id; 404 without one."""
        if number not in self._runs:
            raise no_run()
        return self._runs[number]

    async def end(self, run: TrainingRun) -> None:
        """End a run and forget it."""
        self._runs.pop(run.id, None)
        await run.end()

    async def _keep(self) -> None:
        under_way: dict[str, asyncio.Task[None]] = {}
        while True:  # each by itself: one that does not answer keeps nobody waiting
            await asyncio.sleep(LOOK_EVERY)
            under_way = {number: task for number, task in under_way.items() if not task.done()}
            under_way |= {
                run.id: asyncio.create_task(self._look_after(run))
                for run in self._runs.values()
                if run.id not in under_way
            }

    async def _look_after(self, run: TrainingRun) -> None:
        with contextlib.suppress(Failure, OSError):
            if self._has_had_its_time(run):
                await self.end(run)
            elif run.status == "running" and run.idle > self.settings.training_unwatched:
                await run.ask("pause")

    def _has_had_its_time(self, run: TrainingRun) -> bool:
        settings = self.settings
        too_old = run.age > settings.training_longest_hours * 3600
        rested = run.idle > settings.training_abandoned or run.rested > settings.training_rested
        return not run.starting and (too_old or rested)

    def close(self) -> None:
        """Begin no more runs, and let every stream come to its end."""
        self._stopping = True
        for run in self._runs.values():
            run.log.close()

    async def stop(self) -> None:
        """End every run."""
        self.close()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        await asyncio.gather(*(run.end() for run in self._runs.values()))
        self._runs.clear()


def no_run() -> Failure:
    """The 404 for a run that there is not, or no more."""
    hint = "A run ends unwatched, after a long pause, or when its place is needed: begin another one."
    return Failure(404, "training-unknown", "There is no such run.", hint)


def too_many(status: int, own: int, most: int) -> Failure:
    """The refusal of one run more than there may be."""
    yours = f", {own} of them yours" if own else ""
    hint = "Stop one of them, or wait until one has come to its end."
    message = f"There are {most} training runs already{yours}, as many as the server has room for."
    return Failure(status, "training-full", message, hint, {"Retry-After": "10"})


def too_many_streams(message: str) -> Failure:
    """The refusal of one stream of events more than there may be."""
    hint = "Close a tab that shows a run, then ask again."
    return Failure(429, "streams-full", message, hint, {"Retry-After": "3"})
