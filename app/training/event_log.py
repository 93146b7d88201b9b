"""The events of a run, numbered and kept within bounds, for streams that begin at any of them."""

import asyncio
from collections import deque
from dataclasses import dataclass

MOST_AT_ONCE = 32


@dataclass(frozen=True)
class Event:
    """One event as it is sent: its number, and its lines in the form of server-sent events."""

    number: int
    lines: bytes


class EventLog:
    """An append-only log of which the oldest part is forgotten; numbers count from 1 and are never given twice."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.bytes, self.last = most_bytes, 0, 0
        self.events: deque[Event] = deque()
        self.closed = False
        self._news = asyncio.Event()

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept; one more than the last where there is none."""
        return self.events[0].number if self.events else self.last + 1

    def append(self, document: bytes) -> None:
        """Add an event, a JSON document, and forget old ones for it."""
        self.last += 1
        data = document.replace(b"\r", b" ").replace(b"\n", b" ")
        event = Event(self.last, b"id: %d\ndata: %s\n\n" % (self.last, data))
        self.events.append(event)
        self.bytes += len(event.lines)
        while self.bytes > self.most_bytes and len(self.events) > 1:
            self.bytes -= len(self.events.popleft().lines)
        self.wake()

    def after(self, number: int, most: int = MOST_AT_ONCE) -> list[Event]:
        """The next events that are kept with a higher number, so many at most: whoever is slow keeps no more alive."""
        begun = max(0, number - self.first + 1)
        return [self.events[place] for place in range(begun, min(begun + most, len(self.events)))]

    def close(self) -> None:
        """No more will come: streams end when they have sent everything."""
        self.closed = True
        self.wake()

    def wake(self) -> None:
        """Let every stream look."""
        self._news.set()
        self._news = asyncio.Event()

    async def news(self, seconds: float) -> None:
        """Wait until something is new, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass
