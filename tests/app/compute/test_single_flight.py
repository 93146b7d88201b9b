"""Equal requests under way share one computation, which ends when nobody waits for it any more."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from app.compute.answering import Answer
from app.compute.single_flight import Flights


class Computation:
    """Computes when told so, and counts how often it was begun and given up."""

    def __init__(self) -> None:
        self.begun, self.given_up, self.ready = 0, 0, asyncio.Event()

    async def __call__(self) -> Answer:
        self.begun += 1
        try:
            await self.ready.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return 200, str(self.begun).encode()


async def asked(flights: Flights, count: int, work: Callable[[], Awaitable[Answer]]) -> list[asyncio.Task[Answer]]:
    tasks = [asyncio.ensure_future(flights.join(b"same", work)) for _ in range(count)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


def test_forty_equal_requests_are_one_computation() -> None:
    async def scene() -> None:
        flights, work, other = Flights(), Computation(), Computation()
        tasks = await asked(flights, 40, work)
        apart = asyncio.ensure_future(flights.join(b"other", other))
        work.ready.set()
        other.ready.set()
        assert len({id(answer) for answer in await asyncio.gather(*tasks)}) == 1
        await apart
        assert (work.begun, other.begun) == (1, 1)

    asyncio.run(scene())


def test_the_next_request_is_computed_anew() -> None:
    async def scene() -> None:
        flights, work = Flights(), Computation()
        work.ready.set()
        answers = [await flights.join(b"same", work) for _ in range(2)]
        assert answers == [(200, b"1"), (200, b"2")]

    asyncio.run(scene())


def test_whoever_leaves_takes_nothing_from_the_others_and_the_last_ends_it() -> None:
    async def scene() -> None:
        flights, work = Flights(), Computation()
        first, *others = await asked(flights, 3, work)
        first.cancel()
        await asyncio.sleep(0)
        assert (work.begun, work.given_up) == (1, 0)
        for task in others:
            task.cancel()
        await asyncio.gather(first, *others, return_exceptions=True)
        await asyncio.sleep(0)
        assert work.given_up == 1
        (again,) = await asked(flights, 1, work)
        work.ready.set()
        assert (await again) == (200, b"2")

    asyncio.run(scene())


def test_a_failure_is_everybody_s() -> None:
    async def scene() -> None:
        async def failing() -> Answer:
            await asyncio.sleep(0)
            raise RuntimeError("lost")

        for task in await asked(Flights(), 3, failing):
            with pytest.raises(RuntimeError, match="lost"):
                await task

    asyncio.run(scene())
