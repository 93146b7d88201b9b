"""Likely ways in which a row of numbers follows from known ones: by a few of their cells."""

from collections.abc import Iterator

import numpy as np

from backend.packing.shelf import Shelf
from backend.packing.way import OF, Numbers, Way

ALIKE = 1e-4  # how far ratios may be apart
Found = tuple[float, Way]  # how far it is off, and what it is


def multiples(shelf: Shelf, seen: Numbers, target: Numbers) -> Iterator[Found]:
    """As many times another."""
    for name, of in OF.items():
        apart = spread(target / of(seen))
        yield from ((apart[at], _way(shelf, at, name)) for at in np.argsort(apart)[:2] if apart[at] < ALIKE)


def products(shelf: Shelf, seen: Numbers, target: Numbers) -> Iterator[Found]:
    """As many times the product of two."""
    for name, of in OF.items():
        for at, other, apart in _pairs(target / of(seen), seen):
            yield apart, _way(shelf, at, name) | {"y": shelf.places[other]}


def sums(shelf: Shelf, seen: Numbers, target: Numbers) -> Iterator[Found]:
    """As one, and as many times another."""
    for name, of in OF.items():
        for at, other, apart in _pairs(target - seen, of(seen)):
            yield apart, _way(shelf, other, name) | {"plus": shelf.places[at]}


def spread(ratios: Numbers) -> Numbers:
    """How far ratios are from being one number."""
    middle = np.abs(ratios.mean(-1))
    found: Numbers = (ratios.max(-1) - ratios.min(-1)) / middle
    found[~np.isfinite(found)] = np.inf
    return found


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
