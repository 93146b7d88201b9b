"""What may stand in the place of a local derivative: never the same number, each with the code of its mistake."""

from __future__ import annotations

import ast

import pytest

from backend.engine.language.expression import expression
from backend.engine.language.tree import is_minus, number
from backend.engine.language.unparse import printed
from backend.lines.mistakes.local_derivative import LocalDerivative

SIZES = {"1 / n": 0.125, "n": 8.0, "-1 / n": -0.125}
POINT = {"x": 0.5, "h": 0.3, "W": 2.0, "n": 8.0}


def value(part: ast.expr) -> float | None:
    found = number(part.operand) if is_minus(part) else number(part)
    return SIZES.get(printed(part), found if found is None or not is_minus(part) else -found)


def local(right: str) -> LocalDerivative:
    elsewhere = [(expression("x"), "W")]
    return LocalDerivative(expression(right), "x", "h", "h", "dh", True, {2.0, 3.0}, elsewhere, value)


@pytest.mark.parametrize(
    ("right", "kind", "instead"),
    [
        ("-1", "sign", {"1": "sign", "x": "wrong-tensor", "-x": "wrong-tensor", "h": "wrong-tensor"}),
        ("1 / n", "constant", {"1/(n - 1)": "bessel", "1": "scale", "n": "scale", "-1 / n": "sign"}),
        ("3", "constant", {"1": "scale", "1/3": "scale", "-3": "sign"}),
        ("3 * x**2", "factor", {"x**2": "scale", "3 * x**3": "unknown", "1": "missing-local", "-3 * x**2": "sign"}),
        ("1 / x", "factor", {"x": "wrong-tensor"}),
        ("1 - h**2", "factor", {"1 - x**2": "wrong-tensor", "1 - h": "unknown"}),
        ("W", "factor", {"x": "wrong-tensor", "h": "wrong-tensor", "-W": "sign"}),
    ],
)
def test_what_stands_in_its_place_has_the_code_of_its_mistake(right: str, kind: str, instead: dict[str, str]) -> None:
    asked = local(right)
    made = {printed(edit.instead): edit.code for edit in reversed(list(asked.instead()))}
    assert asked.kind == kind
    assert made.items() >= instead.items()
    for wrong in made:  # of numbers, by Python
        assert eval(wrong, {}, POINT) != eval(right, {}, POINT), wrong


def test_nothing_is_asked_where_nothing_is_multiplied() -> None:
    assert local("1").kind == ""
