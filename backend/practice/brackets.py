"""Brackets mistaken: a power that takes in a whole difference, brackets forgotten, and brackets around too much."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from backend.engine.language.unparse import printed
from backend.lines.equations.drawn import drawn
from backend.lines.mistakes.edits import Edit

CHAIN = ast.Mult | ast.Div | ast.MatMult
Again = Callable[[ast.expr], ast.expr]


def mistaken_brackets(part: ast.expr) -> Iterator[Edit]:
    """What a part of an expression is with its brackets elsewhere; each label says where they belong."""
    match part:
        case ast.BinOp(left=ast.BinOp(op=ast.Add() | ast.Sub()) as base, op=ast.Pow()):
            yield from _power_alone(part, base)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from _missing(part, left, op, right)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            yield from _too_many(part, left, op, right)
            yield from _sum_of_one(part, left, op, right)


def _power_alone(part: ast.BinOp, base: ast.BinOp) -> Iterator[Edit]:
    for raised in (base.right, base.left):
        power = ast.BinOp(raised, ast.Pow(), part.right)
        first, second = (power, base.right) if raised is base.left else (base.left, power)
        made = ast.BinOp(first, base.op, second)
        told = f"The power belongs to `{printed(raised)}` alone: `{printed(made)}`, not `{printed(part)}`."
        yield Edit("unknown", part, made, told)


def _missing(part: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[Edit]:
    """Of `a - b * c` the brackets around `a - b`, and of `c * a - b` those around `a - b`."""
    for first, again in _beginnings(right):
        yield _bracketed(part, ast.BinOp(left, op, first), again)
    for last, again in _endings(left):
        yield _bracketed(part, ast.BinOp(last, op, right), again)


def _bracketed(part: ast.expr, inner: ast.expr, again: Again) -> Edit:
    return Edit("unknown", part, again(inner), f"Brackets are missing around `{printed(inner)}`.")


def _beginnings(chain: ast.expr) -> Iterator[tuple[ast.expr, Again]]:
    """What a product or a power begins with, and the same with another beginning."""
    if not (isinstance(chain, ast.BinOp) and isinstance(chain.op, CHAIN | ast.Pow)):
        return
    op, right = chain.op, chain.right
    for first, again in _beginnings(chain.left):
        yield first, lambda new, again=again: ast.BinOp(again(new), op, right)  # type: ignore[misc]  # its default
    yield chain.left, lambda new: ast.BinOp(new, op, right)


def _endings(chain: ast.expr) -> Iterator[tuple[ast.expr, Again]]:
    if isinstance(chain, ast.BinOp) and isinstance(chain.op, CHAIN):
        op, left = chain.op, chain.left
        yield chain.right, lambda new: ast.BinOp(left, op, new)


def _too_many(part: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[Edit]:
    """`(a + b) * c` for `a + b * c`, and `c * (a + b)` for `c * a + b`."""
    match left:
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as plus, right=b):
            yield _opened(part, left, ast.BinOp(a, plus, ast.BinOp(b, op, right)))
    match right:
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as plus, right=b):
            yield _opened(part, right, ast.BinOp(ast.BinOp(left, op, a), plus, b))


def _opened(part: ast.expr, inner: ast.expr, made: ast.expr) -> Edit:
    told = f"The brackets around `{printed(inner)}` take in too much: `{printed(made)}`."
    return Edit("unknown", part, made, told)


def _sum_of_one(part: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[Edit]:
    """`a * b.sum(1)` for `(a * b).sum(1)`: a method takes what stands right before it alone."""
    match right:
        case ast.Call(func=ast.Attribute(value=last, attr=attr)) if isinstance(op, ast.Mult) and drawn(attr) == "sum":
            inner = ast.BinOp(left, op, last)
            made = ast.Call(ast.Attribute(inner, attr, ast.Load()), right.args, right.keywords)
            told = f"`.{attr}` applies to `{printed(last)}` alone: brackets are missing around `{printed(inner)}`."
            yield Edit("unknown", part, made, told)
