"""With this module lines that write into cells are read cell by cell: which of them land where the cell is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import torch

from backend.letters.lens import ZERO, Index, Lens, Letters, Unsayable
from backend.letters.picks import exchanged, listed_at, spread
from backend.letters.scalar import add, chosen, compared, constant, folded
from backend.ops import create, index
from backend.ops.base import Op, broadcast_shape
from backend.ops.index import is_mask

Given = dict[str, Any]


def equal(place: ast.expr, own: ast.expr) -> ast.expr:
    """place == own"""
    return compared(place, ast.Eq(), own)


def put(given: Given, meta: torch.Tensor, letters: Letters) -> Lens:
    """x.index_put(indices, values, accumulate=True): a sum over all places listed, of those that are meant."""
    x, places, values = given["x"], given["indices"], given["values"]
    if not given["accumulate"] or not all(isinstance(place, Lens) and not is_mask(place) for place in places):
        raise Unsayable
    common = broadcast_shape(*(place.shape for place in places)) or ()

    def at(where: Index) -> ast.expr:
        running = tuple(letters.fresh(size) for size in common)
        meant = [equal(place.stretched(running), own) for place, own in zip(places, where, strict=False)]
        value = values.stretched((*running, *where[len(places) :])) if isinstance(values, Lens) else constant(values)
        return add(x.at(where), folded("sum", running, chosen(meant, value, ZERO)))

    return Lens(meta, at)


def added(given: Given, meta: torch.Tensor, letters: Letters) -> Lens:
    """x.index_add(dim, index, source)"""
    x, dim, places, source = given["x"], given["dim"], given["index"], given["source"]

    def at(where: Index) -> ast.expr:
        running = letters.fresh(places.shape[0])
        value = source.at(exchanged(where, dim, running))
        body = chosen([equal(places.at((running,)), where[dim])], value, ZERO)
        return add(x.at(where), folded("sum", [running], body))

    return Lens(meta, at)


def scattered(given: Given, meta: torch.Tensor, letters: Letters) -> Lens:
    """x.scatter_add(dim, index, src)"""
    x, dim, places, source = given["x"], given["dim"], given["index"], given["src"]
    if any(a != b for axis, (a, b) in enumerate(zip(places.shape, x.shape, strict=True)) if axis != dim % x.ndim):
        raise Unsayable

    def at(where: Index) -> ast.expr:
        running = letters.fresh(places.shape[dim])
        here = exchanged(where, dim, running)
        body = chosen([equal(places.at(here), where[dim])], source.at(here), ZERO)
        return add(x.at(where), folded("sum", [running], body))

    return Lens(meta, at)


def marked(given: Given, meta: torch.Tensor, _: Letters) -> Lens:
    """x.scatter(dim, index, src) where each line has one place."""
    x, dim, places, src = given["x"], given["dim"], given["index"], given["src"]
    rest = [(a, b) for axis, (a, b) in enumerate(zip(places.shape, x.shape, strict=True)) if axis != dim % x.ndim]
    if places.shape[dim] != 1 or any(a != b for a, b in rest):
        raise Unsayable

    def at(where: Index) -> ast.expr:
        here = exchanged(where, dim, ZERO)
        written = src.at(here) if isinstance(src, Lens) else constant(src)
        return chosen([equal(places.at(here), where[dim])], written, x.at(where))

    return Lens(meta, at)


PLACES: dict[type[Op], Callable[[Given, torch.Tensor, Letters], Lens]] = {
    create.IndexPut: put, index.IndexAdd: added, index.ScatterAdd: scattered, index.Scatter: marked,
}  # fmt: skip


def placed(parts: Sequence[Any], shape: tuple[int, ...], value: Lens) -> Lens:
    """Zeros of a shape with `value` written at an index that names no cell twice, as `dx[:, 2:8] = value` does."""
    meta = torch.empty(shape, device="meta")
    if len(parts) == 1 and is_mask(parts[0]):
        return Lens(meta, lambda where: _where_marked(parts[0], value, where))
    full = spread(parts, len(shape), also=(int, type(None)))
    if any(part is None for part in full):
        value, full = without_new_axes(full, value), [part for part in full if part is not None]
    listed = [axis for axis, part in enumerate(full) if isinstance(part, range | Lens)]
    if listed and listed != list(range(listed[0], listed[-1] + 1)):
        raise Unsayable
    return Lens(meta, lambda where: Landing(full, shape, where).of(value))


def without_new_axes(parts: Sequence[Any], value: Lens) -> Lens:
    """A value for `dx[:, None] = value` as one for `dx[:] = value`; raises Unsayable where lists make its axes too."""
    if not all(part is None or isinstance(part, slice) for part in parts):
        raise Unsayable
    missing = len(parts) - value.ndim
    new = [axis for axis, part in enumerate(parts) if part is None and axis >= missing]
    kept = [size for axis, size in enumerate(value.shape, missing) if axis not in new]

    def at(where: Index) -> ast.expr:
        rest = iter(where)
        return value.at(tuple(ZERO if axis in new else next(rest) for axis in range(missing, len(parts))))

    return Lens(torch.empty(kept, device="meta"), at)


def _where_marked(mask: Lens, value: Lens, where: Index) -> ast.expr:
    if value.shape:
        raise Unsayable
    return chosen([mask.stretched(where[: mask.ndim])], value.at(()), ZERO)


class Landing:
    """The cell of a written value that lands at one index, and the conditions under which one does."""

    def __init__(self, parts: list[Any], shape: tuple[int, ...], where: Index) -> None:
        self.where, self.shape = where, shape
        self.conditions: list[ast.expr] = []
        self.index: list[ast.expr] = []
        spans = {axis: part for axis, part in enumerate(parts) if isinstance(part, range)}
        self.lead = max(spans, key=lambda axis: len(spans[axis]), default=-1)
        self.run = self.back(self.lead, spans[self.lead].start) if spans else ZERO
        for axis, part in enumerate(parts):
            self.look(axis, part)

    def of(self, value: Lens) -> ast.expr:
        """That cell, or zero."""
        return chosen(self.conditions, value.stretched(tuple(self.index)), ZERO)

    def back(self, axis: int, start: int) -> ast.expr:
        return add(self.where[axis], constant(-start))

    def look(self, axis: int, part: Any) -> None:
        """Take one part of the index into account."""
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
        elif self.lead >= 0 and (isinstance(part, range) or part.ndim == 1):
            self.conditions.append(equal(self.where[axis], listed_at(part, (self.run,))))
        else:
            raise Unsayable

    def among(self, axis: int, span: range) -> None:
        """The cell must lie in this stretch of the axis."""
        own, size = self.where[axis], self.shape[axis]
        if span.step < 1:
            raise Unsayable
        if span.step > 1:
            hit = ast.BinOp(add(own, constant(-span.start)), ast.Mod(), constant(span.step))
            self.conditions.append(equal(hit, ZERO))
        if len(span) == 1 and size > 1:
            self.conditions.append(equal(own, constant(span.start)))
        elif span.start > 0:
            self.conditions.append(compared(own, ast.GtE(), constant(span.start)))
        if len(span) > 1 and span[-1] + span.step < size:
            self.conditions.append(compared(own, ast.Lt(), constant(span[-1] + 1)))
