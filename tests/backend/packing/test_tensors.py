"""A prediction costs bytes where it is off, and never a number."""

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.packing.tensors import missed, told_by_others
from backend.packing.way import Way, worked_out

BITS = NDArray[np.uint32]


def put_right(predicted: NDArray[np.float64], rest: bytes) -> BITS:
    """What was missed, added: whole steps from one float32 to the next, with the sign in the lowest bit."""
    steps = np.frombuffer(rest, "<u4").astype(np.int64)
    signed = np.where(steps & 1, -(steps + 1) // 2, steps // 2)
    bits: BITS = (predicted.astype("<f4").reshape(-1).view("<u4") + signed).astype("<u4")
    return bits


def tensors() -> list[NDArray[np.float32]]:
    rng = np.random.default_rng(5)
    x, w = (rng.normal(size=size).astype("f4") for size in ((6, 6), (6, 6)))
    return [x, w, x @ w]


def test_what_follows_is_told_by_a_way_and_nearly_nothing() -> None:
    x, w, z = tensors()
    *_, (way, rest) = told_by_others([(one.tobytes(), one.shape) for one in (x, w, z)])
    assert way is not None
    assert (way["x"][0], way["y"][0], way["terms"]) == (0, 1, 6)
    assert max(np.frombuffer(rest, "<u4")) < 200
    predicted = worked_out(way, z.shape, [x.astype(float), w.astype(float)])
    assert put_right(predicted, rest).tobytes() == z.tobytes()


@pytest.mark.parametrize(
    "wrong",
    [
        Way(x=(1, [6, 0, 1]), y=(0, [0, 1, 6]), terms=6),  # the factors the other way round
        Way(x=(0, [6, 0, 1]), y=(1, [0, 6, 1]), terms=6),  # a wrong axis
        Way(x=(0, [6, 0, 1]), y=(1, [0, 1, 6]), terms=6, times=1 + 2**-23),  # a bit too much
        Way(x=(0, [1, 1])),  # another tensor
    ],
)
def test_a_wrong_way_is_made_good(wrong: Way) -> None:
    x, w, z = tensors()
    predicted = worked_out(wrong, z.shape, [x.astype(float), w.astype(float)])
    assert not np.array_equal(predicted, z)
    assert put_right(predicted, missed(z.reshape(-1).view("<u4"), predicted)).tobytes() == z.tobytes()


def test_what_is_not_told_in_words_follows_from_nothing() -> None:
    odd = bytes(range(97))
    x, _, _ = tensors()
    assert list(told_by_others([(odd, (97,)), (x.tobytes(), x.shape)])) == [(None, odd), (None, x.tobytes())]
