"""What a verdict asks of gradients and of autograd's, measured for many tensors at once: few passes over all cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
# A gradient and autograd's, in the run's precision and then in the other one, all four of one shape.
Four = tuple[Array, Array, Array, Array]
MOST_CELLS = 2**18  # of the tensors that are measured together
ROUNDING = {"rtol": 2e-4, "atol_of_scale": 2e-5, "times_own": 32.0}


@dataclass(frozen=True)
class Side:
    """A gradient beside autograd's in one precision.

    `equal` is cell by cell (and so without a NaN), `error` the largest difference, `size` autograd's largest finite
    cell, `residue` the largest of either; `holds_any` says whether any cell of either is not zero.
    """

    equal: bool
    finite: bool
    error: float
    size: float
    residue: float
    holds_any: bool


@dataclass(frozen=True)
class Measured:
    """A gradient beside autograd's in both precisions.

    `rounding` is the largest difference between autograd's own two; `close` says whether the run's differs from
    autograd's by a few roundings of the tensor's magnitude, or of autograd's own; `max_ulp` counts representable
    numbers (None where one is not finite); `worst` is the cell that differs most.
    """

    own: Side
    other: Side
    rounding: float
    close: bool
    max_ulp: int | None
    worst: list[int]


def measured(tensors: Sequence[Four]) -> Iterator[Measured]:
    """Each tensor measured."""
    group: list[Four] = []
    for four in tensors:
        if group and sum(one[0].size for one in group) + four[0].size > MOST_CELLS:
            yield from _of_group(group)
            group = []
        group.append(four)
    yield from _of_group(group) if group else ()


def _of_group(group: list[Four]) -> Iterator[Measured]:
    own, other = (_Cells([(four[at], four[at + 1]) for four in group]) for at in (0, 2))
    rounding = own.most(_difference(own.autograd, other.autograd).astype(np.float64))
    close, ulps, worst = own.close(rounding), own.ulps, own.worst
    sides = zip(own.sides(), other.sides(), strict=True)
    for place, (mine, others) in enumerate(sides):
        max_ulp = int(ulps[place]) if mine.finite else None
        yield Measured(mine, others, float(rounding[place]), bool(close[place]), max_ulp, worst[place])


class _Cells:
    """The cells of several gradients, one after the other, beside those of autograd's; an empty one has a zero."""

    def __init__(self, pairs: list[tuple[Array, Array]]) -> None:
        self.shapes = [pair[0].shape for pair in pairs]
        self.counts = [max(pair[0].size, 1) for pair in pairs]
        self.starts = np.cumsum([0, *self.counts[:-1]])
        self.manual, self.autograd = (_joined([pair[at] for pair in pairs], pairs[0][1].dtype) for at in (0, 1))

    def most(self, cells: Array) -> Array:
        """The largest cell of each tensor."""
        return np.maximum.reduceat(cells, self.starts)

    def any(self, cells: Array) -> Array:
        """Whether any cell of each tensor is true."""
        return np.logical_or.reduceat(cells, self.starts)

    def spread(self, of_tensors: Array) -> Array:
        """A number of each tensor in all of its cells."""
        return np.repeat(of_tensors, self.counts)

    @cached_property
    def equal(self) -> Array:
        return ~self.any(self.manual != self.autograd)

    @cached_property
    def finite(self) -> Array:
        return ~self.any(~(np.isfinite(self.manual) & np.isfinite(self.autograd)))

    @cached_property
    def difference(self) -> Array:
        return _difference(self.manual, self.autograd)

    @cached_property
    def size(self) -> Array:
        return self.most(_sizes(self.autograd))

    @cached_property
    def ulps(self) -> Array:
        return self.most(np.abs(_ordered(self.manual) - _ordered(self.autograd)))

    @cached_property
    def worst(self) -> list[list[int]]:
        """The cell of each tensor that differs most, the first of those that are equal."""
        return [self._worst(place) for place in range(len(self.shapes))]

    def _worst(self, place: int) -> list[int]:
        start, shape = self.starts[place], self.shapes[place]
        at = 0 if self.equal[place] else int(self.difference[start : start + self.counts[place]].argmax())
        return [] if 0 in shape else [int(i) for i in np.unravel_index(at, shape)]

    def close(self, rounding: Array) -> Array:
        """Whether all cells of each tensor are close, `rounding` being autograd's own."""
        of_tensor = ROUNDING["atol_of_scale"] * self.size + ROUNDING["times_own"] * rounding
        allowed = ROUNDING["rtol"] * _sizes(self.autograd) + self.spread(of_tensor)
        return ~self.any(~(self.difference <= allowed))

    def sides(self) -> Iterator[Side]:
        residue = np.maximum(self.most(_sizes(self.manual)), self.size)
        holds = self.any((self.manual != 0) | (self.autograd != 0))
        columns = (self.equal, self.finite, self.most(self.difference), self.size, residue, holds)
        yield from map(Side, *(column.tolist() for column in columns))


def _joined(tensors: list[Array], dtype: np.dtype[Any]) -> Array:
    cells = [tensor.reshape(-1) if tensor.size else np.zeros(1) for tensor in tensors]
    return np.concatenate(cells, dtype=dtype, casting="unsafe")


def largest(cells: Array) -> float:
    """The magnitude of the largest finite cell."""
    return float(_sizes(cells).max(initial=0.0))


def _sizes(cells: Array) -> Array:
    """The magnitudes of finite cells, and 0 for the others."""
    finite = np.isfinite(cells)
    return np.abs(cells if finite.all() else np.where(finite, cells, 0))


def _difference(a: Array, b: Array) -> Array:
    """|a - b|; zero where both are the same non-finite value, infinite where only one is."""
    with np.errstate(invalid="ignore", over="ignore"):
        difference: Array = np.abs(a - b)
    finite = np.isfinite(difference)
    if not finite.all():
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        difference = np.where(same, 0, np.where(finite, difference, np.inf))
    return difference


def _ordered(a: Array) -> Array:
    """Floating-point numbers as whole ones, of which neighbours differ by 1."""
    bits = a.view(np.int32 if a.dtype == np.float32 else np.int64).astype(np.int64)
    low = np.int64(-(2**31)) if a.dtype == np.float32 else np.int64(-(2**63))
    return np.where(bits < 0, low - bits, bits)
