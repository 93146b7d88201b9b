"""How a tensor follows from others of the same walk: as numbers tell it, whatever the lines say.

Nothing depends on a guess: what a prediction misses is kept beside it, bit for bit. Both sides work it out in float64,
term by term in the same order, and round once: `static/js/shared/predicted.js`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Numbers = NDArray[np.float64]
Place = tuple[int, list[int]]  # which tensor, and how far its next cell is along each axis of the predicted one


class Way(TypedDict):
    """`times * sum(of(x) * y) + plus` for each of `sizes` cells, the sum over `terms` places of one more axis."""

    sizes: NotRequired[list[int]]
    x: Place
    of: NotRequired[str]
    y: NotRequired[Place]
    plus: NotRequired[Place]
    times: NotRequired[float]
    terms: NotRequired[int]


OF: dict[str, Callable[[Numbers], Numbers]] = {
    "": lambda x: x,
    "square": lambda x: x * x,
    "tanh slope": lambda x: 1 - x * x,
    "inverse": lambda x: 1 / x,
    "positive": lambda x: (x > 0).astype(float),
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
}
# Each library rounds these its own way: they are used where nobody's last bits decide how a number is rounded.
LIBRARY = frozenset(("exp", "log", "tanh"))
FEWEST, MOST = 16, 16_384  # cells of what is predicted
PROBES, TRIED = 16, 4  # cells that are looked at first, and predictions that are worked out whole
ALIKE = 1e-4  # how far ratios may be apart


@dataclass
class Shelf:
    """What can be read as a tensor of one shape: tensors of as many cells, transposed ones, and such as are copied."""

    shape: Shape
    rows: list[Numbers] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def add(self, number: int, values: Numbers) -> None:
        """A tensor in every way in which it can be read."""
        for view in self._views(values):
            self.rows.append(view.reshape(-1))
            self.places.append((number, [stride // view.itemsize for stride in view.strides]))

    def _views(self, values: Numbers) -> Iterator[Numbers]:
        if values.shape == self.shape or values.size == int(np.prod(self.shape)):
            yield values.reshape(self.shape)
        if len(self.shape) > 1 and values.shape != self.shape and values.shape == self.shape[::-1]:
            yield values.T
        elif values.size < int(np.prod(self.shape)) and _spreads(values.shape, self.shape):
            yield np.broadcast_to(values, self.shape)


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
        if shelf is None or not shelf.rows or not np.isfinite(values).all() or not values.any():
            return
        known = np.stack(shelf.rows)
        with np.errstate(all="ignore"):  # what isn't a number is no likely way
            for way in [*self._told(shelf, known, values), *self._summed(values)]:
                predicted = fitted(way, values, self.values)
                if predicted is not None:
                    yield way | {"sizes": list(values.shape)}, predicted

    def _told(self, shelf: Shelf, known: Numbers, values: Numbers) -> Iterator[Way]:
        """As one of them, as one and a multiple of another, as a multiple of a product."""
        probes = _probes(values)
        seen, target = known[:, probes], values.reshape(-1)[probes]
        nearest = np.argsort(np.abs(seen - target).max(1))[:2]
        yield from (Way(x=shelf.places[place]) for place in nearest)
        ways = [*_multiples(shelf, seen, target), *_sums(shelf, seen, target), *_products(shelf, seen, target)]
        yield from [way for _, way in sorted(ways, key=lambda one: one[0])[:TRIED]]

    def _summed(self, values: Numbers) -> Iterator[Way]:
        """As a product of matrices, and a row that is added to it."""
        if values.ndim != 2:
            return
        down, across = np.unravel_index(_probes(values), values.shape)
        target = values[down, across]
        for terms in {shape[1] for shape in self.shelves if len(shape) == 2 and shape[0] == len(values)}:
            left = self._matrices((len(values), terms))
            right = self._matrices((terms, values.shape[1]))
            if left and right:
                found = np.einsum("apk,bkp->abp", np.stack([one[down] for one, _ in left]),
                                  np.stack([one[:, across] for one, _ in right]))  # fmt: skip
                for (a, b), plus in self._agreeing(found, target, across, values.shape):
                    (row, column), (_, x), (_, y) = (0, 1), left[a], right[b]
                    way = Way(x=(x[0], [x[1][row], 0, x[1][column]]), y=(y[0], [0, y[1][column], y[1][row]]))
                    yield way | {"terms": terms} | ({"plus": plus} if plus else {})

    def _matrices(self, shape: Shape) -> list[tuple[Numbers, Place]]:
        shelf = self.shelves.get(shape)
        rows = zip(shelf.rows, shelf.places, strict=True) if shelf else ()
        return [(row.reshape(shape), place) for row, place in rows if all(place[1])]

    def _agreeing(
        self, found: Numbers, target: Numbers, across: NDArray[np.intp], shape: Shape
    ) -> Iterator[tuple[tuple[int, int], Place | None]]:
        spread = _spread(target / found)
        yield from ((_pair(place, spread.shape), None) for place in np.argsort(spread, axis=None)[:1]
                    if spread.flat[place] < ALIKE)  # fmt: skip
        shelf = self.shelves[shape]
        for row, place in zip(shelf.rows, shelf.places, strict=True):
            if place[1] == [0, 1]:
                apart = np.abs(target - found - row[across]).max(2) / np.abs(target).max()
                yield from ((_pair(one, apart.shape), place) for one in np.argsort(apart, axis=None)[:1]
                            if apart.flat[one] < ALIKE)  # fmt: skip


def _multiples(shelf: Shelf, seen: Numbers, target: Numbers) -> Iterator[tuple[float, Way]]:
    for name, of in OF.items():
        apart = _spread(target / of(seen))
        yield from ((apart[at], _way(shelf, at, name)) for at in np.argsort(apart)[:2] if apart[at] < ALIKE)


def _products(shelf: Shelf, seen: Numbers, target: Numbers) -> Iterator[tuple[float, Way]]:
    for name, of in OF.items():
        for at, other, apart in _pairs(target / of(seen), seen):
            yield apart, _way(shelf, at, name) | {"y": shelf.places[other]}


def _sums(shelf: Shelf, seen: Numbers, target: Numbers) -> Iterator[tuple[float, Way]]:
    for name, of in OF.items():
        for at, other, apart in _pairs(target - seen, of(seen)):
            yield apart, _way(shelf, other, name) | {"plus": shelf.places[at]}


def _pairs(wanted: Numbers, offered: Numbers) -> Iterator[tuple[int, int, float]]:
    """Which rows of the one are multiples of which rows of the other: by what their cells are to their largest one."""
    one, other = _scaled(wanted), _scaled(offered)
    order = np.argsort(other[:, 0])  # what isn't a number comes last, and agrees with none
    first = np.searchsorted(other[order, 0], one[:, 0] - ALIKE)
    found = np.searchsorted(other[order, 0], one[:, 0] + ALIKE) - first
    rows = np.repeat(np.arange(len(one)), found)
    others = order[np.arange(len(rows)) - np.repeat(found.cumsum() - found - first, found)]
    apart = np.abs(one[rows] - other[others]).max(1, initial=0)
    for at in np.argsort(apart)[:2]:
        if apart[at] < ALIKE:
            yield int(rows[at]), int(others[at]), float(apart[at])


def _scaled(rows: Numbers) -> Numbers:
    largest: Numbers = np.take_along_axis(rows, np.abs(rows).argmax(1)[:, None], 1)
    return rows / largest


def _way(shelf: Shelf, at: int, name: str) -> Way:
    return Way(x=shelf.places[at], of=name) if name else Way(x=shelf.places[at])


def _spread(ratios: Numbers) -> Numbers:
    """How far ratios are from being one number."""
    middle = np.abs(ratios.mean(-1))
    spread: Numbers = (ratios.max(-1) - ratios.min(-1)) / middle
    spread[~np.isfinite(spread)] = np.inf
    return spread


def _probes(values: Numbers) -> NDArray[np.intp]:
    """A few cells, the same each time, that aren't zero if others aren't."""
    filled = np.flatnonzero(values)
    return filled[np.random.default_rng(0).permutation(len(filled))[:PROBES]]


def _pair(place: np.intp, shape: Shape) -> tuple[int, int]:
    first, second = np.unravel_index(place, shape)
    return int(first), int(second)


def _spreads(shape: Shape, over: Shape) -> bool:
    return len(shape) <= len(over) and all(a in (1, b) for a, b in zip(shape[::-1], over[::-1], strict=False))


def fitted(way: Way, values: Numbers, known: list[Numbers]) -> Numbers | None:
    """What a way predicts, once its factor is chosen; None where it depends on whose library works it out."""
    plain, plus = _parts(way, values.shape, known)
    size = float((plain * plain).sum())
    times = float(((values - plus) * plain).sum()) / size if size and np.isfinite(size) else 1.0
    rounded = float(f"{times:.6g}")
    if rounded != 1 and np.isfinite(times):
        way["times"] = rounded if abs(times - rounded) < 1e-8 * abs(times) else float(np.float32(times))
    found = plain * way.get("times", 1) + plus
    sure = way.get("of") not in LIBRARY or (rounded32(found * (1 + 2**-40)) == rounded32(found * (1 - 2**-40))).all()
    return rounded32(found) if sure and np.isfinite(found).all() else None


def _parts(way: Way, shape: Shape, known: list[Numbers]) -> tuple[Numbers, Numbers]:
    terms = way.get("terms", 1)
    inner = (*shape, terms)
    x = OF[way.get("of", "")](_read(way["x"], inner, known))
    y = _read(way["y"], inner, known) if "y" in way else np.ones(())
    products, found = np.broadcast_to(x * y, inner), np.zeros(shape)
    for term in range(terms):
        found = found + products[..., term]
    plus = _read(way["plus"], inner, known)[..., 0] if "plus" in way else np.zeros(())
    return found, plus


def _read(place: Place, shape: Shape, known: list[Numbers]) -> Numbers:
    number, strides = place
    each = (*strides, *[0] * (len(shape) - len(strides)))
    flat = known[number].reshape(-1)
    return np.lib.stride_tricks.as_strided(flat, shape, [one * flat.itemsize for one in each])


def rounded32(values: Numbers) -> Numbers:
    """As float32 holds them."""
    return values.astype(np.float32).astype(np.float64)
