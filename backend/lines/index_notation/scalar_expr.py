"""Builds and simplifies scalar expressions: no factor of 1, no sum with 0, no fold over an axis of length 1."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from backend.engine.language.rebuild import rebuilt
from backend.engine.language.tree import constant, is_minus, minus, number

FOLDS = {"sum": "Σ", "prod": "Π", "max": "max", "min": "min", "argmax": "argmax", "argmin": "argmin"}
Number = int | float


def add(left: ast.expr, right: ast.expr) -> ast.expr:
    """left + right, or left - right for a negative right side."""
    if number(left) == 0 or number(right) == 0:
        return right if number(left) == 0 else left
    if is_minus(right):
        return ast.BinOp(left, ast.Sub(), right.operand)
    return ast.BinOp(left, ast.Add(), right)


def times(factor: Number, node: ast.expr) -> ast.expr:
    """factor · node, for whole numbers in an index."""
    return minus(node) if factor == -1 else simple(ast.BinOp(constant(factor), ast.Mult(), node))


def comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    """A comparison of two scalars: `left < right`."""
    return ast.Compare(left, [op], [right])


def chosen(conditions: Sequence[ast.expr], then: ast.expr, otherwise: ast.expr) -> ast.expr:
    """`then if … and … else otherwise`; `then` where there are no conditions."""
    if not conditions:
        return then
    return ast.IfExp(
        conditions[0] if len(conditions) == 1 else ast.BoolOp(ast.And(), list(conditions)), then, otherwise
    )


def folded(kind: str, over: Iterable[ast.expr], body: ast.expr) -> ast.expr:
    """A sum, product, maximum or minimum of `body` over indices; constant indices (axes of length 1) are dropped."""
    letters: list[ast.expr] = [letter for letter in over if isinstance(letter, ast.Name)]
    if not letters:
        return ast.Constant(0) if kind.startswith("arg") else body
    if kind == "sum" and is_minus(body):
        return minus(folded(kind, letters, minus(body)))
    return ast.Call(ast.Name(kind, ast.Load()), [ast.Tuple(letters, ast.Load()), body], [])


def simple(node: ast.expr) -> ast.expr:
    """The expression without factors of 1, double signs and terms of 0."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return minus(inner)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return add(left, right)
        case ast.BinOp(op=ast.Sub(), left=left, right=right) if is_minus(right) or number(right) == 0:
            return add(left, minus(right))
        case ast.BinOp(op=ast.Mult() | ast.Div() | ast.Pow(), left=left, right=right) if number(right) == 1:
            return left
        case ast.BinOp(op=ast.Mult() | ast.Div() as op, left=left, right=right):
            return _product(node, op, left, right)
    return node


def _product(node: ast.expr, op: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
    """A product without factors of 1, its sign in front."""
    if isinstance(op, ast.Mult) and number(left) == 1:
        return right
    if is_minus(left):
        return minus(simple(ast.BinOp(minus(left), op, right)))
    if isinstance(op, ast.Mult) and is_minus(right):
        return minus(simple(ast.BinOp(left, op, minus(right))))
    return node


def fold_of(node: ast.AST) -> tuple[str, list[str], ast.expr] | None:
    """Kind, letters and body of a fold; None for anything else."""
    match node:
        case ast.Call(func=ast.Name(id=kind), args=[ast.Tuple(elts=letters), body]) if kind in FOLDS:
            return kind, [letter.id for letter in letters if isinstance(letter, ast.Name)], body
    return None


def mapped(node: ast.expr, change: Callable[[ast.expr], ast.expr]) -> ast.expr:
    """A copy of an expression with `change` applied to each direct part; an expression without parts is itself.

    The name of a function or of an indexed tensor is no part.
    """
    match node:
        case ast.Call(func=func, args=args):
            return ast.Call(func, [change(part) for part in args], [])
        case ast.Subscript(value=value, slice=ast.Tuple(elts=index)):
            return ast.Subscript(value, ast.Tuple([change(part) for part in index], ast.Load()), ast.Load())
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp() | ast.IfExp():
            return rebuilt(node, change)
    return node
