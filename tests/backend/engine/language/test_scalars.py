"""Arithmetic of plain numbers: Python's own within bounds, and refused where it fails or grows without end."""

from __future__ import annotations

import ast
import itertools
import math
from typing import Any

import pytest

from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.limits import LIMITS
from backend.engine.language.scalars import bounded_range, kind_of, number_of, of_math, whole
from backend.engine.language.values import Pair

NUMBERS = [0, 1, -1, 2, -3, 7, 0.5, -2.25, 1e300, 2**40]
AT = ast.BinOp(expression("a"), ast.Add(), expression("b"))


def code_of(function: Any, *args: Any) -> str:
    with pytest.raises(Refusal) as caught:
        function(*args)
    return caught.value.code


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "**"])
def test_python_s_own_arithmetic(sign: str) -> None:
    codes = set()
    for left, right in itertools.product(NUMBERS, NUMBERS):
        tower = sign == "**" and type(left) is type(right) is int and abs(right) > LIMITS.largest_exponent
        try:
            meant = None if tower else eval(f"({left}) {sign} ({right})")
        except ArithmeticError:
            meant = None
        if meant is None or isinstance(meant, complex) or (isinstance(meant, int) and abs(meant) > 2**53):
            codes.add(code_of(number_of, sign, left, right, AT))
        else:
            found = number_of(sign, left, right, AT)
            assert (found, type(found)) == (meant, type(meant)), (left, right)
    assert codes <= {"number-fails", "integer-too-large", "power-too-large"}


@pytest.mark.parametrize(
    ("sign", "left", "right", "code"),
    [
        ("**", 10, 10**10, "power-too-large"),
        ("**", 2, -(10**10), "power-too-large"),
        ("*", 2**40, 2**40, "integer-too-large"),
        ("**", -8, 1 / 3, "integer-too-large"),
        ("/", 1, 0, "number-fails"),
        ("**", 1e300, 2.5, "number-fails"),
        ("@", 1, 2, "number-fails"),
        ("+", 1, "2", "operand-kind"),
        ("+", [1], 2, "operand-kind"),
        ("*", True, 2, "operand-kind"),
    ],
)
def test_what_is_refused(sign: str, left: Any, right: Any, code: str) -> None:
    assert code_of(number_of, sign, left, right, AT) == code


def test_numbers_made_whole() -> None:
    assert [whole(value, AT) for value in (2.9, -2.9, 7, 0.0)] == [2, -2, 7, 0]
    assert [code_of(whole, value, AT) for value in (math.inf, -math.inf, math.nan)] == ["number-fails"] * 3
    assert code_of(whole, 2.0**54, AT) == "integer-too-large"


def test_ranges() -> None:
    assert bounded_range((2, 11, 3), AT) == range(2, 11, 3)
    assert code_of(bounded_range, (0, 5, 0), AT) == "number-fails"
    assert len(bounded_range((LIMITS.tensor_cells,), AT)) == LIMITS.tensor_cells
    assert code_of(bounded_range, (LIMITS.tensor_cells + 1,), AT) == "range-too-long"


def test_functions_of_math() -> None:
    call = expression("math.sqrt(2)")
    assert isinstance(call, ast.Call)
    assert of_math("sqrt", (2,), call) == math.sqrt(2)
    assert of_math("prod", ((2, 3, 4),), call) == 24
    assert code_of(of_math, "sqrt", (-1,), call) == "number-fails"
    assert code_of(of_math, "exp", (1e6,), call) == "number-fails"
    assert code_of(of_math, "prod", (range(10**6),), call) == "operand-kind"
    assert code_of(of_math, "prod", ((2**30, 2**30),), call) == "integer-too-large"
    assert code_of(of_math, "sqtr", (2,), call) == "function-unknown"
    assert code_of(of_math, "qqqqqq", (2,), call) == "function-unlisted"


def test_kinds_have_their_names() -> None:
    values = [(1,), [1], "1", True, range(2), Pair(1, 2), 1, 1.5, None]
    names = ["a tuple", "a list", "text", "a truth value", "a range", "a pair", "a number", "a number", "this"]
    assert [kind_of(value) for value in values] == names
