"""What is kept of a long run: bounded in number and bytes, and spread over all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

MOST = 64
MOST_BYTES = 128 << 20
Thing = TypeVar("Thing")


class Thinned(Generic[Thing]):
    """Things by their step, in order; beyond a bound every other one goes, so that what is left spans the whole run."""

    def __init__(self, size_of: Callable[[Thing], int]) -> None:
        self.size_of = size_of
        self.things: dict[int, Thing] = {}
        self.spacing = 1  # steps between two things at least, but for the latest

    def add(self, step: int, thing: Thing) -> None:
        """Keep one more; the first stays, and so does this one until the next."""
        most = max(2, min(MOST, MOST_BYTES // max(1, self.size_of(thing))))
        steps = list(self.things)
        if len(steps) > 1 and steps[-1] - steps[-2] < self.spacing:
            del self.things[steps[-1]]
        if step not in self.things and len(self.things) >= most:
            self.things = dict(list(self.things.items())[::2])
            self.spacing = max(1, (max(self.things) - min(self.things)) // max(1, len(self.things) - 1))
        self.things[step] = thing

    def before(self, step: int) -> int | None:
        """The latest step, up to this one, of which something is kept."""
        return max((one for one in self.things if one <= step), default=None)

    def __contains__(self, step: int) -> bool:
        return step in self.things

    def __getitem__(self, step: int) -> Thing:
        return self.things[step]

    def __iter__(self) -> Iterator[int]:
        return iter(self.things)

    def __len__(self) -> int:
        return len(self.things)

    def clear(self) -> None:
        """Forget all."""
        self.things.clear()
        self.spacing = 1
