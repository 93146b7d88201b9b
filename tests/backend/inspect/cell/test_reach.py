"""A copy counts as one whatever stands beside it: a zero factor makes its term zero, and takes no term away."""

from __future__ import annotations

from typing import Any, cast

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.inspect.cell.cell import cell_of
from backend.inspect.cell.reach import reached
from backend.inspect.path_function import PathFunction
from backend.pipeline import run_of

# Cells with zeros among what they are multiplied by, and how many copies there are along each axis of each path.
COPIES: dict[tuple[str, str, tuple[int, ...]], list[list[int]]] = {
    ("broadcasting", "w", (0, 0)): [[4]],
    ("elementwise.dead", "W", (0, 2)): [[4]],
    ("elementwise.dead", "b", (0,)): [[4]],
    ("attention", "v", (1, 0)): [[4]],
    ("embedding.onehot", "C", (2, 0)): [[9]],
    ("through-time", "Wh", (0, 1)): [[3], [3], [3], [3]],
}


@pytest.mark.parametrize(("lesson", "tensor", "index"), COPIES)
def test_every_copy_is_a_term(lesson: str, tensor: str, index: tuple[int, ...]) -> None:
    answer = cell_of(run_of({"lesson": lesson}), tensor, "gradient", index)
    paths = COPIES[lesson, tensor, index]
    assert [[along["size"] for along in path["over"]] for path in answer["paths"]] == paths
    assert answer["count"] == answer["numbers"]["count"] == sum(sum(path) for path in paths)
    assert any(term["local"] == 0 for term in answer["terms"])
    assert sum(term["product"] for term in answer["terms"]) == pytest.approx(answer["shown"], abs=1e-6)


def test_what_is_not_read_is_no_term() -> None:
    """Rows of a table that nobody looks up, and places with another letter."""
    run = run_of({"lesson": "embedding"})
    assert cell_of(run, "C", "gradient", (3, 0))["count"] == 0
    used = int(torch.eq(run.forward.tensors["Xb"], 2).sum())
    assert cell_of(run, "C", "gradient", (2, 0))["count"] == used


class Shut:
    """A function that no draw opens on both sides, and one that can't be run at all."""

    names: tuple[str, ...] = ("u",)

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails

    def value(self, evaluator: Any) -> torch.Tensor:
        if self.fails:
            raise Refusal("cell-outside", found=[], tensor="u", shape="()")
        return torch.relu(evaluator.scope["u"]) * torch.tensor([1.0, 0.0])


def test_what_no_numbers_move_is_not_reached() -> None:
    scope, function, broken = (
        {"u": torch.tensor([-1.0, 2.0])},
        cast(PathFunction, Shut()),
        cast(PathFunction, Shut(True)),
    )
    masks = [reached(function, scope, "u", (at,), torch.float32) for at in (0, 1)]
    assert [mask is not None and mask.tolist() for mask in masks] == [[True, False], [False, False]]
    assert reached(broken, scope, "u", (0,), torch.float32) is None
