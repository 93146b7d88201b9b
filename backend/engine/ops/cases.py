"""Rules that depend on how many axes the inputs have: a table of cases, of which the first that fits is taken."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import cache

from backend.engine.language.expression import expression
from backend.engine.ops.base import Call, Op

MATRIX = 2
_COMPARED: dict[type[ast.cmpop], Callable[[int, int], bool]] = {ast.Eq: operator.eq, ast.Gt: operator.gt}


class ByCase(Op):
    """An operation whose rules are read off a table.

    In them `lead_x` are the axes of x before its last one, and `stack_x` those before its last two.
    """

    def __init_subclass__(cls) -> None:
        cls.backward = {name: f"to_{name}" for _, rules in cls.cases for name in rules}
        super().__init_subclass__()

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return _words((cls, tuple((name, len(shape)) for name, shape in call.shapes.items())))


@cache
def _words(use: tuple[type[ByCase], tuple[tuple[str, int], ...]]) -> dict[str, str]:
    """The rules of the case that inputs of so many axes are, and the words in them."""
    op, ranks = use[0], dict(use[1])
    rules = next(rules for conditions, rules in op.cases if all(holds(one, ranks) for one in conditions))
    words = {f"to_{name}": text for name, text in rules.items()}
    for name in rules:
        axes = ranks.get(name, MATRIX)
        words |= {f"lead_{name}": first_axes(axes - 1), f"stack_{name}": first_axes(axes - 2)}
    return words


def first_axes(count: int) -> str:
    """So many axes as `dim` takes them: `0`, or `(0, 1)`."""
    return "0" if count == 1 else str(tuple(range(count)))


def holds(condition: str, ranks: Mapping[str, int]) -> bool:
    """Whether inputs of so many axes meet a condition such as `x.ndim == 2` or `y.ndim > 2`.

    What is given as no tensor counts as a matrix.
    """
    name, compares, axes = _read(condition)
    return compares(ranks.get(name, MATRIX), axes)


@cache
def _read(condition: str) -> tuple[str, Callable[[int, int], bool], int]:
    match expression(condition):
        case ast.Compare(ast.Attribute(ast.Name(name), "ndim"), [sign], [ast.Constant(value=int(axes))]):
            return name, _COMPARED[type(sign)], axes
    raise TypeError(f"`{condition}` is not a condition on the number of axes.")
