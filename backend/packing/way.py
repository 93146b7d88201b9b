"""How a tensor follows from others, worked out as the page does: `static/js/shared/predicted.js`.

Both work in float64, term by term in the same order, and round once to float32; and with nothing but what IEEE 754
rounds correctly, so that every machine and every browser finds the same bits. No exponential, whose last bits differ.
"""

import math
from collections.abc import Callable, Sequence
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


def rounded(values: Numbers) -> Numbers:
    """As float32 holds them."""
    return values.astype(np.float32).astype(np.float64)


# Rounded to float32 at every operation, as a walk does.
OF: dict[str, Callable[[Numbers], Numbers]] = {
    "": lambda x: x,
    "x * x": lambda x: rounded(x * x),
    "1 - x * x": lambda x: rounded(1 - rounded(x * x)),
    "1 / x": lambda x: rounded(1 / x),
    "x > 0": lambda x: (x > 0).astype(float),
}


def worked_out(way: Way, shape: Shape, known: Sequence[Numbers]) -> Numbers:
    """What it predicts, as float32 holds it."""
    plain, plus = parts(way, shape, known)
    return rounded(plain * way.get("times", 1) + plus)


def parts(way: Way, shape: Shape, known: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """The sum of products, and what is added to `times` as much."""
    terms = way.get("terms", 1)
    inner = (*shape, terms)
    x = OF[way.get("of", "")](_read(way["x"], inner, known))
    y = _read(way["y"], inner, known) if "y" in way else np.ones(())
    products, found = np.broadcast_to(x * y, inner), np.zeros(shape)
    for term in range(terms):
        found = found + products[..., term]
    plus = _read(way["plus"], inner, known)[..., 0] if "plus" in way else np.zeros(())
    return found, plus


def _read(place: Place, shape: Shape, known: Sequence[Numbers]) -> Numbers:
    """A tensor's numbers where they stand in the predicted one; raises IndexError for a place that it hasn't."""
    number, strides = place
    each = (*strides, *[0] * (len(shape) - len(strides)))
    flat = known[number].reshape(-1)
    if sum((size - 1) * stride for size, stride in zip(shape, each, strict=True)) >= flat.size:
        raise IndexError(f"{place} leads out of tensor {number}, which has {flat.size} cells")
    return np.lib.stride_tricks.as_strided(flat, shape, [one * flat.itemsize for one in each])


def fitted(way: Way, values: Numbers, known: Sequence[Numbers]) -> Way:
    """The same with the factor with which it comes nearest, told in few digits where these are enough."""
    plain, plus = parts(way, values.shape, known)
    size = float((plain * plain).sum())
    times = float(((values - plus) * plain).sum()) / size if size else 1.0
    short = float(f"{times:.6g}")
    if not math.isfinite(times) or short == 1:
        return way
    return way | {"times": short if abs(times - short) < 1e-8 * abs(times) else float(np.float32(times))}
