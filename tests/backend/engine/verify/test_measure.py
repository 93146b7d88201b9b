"""Tensors measured together say what each of them says alone, worked out with numpy one by one."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import torch

from backend.engine.verify import measure
from backend.engine.verify.measure import FLOAT64_TOLERANCE, Array, Four, measured

SHAPES = [(3, 4), (0, 5), (), (7,), (2, 1, 3), (1,)]


Arrays = tuple[Array, Array, Array, Array]


def four(shape: tuple[int, ...], seed: int) -> Arrays:
    """A gradient and autograd's in float32, a little apart, and the same in float64."""
    made = np.random.default_rng(seed)
    right = made.standard_normal(shape)
    off = right + 1e-4 * (seed % 3) * made.standard_normal(shape)
    return off.astype(np.float32), right.astype(np.float32), np.asarray(off), np.asarray(right)


def in_tensors(arrays: Arrays) -> Four:
    one, two, three, four = map(torch.as_tensor, arrays)
    return one, two, three, four


def largest(cells: Array) -> float:
    return float(np.max(np.abs(cells), initial=0.0))


@pytest.mark.parametrize("most", [1, 5, 13, 2**18])
def test_each_tensor_is_measured_by_itself(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "MOST_CELLS", most)
    fours = [four(shape, seed) for seed, shape in enumerate(SHAPES * 2)]
    found = list(measured([in_tensors(arrays) for arrays in fours]))
    assert len(found) == len(fours)
    for (manual, autograd, fine, fine_autograd), one in zip(fours, found, strict=True):
        assert one.own.error == largest(manual - autograd)
        assert one.other.error == largest(fine - fine_autograd)
        assert one.own.size == largest(autograd)
        assert one.own.residue == max(largest(manual), largest(autograd))
        loses = one.other.error > FLOAT64_TOLERANCE * one.other.size
        assert one.rounding == (largest(autograd.astype(np.float64) - fine_autograd) if loses else 0)
        assert one.own.equal == bool((manual == autograd).all())
        assert one.own.holds_any == bool(manual.any() or autograd.any())
        if manual.size:
            assert abs(manual - autograd)[tuple(one.worst)] == one.own.error
        else:
            assert one.worst == []
            assert one.max_ulp == 0


def test_the_cells_of_what_is_measured_together_alone_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "MOST_CELLS", 2**14)

    def peak(count: int) -> int:
        tensors = [in_tensors(four((2**14,), 1)) for _ in range(count)]
        tracemalloc.start()
        found = list(measured(tensors))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(found) == count
        return most

    assert peak(24) < 1.5 * peak(3)


def test_what_is_not_finite_in_one_tensor_is_so_in_no_other() -> None:
    broken = four((4,), 1)
    broken[0][2] = np.nan
    before, one, after = measured([in_tensors(arrays) for arrays in (four((3,), 2), broken, four((2, 2), 4))])
    assert [kept.own.finite for kept in (before, one, after)] == [True, False, True]
    assert one.own.error == np.inf
    assert one.worst == [2]
    assert one.max_ulp is None
    assert all(kept.max_ulp and np.isfinite(kept.own.error) for kept in (before, after))
