"""What a verdict asks of gradients and of autograd's, measured for many tensors at once: few passes over all cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import numpy as np

Array = np.ndarray[Any, Any]
Item = TypeVar("Item")
# A gradient and autograd's, in the run's precision and then in the other one, all four of one shape.
Four = tuple[Array, Array, Array, Array]
MOST_CELLS = 2**18  # of the tensors that are measured together
ROUNDING = {"rtol": 2e-4, "atol_of_scale": 2e-5, "times_own": 32.0}


class Side(NamedTuple):
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


class Measured:
    """A gradient beside autograd's in both precisions; what few verdicts ask for is worked out when one does."""

    def __init__(self, own: Side, other: Side, pair: _Pair, place: int) -> None:
        self.own, self.other = own, other
        self._pair, self._place = pair, place

    @property
    def rounding(self) -> float:
        """The largest difference between autograd's own two."""
        return float(self._pair.rounding[self._place])

    @property
    def close(self) -> bool:
        """Whether the run's differs from autograd's by a few roundings of the tensor's magnitude, or of autograd's."""
        return self.own.error <= ROUNDING["atol_of_scale"] * self.own.size or bool(self._pair.close[self._place])

    @property
    def max_ulp(self) -> int | None:
        """The largest difference, counted in representable numbers; None where one is not finite."""
        if not self.own.finite:
            return None
        return 0 if self.own.equal else int(self._pair.ulps[self._place])

    @property
    def worst(self) -> list[int]:
        """The cell that differs most."""
        return self._pair.worst(self._place, self.own.equal)


def measured(tensors: Sequence[Four]) -> Iterator[Measured]:
    """Each tensor measured."""
    for group in grouped(tensors, [four[0].size for four in tensors]):
        yield from _of_group(group)


def grouped(tensors: Sequence[Item], cells: Sequence[int]) -> Iterator[list[Item]]:
    """Tensors with so many cells, as many at once as may be measured together."""
    group, held = list[Item](), 0
    for tensor, count in zip(tensors, cells, strict=True):
        if group and held + count > MOST_CELLS:
            yield group
            group, held = [], 0
        group.append(tensor)
        held += count
    if group:
        yield group


def sizes_of(tensors: Sequence[Array]) -> list[tuple[float, float]]:
    """Of each tensor the root of the sum of the squares, and the magnitude of its largest cell (NaN if one is).

    In float64: squares of small numbers vanish in float32.
    """
    found: list[tuple[float, float]] = []
    for group in grouped(tensors, [tensor.size for tensor in tensors]):
        starts = np.array([0, *accumulate(max(tensor.size, 1) for tensor in group[:-1])])
        cells = np.abs(_joined(group, np.dtype(np.float64)))
        largest = np.maximum.reduceat(cells, starts).tolist()
        with np.errstate(over="ignore"):
            found += zip(np.sqrt(np.add.reduceat(np.square(cells, out=cells), starts)).tolist(), largest, strict=True)
    return found


def _of_group(group: list[Four]) -> Iterator[Measured]:
    pair = _Pair(*(_Cells([(four[at], four[at + 1]) for four in group]) for at in (0, 2)))
    sides = zip(pair.own.sides(), pair.other.sides(), strict=True)
    for place, (own, other) in enumerate(sides):
        yield Measured(own, other, pair, place)


class _Cells:
    """The cells of several gradients, one after the other, beside those of autograd's; an empty one has a zero."""

    def __init__(self, pairs: list[tuple[Array, Array]]) -> None:
        self.shapes = [pair[0].shape for pair in pairs]
        self.counts = [max(pair[0].size, 1) for pair in pairs]
        self.starts = np.array([0, *accumulate(self.counts[:-1])])
        self.manual, self.autograd = (_joined([pair[at] for pair in pairs], pairs[0][1].dtype) for at in (0, 1))
        self.difference = _difference(self.manual, self.autograd)
        self.size = self.most(_sizes(self.autograd))

    def most(self, cells: Array) -> Array:
        """The largest cell of each tensor."""
        return np.maximum.reduceat(cells, self.starts)

    def any(self, cells: Array) -> Array:
        """Whether any cell of each tensor is true."""
        return np.logical_or.reduceat(cells, self.starts)

    def spread(self, of_tensors: Array) -> Array:
        """A number of each tensor in all of its cells."""
        return np.repeat(of_tensors, self.counts)

    def sides(self) -> Iterator[Side]:
        error, residue = self.most(self.difference), np.maximum(self.most(_sizes(self.manual)), self.size)
        finite = np.full(len(self.counts), fill_value=True)
        equal, holds = error == 0, residue > 0
        if not (np.isfinite(self.manual).all() and np.isfinite(self.autograd).all()):
            finite = ~self.any(~(np.isfinite(self.manual) & np.isfinite(self.autograd)))
            equal, holds = ~self.any(self.manual != self.autograd), holds | ~finite
        yield from map(Side, *(column.tolist() for column in (equal, finite, error, self.size, residue, holds)))


class _Pair:
    """The cells in the run's precision and in the other one."""

    def __init__(self, own: _Cells, other: _Cells) -> None:
        self.own, self.other = own, other

    @cached_property
    def rounding(self) -> Array:
        """The largest difference between autograd's own two, of each tensor."""
        return self.own.most(_difference(self.own.autograd, self.other.autograd).astype(np.float64))

    @cached_property
    def close(self) -> Array:
        """Whether all cells of each tensor are close."""
        own = self.own
        of_tensor = ROUNDING["atol_of_scale"] * own.size + ROUNDING["times_own"] * self.rounding
        allowed = ROUNDING["rtol"] * _sizes(own.autograd) + own.spread(of_tensor)
        return ~own.any(~(own.difference <= allowed))

    @cached_property
    def ulps(self) -> Array:
        """The largest difference of each tensor, counted in representable numbers."""
        own = self.own
        manual, autograd = (cells.view(f"i{cells.itemsize}") for cells in (own.manual, own.autograd))
        if (manual ^ autograd).min() >= 0:  # no two have other signs
            return own.most(np.abs(manual - autograd))
        return own.most(np.abs(_ordered(own.manual) - _ordered(own.autograd)))

    def worst(self, place: int, equal: bool) -> list[int]:
        """The cell of a tensor that differs most, the first of those that do."""
        start, shape = self.own.starts[place], self.own.shapes[place]
        if equal or 0 in shape:
            return [] if 0 in shape else [0] * len(shape)
        at, cell = int(self.own.difference[start : start + self.own.counts[place]].argmax()), list[int]()
        for length in reversed(shape):
            at, index = divmod(at, length)
            cell.insert(0, index)
        return cell


def _joined(tensors: list[Array], dtype: np.dtype[Any]) -> Array:
    cells = [tensor.reshape(-1) if tensor.size else np.zeros(1) for tensor in tensors]
    return np.concatenate(cells, dtype=dtype, casting="unsafe")


def largest(cells: Array) -> float:
    """The magnitude of the largest finite cell."""
    return float(_sizes(cells).max(initial=0.0))


def _sizes(cells: Array) -> Array:
    """The magnitudes of finite cells, and 0 for the others."""
    sizes: Array = np.abs(cells)
    if not np.isfinite(sizes.max(initial=0)):
        sizes[~np.isfinite(sizes)] = 0
    return sizes


def _difference(a: Array, b: Array) -> Array:
    """|a - b|; zero where both are the same non-finite value, infinite where only one is."""
    with np.errstate(invalid="ignore", over="ignore"):
        difference: Array = a - b
    np.abs(difference, out=difference)
    if not np.isfinite(difference.max(initial=0)):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        difference = np.where(same, 0, np.where(np.isfinite(difference), difference, np.inf))
    return difference


def _ordered(a: Array) -> Array:
    """Floating-point numbers as whole ones, of which neighbours differ by 1."""
    bits: Array = a.view(f"i{a.itemsize}")
    sizes: Array = bits & ((1 << 8 * a.itemsize - 1) - 1)
    ordered: Array = np.where(bits < 0, -sizes, sizes)
    return ordered.astype(np.int64)
