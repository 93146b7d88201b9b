"""Expressions as a person would write them, and worth the same: torch computes both."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import torch

from backend.engine.language.expression import expression
from backend.engine.language.nodes import plain
from backend.engine.language.rewrite import Shapes, substitute, tidy
from backend.engine.language.unparse import printed
from tests.support.example_shapes import SHAPES, shape_of

TIDIED = {
    "-(-x)": "x",
    "-(-2.0 * x)": "2.0 * x",
    "-(-x * g)": "x * g",
    "-x * -g": "x * g",
    "-x / -n * -g": "-x / n * g",
    "x * -2.0 * -g": "2.0 * x * g",
    "x - -g": "x + g",
    "x + -g": "x - g",
    "x + -2.0 * g": "x - 2.0 * g",
    "x - -g / n": "x + g / n",
    "(-x).sum(0)": "-x.sum(0)",
    "(-x).T": "-x.T",
    "(-x).masked_fill(x == 0, 0.0) * g": "-x.masked_fill(x == 0, 0.0) * g",
    "torch.where(x > 0, -g, 0.0)": "-torch.where(x > 0, g, 0.0)",
    "torch.where(x > 0, -g, 1.0)": "torch.where(x > 0, -g, 1.0)",
    "1.0 * x * 1": "x",
    "x / 1.0": "x",
    "2 / 2 * x": "x",
    "x**(2 - 1)": "x",
    "x.T.T": "x",
    "x.t().T": "x",
    "k.transpose(-2, -1).mT": "k",
    "k.transpose(0, 1).mT": "k.transpose(0, 1).mT",
    "k.permute(2, 0, 1).permute(1, 2, 0)": "k",
    "k.permute(2, 0, 1).permute(2, 0, 1)": "k.permute(2, 0, 1).permute(2, 0, 1)",
    "k.movedim(0, 2).movedim(2, 0)": "k",
    "h.swapaxes(1, 2).transpose(2, 1)": "h",
    "torch.transpose(k, 1, 2).mT": "k",
    "(x.T @ w).T": "w.T @ x",
    "(x @ y).T": "(x @ y).T",
    "(k.mT @ k).transpose(-2, -1)": "k.mT @ k",
    "torch.outer(v, w[0]).T": "torch.outer(w[0], v)",
    "x.sum(1, keepdim=True).squeeze(1)": "x.sum(1)",
    "-x.sum(0, keepdim=True).squeeze(0)": "-x.sum(0)",
    "h.sum((1, 2), keepdim=True).squeeze(2).squeeze(1)": "h.sum((1, 2))",
    "x.sum(1, keepdim=True).view(3)": "x.sum(1)",
    "x.sum(1, keepdim=True).squeeze(0)": "x.sum(1, keepdim=True).squeeze(0)",
    "x.sum((0,))": "x.sum(0)",
    "x.view((2, 6))": "x.view(2, 6)",
    "x.view((-1,))": "x.view(-1)",
    "s.expand(3).unsqueeze(1) * x": "s * x",
    "torch.where(x > 0, s.expand(3, 4), 0.0)": "torch.where(x > 0, s, 0.0)",
    "torch.ones_like(x) * (g / n)": "g / n",
    "torch.ones_like(x) * (s / n)": "s / n * torch.ones_like(x)",
}


@pytest.mark.parametrize("text", TIDIED)
def test_tidied(text: Any) -> None:
    node = expression(text)
    if "n" in text:
        node = substitute(node, {"n": plain(ast.Name("n", ast.Load()))})
    tidied = tidy(node, Shapes(shape_of))
    assert printed(tidied) == TIDIED[text]
    assert shape_of(tidied) == shape_of(expression(text))


@pytest.mark.parametrize("text", TIDIED)
def test_tidied_means_the_same(text: Any) -> None:
    tensors = {name: torch.randn(shape, dtype=torch.float64) for name, shape in SHAPES.items()} | {
        "n": 7,
        "torch": torch,
    }
    values = [eval(compile(code, "a test's own text", "eval"), dict(tensors)) for code in (text, TIDIED[text])]
    torch.testing.assert_close(*values, rtol=1e-12, atol=1e-12)


def test_a_part_of_several_expressions_is_tidied_once() -> None:
    asked: list[str] = []

    def noted(node: ast.expr) -> tuple[int, ...]:
        asked.append(printed(node))
        return shape_of(node)

    shapes, part = Shapes(noted), expression("x.sum(1, keepdim=True).squeeze(1)")
    first, second = (tidy(ast.BinOp(part, ast.Add(), expression(text)), shapes) for text in ("v", "w[:, 0]"))
    assert (printed(first), printed(second)) == ("x.sum(1) + v", "x.sum(1) + w[:, 0]")
    assert len(asked) == len(set(asked)) > 0
