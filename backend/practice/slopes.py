"""Slopes mistaken: a square for its slope, twice for squared, and sigmoid's slope for tanh's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.language.expression import expression
from backend.engine.language.tree import number
from backend.engine.language.unparse import printed
from backend.lines.mistakes import wording
from backend.lines.mistakes.edits import Edit


def mistaken_slopes(part: ast.expr) -> Iterator[Edit]:
    """What a part of an expression is with the right slope; each label says what was taken for it."""
    match part:
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent) if number(exponent) == 2:
            yield Edit("unknown", part, ast.BinOp(ast.Constant(2), ast.Mult(), base), wording.EXPONENT)
        case ast.BinOp(left=base, op=ast.Mult(), right=twice) if number(twice) == 2:
            yield _squared(part, base)
        case ast.BinOp(left=twice, op=ast.Mult(), right=base) if number(twice) == 2:
            yield _squared(part, base)
        case ast.BinOp(left=ast.Name(id=h) as out, op=ast.Mult(), right=rest) if _is_rest(rest, h):
            told = f"`{printed(part)}` is the slope of sigmoid, and tanh's is `1 - {h}**2`."
            yield Edit("unknown", part, expression(f"1 - {out.id}**2"), told)
        case ast.BinOp(op=ast.Sub(), right=ast.BinOp(left=ast.Name(id=s), op=ast.Pow())) if _is_rest(part, f"{s}**2"):
            told = f"`{printed(part)}` is the slope of tanh, and sigmoid's is `{s} * (1 - {s})`."
            yield Edit("unknown", part, expression(f"{s} * (1 - {s})"), told)


def _squared(part: ast.expr, base: ast.expr) -> Edit:
    made = ast.BinOp(base, ast.Pow(), ast.Constant(2))
    return Edit("unknown", part, made, f"`{printed(part)}` stands where `{printed(made)}` belongs.")


def _is_rest(part: ast.expr, of: str) -> bool:
    """Whether a part is 1 less something."""
    match part:
        case ast.BinOp(left=one, op=ast.Sub(), right=right):
            return number(one) == 1 and ast.unparse(right).replace(" ", "") == of
    return False
