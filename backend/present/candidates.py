"""The ways to multiply the two matrices of a step: which of them fit, which is the line's own, and why."""

from __future__ import annotations

import ast

from backend.engine.language.unparse import printed
from backend.engine.ops.compose import transposed
from backend.lines.equations.drawn import drawn
from backend.lines.equations.equation import Picture
from backend.lines.equations.names import Names
from backend.lines.equations.peel import layer_of
from backend.present.question_types import Candidate

Shape = tuple[int, ...]


class Factor:
    """A matrix in one of its two positions."""

    def __init__(self, base: ast.expr, shape: Shape, turned: bool) -> None:
        self.base, self.turned = base, turned
        self.shape = shape[::-1] if turned else shape

    @property
    def expr(self) -> ast.expr:
        """The factor as an expression."""
        return transposed(self.base) if self.turned else self.base

    def cell(self, row: str, column: str) -> str:
        """The cell of the matrix itself that stands in this row and column: `W[j, k]` for row k of `W.T`."""
        whole = isinstance(self.base, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        base = printed(self.base) if whole else f"({printed(self.base)})"
        return f"{base}[{column}, {row}]" if self.turned else f"{base}[{row}, {column}]"


def candidates(picture: Picture | None, names: Names) -> list[Candidate]:
    """Every way to multiply the two matrices of a product, transposed or not; none where one of them is 1 × 1."""
    if picture is None or picture.kind != "matmul":
        return []
    sides = [_factor(operand.expr, operand.shape) for operand in picture.operands]
    spread = any((layer_of(operand.expr, names) or [""])[0] == "spread" for operand in picture.operands)
    if spread or any(len(side.shape) != 2 for side in sides):
        return []  # copies of one number look the same from both sides
    left, right = sides
    needed = (left.shape[0], right.shape[1])
    if (1, 1) in (left.shape, right.shape, needed):
        return []
    return [_candidate(first, second, (left, right), names) for first, second in _orders(left, right)]


def _factor(expr: ast.expr, shape: Shape) -> Factor:
    """A side of a product, with its transposition told apart from it."""
    match expr:
        case ast.Attribute(value=base, attr=name) | ast.Call(func=ast.Attribute(value=base, attr=name), args=[]) if (
            drawn(name) == "transpose"
        ):
            return Factor(base, shape[::-1], True)
    return Factor(expr, shape, False)


def _orders(left: Factor, right: Factor) -> list[tuple[Factor, Factor]]:
    pair = [[_turned(side, turned) for turned in (False, True)] for side in (left, right)]
    return [(a, b) for first, second in (pair, pair[::-1]) for a in first for b in second]


def _turned(side: Factor, turned: bool) -> Factor:
    return Factor(side.base, side.shape[::-1] if side.turned else side.shape, turned)


def _is(a: Factor, b: Factor) -> bool:
    return a.base is b.base and a.turned == b.turned


def _candidate(a: Factor, b: Factor, own: tuple[Factor, Factor], names: Names) -> Candidate:
    needed = (own[0].shape[0], own[1].shape[1])
    result = (a.shape[0], b.shape[1]) if a.shape[1] == b.shape[0] else None
    is_own = _is(a, own[0]) and _is(b, own[1])
    if result is None:
        why = f"rows of {a.shape[1]} can't meet columns of {b.shape[0]}"
    elif result != needed:
        why = f"gives {result}, but {needed} is needed"
    else:
        why = _reason(a, b, own, names)
    return {
        "code": printed(ast.BinOp(a.expr, ast.MatMult(), b.expr)),
        "left": list(a.shape),
        "right": list(b.shape),
        "result": None if result is None else list(result),
        "fits": result == needed,
        "own": is_own,
        "why": why,
    }


def _reason(a: Factor, b: Factor, own: tuple[Factor, Factor], names: Names) -> str:
    """Why one of several products of the right shape is right or not, in index letters."""
    total = f"Σₖ {a.cell('i', 'k')}·{b.cell('k', 'j')}"
    if _is(a, own[0]) and _is(b, own[1]):
        shared = names.dims(a.expr)[1]
        named = "" if shared.startswith("axis ") else f" ({shared})"
        return f"{total} runs over k, the axis that `{printed(a.base)}` and `{printed(b.base)}` share{named}"
    if a.base is own[1].base and a.turned != own[1].turned and b.turned != own[0].turned:
        return "the right shape, but rows and columns are exchanged"
    return f"the right shape, but {total} pairs two different axes"
