"""A list whose entries are made when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class OnDemand(Sequence[T], Generic[T]):
    """A sequence of a known length; each entry is made once, at its first use, by its place."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._length, self._make = length, make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(self._length))]
        if not -self._length <= place < self._length:
            raise IndexError(place)
        place %= self._length
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]
