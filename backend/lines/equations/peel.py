"""Peels the outer calls off a backward line: sums, and calls that only move, copy or pick cells."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from backend.engine.language.application import is_of_module
from backend.engine.language.tree import minus
from backend.lines.equations.drawn import drawn, moves_cells
from backend.lines.equations.factors import factors_of
from backend.lines.equations.names import Names

# How the operands meet. copy: the only one is passed on, its sign turned or not; correlation: of the gradient with what
# a kernel was slid over; other: a rule that is no such product, of which only the upstream gradient is drawn.
Meeting = Literal["product", "matmul", "outer", "copy", "join", "convolution", "correlation", "other"]
# What happens to the cells of the outcome. spread: copied; scatter: put into their places; replace: the same, but what
# is there goes; fill: copied into picked places.
Placement = Literal["", "spread", "scatter", "replace", "fill", "rearrange", "pick", "mask"]


@dataclass
class Total:
    """A sum over axes; `keep` tells of each axis whether it stays with length 1."""

    of: ast.expr
    axes: list[int]
    keep: list[bool]


def layer_of(expr: ast.expr, names: Names) -> tuple[Placement, ast.expr] | None:
    """What the outermost call does to the cells of the gradient inside, and the gradient: ("rearrange", dx).

    A copy to the shape that is there already does nothing: ("", dx).
    """
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        found = layer_of(expr.operand, names)
        return None if found is None else (found[0], minus(found[1]))
    match expr:
        case ast.Attribute(value=inner, attr=name) if moves_cells(name):
            return "rearrange", inner
        case ast.Subscript(value=inner, slice=index) if names.gradients_in(inner) and not names.gradients_in(index):
            return "pick", inner
        case ast.Call(func=ast.Attribute() as func):
            return _call_layer(expr, func, names)
    return None


def _call_layer(expr: ast.Call, func: ast.Attribute, names: Names) -> tuple[Placement, ast.expr] | None:
    given = expr.args if is_of_module(func) else [func.value, *expr.args]
    carrying = [part for part in given if names.gradients_in(part)]
    if len(carrying) != 1:
        return None
    first = carrying[0] is given[0]
    kind = drawn(func.attr)
    if kind == "scatter" and not first:
        return ("scatter", carrying[0]) if names.shape(carrying[0]) else None
    if moves_cells(func.attr) and first:
        return "rearrange", carrying[0]
    if kind == "spread" and first:
        return _stretched(expr, carrying[0], names), carrying[0]
    # Zeros in the other cells: `dx.masked_fill(mask, 0.0)`, `torch.where(mask, dx, 0.0)`.
    kept = kind == "mask" and len(given) == 3 and carrying[0] is given[not first] and _is_zero(given[2])
    return ("mask", carrying[0]) if kept and names.shape(carrying[0]) == names.shape(expr) else None


def _stretched(expr: ast.expr, inner: ast.expr, names: Names) -> Placement:
    """What a call that may copy cells does: a shape of as many cells needs no copies, and the same one nothing."""
    before, after = names.shape(inner), names.shape(expr)
    return "spread" if math.prod(before) != math.prod(after) else "rearrange" if before != after else ""


def _is_zero(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Constant) and expr.value == 0


def joined_parts(expr: ast.expr, names: Names) -> list[ast.expr] | None:
    """The gradients that `torch.cat` or `torch.stack` joins."""
    match expr:
        case ast.Call(
            func=ast.Attribute(attr=name) as func, args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]
        ) if (
            drawn(name) == "join"
            and is_of_module(func)
            and all(isinstance(p, ast.Name) and names.node_of(p) for p in parts)
        ):
            return parts
    return None


def total_of(expr: ast.expr, names: Names) -> Total | None:
    """The sum that an expression is, with a sign before it moved inside; None where its axes are not written out."""
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        found = total_of(expr.operand, names)
        return found and Total(minus(found.of), found.axes, found.keep)
    if isinstance(expr, ast.Subscript) and _is_zero(expr.slice):
        return _first_dropped(total_of(expr.value, names))
    match expr:
        case ast.Call(func=ast.Attribute(attr=name) as func) if drawn(name) == "sum":
            inner, *rest = expr.args if is_of_module(func) and expr.args else [func.value, *expr.args]
            return None if is_of_module(inner) else _read_total(inner, rest, expr.keywords, names)
    return None


def _first_dropped(total: Total | None) -> Total | None:
    """`.sum((0, 1), keepdim=True)[0]`: the first axis was summed and kept, and goes."""
    if total is None or True not in total.keep or total.axes[total.keep.index(True)] != total.keep.index(True):
        return None
    at = total.keep.index(True)
    return Total(total.of, total.axes, [keep and i != at for i, keep in enumerate(total.keep)])


def _read_total(inner: ast.expr, rest: list[ast.expr], named: list[ast.keyword], names: Names) -> Total | None:
    try:
        given = [ast.literal_eval(part) for part in rest]
        keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in named}
    except ValueError:
        return None
    count = len(names.shape(inner))
    dim = keywords.get("dim", keywords.get("axis", given[0] if given else None))
    keep = bool(keywords.get("keepdim", given[1] if len(given) > 1 else False))
    axes = (
        range(count)
        if dim is None
        else [axis % max(count, 1) for axis in (dim if isinstance(dim, tuple | list) else (dim,))]
    )
    return Total(inner, sorted(axes), [keep] * len(axes))


def is_upstream(expr: ast.expr, names: Names) -> bool:
    """Whether an expression is itself the gradient of an unnamed intermediate, carried back through operations."""
    if isinstance(expr, ast.Name) or names.is_gradient(expr):
        return names.is_gradient(expr)
    layer, total = layer_of(expr, names), total_of(expr, names)
    if total is not None:
        return is_upstream(total.of, names)
    if layer is not None:
        return layer[0] != "scatter" and is_upstream(layer[1], names)
    return _is_carried(expr, lambda part: is_upstream(part, names), names)


def matrix_sides(expr: ast.expr) -> tuple[Meeting, list[ast.expr]] | None:
    """The two sides of a matrix product or of an outer product."""
    match expr:
        case ast.BinOp(op=ast.MatMult(), left=left, right=right):
            return "matmul", [left, right]
        case ast.Call(func=ast.Attribute(attr=name) as func, args=[left, right]) if drawn(
            name
        ) == "outer" and is_of_module(func):
            return "outer", [left, right]
    return None


def _is_carried(expr: ast.expr, is_good: Callable[[ast.expr], bool], names: Names) -> bool:
    pair = matrix_sides(expr)
    if pair is not None:
        sides = [side for side in pair[1] if names.gradients_in(side)]
        return len(sides) == 1 and is_good(sides[0])
    factors = factors_of(expr)
    carrying = [factor for factor in factors.above if names.gradients_in(factor)]
    below = any(names.gradients_in(factor) for factor in factors.below)
    return not below and len(carrying) == 1 and carrying[0] is not expr and is_good(carrying[0])


def is_moved_only(expr: ast.expr, names: Names) -> bool:
    """Whether an expression is the upstream gradient, perhaps reshaped."""
    layer = layer_of(expr, names)
    bare = isinstance(expr, ast.Name) or names.is_gradient(expr)
    return bare or (layer is not None and layer[0] in ("rearrange", "") and is_moved_only(layer[1], names))
