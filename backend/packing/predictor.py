"""Finds how a tensor follows from others of the same walk: as numbers tell it, whatever the lines say."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from backend.packing.likely import ALIKE, multiples, products, spread, sums
from backend.packing.shelf import Shelf
from backend.packing.way import Numbers, Place, Shape, Way, fitted, worked_out

FEWEST, MOST = 16, 16_384  # cells of what is predicted
PROBES, TRIED = 16, 4  # cells that are looked at first, and predictions that are worked out whole


class Predictor:
    """Knows the tensors that came before, and tells the next one by them."""

    def __init__(self, shapes: set[Shape]) -> None:
        wanted = {shape for shape in shapes if FEWEST <= int(np.prod(shape)) <= MOST}
        self.shelves = {shape: Shelf(shape) for shape in wanted | {one[::-1] for one in wanted if len(one) == 2}}
        self.values: list[Numbers] = []

    def add(self, values: Numbers) -> None:
        """A tensor that later ones may follow from."""
        if np.isfinite(values).all() and values.size <= MOST:
            for shelf in self.shelves.values():
                shelf.add(len(self.values), values)
        self.values.append(values)

    def ways(self, values: Numbers) -> Iterator[tuple[Way, Numbers]]:
        """The likeliest ways in which it follows, and what each predicts."""
        shelf = self.shelves.get(values.shape)
        if shelf is None or not np.isfinite(values).all() or not values.any():
            return
        with np.errstate(all="ignore"):  # what isn't a number is no likely way
            for likely in [*_told(shelf, values), *self._summed(shelf, values)]:
                way = fitted(likely | {"sizes": list(values.shape)}, values, self.values)
                predicted = worked_out(way, values.shape, self.values)
                if np.isfinite(predicted).all():
                    yield way, predicted

    def _summed(self, shelf: Shelf, values: Numbers) -> Iterator[Way]:
        """As a product of matrices, and a row that is added to it."""
        if values.ndim != 2:
            return
        height, width = values.shape
        cells = np.unravel_index(_probes(values), values.shape)
        for terms in {shape[1] for shape in self.shelves if len(shape) == 2 and shape[0] == height}:
            left, right = self._matrices((height, terms)), self._matrices((terms, width))
            if left and right:
                down, across = cells
                found = np.einsum("apk,bkp->abp", np.stack([one[down] for one, _ in left]),
                                  np.stack([one[:, across] for one, _ in right]))  # fmt: skip
                for (a, b), plus in _agreeing(shelf, found, values[down, across], across):
                    way = _product(left[a][1], right[b][1], terms)
                    yield way | {"plus": plus} if plus else way

    def _matrices(self, shape: Shape) -> list[tuple[Numbers, Place]]:
        return list(self.shelves[shape].matrices()) if shape in self.shelves else []


def _told(shelf: Shelf, values: Numbers) -> Iterator[Way]:
    """As one of them, as one and a multiple of another, as a multiple of a product."""
    if not shelf.rows:
        return
    probes = _probes(values)
    seen, target = np.stack([row[probes] for row in shelf.rows]), values.reshape(-1)[probes]
    nearest = np.argsort(np.abs(seen - target).max(1))[:2]
    yield from (Way(x=shelf.places[place]) for place in nearest)
    ways = [*multiples(shelf, seen, target), *sums(shelf, seen, target), *products(shelf, seen, target)]
    yield from [way for _, way in sorted(ways, key=lambda one: one[0])[:TRIED]]


def _product(left: Place, right: Place, terms: int) -> Way:
    """Of two matrices: the rows of one with the columns of the other."""
    (x, (down, along)), (y, (through, across)) = left, right
    return Way(x=(x, [down, 0, along]), y=(y, [0, across, through]), terms=terms)


def _agreeing(
    shelf: Shelf, found: Numbers, target: Numbers, across: NDArray[np.intp]
) -> Iterator[tuple[tuple[int, int], Place | None]]:
    """The pair whose product is a multiple of the target, and those that are it with a row added."""
    yield from ((pair, None) for pair in _nearest(spread(target / found)))
    for row, place in shelf.copied_rows():
        apart = np.abs(target - found - row[across]).max(2) / np.abs(target).max()
        yield from ((pair, place) for pair in _nearest(apart))


def _nearest(apart: Numbers) -> Iterator[tuple[int, int]]:
    """The pair that is least off, if that is little."""
    first, second = np.unravel_index(np.argmin(apart), apart.shape)
    if apart[first, second] < ALIKE:
        yield int(first), int(second)


def _probes(values: Numbers) -> NDArray[np.intp]:
    """A few cells, the same each time, that aren't zero if others aren't."""
    filled = np.flatnonzero(values)
    return filled[np.random.default_rng(0).permutation(len(filled))[:PROBES]]
