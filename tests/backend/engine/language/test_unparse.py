"""Printed expressions: Python reads each as the tree that was printed, with no bracket that it could do without."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import torch

import backend
from backend.engine.language.unparse import printed
from tests.support.line_lint import needless_brackets

Make = Callable[[random.Random], ast.expr]
NUMBERS: list[dict[str, Any]] = [
    {"a": Fraction(7), "b": Fraction(2), "c": Fraction(-3)},
    {"a": Fraction(-5, 2), "b": Fraction(3), "c": Fraction(4, 3)},
    {"a": Fraction(1, 3), "b": Fraction(-2), "c": Fraction(9)},
]
WHOLE: list[dict[str, Any]] = [{"a": 7, "b": 2, "c": -3}, {"a": -5, "b": 12, "c": 6}, {"a": 1, "b": 0, "c": 10}]


def tree(chance: random.Random, depth: int, leaf: Make, ops: list[Any], signs: list[Any]) -> ast.expr:
    """An expression drawn at random."""
    kind = chance.random()
    if depth == 0 or kind < 0.1:
        return leaf(chance)
    if kind < 0.35:
        return ast.UnaryOp(chance.choice(signs)(), tree(chance, depth - 1, leaf, ops, signs))
    op = chance.choice(ops)()
    if isinstance(op, ast.cmpop):
        return ast.Compare(tree(chance, depth - 1, leaf, ops, signs), [op], [tree(chance, depth - 1, leaf, ops, signs)])
    left = tree(chance, depth - 1, leaf, ops, signs)
    small = ast.Constant(chance.randrange(4))
    return ast.BinOp(left, op, small if isinstance(op, ast.Pow) else tree(chance, depth - 1, leaf, ops, signs))


def named(chance: random.Random) -> ast.expr:
    return ast.Name(chance.choice("abc"), ast.Load())


def value(code: Any, scope: dict[str, Any]) -> Any:
    """What Python makes of a tree or a text; the error's kind where it makes nothing of it."""
    try:
        return eval(code, dict(scope))
    except ArithmeticError as error:
        return type(error)


def meant(node: ast.expr) -> Any:
    return compile(ast.fix_missing_locations(ast.Expression(node)), "a drawn tree", "eval")


ARITHMETIC = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow]
BITS = [ast.Add, ast.Sub, ast.Mult, ast.BitOr, ast.BitXor, ast.BitAnd, ast.Lt, ast.Eq]


@pytest.mark.parametrize(
    ("ops", "signs", "scopes"),
    [(ARITHMETIC, [ast.USub], NUMBERS), (BITS, [ast.USub, ast.Invert], WHOLE)],
    ids=["arithmetic", "bits"],
)
@pytest.mark.filterwarnings("ignore:Bitwise inversion")
def test_python_computes_the_same_from_the_text(ops: Any, signs: Any, scopes: Any) -> None:
    chance = random.Random(7)
    for _ in range(600):
        node = tree(chance, chance.randrange(1, 5), named, ops, signs)
        text = printed(node)
        assert [value(text, scope) for scope in scopes] == [value(meant(node), scope) for scope in scopes], text


def test_no_bracket_is_needless() -> None:
    chance = random.Random(8)
    for _ in range(300):
        text = printed(tree(chance, chance.randrange(1, 5), named, ARITHMETIC + BITS, [ast.USub, ast.Invert]))
        assert list(needless_brackets(text)) == [], text


@pytest.mark.parametrize(
    "text",
    [
        "x[0]", "x[:, None]", "x[1:2, ..., ::-1]", "x[i, 0:n]", "x.sum(dim=1, keepdim=True)", "(x + y).T", "(-x).abs()",
        "torch.cat([a, b], dim=0)", "(a,)", "(a, b)[0]", "[]", "f()()", "(2).real", "'ij,jk->ik'", "x == y", "~(x > 0)",
        "-(a // b)", "-(a % b)", "-(a // b) * c", "-a // b", "x - -(a % b)", "-(-x)", "-(-x * y)",
    ],
)  # fmt: skip
def test_what_is_printed_is_the_text_it_was_read_from(text: str) -> None:
    assert printed(ast.parse(text, mode="eval").body) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1e-05", "1e-5"), ("1e+05", "100000.0"), ("1e400", "math.inf"), ("x ** 2", "x**2"), ("1/2", "1/2"),
        ("-(a * b)", "-a * b"), ("-(a @ b) / c", "-a @ b / c"), ("x[(0, 1)]", "x[0, 1]"),
    ],
)  # fmt: skip
def test_how_it_is_printed(text: str, shown: str) -> None:
    assert printed(ast.parse(text, mode="eval").body) == shown


@pytest.mark.parametrize("text", ["a = b", "a, b = c", "a[0] = b", "a += b * c", "a[1:] -= b"])
def test_statements(text: str) -> None:
    assert printed(ast.parse(text).body[0]) == text


@pytest.mark.parametrize("half", ["-(n // 2)", "-(n % 2)", "-(n // 2) * n", "n * -(n // 2)"])
def test_an_exported_file_computes_what_the_program_does(half: str) -> None:
    tensors = {"x": {"role": "parameter", "values": [1.5, -2.0]}}
    case = {"source": f"m = {half}\nloss = (x * m * {half}).sum()", "constants": {"n": 3}, "tensors": tensors}
    meant: dict[str, Any] = {"n": 3, "x": torch.tensor([1.5, -2.0])}
    exec(str(case["source"]), meant)
    exported: dict[str, Any] = {}
    exec(backend.export(case, "py")["text"], exported)
    assert exported["loss"].item() == meant["loss"].item()
