"""Single flight: equal requests under way at the same time share one computation, as for a class of forty."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.compute.answering import Answer


@dataclass
class Flight:
    """One computation under way, and the number of its waiters."""

    task: asyncio.Task[Answer]
    waiting: int = 0


class Flights:
    """The computations under way, by request; one that nobody waits for any more is cancelled."""

    def __init__(self) -> None:
        self._under_way: dict[bytes, Flight] = {}

    async def join(self, request: bytes, compute: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer to a request, from the computation under way for an equal one, else from a new one."""
        flight = self._under_way.get(request)
        if flight is None:
            flight = self._under_way[request] = Flight(asyncio.ensure_future(compute()))
            flight.task.add_done_callback(lambda _: self._land(request, flight))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                self._land(request, flight)
                flight.task.cancel()

    def _land(self, request: bytes, flight: Flight) -> None:
        if self._under_way.get(request) is flight:
            del self._under_way[request]
