"""Index formulas of what slides over an image: convolutions, those transposed, and pooling windows."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from backend.engine.language.tree import constant
from backend.engine.language.values import Parameters
from backend.engine.ops.convolution import each_axis
from backend.lines.index_notation.indexed_tensor import ZERO, Index, Indexed, IndexPool, NotExpressible
from backend.lines.index_notation.scalar_expr import add, chosen, comparison, folded, simple, times


def place(step: int, own: ast.expr, gap: int, within: ast.expr, pad: int) -> ast.expr:
    """step · own + gap · within - pad: the cell of an image that a cell of the kernel meets."""
    return add(add(times(step, own), times(gap, within)), constant(-pad))


def inside(own: ast.expr, least: int, most: int, size: int) -> list[ast.expr]:
    """The conditions under which an index that runs from `least` to `most` lies on an axis."""
    low = [comparison(own, ast.GtE(), ZERO)] if least < 0 else []
    return low + ([comparison(own, ast.Lt(), constant(size))] if most >= size else [])


def product(left: ast.expr, right: ast.expr) -> ast.expr:
    """left · right"""
    return simple(ast.BinOp(left, ast.Mult(), right))


def at(tensor: Indexed, index: Sequence[ast.expr]) -> ast.expr:
    """The cell of a tensor, which has one alone along an axis of length 1."""
    return tensor.at(tuple(ZERO if size == 1 else own for own, size in zip(index, tensor.shape, strict=True)))


def grouped(own: ast.expr, size: int, more: ast.expr, each: int) -> ast.expr:
    """The channel of a cell in its group: own // size · each + more."""
    if size == 1:
        return add(times(each, own), more)
    return add(times(each, ast.BinOp(own, ast.FloorDiv(), constant(size))), more)


def convolved(given: Parameters, meta: torch.Tensor, letters: IndexPool) -> Indexed:
    """F.conv2d(x, weight, …): Σ x · weight over the channels of a group and the cells of the kernel."""
    x, weight, bias, groups = given["x"], given["weight"], given["bias"], given["groups"]
    n = weight.ndim - 2
    stride, dilation = each_axis(given["stride"], n), each_axis(given["dilation"], n)
    padding = given["padding"]
    if padding == "same":
        padding = tuple(gap * (size - 1) // 2 for gap, size in zip(dilation, weight.shape[2:], strict=True))
    padding = each_axis(0 if padding == "valid" else padding, n)

    def cell(where: Index) -> ast.expr:
        *lead, channel = where[:-n]
        inner, cells = letters.fresh(weight.shape[1]), [letters.fresh(size) for size in weight.shape[2:]]
        places, conditions = [], []
        settings = zip(
            stride, dilation, padding, where[-n:], cells, x.shape[-n:], meta.shape[-n:], weight.shape[2:], strict=True
        )
        for step, gap, pad, own, within, size, count, kernel in settings:
            places.append(place(step, own, gap, within, pad))
            conditions += inside(places[-1], -pad, step * (count - 1) + gap * (kernel - 1) - pad, size)
        source = grouped(channel, weight.shape[0] // groups, inner, weight.shape[1]) if groups > 1 else inner
        met = product(at(x, (*lead, source, *places)), at(weight, (channel, inner, *cells)))
        total = folded("sum", [inner, *cells], chosen(conditions, met, ZERO))
        return add(total, at(bias, (channel,))) if isinstance(bias, Indexed) else total

    return Indexed(meta, cell)


def put_down(given: Parameters, meta: torch.Tensor, letters: IndexPool) -> Indexed:
    """F.conv_transpose2d(x, weight, …): Σ x · weight over the places whose patch a cell lies in."""
    x, weight, bias, groups = given["x"], given["weight"], given["bias"], given["groups"]
    n = weight.ndim - 2
    stride, dilation, padding = (each_axis(given[name], n) for name in ("stride", "dilation", "padding"))
    each = weight.shape[0] // groups

    def cell(where: Index) -> ast.expr:
        *lead, channel = where[:-n]
        inner, cells = letters.fresh(each), [letters.fresh(size) for size in weight.shape[2:]]
        places, conditions = [], []
        settings = zip(
            stride, dilation, padding, where[-n:], cells, x.shape[-n:], meta.shape[-n:], weight.shape[2:], strict=True
        )
        for step, gap, pad, own, within, size, count, kernel in settings:
            ahead = add(
                add(own, constant(pad)), ast.UnaryOp(ast.USub(), times(gap, within)) if within is not ZERO else ZERO
            )
            if step > 1:
                conditions.append(comparison(ast.BinOp(ahead, ast.Mod(), constant(step)), ast.Eq(), ZERO))
            places.append(ahead if step == 1 else ast.BinOp(ahead, ast.FloorDiv(), constant(step)))
            conditions += inside(places[-1], (pad - gap * (kernel - 1)) // step, (count - 1 + pad) // step, size)
        source = grouped(channel, weight.shape[1], inner, each) if groups > 1 else inner
        own = channel if groups == 1 else ast.BinOp(channel, ast.Mod(), constant(weight.shape[1]))
        met = product(at(x, (*lead, source, *places)), at(weight, (source, own, *cells)))
        total = folded("sum", [inner, *cells], chosen(conditions, met, ZERO))
        return add(total, at(bias, (channel,))) if isinstance(bias, Indexed) else total

    return Indexed(meta, cell)


def pooled(kind: str, n: int, given: Parameters, meta: Any, letters: IndexPool) -> Indexed:
    """F.max_pool2d(x, …) and F.avg_pool2d(x, …), where every window lies on the image."""
    x: Indexed = given["x"]
    if not isinstance(meta, torch.Tensor) or given.get("divisor_override"):
        raise NotExpressible
    if "output_size" in given:
        sizes = list(zip(x.shape[-n:], meta.shape[-n:], strict=True))
        if any(size % places for size, places in sizes):
            raise NotExpressible
        given = given | {"kernel_size": tuple(size // places for size, places in sizes), "stride": None, "padding": 0}
    kernel = each_axis(given["kernel_size"], n)
    stride = each_axis(given["stride"] if given["stride"] not in (None, (), []) else kernel, n)
    dilation, padding = each_axis(given.get("dilation", 1), n), each_axis(given["padding"], n)
    ends = zip(stride, dilation, kernel, meta.shape[-n:], x.shape[-n:], strict=True)
    if any(padding) or any(step * (m - 1) + gap * (k - 1) >= size for step, gap, k, m, size in ends):
        raise NotExpressible

    def cell(where: Index) -> ast.expr:
        cells = [letters.fresh(size) for size in kernel]
        places = [place(*one, 0) for one in zip(stride, where[-n:], dilation, cells, strict=True)]
        body = folded(kind, cells, at(x, (*where[:-n], *places)))
        return body if kind == "max" else product(ast.BinOp(constant(1), ast.Div(), constant(math.prod(kernel))), body)

    return Indexed(meta, cell)


# By the `index_formula` of their blocks.
SLIDING: dict[str, Callable[[Parameters, torch.Tensor, IndexPool], Indexed]] = {
    "convolution": convolved,
    "transposed convolution": put_down,
    **{
        f"{kind} of windows {n}": partial(pooled, fold, n)
        for kind, fold in (("max", "max"), ("mean", "sum"))
        for n in (1, 2, 3)
    },
}
