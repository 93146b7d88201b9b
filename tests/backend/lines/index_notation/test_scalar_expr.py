"""Scalar expressions, simplified and written: Python computes the same from the tree and from its text."""

from __future__ import annotations

import ast
import random
import re
from fractions import Fraction
from typing import Any

import pytest

from backend.engine.language.expression import expression
from backend.engine.language.tree import constant, number
from backend.lines.index_notation.format import formula_text
from backend.lines.index_notation.scalar_expr import add, chosen, fold_of, folded, mapped, simple, times

SCOPE = {"a": Fraction(2, 3), "b": Fraction(-5), "c": Fraction(7, 2)}
OPERATORS: list[Any] = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod]


def drawn(chance: random.Random, depth: int) -> ast.expr:
    kind = chance.random()
    if depth == 0 or kind < 0.15:
        return chance.choice([ast.Name(chance.choice("abc"), ast.Load()), constant(chance.randrange(-2, 4))])
    if kind < 0.35:
        return ast.UnaryOp(ast.USub(), drawn(chance, depth - 1))
    if kind < 0.45:
        return ast.BinOp(drawn(chance, depth - 1), ast.Pow(), ast.Constant(chance.randrange(1, 4)))
    return ast.BinOp(drawn(chance, depth - 1), chance.choice(OPERATORS)(), drawn(chance, depth - 1))


def value(node: ast.expr) -> Any:
    code = compile(ast.fix_missing_locations(ast.Expression(exact(node))), "a drawn tree", "eval")
    return computed(code)


def exact(node: ast.expr) -> ast.expr:
    """A copy in which numerals are fractions, so that nothing rounds."""
    if isinstance(node, ast.Constant):
        return ast.Call(ast.Name("Fraction", ast.Load()), [node], [])
    return mapped(node, exact)


def read(text: str) -> Any:
    """What a person reads: `·` multiplies, and raised digits are a power."""
    raised = re.sub(r"[²³]", lambda found: f"**{'²³'.index(found[0]) + 2}", text.replace("·", "*"))
    return value(ast.parse(raised, mode="eval").body)


def computed(code: Any) -> Any:
    try:
        return eval(code, {**SCOPE, "Fraction": Fraction})
    except ZeroDivisionError:
        return None


TREES = [drawn(random.Random(seed), 4) for seed in range(500)]


def test_a_text_is_read_as_its_tree() -> None:
    for tree in TREES:
        assert read(formula_text(tree)) == value(tree), formula_text(tree)


def simplified(node: ast.expr) -> ast.expr:
    return simple(mapped(node, simplified))


def test_simpler_means_the_same() -> None:
    shorter = 0
    for tree in TREES:
        made = simplified(tree)
        meant = value(tree)
        assert meant is None or value(made) == meant, formula_text(tree)
        shorter += len(formula_text(made)) < len(formula_text(tree))
    assert shorter > 100


def test_sums_and_multiples() -> None:
    for first in TREES[:60]:
        for second in TREES[60:70]:
            if value(first) is not None and value(second) is not None:
                assert value(add(first, second)) == value(first) + value(second)
        assert value(first) is None or value(times(-1, first)) == -value(first)
        assert value(first) is None or value(times(3, first)) == 3 * value(first)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x * 1", "x"), ("1 * x", "x"), ("x / 1", "x"), ("x ** 1", "x"), ("x + 0", "x"), ("0 + x", "x"), ("x - 0", "x"),
        ("x - (-y)", "x + y"), ("x * (-y)", "-x · y"), ("-x / y", "-x/y"), ("-(-x)", "x"), ("x ** 2", "x²"),
        ("x * (y * z)", "x · y · z"), ("x / (y * z)", "x / (y · z)"), ("(x + y) * z", "(x + y) · z"),
    ],
)  # fmt: skip
def test_what_is_written(text: str, shown: str) -> None:
    assert formula_text(simplified(expression(text))) == shown


def test_numbers() -> None:
    assert [number(constant(n)) for n in (0, 2, -3, 1.5)] == [0, 2, -3, 1.5]
    assert [number(expression(text)) for text in ("x", "True", "1 + 1")] == [None, None, None]


def test_folds_leave_out_axes_of_length_one_and_carry_their_sign_in_front() -> None:
    i, body = ast.Name("i", ast.Load()), expression("x")
    assert folded("sum", [ast.Constant(0)], body) is body
    assert formula_text(folded("argmax", [ast.Constant(0)], body)) == "0"
    summed = folded("sum", [i, ast.Constant(0)], expression("-x"))
    assert formula_text(summed) == "-Σ_i x"
    inner = folded("sum", [i], body)
    assert fold_of(inner) == ("sum", ["i"], body)
    assert fold_of(summed) is None
    assert formula_text(folded("max", [i], expression("-x"))) == "max_i(-x)"


def test_choices() -> None:
    conditions = [expression("a < b"), expression("b < c")]
    assert formula_text(chosen([], expression("x"), expression("y"))) == "x"
    assert formula_text(chosen(conditions[:1], expression("x"), expression("y"))) == "x if a < b else y"
    assert formula_text(chosen(conditions, expression("x"), ast.Constant(0))) == "x if a < b and b < c else 0"
