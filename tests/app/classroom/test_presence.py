"""Who is there: each seat once, and a board hears of it when it changes."""

import asyncio

from app.classroom.presence import LINGER, Presence


def test_who_asks_again_is_nothing_new() -> None:
    told: list[int] = []

    async def asked() -> None:
        here = Presence(lambda: told.append(len(here)))
        here.asked(1, 0)
        here.asked(1, 0)
        here.asked(2, 0)
        with here.follows(2):
            here.asked(2, 0)
        assert len(here) == 2

    asyncio.run(asked())
    assert told == [1, 2, 2, 2]


def test_who_asks_no_more_has_left() -> None:
    async def asked() -> None:
        left = asyncio.Event()
        here = Presence(lambda: left.set() if not len(here) else None)
        here.asked(1, -LINGER)
        async with asyncio.timeout(60):
            await left.wait()

    asyncio.run(asked())
