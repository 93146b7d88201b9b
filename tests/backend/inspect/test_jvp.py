"""Derivatives beside NaN and infinity: a cell that isn't read is no term, although 0 · ∞ is NaN."""

from __future__ import annotations

from typing import Any

import pytest

from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of

BESIDE_ZERO = {
    "source": "l = torch.log(x)\nq = l / y\np = x.softmax(0)\nloss = (q * g).sum() + p[0]",
    "tensors": {
        "x": {"role": "parameter", "values": [1.0, 0.0, 3.0, 0.0]},
        "y": {"role": "parameter", "values": [0.0, 2.0, 4.0, 0.0]},
        "g": {"role": "data", "values": [1.0, 1.0, 2.0, 0.5]},
    },
}


@pytest.mark.parametrize(
    ("tensor", "which", "index", "count"),
    [("l", "value", 0, 1), ("l", "value", 2, 1), ("q", "value", 2, 2), ("p", "value", 1, 4), ("y", "gradient", 2, 1)],
)
def test_cells_beside_a_zero_that_is_divided_by(tensor: str, which: str, index: int, count: int) -> None:
    answer: Any = cell_of(run_of(BESIDE_ZERO), tensor, which, (index,))
    assert (answer["count"], answer["agrees"]) == (count, True)
