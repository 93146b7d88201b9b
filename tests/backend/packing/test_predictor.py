"""What a tensor follows from is found in its numbers alone."""

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.packing.predictor import Predictor
from backend.packing.way import Way

Numbers = NDArray[np.float64]


def ways_of(values: Numbers, *known: Numbers) -> list[tuple[Way, Numbers]]:
    predictor = Predictor({one.shape for one in (*known, values)})
    for one in known:
        predictor.add(one)
    return list(predictor.ways(values))


def test_a_product_of_matrices_is_found_and_worked_out() -> None:
    rng = np.random.default_rng(1)
    x, w, b = (rng.normal(size=size) for size in ((8, 5), (5, 6), (6,)))
    exact = x @ w + b
    way, predicted = next(one for one in ways_of(exact, x, w, b) if "terms" in one[0])
    assert way == {"x": (0, [5, 0, 1]), "y": (1, [0, 1, 6]), "terms": 5, "plus": (2, [0, 1]), "sizes": [8, 6]}
    np.testing.assert_array_equal(predicted, exact.astype("f4"))


@pytest.mark.parametrize(
    ("code", "way"),
    [
        ("x.T @ g", {"x": (0, [1, 0, 5]), "y": (1, [0, 1, 6]), "terms": 8}),
        ("g @ w.T", {"x": (1, [6, 0, 1]), "y": (2, [0, 6, 1]), "terms": 6}),
        ("(1 - (h * h).astype('f4')).astype('f4') * g", {"x": (3, [6, 1]), "of": "1 - x * x", "y": (1, [6, 1])}),
        ("g * b", {"x": (1, [6, 1]), "y": (4, [0, 1])}),
        ("h - 0.1 * g", {"x": (1, [6, 1]), "plus": (3, [6, 1]), "times": -0.1}),
        ("g.T", {"x": (1, [1, 6])}),
    ],
)
def test_what_a_backward_line_does_is_found(code: str, way: Way) -> None:
    rng = np.random.default_rng(2)
    sizes = {"x": (8, 5), "g": (8, 6), "w": (5, 6), "h": (8, 6), "b": (6,)}
    names = {name: rng.normal(size=size).astype("f4").astype(float) for name, size in sizes.items()}
    values = np.asarray(eval(code, {}, names))
    found = ways_of(values, *names.values())
    exact = values.astype("f4").astype(float)
    right = [one for one, predicted in found if np.array_equal(predicted, exact)]
    assert way | {"sizes": list(values.shape)} in right, found


def test_chance_follows_from_nothing_exactly() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(2, 6, 7))
    assert not [way for way, predicted in ways_of(one, other) if np.allclose(predicted, one)]
