"""A run that several servers know: one of them has its process, and every one follows its events."""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Awaitable, Callable
from functools import partial

from app.compute.answering import OK, Answer
from app.compute.fork_server import CONTEXT
from app.errors import Failure
from app.events.redis_journal import AGAIN
from app.events.redis_runs import FencedError, RedisRuns, Told
from app.settings import Settings
from app.training.run import PATIENCE, TrainingRun, gone

STATE_EVERY = 2.0  # seconds between two states that others can go on from: what was told since is trained again
STATE_RATE = 1 << 20  # bytes of states a second, which Redis writes to its disk


class SharedRun(TrainingRun):
    """A run at one of its servers; `fence` is the number with which this one has it, 0 where another one does.

    Nobody is told an event before Redis has it under this number, so that all servers tell the same.
    """

    def __init__(self, known: RedisRuns, settings: Settings, client: str, body: bytes) -> None:
        super().__init__(settings, CONTEXT, client, body)
        self.known = known
        self.fence = 0
        self.taken = False  # by another server, where this one had it
        self.due = 0.0  # when the next state is kept
        self.following: asyncio.Task[None] | None = None

    # Where another server has it.
    def follow(self) -> None:
        """Hear what comes."""
        if self.following is None:
            self.following = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            try:
                self._hear(await self.known.news(self.id, self.log.last))
            except Failure:
                await asyncio.sleep(AGAIN)

    async def catch_up(self) -> None:
        """Hear what has come before now."""
        self._hear(await self.known.events(self.id, self.log.last))

    def _hear(self, events: list[Told]) -> None:
        for told in events:
            if told.number > self.log.last:
                self.log.take(told.number, told.document)
                self.status = told.status

    async def _unfollow(self) -> None:
        following, self.following = self.following, None
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def ask(self, name: str, body: bytes = b"{}") -> Answer:
        """Have a command carried out, wherever the run is."""
        if self.fence:
            return await super().ask(name, body)
        status, said = await self.known.ask(self.id, name, body, PATIENCE)
        if status != OK and json.loads(said)["error"]["code"] == "training-lost":
            raise gone()
        return status, said

    # Where this one has it.
    async def start(self) -> Answer:
        """Start the process; of a run that begins all servers know from then on."""
        if not self.fence:
            self.fence = await self.known.begin(self.id, self.client, self.body)
        return await super().start()

    async def host(self, fence: int) -> None:
        """Go on with what another server had, behind the last event that was told."""
        async with self.turns:  # commands wait
            self.fence, self.taken, self.due = fence, False, 0.0
            self.left = self.since = time.monotonic()
            try:
                await self._unfollow()
                await self.catch_up()
                self.saved, self.saved_after = await self.known.state(self.id)
            except Failure:  # Redis is away: whoever comes first takes it again
                self.give_up()
                return
            if self.status != "lost":
                await self._start_again()

    async def _start_again(self) -> None:
        with contextlib.suppress(Failure, FencedError):
            if (await self.start())[0] == OK:
                return
        with contextlib.suppress(FencedError):
            await self._tell_lost()

    def give_up(self) -> None:
        """Say nothing more of it: another server has it, or it has ended."""
        self.fence, self.taken = 0, True

    async def leave(self) -> None:
        """Only follow it from now on."""
        await self._end_process()
        if not self.log.closed:  # else it has ended meanwhile
            self.follow()

    async def _read_all(self, link: socket.socket) -> None:
        try:
            await super()._read_all(link)
        except FencedError:
            self.give_up()
            self._lost()

    async def _tell(self, document: bytes) -> None:
        told = Told(self.log.last + 1, self.status, document)
        await kept(partial(self.known.append, self.id, self.fence, told, self.log.first))
        self.log.take(told.number, document)

    async def _keep(self, state: bytes, command: int, /) -> None:
        await super()._keep(state, command)
        if command or self.status != "running" or time.monotonic() > self.due:
            await kept(partial(self.known.keep, self.id, self.fence, state, self.saved_after))
            self.due = time.monotonic() + max(STATE_EVERY, len(state) / STATE_RATE)

    async def end(self) -> None:
        """End what this server has of it."""
        await self._unfollow()
        await super().end()


async def kept(keep: Callable[[], Awaitable[None]]) -> None:
    """Keep something as soon as Redis is there: its process waits, too."""
    while True:
        try:
            return await keep()
        except Failure:
            await asyncio.sleep(AGAIN)
