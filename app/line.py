"""The line of those who wait for a worker: turns go round the clients, so that nobody's many keep out another's one."""

import asyncio
from collections import OrderedDict, deque
from typing import Generic, TypeVar

Thing = TypeVar("Thing")
SHARE = 0.75  # of all places, for one client: whoever else comes finds one


class Line(Generic[Thing]):
    """Futures by the client that waits for them, the client whose turn is next in front."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._clients: OrderedDict[str, deque[asyncio.Future[Thing]]] = OrderedDict()

    def full(self, client: str) -> bool:
        """Whether there is no place for one more of this client."""
        own = len(self._clients.get(client, ()))
        return own >= max(self.places * SHARE, 1) or sum(map(len, self._clients.values())) >= self.places

    def join(self, client: str) -> asyncio.Future[Thing]:
        """A place at the end of the client's own row."""
        place: asyncio.Future[Thing] = asyncio.get_running_loop().create_future()
        self._clients.setdefault(client, deque()).append(place)
        return place

    def leave(self, client: str, place: asyncio.Future[Thing]) -> None:
        """Give a place up, if it is still held."""
        row = self._clients.get(client, deque())
        if place in row:
            row.remove(place)
        if not row:
            self._clients.pop(client, None)

    def serve(self, thing: Thing) -> bool:
        """Hand something to whoever is next; False when nobody waits."""
        while self._clients:
            client, row = next(iter(self._clients.items()))
            place = row.popleft()
            self._clients.move_to_end(client)
            if not row:
                del self._clients[client]
            if not place.done():
                place.set_result(thing)
                return True
        return False

    def disband(self, error: Exception) -> None:
        """Send everybody away."""
        rows = list(self._clients.values())
        self._clients.clear()
        for place in [place for row in rows for place in row if not place.done()]:
            place.set_exception(error)
