"""Signs and numbers at the head of products: values stay equal to the last bit, and no sign stands before another."""

from __future__ import annotations

import ast
import random
import struct
from typing import Any

import pytest
import torch

from backend.engine.language.expression import expression
from backend.engine.language.rewrite import Shapes, tidy
from backend.engine.language.signs import OffMasks, doubled, head, negated, scaled, without_power_of_two, without_sign
from backend.engine.language.tree import number
from backend.engine.language.unparse import printed
from tests.support.example_shapes import drawn, shape_of

SCOPE = {"a": 0.1, "b": -3.7, "c": 1e-9, "d": 12345.678}


def product(chance: random.Random, depth: int = 3) -> str:
    """A product, a quotient or a sum in which signs and numbers stand anywhere."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice([*SCOPE, "2.0", "0.5", "3", "1", "1.5"])
    kind, left, right = chance.random(), product(chance, depth - 1), product(chance, depth - 1)
    if kind < 0.2:
        return f"-({left})"
    return f"({left}) {'+' if kind < 0.3 else '*' if kind < 0.75 else '/'} ({right})"


def bits(code: str) -> bytes:
    return struct.pack("<d", eval(code, dict(SCOPE)))


PRODUCTS = [product(random.Random(seed)) for seed in range(400)]


def test_drawn_products_are_of_every_kind() -> None:
    begins = {type(head(expression(text))) for text in PRODUCTS}
    assert {ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp} <= begins
    assert {without_sign(expression(text)) is None for text in PRODUCTS} == {True, False}


def test_a_changed_sign_changes_nothing_else() -> None:
    for text in PRODUCTS:
        made = printed(negated(expression(text)))
        assert bits(made) == bits(f"-({text})"), text
        assert bits(printed(negated(expression(made)))) == bits(text), text


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("x", "-x"), ("-x", "x"), ("x * y", "-x * y"), ("-x * y", "x * y"), ("2.0 * x", "-2.0 * x"), ("-1 * x", "x"),
        ("-2 * x / y", "2 * x / y"), ("x + y", "-(x + y)"), ("-(x + y) * z", "(x + y) * z"), ("-x @ y", "x @ y"),
        ("x // y", "-(x // y)"), ("-x // y", "-(-x // y)"),
    ],
)  # fmt: skip
def test_no_sign_stands_before_another(text: str, opposite: str) -> None:
    assert printed(negated(expression(text))) == opposite


def test_without_its_sign_an_expression_is_the_opposite() -> None:
    for text in PRODUCTS:
        bare = without_sign(expression(text))
        assert bare is None or bits(printed(bare)) == bits(f"-({text})"), text


@pytest.mark.parametrize("factor", [2, 0.5, 4])
def test_a_power_of_two_times_an_expression_rounds_nothing(factor: float) -> None:
    for text in PRODUCTS:
        assert bits(printed(scaled(expression(text), factor))) == bits(f"{factor} * ({text})"), text


def test_twice_an_expression_is_the_sum_of_two() -> None:
    for text in PRODUCTS:
        assert bits(printed(doubled(expression(text)))) == bits(f"({text}) + ({text})"), text


def test_a_power_of_two_is_taken_from_the_head() -> None:
    found = [without_power_of_two(expression(text)) for text in PRODUCTS]
    for text, (factor, rest) in zip(PRODUCTS, found, strict=True):
        assert bits(f"{factor} * ({printed(rest)})") == bits(text), text
    assert {0.5, 1, 2} <= {factor for factor, _ in found}


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("-3", -3), ("--2.5", 2.5), ("True", None), ("n", None), ("1 + 1", None), ("'3'", None), ("-x", None)],
)
def test_numerals(text: str, value: Any) -> None:
    assert number(expression(text)) == value


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("-m * x", "m * -x"), ("-m * x * y", "m * x * -y"), ("-m * x / y", "m * -x / y"), ("-m / y", "m / -y"),
        ("-x * m", "-x * m"), ("-m", "-m"), ("-m * m * x", "m * m * -x"), ("-m * x * m", "m * -x * m"),
        ("a + -(m * x)", "a + m * -x"),
    ],
)  # fmt: skip
def test_a_mask_has_no_sign(text: str, moved: str) -> None:
    """torch has no minus for truth values: another factor takes it."""
    tree = ast.parse(text, mode="eval").body
    read = tree if "(" in text else _as_one(tree)
    made = OffMasks(lambda node: isinstance(node, ast.Name) and node.id == "m").moved(read)
    assert printed(made) == moved


def _as_one(node: ast.expr) -> ast.expr:
    """-(m * x), as backward rules have it, where Python reads (-m) * x."""
    bare = without_sign(node)
    return node if bare is None else ast.UnaryOp(ast.USub(), bare)


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("x", "2 * x"), ("x * g", "2 * x * g"), ("-x * g", "-2 * x * g"), ("0.5 * x", "x"), ("x @ y", "2 * x @ y"),
        ("x + g", "2 * (x + g)"), ("-x", "-2 * x"), ("1.5 * x / n", "3.0 * x / n"), ("x.sum(0)", "2 * x.sum(0)"),
    ],
)  # fmt: skip
def test_doubled(text: Any, twice: Any) -> None:
    node = tidy(expression(text), Shapes(shape_of))
    made = doubled(node)
    assert printed(made) == twice
    once, both = (eval(code, drawn(torch.float32)) for code in (text, twice))
    assert torch.equal(once + once, both)
    assert printed(negated(negated(made))) == twice
