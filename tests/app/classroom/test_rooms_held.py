"""What is left of a class that has ended, or of all when the server stops: nothing."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from app.classroom.room import Room
from app.classroom.rooms import Rooms
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.events.journal import Memory, not_kept
from app.settings import Settings


def test_nothing_holds_a_class_that_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even whoever looks after all of them, and has just looked after it."""
    looked = asyncio.Event()
    look_after = Rooms._look_after

    async def noted(rooms: Rooms, room: Room) -> None:
        await look_after(rooms, room)
        looked.set()

    monkeypatch.setattr("app.classroom.rooms.LOOK_EVERY", 0.01)
    monkeypatch.setattr(Rooms, "_look_after", noted)

    async def main() -> None:
        settings = Settings()
        rooms = Rooms(settings, Memory(), Pool(settings), Ours(settings))
        await rooms.open()
        room = await rooms.begin("/walk/first-steps", "a teacher")
        await looked.wait()
        await rooms.end(room)
        left = weakref.ref(room)
        del room
        gc.collect()
        assert left() is None
        await rooms.stop()

    asyncio.run(main())


class Swallowing(Memory):
    """Waits, and tells of its first cancellation that the log is away, as redis-py may do."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def around(self, _group: str, _said: str) -> list[str]:
        """Wait."""
        again = self.asked.is_set()
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if again:
                raise
            raise not_kept("log-away") from None
        return []


def test_a_cancellation_that_is_swallowed_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stopped while Redis came back went on for good."""
    monkeypatch.setattr("app.classroom.rooms.LOOK_EVERY", 0.01)

    async def main() -> None:
        settings, journal = Settings(), Swallowing()
        rooms = Rooms(settings, journal, Pool(settings), Ours(settings))
        await rooms.open()
        await rooms.begin("/walk/first-steps", "a teacher")
        await journal.asked.wait()
        async with asyncio.timeout(20):
            await rooms.stop()

    asyncio.run(main())
