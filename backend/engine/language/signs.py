"""Signs and numbers at the head of products: `-2.0 * x`, and never `--x`, `a + -x` or `1.0 * x`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from backend.engine.language.nodes import Plain, plain
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.tree import number

PRODUCT = ast.Mult | ast.Div | ast.MatMult


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is a numeral or made of names of numbers."""
    if isinstance(node, ast.BinOp):
        return isinstance(node, Plain) or (is_plain(node.left) and is_plain(node.right))
    return number(node) is not None or isinstance(node, Plain)


def negated(node: ast.expr) -> ast.expr:
    """The expression with its sign changed: the minus that it begins with is dropped, or one is put in front."""
    bare = without_sign(node)
    return _signed(node) if bare is None else bare


def without_sign(node: ast.expr) -> ast.expr | None:
    """The expression without the minus that it begins with; None where it begins with none."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return inner
        case ast.BinOp(op=ast.Mult() | ast.Div() | ast.MatMult()):
            left = without_sign(node.left)
            return None if left is None else _product(left, node)
    value = number(node)
    return ast.Constant(-value) if value is not None and value < 0 else None


def _product(left: ast.expr, node: ast.BinOp) -> ast.expr:
    if isinstance(node.op, ast.Mult) and number(left) == 1:
        return node.right
    return _alike(ast.BinOp(left, node.op, node.right), node)


def _signed(node: ast.expr) -> ast.expr:
    """A minus before the number that a product begins with, or before all of it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, PRODUCT) and is_plain(head(node)):
        return _alike(ast.BinOp(_signed(node.left), node.op, node.right), node)
    return _alike(ast.UnaryOp(ast.USub(), node), node)


def head(node: ast.expr) -> ast.expr:
    """What a product begins with."""
    return head(node.left) if isinstance(node, ast.BinOp) and isinstance(node.op, PRODUCT) else node


def doubled(node: ast.expr) -> ast.expr:
    """Twice an expression, the number at its head: `2 * g * x`, `-2 * g`; equal bit for bit to adding it to itself."""
    return scaled(node, 2)


def scaled(node: ast.expr, factor: float) -> ast.expr:
    """A power of two times an expression, the number at its head, which rounds nothing otherwise."""
    bare = without_sign(node)
    if bare is not None:
        return negated(scaled(bare, factor))
    match node:
        case ast.BinOp(left=ast.Call(func=ast.Attribute(attr="ones_like")) as ones, op=ast.Mult() as op, right=rest):
            return ast.BinOp(scaled(rest, factor), op, ones)
    value = number(head(node))
    return _with_head(node, ast.Constant(factor)) if value is None else _with_number(node, factor * value)


def without_power_of_two(node: ast.expr) -> tuple[float, ast.expr]:
    """The power of two that a product begins with, and the product without it; 1 where there is none."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        value = number(node.left)
        if value and isinstance(node.op, ast.Mult) and math.frexp(value)[0] == 0.5:
            return value, node.right
        factor, left = without_power_of_two(node.left)
        return factor, node if factor == 1 else _alike(ast.BinOp(left, node.op, node.right), node)
    return 1, node


def _with_head(node: ast.expr, first: ast.expr) -> ast.expr:
    if isinstance(node, ast.BinOp) and isinstance(node.op, PRODUCT):
        return _alike(ast.BinOp(_with_head(node.left, first), node.op, node.right), node)
    return _alike(ast.BinOp(first, ast.Mult(), node), node)


def _with_number(node: ast.expr, value: float) -> ast.expr:
    """A product that begins with a number, with another one in its place."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, PRODUCT):
        return _product(_with_number(node.left, value), node)
    return ast.Constant(value)


def _alike(made: ast.expr, node: ast.expr) -> ast.expr:
    return plain(made) if is_plain(node) else made


class OffMasks:
    """Moves the sign of a product that begins with a mask to the last factor that has one to change."""

    def __init__(self, is_mask: Callable[[ast.expr], bool]) -> None:
        self.is_mask = is_mask

    def moved(self, expr: ast.expr) -> ast.expr:
        """The expression with each such sign moved."""
        bare = expr.operand if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub) else None
        if isinstance(bare, ast.BinOp) and self.is_mask(_first(bare)):
            expr = self.signed(bare) or expr
        return rebuilt(expr, self.moved)

    def signed(self, product: ast.expr) -> ast.BinOp | None:
        """The product with a sign at its last factor that is no mask; a divisor gets it where no factor can."""
        if not (isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult | ast.Div)):
            return None
        if isinstance(product.op, ast.Mult) and not self.is_mask(product.right):
            return _with_sign(product)
        left = self.signed(product.left)
        if left is not None:
            return ast.BinOp(left, product.op, product.right)
        return _with_sign(product) if isinstance(product.op, ast.Div) else None


def _first(product: ast.expr) -> ast.expr:
    """What a product of elements begins with."""
    while isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult | ast.Div):
        product = product.left
    return product


def _with_sign(product: ast.BinOp) -> ast.BinOp:
    return ast.BinOp(product.left, product.op, ast.UnaryOp(ast.USub(), product.right))
