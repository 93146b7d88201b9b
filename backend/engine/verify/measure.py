"""What a verdict asks of gradients and of autograd's, measured for many tensors at once: few passes over all cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch

Array = np.ndarray[Any, Any]
Item = TypeVar("Item")
# A gradient and autograd's, in the run's precision and then in the other one, all four of one shape.
Four = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]
MOST_CELLS = 2**18  # of the tensors that are measured together
FLOAT64_TOLERANCE = 1e-7
ROUNDING = {"rtol": 2e-4, "atol_of_scale": 2e-5, "times_own": 32.0}


class Deviation(NamedTuple):
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


class Measured(NamedTuple):
    """A gradient beside autograd's in both precisions.

    `rounding` is the largest difference between autograd's own two, looked for where more than float64's tolerance is
    lost, and else 0; `close` says whether the run's differs from autograd's by a few roundings of the tensor's
    magnitude, or of autograd's; `max_ulp` is the largest difference, counted in representable numbers, None where one
    is not finite; `worst` is the cell that differs most.
    """

    own: Deviation
    other: Deviation
    rounding: float
    close: bool
    max_ulp: int | None
    worst: list[int]


def measured(tensors: Sequence[Four]) -> Iterator[Measured]:
    """Each tensor measured; of those that are not measured together no cells are held at once."""
    for group in grouped(tensors, [four[0].numel() for four in tensors]):
        yield from _of_group(group)


def grouped(tensors: Sequence[Item], cells: Sequence[int]) -> Iterator[list[Item]]:
    """Tensors with so many cells, as many at once as may be measured together."""
    if tensors and sum(cells) <= MOST_CELLS:
        yield list(tensors)
        return
    group, held = list[Item](), 0
    for tensor, count in zip(tensors, cells, strict=True):
        if group and held + count > MOST_CELLS:
            yield group
            group, held = [], 0
        group.append(tensor)
        held += count
    if group:
        yield group


def sizes_of(tensors: Sequence[torch.Tensor]) -> list[tuple[float, float]]:
    """Of each tensor the root of the sum of the squares, and the magnitude of its largest cell (NaN if one is).

    In float64: squares of small numbers vanish in float32.
    """
    found: list[tuple[float, float]] = []
    for group in grouped(tensors, [tensor.numel() for tensor in tensors]):
        starts = _Places(group).starts
        cells = np.abs(joined(group), dtype=np.float64)
        largest = np.maximum.reduceat(cells, starts).tolist()
        with np.errstate(over="ignore"):
            found += zip(np.sqrt(np.add.reduceat(np.square(cells, out=cells), starts)).tolist(), largest, strict=True)
    return found


def _of_group(group: list[Four]) -> list[Measured]:
    tensors, places = [*zip(*group, strict=True)], _Places([four[0] for four in group])
    pair = _Pair(_Cells(tensors[0], tensors[1], places), _Cells(tensors[2], tensors[3], places))
    sides = zip(group, pair.own.sides(), pair.other.sides(), strict=True)
    return [pair.measured(place, four[0].shape, own, other) for place, (four, own, other) in enumerate(sides)]


class _Places:
    """Where the cells of each of several tensors are when they are joined."""

    def __init__(self, tensors: Sequence[torch.Tensor]) -> None:
        self.ends = [*accumulate(max(count, 1) for count in map(torch.Tensor.numel, tensors))]
        self.starts = np.array([0, *self.ends[:-1]])

    def of(self, place: int) -> slice:
        """Those of one tensor."""
        return slice(self.starts[place], self.ends[place])


class _Cells:
    """The cells of several gradients, one after the other, beside those of autograd's; an empty one has a zero."""

    def __init__(self, manual: Sequence[torch.Tensor], autograd: Sequence[torch.Tensor], places: _Places) -> None:
        self.starts, self.of, dtype = places.starts, places.of, autograd[0].dtype
        self.manual, self.autograd = joined(manual, dtype), joined(autograd, dtype)
        largest_manual, largest_autograd = self.most(np.abs(self.manual)), self.most(np.abs(self.autograd))
        self.finite = np.isfinite(largest_manual) & np.isfinite(largest_autograd)
        if not self.finite.all():
            largest_manual, largest_autograd = self.most(_sizes(self.manual)), self.most(_sizes(self.autograd))
        self.difference = _difference(self.manual, self.autograd, finite=bool(self.finite.all()))
        self.size, self.residue = largest_autograd, np.maximum(largest_manual, largest_autograd)

    def most(self, cells: Array) -> Array:
        """The largest cell of each tensor."""
        return np.maximum.reduceat(cells, self.starts)

    def sides(self) -> Iterator[Deviation]:
        error = self.most(self.difference)
        equal, holds = error == 0, self.residue > 0
        if not self.finite.all():
            equal = ~np.logical_or.reduceat(self.manual != self.autograd, self.starts)
            holds |= ~self.finite
        yield from map(
            Deviation, *(column.tolist() for column in (equal, self.finite, error, self.size, self.residue, holds))
        )


class _Pair:
    """The cells in the run's precision and in the other one; what few verdicts ask for is worked out when one does."""

    def __init__(self, own: _Cells, other: _Cells) -> None:
        self.own, self.other = own, other
        self.in_float64 = own.manual.dtype == np.float64

    def measured(self, place: int, shape: torch.Size, own: Deviation, other: Deviation) -> Measured:
        """What is measured of one tensor."""
        fine = own if self.in_float64 else other
        loses = 0 < FLOAT64_TOLERANCE * fine.size < fine.error
        close = own.error <= ROUNDING["atol_of_scale"] * own.size or self._close(place, own.size)
        ulps = None if not own.finite else 0 if own.equal else int(self.ulps[place])
        return Measured(
            own, other, self._rounding(place) if loses else 0.0, close, ulps, self._worst(place, shape, own)
        )

    def _rounding(self, place: int) -> float:
        of_tensor = self.own.of(place)
        return float(_difference(self.own.autograd[of_tensor], self.other.autograd[of_tensor]).max())

    def _close(self, place: int, size: float) -> bool:
        own, of_tensor = self.own, self.own.of(place)
        any_cell = ROUNDING["atol_of_scale"] * size + ROUNDING["times_own"] * self._rounding(place)
        allowed = ROUNDING["rtol"] * _sizes(own.autograd[of_tensor]) + any_cell
        return bool((own.difference[of_tensor] <= allowed).all())

    @cached_property
    def ulps(self) -> Array:
        """The largest difference of each tensor, counted in representable numbers."""
        manual, autograd = (cells.view(f"i{cells.itemsize}") for cells in (self.own.manual, self.own.autograd))
        size, unsigned = np.iinfo(manual.dtype).max, f"u{manual.itemsize}"
        apart = np.abs(manual - autograd).view(unsigned)
        across = np.flatnonzero((manual ^ autograd) < 0)  # zero lies between the two
        apart[across] = (manual[across] & size).view(unsigned) + (autograd[across] & size).view(unsigned)
        return self.own.most(apart)

    def _worst(self, place: int, shape: torch.Size, own: Deviation) -> list[int]:
        """The cell that differs most, the first of those that do."""
        if own.equal or 0 in shape:
            return [] if 0 in shape else [0] * len(shape)
        return cell_at(int(self.own.difference[self.own.of(place)].argmax()), shape)


def cell_at(place: int, shape: Sequence[int]) -> list[int]:
    """The cell at a place, counted row by row."""
    cell = list[int]()
    for length in reversed(shape):
        place, index = divmod(place, length)
        cell.insert(0, index)
    return cell


def joined(tensors: Sequence[torch.Tensor], dtype: torch.dtype | None = None) -> Array:
    """The cells of tensors, one after the other, as numpy has them; an empty one has a zero.

    In one call: to ask each tensor for its cells takes longer than all that is done with those of a small walk.
    """
    tensors = list(tensors)
    if 0 in map(torch.Tensor.numel, tensors):
        tensors = [tensor if tensor.numel() else tensor.new_zeros(1) for tensor in tensors]
    cells = torch._C._nn.flatten_dense_tensors(tensors)
    return cells.detach().to(dtype or cells.dtype).numpy()


def largest(cells: Array) -> float:
    """The magnitude of the largest finite cell."""
    return float(_sizes(cells).max(initial=0.0))


def _sizes(cells: Array) -> Array:
    """The magnitudes of finite cells, and 0 for the others."""
    sizes: Array = np.abs(cells)
    if not np.isfinite(sizes.max(initial=0)):
        sizes[~np.isfinite(sizes)] = 0
    return sizes


def _difference(a: Array, b: Array, *, finite: bool = False) -> Array:
    """|a - b|; zero where both are the same non-finite value, infinite where only one is; if `finite`, none is."""
    with np.errstate(invalid="ignore", over="ignore"):
        difference: Array = a - b
    np.abs(difference, out=difference)
    if not finite and not np.isfinite(difference.max(initial=0)):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        difference = np.where(same, 0, np.where(np.isfinite(difference), difference, np.inf))
    return difference
