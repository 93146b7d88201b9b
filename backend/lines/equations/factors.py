"""A product taken apart into its factors, and put together again without one of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from backend.engine.language.nodes import plain
from backend.engine.language.tree import is_minus, minus
from backend.engine.language.unparse import is_tight


@dataclass
class Factors:
    """`-a * b / c`: its sign, what is multiplied and what is divided by."""

    negative: bool
    above: list[ast.expr]
    below: list[ast.expr]


def factors_of(expr: ast.expr) -> Factors:
    """The factors of an expression; one that is no product is its own only factor."""
    if is_minus(expr):
        inner = factors_of(expr.operand)
        return Factors(not inner.negative, inner.above, inner.below)
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Mult):
        left, right = factors_of(expr.left), factors_of(expr.right)
        return Factors(left.negative != right.negative, left.above + right.above, left.below + right.below)
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Div):
        left, right = factors_of(expr.left), _divisor(expr.right)
        return Factors(left.negative != right.negative, left.above, left.below + right.above)
    return Factors(False, [expr], [])


def _divisor(expr: ast.expr) -> Factors:
    if is_minus(expr):
        return Factors(True, [expr.operand], [])
    return Factors(False, [expr], [])


def product_of(factors: Factors) -> ast.expr | None:
    """The product of these factors; None where there is none."""
    made: ast.expr | None = None
    for factor in factors.above:
        made = factor if made is None else _binary(made, ast.Mult(), factor)
    for divisor in factors.below:
        made = _binary(ast.Constant(1) if made is None else made, ast.Div(), divisor)
    return made if made is None or not factors.negative else minus(made)


def _binary(left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
    made = ast.BinOp(left, op, right)
    return plain(made) if is_tight(left) and is_tight(right) else made
