"""Equal jobs asked for at the same time share one computation: a class of forty asks for the very same walk."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.worker import Answer


@dataclass
class Flight:
    """One computation under way, and how many wait for it."""

    task: asyncio.Task[Answer]
    waiting: int = 0


class Flights:
    """What is being computed now, by the request it answers; what nobody waits for any more is stopped."""

    def __init__(self) -> None:
        self._under_way: dict[bytes, Flight] = {}

    async def join(self, request: bytes, compute: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer to a request: of the computation that is under way for it already, else of a new one."""
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
