"""Tables of rules by the number of axes: every case is taken by a sample, and the reference lists them all."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import backend
from backend.engine.ops import OPS
from backend.engine.ops.base import Op
from backend.engine.ops.cases import holds
from tests.support import op_samples

TABLES = [op for op in OPS if op.cases]


def taken(op: type[Op], shapes: dict[str, tuple[int, ...]]) -> int:
    """The number of the case for inputs of these shapes."""
    ranks = {name: len(shape) for name, shape in shapes.items()}
    return next(n for n, (conditions, _) in enumerate(op.cases) if all(holds(one, ranks) for one in conditions))


@pytest.mark.parametrize("op", TABLES, ids=lambda op: op.__name__)
def test_every_case_is_tried_on_a_sample(op: Any) -> None:
    given = [op_samples.read(text, op).tensors for text in op.samples]
    shapes = [{name: tuple(torch.tensor(tensor["values"]).shape) for name, tensor in one.items()} for one in given]
    assert {taken(op, one) for one in shapes} == set(range(len(op.cases)))


def test_the_reference_shows_the_rule_of_a_matrix_product() -> None:
    shown = next(op for op in backend.operations() if op["name"] == "matmul")
    assert shown["backward"] == {"x": "dout @ y.T", "y": "x.T @ dout"}
    assert shown["cases"][0] == {"when": ["x.ndim == 2", "y.ndim == 2"], "backward": shown["backward"]}
    assert shown["cases"][-1]["when"] == []


@pytest.mark.parametrize("condition", ["x.ndim < 2", "x.shape == 2", "x"])
def test_a_condition_that_says_something_else_is_refused(condition: str) -> None:
    with pytest.raises((TypeError, KeyError)):
        holds(condition, {"x": 2})
