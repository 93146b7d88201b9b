"""NaN and infinity in an opened gradient: every term is a cell that reads the number, and what is said of it is so."""

from __future__ import annotations

from typing import Any

import pytest

from backend.inspect.cell.cell import cell
from backend.inspect.cell.not_finite import BOTH

TRAP = "y = torch.where(x > 0, x.sqrt(), 0)\nloss = (y * y).sum()"
ROOT = "y = x.sqrt()\nloss = y.sum()"


def opened(source: str, values: list[float], index: int) -> Any:
    walk = {"source": source, "tensors": {"x": {"role": "parameter", "values": values}}}
    return cell({"walk": walk, "tensor": "x", "which": "gradient", "index": [index]})


ARISES = "It begins here: {} arrives at `{}`, whose local derivative is {}, and {}."
BEGINNINGS = {
    "a branch that isn't taken": (TRAP, [-1.0, 0.0, 4.0], 1, ARISES.format("0", "x.sqrt()", "∞", "0 · ∞ is NaN")),
    "outside of the domain": (TRAP, [-1.0, 0.0, 4.0], 0, ARISES.format("0", "x.sqrt()", "NaN", "0 · NaN is NaN")),
    "beside another zero": (ROOT, [0.0, 0.0], 1, ARISES.format("1", "x.sqrt()", "∞", "1 · ∞ is ∞")),
    "infinity, then zero": (
        "y = (x * x).sqrt()\nloss = y.sum()",
        [0.0, 1.0],
        0,
        ARISES.format("1", "(x * x).sqrt()", "∞", "1 · ∞ is ∞")
        + " Then ∞ arrives at `x * x`, whose local derivative is 0, and ∞ · 0 is NaN.",
    ),
    "infinity beside infinity": (
        "a = x.log()\nb = (x + x * 2).log()\nloss = (a - b).sum()", [0.0, 4.0], 0, BOTH,
    ),
    "a value before": ("s = x.sqrt()\ny = torch.where(x > 0, s, 0)\nloss = (y * y).sum()", [-1.0, 2.0], 0,
                       "The first NaN is in `s[0]`, line 1."),
    "a gradient before": ("p = torch.softmax(x, 0)\nloss = -(p * p.log()).sum()", [0.0, 200.0], 0,
                          "The first infinity is in `dp[0]`, backward line 2."),
}  # fmt: skip


@pytest.mark.parametrize(("source", "values", "index", "told"), BEGINNINGS.values(), ids=BEGINNINGS)
def test_what_is_not_finite_has_its_terms_and_says_where_it_begins(
    source: str, values: list[float], index: int, told: str
) -> None:
    answer = opened(source, values, index)
    assert answer["shown"] in ("NaN", "Infinity")
    assert (answer["sum"], answer["agrees"]) == (answer["shown"], True)
    assert answer["count"] > 0
    assert answer["numbers"]["count"] > 0
    assert answer["because"] == told or (told == BOTH and answer["because"].endswith(f". {BOTH}"))


@pytest.mark.parametrize("source", [TRAP, ROOT, "y = (x * x).sqrt()\nloss = y.sum()"])
def test_a_number_beside_one_that_is_not_finite_is_made_of_its_own_terms_alone(source: str) -> None:
    answer = opened(source, [0.0, 4.0, 0.0], 1)
    assert [term["cell"] for term in answer["terms"]] == [[1]]
    assert (answer["agrees"], answer["because"]) == (True, "")
