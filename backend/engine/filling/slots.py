"""What is missing, and what is supposed of it: kinds of number, and axes that share their lengths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Literal

Kind = Literal["decimals", "whole", "mask", "unit"]
# Lengths that nothing else has, so that each tells where it comes from. Small, for loops over them are written out.
PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109)
MORE = 111


@dataclass(frozen=True)
class Slot:
    """A missing tensor: its kind, and for each axis the number of its length."""

    kind: Kind
    axes: tuple[int, ...]


@dataclass(frozen=True)
class State:
    """What is supposed of all that is missing: `lengths` are sizes by number; a `bound` one follows from others."""

    slots: Mapping[str, Slot]
    lengths: Mapping[int, int]
    bound: frozenset[int] = frozenset()
    avoided: frozenset[int] = frozenset()  # sizes that mean something else in the program
    reasons: Mapping[str, str] = field(default_factory=dict)

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self.lengths[axis] for axis in self.slots[name].axes)

    def key(self) -> tuple[object, ...]:
        """Equal for states that suppose the same."""
        return tuple((name, slot.kind, self.shape(name)) for name, slot in self.slots.items())

    def unused(self, least: int = 0) -> int:
        """A size that nothing has."""
        taken = {*self.lengths.values(), *self.avoided}
        return next(size for size in chain(PRIMES, count(MORE)) if size >= least and size not in taken)

    def fresh(self, number: int) -> tuple[State, tuple[int, ...]]:
        """So many lengths more, each with a size that nothing has."""
        state, added, first = self, list[int](), max(self.lengths, default=-1) + 1
        for one in range(first, first + number):
            state = replace(state, lengths={**state.lengths, one: state.unused()})
            added.append(one)
        return state, tuple(added)

    def added(self, name: str, kind: Kind, axes: int) -> State:
        """The same with one more tensor, of so many axes with lengths of their own."""
        state, lengths = self.fresh(axes)
        return replace(state, slots={**state.slots, name: Slot(kind, lengths)})

    def placed(self, name: str, kind: Kind, sizes: Sequence[int | None]) -> State:
        """The same with one more tensor: a size that a length has already is that length, None is one of its own."""
        state, axes = self, list[int]()
        for size in sizes:
            known = None if size is None else next((one for one, has in state.lengths.items() if has == size), None)
            if known is None:
                state, (known,) = state.fresh(1)
                state = state if size is None else state.resized(known, size)
            axes.append(known)
        return replace(state, slots={**state.slots, name: Slot(kind, tuple(axes))})

    def with_kind(self, name: str, kind: Kind) -> State:
        return replace(self, slots={**self.slots, name: replace(self.slots[name], kind=kind)})

    def with_axes_together(self, name: str, axes: int) -> State:
        """The same with another number of axes for a tensor and for those of the very same shape."""
        alike = [one for one, slot in self.slots.items() if slot.axes == self.slots[name].axes]
        state = self.with_axes(name, axes)
        for one in alike:
            state = replace(state, slots={**state.slots, one: replace(state.slots[one], axes=state.slots[name].axes)})
        return state

    def with_axes(self, name: str, axes: int) -> State:
        """The same with another number of axes for a tensor: the last ones stay."""
        slot = self.slots[name]
        state, more = self.fresh(max(0, axes - len(slot.axes)))
        kept = slot.axes[len(slot.axes) - min(axes, len(slot.axes)) :]
        return replace(state, slots={**state.slots, name: replace(slot, axes=(*more, *kept))})

    def apart(self, name: str, places: int = -2) -> State:
        """The same with `places` last axes of a picture whose lengths are not those of its examples and channels."""
        axes = self.slots[name].axes
        known = {axis: self.lengths[axis] for axis in axes[places:] if axis in axes[:places]}
        state, made = self.fresh(len(known))
        for axis, size in zip(made, known.values(), strict=True):
            state = state.resized(axis, size)
        names = dict(zip(known, made, strict=True))
        parted = (*axes[:places], *(names.get(axis, axis) for axis in axes[places:]))
        return replace(state, slots={**state.slots, name: replace(self.slots[name], axes=parted)})

    def resized(self, number: int, size: int) -> State:
        """The same with a length that follows from what it met."""
        return replace(self, lengths={**self.lengths, number: size}, bound=self.bound | {number})

    def enlarged(self, number: int, size: int) -> State:
        """The same with another size for a free length, and for those that are so many times as long."""
        old = self.lengths[number]
        follow = {one: self.lengths[one] // old * size for one in self.bound if self.lengths[one] % old == 0}
        return replace(self, lengths={**self.lengths, **follow, number: size})

    def merged(self, kept: int, gone: int) -> State:
        """The same with one length where there were two."""
        slots = {
            name: replace(slot, axes=tuple(kept if axis == gone else axis for axis in slot.axes))
            for name, slot in self.slots.items()
        }
        lengths = {number: size for number, size in self.lengths.items() if number != gone}
        return replace(self, slots=slots, lengths=lengths, bound=self.bound - {gone})

    def because(self, names: Iterable[str], reason: str) -> State:
        """The same with a reason for tensors that have none yet."""
        return replace(self, reasons={**dict.fromkeys(names, reason), **self.reasons})

    def having(self, size: int) -> Iterator[int]:
        """The free lengths of which a size is a multiple, those with this very size first."""
        exact = [number for number, one in self.lengths.items() if one == size and number not in self.bound]
        yield from exact
        for number, one in self.lengths.items():
            if number not in self.bound and one in PRIMES and size != one and size % one == 0:
                yield number

    def agreed(self, m: int, n: int) -> Iterator[State]:
        """The same with two sizes made equal: two lengths become one, or one takes the size that follows."""
        if m == n:
            return
        ours, theirs = list(self.having(m)), list(self.having(n))
        if ours and theirs and self.lengths[ours[0]] == m and self.lengths[theirs[0]] == n:
            kept, gone = sorted((ours[0], theirs[0]))
            yield self.merged(kept, gone)
            return
        for numbers, size, other in ((ours, m, n), (theirs, n, m)):
            for number in numbers:
                times = size // self.lengths[number] if self.lengths[number] else 0
                if times and other % times == 0 and other != size:
                    yield self.resized(number, other // times)
