"""Who is there: seats that follow a class, or asked for its news a moment ago."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LINGER = 10.0  # seconds between two questions for news of one who is still there, at the most


class Presence:
    """The seats that are there, which is no event: it is told as often as it changes, and forgotten."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.changed = changed
        self.streams: Counter[int] = Counter()
        self.lingering: dict[int, asyncio.TimerHandle] = {}

    def __contains__(self, seat: int) -> bool:
        return seat in self.streams or seat in self.lingering

    def __len__(self) -> int:
        return len(self.streams.keys() | self.lingering.keys())

    @contextmanager
    def follows(self, seat: int) -> Iterator[None]:
        """A seat is there for as long as it follows."""
        self.streams[seat] += 1
        self.changed()
        try:
            yield
        finally:
            self.streams[seat] -= 1
            if not self.streams[seat]:
                del self.streams[seat]
            self.changed()

    def asked(self, seat: int, seconds: float) -> None:
        """A seat is there while it waits so long for an answer, and for a moment in which it may ask again."""
        is_new = seat not in self
        if (before := self.lingering.pop(seat, None)) is not None:
            before.cancel()
        loop = asyncio.get_running_loop()
        self.lingering[seat] = loop.call_later(seconds + LINGER, self._left, seat)
        if is_new:  # a picture for every question of everybody would be one that says nothing new
            self.changed()

    def _left(self, seat: int) -> None:
        del self.lingering[seat]
        self.changed()
