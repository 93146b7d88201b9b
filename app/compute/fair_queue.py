"""A fair queue: round-robin over clients, so that one client's many requests can't starve another's one."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

Handed = TypeVar("Handed")
SHARE = 0.75  # of all places, for one client: whoever else comes finds one
RECENT_SECONDS = 60.0  # a client is still about for so long after it asked last


class FairQueue(Generic[Handed]):
    """Waiting futures by client, in round-robin order: the client whose turn is next comes first."""

    def __init__(self, places: int, workers: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.places, self.workers, self._clock = places, workers, clock
        self._clients: OrderedDict[str, deque[asyncio.Future[Handed]]] = OrderedDict()
        self._served: dict[asyncio.Future[Handed], str] = {}
        self._seen: OrderedDict[str, float] = OrderedDict()

    def overfull(self, client: str) -> bool:
        """Whether the queue is over its limit in all, or over this client's share."""
        own = len(self._clients.get(client, ()))
        return own > max(self.places * SHARE, 1) or sum(map(len, self._clients.values())) > self.places

    def join(self, client: str, place: asyncio.Future[Handed] | None = None) -> asyncio.Future[Handed]:
        """Append a place to the client's own queue; `place` is one that another client waits for, too."""
        self._seen[client] = self._clock()
        self._seen.move_to_end(client)
        place = place or asyncio.get_running_loop().create_future()
        row = self._clients.setdefault(client, deque())
        if place not in row:
            row.append(place)
        return place

    def leave(self, place: asyncio.Future[Handed]) -> None:
        """Remove a waiting place, or release the worker that was handed to it."""
        self._served.pop(place, None)
        for client, row in [(client, row) for client, row in self._clients.items() if place in row]:
            row.remove(place)
            if not row:
                del self._clients[client]

    def next(self) -> asyncio.Future[Handed] | None:
        """The place whose turn it is; None if nobody waits, or only clients that have their share of workers."""
        for client in list(self._clients):
            if self._held(client) < self._most(client):
                self._clients.move_to_end(client)
                while row := self._clients.get(client):
                    place = row[0]
                    self.leave(place)
                    if not place.done():
                        self._served[place] = client
                        return place
        return None

    def fail_all(self, error: Exception) -> None:
        """Fail all waiting places with this error."""
        rows = list(self._clients.values())
        self._clients.clear()
        for place in {place for row in rows for place in row if not place.done()}:
            place.set_exception(error)

    def _held(self, client: str) -> int:
        return sum(other == client for other in self._served.values())

    def _most(self, client: str) -> int:
        """How many workers one client may hold: all while it is alone, else all but one."""
        while self._seen and self._clock() - next(iter(self._seen.values())) > RECENT_SECONDS:
            self._seen.popitem(last=False)
        alone = len(self._seen) <= (client in self._seen)
        return self.workers if alone else max(self.workers - 1, 1)
