"""The latest events of a topic, numbered and kept within bounds, for streams that begin at any of them."""

import asyncio
from collections import deque
from dataclasses import dataclass

AT_ONCE = 16  # streams that are woken in one turn of the event loop
BEAT_SECONDS = 10.0  # after which all streams look, whether or not there is something


@dataclass(frozen=True)
class Event:
    """One event as it is sent: its number, and its lines in the form of server-sent events."""

    number: int
    lines: bytes

    @property
    def document(self) -> bytes:
        """What it says, a JSON document."""
        return self.lines.partition(b"data: ")[2].rstrip(b"\n")


class Tail:
    """A log in memory of which the oldest part is forgotten; numbers count from 1 and are never given twice."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.bytes, self.last = most_bytes, 0, 0
        self.events: deque[Event] = deque()
        self.closed = False
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._due: deque[asyncio.Future[None]] = deque()
        self._beat: asyncio.TimerHandle | None = None

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept; one more than the last where there is none."""
        return self.events[0].number if self.events else self.last + 1

    def append(self, document: bytes) -> None:
        """Add the next event, a JSON document, and forget old ones for it."""
        self.take(self.last + 1, document)

    def take(self, number: int, document: bytes) -> None:
        """Add an event that was numbered elsewhere; numbers only grow, and what is before a gap is forgotten."""
        if number > self.last + 1:
            self.events.clear()
            self.bytes = 0
        self.last = number
        data = document.replace(b"\r", b" ").replace(b"\n", b" ")
        event = Event(self.last, b"id: %d\ndata: %s\n\n" % (self.last, data))
        self.events.append(event)
        self.bytes += len(event.lines)
        while self.bytes > self.most_bytes and len(self.events) > 1:
            self.bytes -= len(self.events.popleft().lines)
        self.wake()

    def after(self, number: int) -> Event | None:
        """The next event that is kept with a higher number: whoever is slow keeps no more than one alive."""
        place = max(0, number - self.first + 1)
        return self.events[place] if place < len(self.events) else None

    def close(self) -> None:
        """No more will come: streams end when they have sent everything."""
        self.closed = True
        self.wake()

    def clear(self) -> None:
        """Close it and forget every event: who follows is told no more."""
        self.close()
        self.events.clear()
        self.bytes = 0

    def wake(self) -> None:
        """Let every stream look, a few in each turn of the event loop."""
        if self._beat is not None:
            self._beat.cancel()
            self._beat = None
        resting = not self._due
        self._due.extend(self._waiting)
        self._waiting.clear()
        if resting:
            self._wake_some()

    def _wake_some(self) -> None:
        for _ in range(min(AT_ONCE, len(self._due))):
            _wake_one(self._due.popleft())
        if self._due:
            asyncio.get_running_loop().call_soon(self._wake_some)

    async def news(self) -> None:
        """Wait until something is new, or the next beat: one for all, as a timer for each costs as much as its event.

        Whoever must not wait that long puts a time-out around it.
        """
        loop = asyncio.get_running_loop()
        if self._beat is None:
            self._beat = loop.call_later(BEAT_SECONDS, self.wake)
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            self._waiting.pop(waiter, None)


def _wake_one(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
