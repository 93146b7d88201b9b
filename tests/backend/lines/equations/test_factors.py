"""Products taken apart and put together again: Python computes the same from both, exactly."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from backend.engine.language.expression import expression
from backend.engine.language.tree import minus
from backend.engine.language.unparse import printed
from backend.lines.equations.factors import Factors, factors_of, product_of

SCOPE = {"a": Fraction(2, 3), "b": Fraction(-5), "c": Fraction(7, 2), "d": Fraction(11)}


def product(chance: random.Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.2:
        return chance.choice([*SCOPE, "(a + b)"])
    kind, left, right = chance.random(), product(chance, depth - 1), product(chance, depth - 1)
    return f"-({left})" if kind < 0.25 else f"({left}) {'*' if kind < 0.7 else '/'} ({right})"


def test_a_product_is_its_factors() -> None:
    kinds = set()
    for seed in range(500):
        text = product(random.Random(seed), 4)
        factors = factors_of(expression(text))
        value = Fraction(-1 if factors.negative else 1)
        for factor in factors.above:
            value *= eval(printed(factor), dict(SCOPE))
        for factor in factors.below:
            value /= eval(printed(factor), dict(SCOPE))
        assert value == eval(text, dict(SCOPE)), text
        made = product_of(factors)
        assert made is not None
        assert eval(printed(made), dict(SCOPE)) == value, text
        kinds.add((factors.negative, bool(factors.below)))
    assert len(kinds) == 4


@pytest.mark.parametrize(
    ("text", "negative", "above", "below"),
    [
        ("a", False, ["a"], []), ("-a * b / c", True, ["a", "b"], ["c"]), ("a / -c * -b", False, ["a", "b"], ["c"]),
        ("a * (b * c)", False, ["a", "b", "c"], []), ("a / (b * c)", False, ["a"], ["b * c"]),
        ("a * (b / c)", False, ["a", "b"], ["c"]), ("a + b", False, ["a + b"], []), ("-(-a)", False, ["a"], []),
        ("a @ b * c", False, ["a @ b", "c"], []), ("a // b * c", False, ["a // b", "c"], []),
    ],
)  # fmt: skip
def test_what_the_factors_are(text: str, negative: bool, above: list[str], below: list[str]) -> None:
    found = factors_of(expression(text))
    assert (found.negative, [printed(f) for f in found.above], [printed(f) for f in found.below]) == (
        negative, above, below,
    )  # fmt: skip


def test_products_of_few() -> None:
    a, b = expression("a"), expression("b")
    assert product_of(Factors(False, [], [])) is None
    few = product_of(Factors(False, [], [b])), product_of(Factors(True, [a], [b]))
    assert [made and printed(made) for made in few] == ["1 / b", "-a / b"]
    assert printed(minus(minus(a))) == "a"
