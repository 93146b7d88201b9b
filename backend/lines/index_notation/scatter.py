"""Index formulas of scatter operations (`index_put`, `index_add`, `scatter`) and of assignments to an index."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import torch

from backend.engine.language.tree import constant
from backend.engine.language.values import Parameters
from backend.engine.ops.base import broadcast_shape
from backend.engine.ops.index import is_mask
from backend.lines.index_notation.gather import exchanged, listed_at, spread
from backend.lines.index_notation.indexed_tensor import ZERO, Index, Indexed, IndexPool, NotExpressible
from backend.lines.index_notation.scalar_expr import add, chosen, comparison, folded


def equal(place: ast.expr, own: ast.expr) -> ast.expr:
    """place == own"""
    return comparison(place, ast.Eq(), own)


def put(given: Parameters, meta: torch.Tensor, letters: IndexPool) -> Indexed:
    """x.index_put(indices, values, accumulate=True): a sum over all listed places, of those that equal the cell's."""
    x, places, values = given["x"], given["indices"], given["values"]
    if not given["accumulate"] or not all(isinstance(place, Indexed) and not is_mask(place) for place in places):
        raise NotExpressible
    common = broadcast_shape(*(place.shape for place in places)) or ()

    def at(where: Index) -> ast.expr:
        running = tuple(letters.fresh(size) for size in common)
        meant = [equal(place.stretched(running), own) for place, own in zip(places, where, strict=False)]
        value = values.stretched((*running, *where[len(places) :])) if isinstance(values, Indexed) else constant(values)
        return add(x.at(where), folded("sum", running, chosen(meant, value, ZERO)))

    return Indexed(meta, at)


def added(given: Parameters, meta: torch.Tensor, letters: IndexPool) -> Indexed:
    """x.index_add(dim, index, source)"""
    x, dim, places, source = given["x"], given["dim"], given["index"], given["source"]

    def at(where: Index) -> ast.expr:
        running = letters.fresh(places.shape[0])
        value = source.at(exchanged(where, dim, running))
        body = chosen([equal(places.at((running,)), where[dim])], value, ZERO)
        return add(x.at(where), folded("sum", [running], body))

    return Indexed(meta, at)


def scattered(given: Parameters, meta: torch.Tensor, letters: IndexPool) -> Indexed:
    """x.scatter_add(dim, index, src)"""
    x, dim, places, source = given["x"], given["dim"], given["index"], given["src"]
    pairs = enumerate(zip(places.shape, x.shape, strict=False))
    if len(places.shape) != x.ndim or any(a != b for axis, (a, b) in pairs if axis != dim % x.ndim):
        raise NotExpressible

    def at(where: Index) -> ast.expr:
        running = letters.fresh(places.shape[dim])
        here = exchanged(where, dim, running)
        body = chosen([equal(places.at(here), where[dim])], source.at(here), ZERO)
        return add(x.at(where), folded("sum", [running], body))

    return Indexed(meta, at)


def marked(given: Parameters, meta: torch.Tensor, _: IndexPool) -> Indexed:
    """x.scatter(dim, index, src) with one index for each row."""
    x, dim, places, src = given["x"], given["dim"], given["index"], given["src"]
    rest = [(a, b) for axis, (a, b) in enumerate(zip(places.shape, x.shape, strict=True)) if axis != dim % x.ndim]
    if places.shape[dim] != 1 or any(a != b for a, b in rest):
        raise NotExpressible

    def at(where: Index) -> ast.expr:
        here = exchanged(where, dim, ZERO)
        written = src.at(here) if isinstance(src, Indexed) else constant(src)
        return chosen([equal(places.at(here), where[dim])], written, x.at(where))

    return Indexed(meta, at)


def selected_put(given: Parameters, meta: torch.Tensor, _: IndexPool) -> Indexed:
    """x.select_scatter(src, dim, index)"""
    x, src, dim = given["x"], given["src"], given["dim"] % meta.ndim
    row = constant(given["index"] % meta.shape[dim])

    def at(where: Index) -> ast.expr:
        return chosen([equal(where[dim], row)], src.at((*where[:dim], *where[dim + 1 :])), x.at(where))

    return Indexed(meta, at)


def sliced_put(given: Parameters, meta: torch.Tensor, _: IndexPool) -> Indexed:
    """x.slice_scatter(src, dim, start, end)"""
    x, src, dim = given["x"], given["src"], given["dim"] % meta.ndim
    start, end, step = slice(given["start"], given["end"]).indices(meta.shape[dim])
    if given["step"] != step:
        raise NotExpressible

    def at(where: Index) -> ast.expr:
        own = where[dim]
        within = [comparison(own, ast.GtE(), constant(start))] if start else []
        within += [comparison(own, ast.Lt(), constant(end))] if end < meta.shape[dim] else []
        return chosen(within, src.stretched(exchanged(where, dim, add(own, constant(-start)))), x.at(where))

    return Indexed(meta, at)


# By the `index_formula` of their blocks.
SCATTERS: dict[str, Callable[[Parameters, torch.Tensor, IndexPool], Indexed]] = {
    "put": put, "add": added, "scatter and add": scattered, "overwrite": marked,
    "put into a slice": selected_put, "put into a stretch": sliced_put,
}  # fmt: skip


def placed(parts: Sequence[Any], shape: tuple[int, ...], value: Indexed) -> Indexed:
    """Zeros of a shape with `value` assigned at an index without repeated cells, as in `dx[:, 2:8] = value`."""
    meta = torch.empty(shape, device="meta")
    if len(parts) == 1 and is_mask(parts[0]):
        return Indexed(meta, lambda where: _where_marked(parts[0], value, where))
    full = spread(parts, len(shape), also=(int, type(None)))
    if any(part is None for part in full):
        value, full = without_new_axes(full, value), [part for part in full if part is not None]
    listed = [axis for axis, part in enumerate(full) if isinstance(part, range | Indexed)]
    if listed and listed != list(range(listed[0], listed[-1] + 1)):
        raise NotExpressible
    return Indexed(meta, lambda where: Landing(full, shape, where).of(value))


def without_new_axes(parts: Sequence[Any], value: Indexed) -> Indexed:
    """The value of `dx[:, None] = value` reshaped for `dx[:] = value`; raises NotExpressible with index tensors."""
    if not all(part is None or isinstance(part, slice) for part in parts):
        raise NotExpressible
    missing = len(parts) - value.ndim
    new = [axis for axis, part in enumerate(parts) if part is None and axis >= missing]
    kept = [size for axis, size in enumerate(value.shape, missing) if axis not in new]

    def at(where: Index) -> ast.expr:
        rest = iter(where)
        return value.at(tuple(ZERO if axis in new else next(rest) for axis in range(missing, len(parts))))

    return Indexed(torch.empty(kept, device="meta"), at)


def _where_marked(mask: Indexed, value: Indexed, where: Index) -> ast.expr:
    if value.shape:
        raise NotExpressible
    return chosen([mask.stretched(where[: mask.ndim])], value.at(()), ZERO)


class Landing:
    """The cell of an assigned value that is written to one index, and the conditions under which one is."""

    def __init__(self, parts: list[Any], shape: tuple[int, ...], where: Index) -> None:
        self.where, self.shape = where, shape
        self.conditions: list[ast.expr] = []
        self.index: list[ast.expr] = []
        spans = {axis: part for axis, part in enumerate(parts) if isinstance(part, range)}
        self.lead = max(spans, key=lambda axis: len(spans[axis]), default=-1)
        self.run = self.back(self.lead, spans[self.lead].start) if spans else ZERO
        for axis, part in enumerate(parts):
            self.look(axis, part)

    def of(self, value: Indexed) -> ast.expr:
        """That cell if the conditions hold, else 0."""
        return chosen(self.conditions, value.stretched(tuple(self.index)), ZERO)

    def back(self, axis: int, start: int) -> ast.expr:
        return add(self.where[axis], constant(-start))

    def look(self, axis: int, part: Any) -> None:
        """Add the condition and the coordinate of one part of the index."""
        if isinstance(part, int):
            self.among(axis, range(part % self.shape[axis], part % self.shape[axis] + 1))
        elif isinstance(part, slice):
            span = range(*part.indices(self.shape[axis]))
            self.among(axis, span)
            own = self.back(axis, span.start)
            self.index.append(own if span.step == 1 else ast.BinOp(own, ast.FloorDiv(), constant(span.step)))
        elif axis == self.lead:
            self.among(axis, part)
            self.index.append(self.run)
        elif isinstance(part, Indexed) and not part.ndim:
            self.conditions.append(equal(self.where[axis], part.at(())))
        elif self.lead >= 0 and (isinstance(part, range) or part.ndim == 1):
            self.conditions.append(equal(self.where[axis], listed_at(part, (self.run,))))
        else:
            raise NotExpressible

    def among(self, axis: int, span: range) -> None:
        """Add the condition that the cell lies in this range of the axis."""
        own, size = self.where[axis], self.shape[axis]
        if span.step < 1:
            raise NotExpressible
        if span.step > 1:
            hit = ast.BinOp(add(own, constant(-span.start)), ast.Mod(), constant(span.step))
            self.conditions.append(equal(hit, ZERO))
        if len(span) == 1 and size > 1:
            self.conditions.append(equal(own, constant(span.start)))
        elif span.start > 0:
            self.conditions.append(comparison(own, ast.GtE(), constant(span.start)))
        if len(span) > 1 and span[-1] + span.step < size:
            self.conditions.append(comparison(own, ast.Lt(), constant(span[-1] + 1)))
