"""A prediction is worked out as its way says, and used only where every library rounds it alike."""

import numpy as np

from app.site.predicting import Predictor, Way, fitted


def test_a_product_of_matrices_is_found_and_worked_out() -> None:
    rng = np.random.default_rng(1)
    x, w, b = (rng.normal(size=size) for size in ((8, 5), (5, 6), (6,)))
    predictor = Predictor({x.shape, w.shape, b.shape, (8, 6)})
    for one in (x, w, b):
        predictor.add(one)
    exact = x @ w + b
    found = [(way, predicted) for way, predicted in predictor.ways(exact) if way.get("terms") == 5]
    assert found
    way, predicted = found[0]
    assert way["plus"][0] == 2
    np.testing.assert_array_equal(predicted, exact.astype("f4"))


def test_a_library_s_last_bits_decide_nothing() -> None:
    """Halfway between two float32, one library rounds up and another down."""
    halfway = np.full(16, 1 + 2**-24)
    assert fitted(Way(x=(0, [1]), of="exp"), halfway, [np.log(halfway)]) is None
    assert fitted(Way(x=(0, [1]), of="exp"), np.exp(np.arange(16.0)), [np.arange(16.0)]) is not None
