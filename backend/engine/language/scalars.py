"""Bounded arithmetic on plain Python numbers: what would take long or grow without end is refused."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import LIMITS
from backend.engine.language.suggest import nearest
from backend.engine.language.values import Pair

ON_NUMBERS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max, "round": round, "sum": sum}


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a plain number; truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def kind_of(value: object) -> str:
    """What a person calls such a value."""
    names = {tuple: "a tuple", list: "a list", str: "text", bool: "a truth value", range: "a range", Pair: "a pair"}
    return names.get(type(value), "a number" if is_number(value) else "this")


def number_of(key: str, left: Any, right: Any, node: ast.BinOp) -> int | float:
    """Arithmetic of plain numbers, bounded: a power tower must fail before it is built."""
    if not (is_number(left) and is_number(right)):
        raise Refusal("operand-kind", found=key, kind=kind_of(right if is_number(left) else left), at=node)
    if key == "**" and isinstance(right, int) and isinstance(left, int) and abs(right) > LIMITS.largest_exponent:
        raise Refusal("power-too-large", limit=LIMITS.largest_exponent, at=node)
    result: int | float
    try:
        result = _ARITHMETIC[key](left, right)
    except (ArithmeticError, KeyError, ValueError):
        raise Refusal("number-fails", found=key, at=node) from None
    if isinstance(result, complex) or (isinstance(result, int) and abs(result) > LIMITS.largest_integer):
        raise Refusal("integer-too-large", limit="2**53", at=node)
    return result


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "**": lambda a, b: a**b, "//": lambda a, b: a // b, "%": lambda a, b: a % b,
}  # fmt: skip


def whole(value: int | float, node: ast.expr) -> int:
    """A number without its decimals; raises Refusal where there is none within bounds."""
    if not math.isfinite(value):
        raise Refusal("number-fails", found="int", at=node)
    if abs(value) > LIMITS.largest_integer:
        raise Refusal("integer-too-large", limit="2**53", at=node)
    return int(value)


def bounded_range(args: tuple[int, ...], node: ast.expr) -> range:
    """`range(…)`, no longer than a tensor."""
    try:
        numbers = range(*args)
    except ValueError:
        raise Refusal("number-fails", found="range", at=node) from None
    if len(numbers) > LIMITS.tensor_cells:
        raise Refusal("range-too-long", found=f"{len(numbers):,}", limit=f"{LIMITS.tensor_cells:,}", at=node)
    return numbers


def of_math(name: str, args: tuple[Any, ...], node: ast.Call) -> int | float:
    """A function of `math` on plain numbers."""
    function = grammar.MATH.get(name)
    if function is None:
        raise unknown_function(f"math.{name}", [f"math.{known}" for known in grammar.MATH], node.func)
    if any(isinstance(value, range) for value in args):
        # The product of a million whole numbers takes minutes.
        raise Refusal("operand-kind", found=f"math.{name}", kind="a range", at=node)
    if len(args) == 1 and kind_of(args[0]) == "this":
        raise Refusal("number-fails/tensor", found=f"math.{name}", instead=f"torch.{name}(…)", at=node)
    try:
        result: int | float = function(*args)
    except (TypeError, ValueError, ArithmeticError):
        raise Refusal("number-fails", found=f"math.{name}", at=node) from None
    return whole(result, node) if isinstance(result, int) else result


def unknown_function(name: str, known: Iterable[str], at: ast.expr) -> Refusal:
    """The refusal of a name that is called, with the nearest one that is known."""
    near = nearest(name, known)
    if near:
        return Refusal("function-unknown", found=name, near=near, at=at)
    return Refusal("function-unlisted", found=name, at=at)
