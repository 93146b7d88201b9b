"""All runs of a server: bounded in number, paused when nobody watches, ended when they are abandoned."""

import asyncio
import contextlib
import logging
import multiprocessing

from app.compute.worker import Answer
from app.errors import Failure, stopping
from app.settings import Settings
from app.training.run import OK, OVER, Run

LOOK_EVERY = 0.5
log = logging.getLogger("gradwalk.training")


class Runs:
    """The runs by their ids, which nobody can guess."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._context = multiprocessing.get_context("forkserver")
        self._runs: dict[str, Run] = {}
        self._keeper: asyncio.Task[None] | None = None
        self._stopping = False

    def open(self) -> None:
        """Begin to look after runs."""
        self._keeper = asyncio.create_task(self._keep())

    async def begin(self, client: str, body: bytes) -> tuple[Run, Answer]:
        """A new run, and what it says to its request; 429 or 503 where there are too many."""
        if self._stopping:
            raise stopping()
        await self._make_room(client)
        run = Run(self.settings, self._context, client, body)
        self._runs[run.id] = run
        try:
            answer = await run.start()
        except BaseException:
            await self.end(run)
            raise
        if answer[0] != OK:
            await self.end(run)
        return run, answer

    async def _make_room(self, client: str) -> None:
        """See to a free place: what is over and unwatched makes room first."""
        most, most_each = self.settings.training_runs, self.settings.training_runs_per_client
        while True:  # others may have come while a run was ended
            own = [run for run in self._runs.values() if run.client == client]
            if len(own) >= most_each:
                await self._end_one(own, too_many(429, most_each, "you have"))
            elif len(self._runs) >= most:
                await self._end_one(list(self._runs.values()), too_many(503, most, "the server has"))
            else:
                return

    async def _end_one(self, runs: list[Run], otherwise: Failure) -> None:
        over = [run for run in runs if run.status in OVER and not run.viewers]
        if not over:
            raise otherwise
        await self.end(max(over, key=lambda run: run.idle))

    def find(self, number: str) -> Run:
        """The run of that id; 404 without one."""
        if number not in self._runs:
            hint = "It ended because nobody watched it, or the server was started anew: begin another one."
            raise Failure(404, "training-unknown", "There is no such run.", hint)
        return self._runs[number]

    async def end(self, run: Run) -> None:
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

    async def _look_after(self, run: Run) -> None:
        with contextlib.suppress(Failure, OSError):
            if run.idle > self.settings.training_abandoned:
                await self.end(run)
            elif run.status == "running" and run.idle > self.settings.training_unwatched:
                await run.ask("pause")

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


def too_many(status: int, most: int, who: str) -> Failure:
    """The refusal of one run more than there may be."""
    hint = "Stop one of them, or wait until one has come to its end."
    message = f"There are {most} training runs already, as many as {who} room for."
    return Failure(status, "training-full", message, hint, {"Retry-After": "10"})
