"""What a divisor, a power or the sign of `+=` is mistaken for, wherever it is met: in a line, an answer, a question."""

from __future__ import annotations

import ast

import pytest

from backend.engine.language.expression import expression
from backend.engine.language.tree import number
from backend.engine.language.unparse import printed
from backend.lines.equations.factors import factors_of, product_of
from backend.lines.mistakes.edits import flipped, sign_of
from backend.lines.mistakes.products import divisor_beside, raised

SIZES = {"n": 8.0, "n - 1": 7.0, "two": 2.0, "half": 0.5}


@pytest.mark.parametrize(
    ("divisor", "beside"),
    [("n", "n - 1"), ("n - 1", "n"), ("32", "31"), ("two", None), ("half", None), ("x", None), ("x - 1", None)],
)
def test_n_and_one_less_are_mixed_up_where_they_are_sizes(divisor: str, beside: str | None) -> None:
    def value(part: ast.expr) -> float | None:
        return SIZES.get(printed(part), number(part))

    made = divisor_beside(expression(divisor), value)
    assert (made and printed(made)) == beside


def test_an_exponent_that_was_not_lowered_is_one_higher() -> None:
    power = expression("x**-2")
    assert isinstance(power, ast.BinOp)
    assert printed(raised(power)) == "x**-1"


def test_the_other_sign_leaves_the_statement_as_it_is() -> None:
    (statement,) = ast.parse("dx += g").body
    assert isinstance(statement, ast.AugAssign)
    assert (sign_of(flipped(statement)), sign_of(statement)) == ("-=", "+=")


@pytest.mark.parametrize(
    ("above", "place", "without", "turned"), [(True, 0, "-b / c", "-b / c / a"), (False, 0, "-a * b", "-c * a * b")]
)
def test_a_factor_is_left_out_or_turned(above: bool, place: int, without: str, turned: str) -> None:
    parts = factors_of(expression("-a * b / c"))
    made = [product_of(parts.without(above, place)), product_of(parts.turned(above, place))]
    assert [one and printed(one) for one in made] == [without, turned]
