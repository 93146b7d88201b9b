"""The runs of several servers: each has some of them, follows others, and takes those of one that has died."""

import asyncio
import contextlib
import re
import time
from collections.abc import Coroutine
from typing import cast

from app.errors import Failure
from app.events.redis_journal import AGAIN
from app.events.redis_runs import FencedError, Known, RedisRuns, moved
from app.settings import Settings
from app.training.run import TrainingRun
from app.training.runs import LOOK_EVERY, Runs, no_run
from app.training.shared_run import SharedRun

ID = re.compile(r"[\w-]{22}", re.ASCII)
UNFOLLOWED = 30.0  # seconds without a viewer after which what happens elsewhere is no longer followed


class SharedRuns(Runs):
    """The runs that this server has, and those of others that somebody follows here."""

    def __init__(self, settings: Settings, address: str) -> None:
        super().__init__(settings)
        self.known = RedisRuns(address, settings.training_longest_hours)
        self._elsewhere: dict[str, SharedRun] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin to look after runs, and to carry out what comes from other servers."""
        super().open()
        self._do(self._look_around())
        self._do(self._listen())

    @property
    def ours(self) -> list[SharedRun]:
        """The runs that this server has."""
        return [run for run in self._runs.values() if isinstance(run, SharedRun)]

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _new(self, client: str, body: bytes) -> TrainingRun:
        return SharedRun(self.known, self.settings, client, body)

    async def find(self, number: str) -> TrainingRun:
        """The run of that id, wherever it is, as it was told until now; 404 without one."""
        run = self._at_hand(number)
        if run is None:
            known = await self.known.known(number) if ID.fullmatch(number) else None
            if known is None:
                raise no_run()
            run = self._at_hand(number) or self._elsewhere.setdefault(number, self._other(number, known))
            if not run.fence:
                run.follow()
        if run.link is None:
            await run.catch_up()
        return run

    def _at_hand(self, number: str) -> SharedRun | None:
        return cast(SharedRun | None, self._runs.get(number)) or self._elsewhere.get(number)

    def _other(self, number: str, known: Known) -> SharedRun:
        run = SharedRun(self.known, self.settings, known.client, known.body)
        run.id, run.begun = number, time.monotonic() - known.age
        return run

    async def end(self, run: TrainingRun) -> None:
        """End a run and forget it, at every server."""
        try:
            await self.known.forget(run.id)
        finally:
            self._elsewhere.pop(run.id, None)
            await super().end(run)

    # What happens to runs at other servers.
    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            with contextlib.suppress(Failure):  # Redis is away: all is looked at again
                for run in self.ours:
                    await self._renew(run)
                for run in list(self._elsewhere.values()):
                    await self._look_at(run)
                for number, taken in (await self.known.all()).items():
                    if not taken:
                        await self._take(number)

    async def _renew(self, run: SharedRun) -> None:
        try:
            if run.fence and await self.known.renew(run.id, run.fence):
                run.left = time.monotonic()
        except FencedError:
            run.give_up()
        if run.taken:
            self._elsewhere[run.id] = run
            del self._runs[run.id]
            await run.leave()

    async def _look_at(self, run: SharedRun) -> None:
        if not await self.known.exists(run.id) or run.idle > UNFOLLOWED:
            del self._elsewhere[run.id]
            await run.end()
        elif run.viewers:
            await self.known.watched(run.id)

    async def _take(self, number: str) -> None:
        """Go on with a run that nobody has, where there is room."""
        if number in self._runs or len(self._runs) >= self.settings.training_runs:
            return
        known, fence = await self.known.known(number), await self.known.take(number)
        if known is None or not fence:
            return
        run = self._elsewhere.pop(number, None) or self._other(number, known)
        self._runs[number] = run
        self._do(run.host(fence))

    async def _listen(self) -> None:
        while True:
            try:
                if (asked := await self.known.asked()) is not None:
                    self._do(self._answer(*asked))
            except Failure:
                await asyncio.sleep(AGAIN)

    async def _answer(self, head: dict[str, str], body: bytes) -> None:
        """Carry out what was asked at another server."""
        run = next((run for run in self.ours if run.id == head["run"] and run.fence), None)
        try:
            if run is None:
                raise moved()
            status, said = await run.ask(head["name"], body)
        except Failure as failure:
            response = failure.response()
            status, said = response.status_code, bytes(response.body)
        with contextlib.suppress(Failure):
            await self.known.answer(head["reply"], status, said)

    # The end.
    def close(self) -> None:
        """Begin no more runs, and let every stream come to its end."""
        super().close()
        for run in self._elsewhere.values():
            run.log.close()

    async def stop(self) -> None:
        """Leave every run to the other servers."""
        ours, elsewhere = self.ours, list(self._elsewhere.values())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().stop()
        for run in ours:
            with contextlib.suppress(Failure, FencedError):
                await self.known.leave(run.id, run.fence)
        await asyncio.gather(*(run.end() for run in elsewhere))
        await self.known.close()
