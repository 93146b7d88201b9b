"""What a forward step is said to compute, computed from the sentence alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from backend.pipeline import run_of
from backend.present.forward import forward_sentence

X = [[0.5, -2.0, 0.0], [3.0, 1.0, -1.5]]
# An expression in x, how its sentence ends, and what that makes of x.
SAID: list[tuple[str, str, Callable[[torch.Tensor], torch.Tensor]]] = [
    ("x.norm(p=1)", "adds up the sizes of the cells of `x` over all cells.", lambda x: x.abs().sum()),
    ("x.norm(p=0, dim=1)", "counts the cells of `x` that aren't zero over axis 1.", lambda x: (x != 0).sum(1)),
    ("x.norm(p=math.inf, dim=0)", "is the largest size of a cell of `x` over axis 0.", lambda x: x.abs().amax(0)),
    ("x.norm(p=3)", "is the 3-norm of `x` over all cells.", lambda x: (x.abs() ** 3).sum() ** (1 / 3)),
    ("x.norm(dim=1)", "is the length of `x` over axis 1.", lambda x: (x**2).sum(1).sqrt()),
    ("x.prod(1)", "multiplies the cells of `x` over axis 1.", lambda x: x[:, 0] * x[:, 1] * x[:, 2]),
    ("x.cumsum(0)", "is the running sum of `x` over axis 0.", lambda x: torch.stack([x[0], x[0] + x[1]])),
    ("x.topk(2, dim=1).values", "finds the `2` largest values of each row of `x`.", lambda x: first(x, 1, 2)),
    ("x.topk(1, dim=0).values", "finds the largest value of each column of `x`.", lambda x: first(x, 0, 1)),
    (
        "x.sort(0).values",
        "puts the values of each column of `x` in order, the smallest first.",
        lambda x: -first(-x, 0, 2),
    ),
    (
        "F.layer_norm(x, (3,), x[0], x[1])",
        "is `x` less its mean, over its standard deviation, along the last axis, times `x[0]`, plus `x[1]`.",
        lambda x: (x - x.mean(1)[:, None]) / (x.var(1, unbiased=False) + 1e-5).sqrt()[:, None] * x[0] + x[1],
    ),
    ("x * 3 + 1", "`x * 3 + 1` is the sum of `x * 3` and `1`, cell by cell.", lambda x: x * 3 + 1),
    ("x.view(3, -1)", "lays out the same cells in the shape (3, 2).", lambda x: x.flatten().unflatten(0, (3, 2))),
    ("x.clamp(min=-1.0)", "keeps every cell within its bounds.", lambda x: torch.where(x < -1.0, -1.0, x)),
]


def first(x: torch.Tensor, axis: int, count: int) -> torch.Tensor:
    """The largest numbers along an axis, by comparing all."""
    rows = x.T if axis == 0 else x
    chosen = torch.tensor([sorted(row, reverse=True)[:count] for row in rows.tolist()])
    return chosen.T if axis == 0 else chosen


def told(expression: str) -> tuple[str, torch.Tensor, torch.Tensor]:
    """The sentence of a line with this expression, its value, and x."""
    tensors = {"x": {"role": "parameter", "values": X}}
    run = run_of({"source": f"y = {expression}\nloss = y.sum() + x.sum()", "tensors": tensors})
    values: dict[str, Any] = run.forward.tensors
    return forward_sentence(run.plan.graph.by_variable["y"]), values["y"], values["x"]


@pytest.mark.parametrize(("expression", "end", "computed"), SAID, ids=[row[0] for row in SAID])
def test_what_is_said_is_what_is_computed(expression: str, end: str, computed: Any) -> None:
    sentence, value, x = told(expression)
    assert sentence.endswith(end)
    assert torch.allclose(computed(x).to(value.dtype), value)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_softmax_adds_up_to_1_along_the_axis_that_is_said(axis: int) -> None:
    sentence, value, _ = told(f"(x * 100.0).softmax({axis})")
    assert sentence.endswith(f"shares, none below 0, that add up to 1 over axis {axis}.")
    assert torch.allclose(value.sum(axis), torch.ones(()))
    assert not value.all()  # far from the largest a share is 0, not positive


def test_the_places_beside_values_are_said_to_be_places() -> None:
    source = "v, i = x.topk(2)\nm, j = x.max(1)\ns, k = x.sort()\nloss = v.sum() + m.sum() + s.sum()"
    run = run_of({"source": source, "tensors": {"x": {"role": "parameter", "values": X}}})
    said = [forward_sentence(run.plan.graph.by_variable[name]) for name in "ijk"]
    assert said[0].endswith("finds the places of the `2` largest values of each row of `x`.")
    assert said[1].endswith("finds the place of the largest value of `x` over axis 1.")
    assert said[2].endswith("lists the places of the values of each row of `x` in order, the smallest first.")
