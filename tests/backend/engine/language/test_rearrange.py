"""Changes of shape that undo each other: every pair of moves is tried, and torch computes both texts."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import pytest
import torch

from backend.engine.language.expression import expression
from backend.engine.language.rearrange import is_new_axes, undone
from backend.engine.language.unparse import printed

TENSORS = {
    "x": torch.arange(12.0).view(3, 4), "y": torch.arange(20.0).view(4, 5), "w": torch.arange(15.0).view(3, 5),
    "k": torch.arange(24.0).view(2, 3, 4), "v": torch.arange(4.0), "q": torch.arange(9.0).view(3, 3), "s": torch.tensor(2.0), "torch": torch,
}  # fmt: skip
MOVES = [
    ".mT", ".transpose(0, 1)", ".transpose(-1, 0)", ".swapaxes(1, 2)", ".permute(1, 2, 0)", ".permute(2, 0, 1)",
    ".permute(0, 2, 1)", ".movedim(0, 2)", ".movedim(2, 0)", ".moveaxis(1, -1)",
]  # fmt: skip


def value(text: str) -> torch.Tensor:
    return torch.as_tensor(eval(text, dict(TENSORS)))


def shape_of(node: ast.expr) -> tuple[int, ...]:
    return tuple(value(ast.unparse(ast.fix_missing_locations(node))).shape)


def made(text: str) -> str:
    return printed(undone(expression(text), shape_of))


@pytest.mark.parametrize(("first", "second"), [*itertools.product(MOVES, MOVES)])
def test_two_moves_are_gone_where_they_leave_every_axis_in_its_place(first: str, second: str) -> None:
    text = f"k{first}{second}"
    undo_each_other = value(text).stride() == value("k").stride()
    assert made(text) == ("k" if undo_each_other else text)


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("(x.T @ w).T", "w.T @ x"), ("(x @ y).T", "(x @ y).T"), ("(k @ k.mT).mT", "k @ k.mT"),
        ("(x.T @ q @ w).T", "w.T @ (q.T @ x)"), ("(x.T @ q @ q @ w).T", "(x.T @ q @ q @ w).T"),
        ("(x.T @ w).T.T", "x.T @ w"), ("torch.outer(v, v * 2).T", "torch.outer(v * 2, v)"),
        ("(3 * x.T).T", "3 * x"), ("(x * x).T", "(x * x).T"), ("(v @ k.mT).mT", "(v @ k.mT).mT"),
        ("x.sum(1, keepdim=True).squeeze(1)", "x.sum(1)"), ("x.sum(0, keepdim=True).reshape(4)", "x.sum(0)"),
        ("x.sum(1, keepdim=True).view(1, 3)", "x.sum(1, keepdim=True).view(1, 3)"),
        ("x.mean(1, keepdim=True).squeeze(1)", "x.mean(1, keepdim=True).squeeze(1)"),
        ("s.expand(4).unsqueeze(1)", "s.expand(4, 1)"), ("s.expand(4)[:, None]", "s.expand(4, 1)"),
        ("v.expand(3, 4)[:, None]", "v.expand(3, 4)[:, None]"), ("v.expand(3, 4).expand(2, 3, 4)", "v.expand(2, 3, 4)"),
        ("torch.where(x > 1, v.expand(3, 4), 0.0)", "torch.where(x > 1, v, 0.0)"),
        ("torch.where(s > 1, v.expand(3, 4), 0.0)", "torch.where(s > 1, v.expand(3, 4), 0.0)"),
    ],
)  # fmt: skip
def test_what_is_undone_means_the_same(text: str, shorter: str) -> None:
    assert made(text) == shorter
    assert torch.equal(value(shorter), value(text))
    assert value(shorter).shape == value(text).shape


@pytest.mark.parametrize(
    ("index", "is_new"),
    [(":", True), ("None", True), (":, None", True), ("..., None", True), ("0", False), ("1:", False), ("::2", False)],
)
def test_an_index_of_new_axes_picks_every_cell(index: str, is_new: bool) -> None:
    node: Any = expression(f"x[{index}]")
    assert is_new_axes(node.slice) is is_new
    assert (value(f"x[{index}]").numel() == 12) is is_new
