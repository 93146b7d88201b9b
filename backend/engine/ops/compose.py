"""Expressions that the engine writes itself, beside the rules: ones to start from, zeros, copies, transposes."""

from __future__ import annotations

import ast

from backend.engine.language.expression import expression
from backend.engine.language.rewrite import substitute, with_attribute
from backend.engine.ops.base import Shape


def ones_over(tensor: ast.expr) -> ast.expr:
    """Ones in a tensor's shape, which every backward pass starts from."""
    return substitute(expression("torch.ones_like(x)"), {"x": tensor})


def zeros_over(tensor: ast.expr) -> ast.expr:
    """Zeros in a tensor's shape: the gradient of what the loss does not depend on."""
    return substitute(expression("torch.zeros_like(x)"), {"x": tensor})


def zeros(shape: Shape) -> ast.expr:
    """Zeros of a shape."""
    return expression(f"torch.zeros{shape}")


def spread_over(tensor: ast.expr, value: ast.expr) -> ast.expr:
    """A value copied into all cells of a tensor's shape."""
    return substitute(expression("torch.ones_like(x) * g"), {"x": tensor, "g": value})


def cloned(value: ast.expr) -> ast.expr:
    """A copy that may be added to while the original stays as it is."""
    return substitute(expression("x.clone()"), {"x": value})


def with_copies(expr: ast.expr) -> ast.expr:
    """The same with `reshape` for every `view`: it copies cells whose strides allow no view."""
    return with_attribute(expr, "view", "reshape")


def outer(left: ast.expr, right: ast.expr) -> ast.expr:
    """The outer product of two vectors."""
    return substitute(expression("torch.outer(x, y)"), {"x": left, "y": right})


def transposed(matrix: ast.expr, axes: int = 2) -> ast.expr:
    """The transpose of a matrix, or of each matrix in a stack."""
    return substitute(expression("x.T" if axes == 2 else "x.mT"), {"x": matrix})


def added_into(tensor: ast.expr, index: ast.expr, value: ast.expr) -> ast.expr:
    """A tensor with a value added into its cells, where one is picked twice twice."""
    places = index if isinstance(index, ast.Tuple) else ast.Tuple([index], ast.Load())
    rule = expression("x.index_put(places, value, accumulate=True)")
    return substitute(rule, {"x": tensor, "places": places, "value": value})


def unbound(tensor: ast.expr) -> tuple[ast.expr, str]:
    """The slices of a tensor along its first axis, which `a, b = x` unpacks; and the key that they are looked up by."""
    return substitute(expression("x.unbind()"), {"x": tensor}), ".unbind"
