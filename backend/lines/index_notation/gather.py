"""Index formulas of indexing, gather, embedding, concatenation and stacking: `C[Xb[i,j],k]`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from backend.engine.interpret.evaluate import pick
from backend.engine.language.tree import constant
from backend.engine.language.values import Parameters
from backend.engine.ops.base import broadcast_shape
from backend.engine.ops.index import is_mask, parts_of
from backend.lines.index_notation.indexed_tensor import ZERO, Index, Indexed, NotExpressible
from backend.lines.index_notation.reindex import moved, numbered
from backend.lines.index_notation.scalar_expr import add, chosen, comparison, simple


def indexed(given: Parameters, meta: torch.Tensor) -> Indexed:
    """x[index], with numbers, slices and tensors of integers."""
    x: Indexed = given["x"]
    parts: Sequence[Any] = parts_of(given["index"])
    if not any(isinstance(part, Indexed | range | list) for part in parts):
        return moved(x, pick(numbered(x.shape), given["index"]), meta)
    parts = spread(parts, x.ndim, also=(int,))
    listed = [place for place, part in enumerate(parts) if not isinstance(part, slice)]
    together = listed == list(range(listed[0], listed[-1] + 1))
    common = broadcast_shape(*(length(parts[place]) for place in listed)) or ()
    first = sum(place < listed[0] for place in range(x.ndim) if place not in listed) if together else 0

    def at(where: Index) -> ast.expr:
        shared, rest = where[first : first + len(common)], iter([*where[:first], *where[first + len(common) :]])
        index = [
            _sliced(part, next(rest), x.shape[axis])
            if isinstance(part, slice)
            else listed_at(part, shared, x.shape[axis])
            for axis, part in enumerate(parts)
        ]
        return x.at(tuple(index))

    return Indexed(meta, at)


def spread(parts: Sequence[Any], axes: int, also: tuple[type, ...] = ()) -> list[Any]:
    """An index with one part for each axis: `...` and missing parts become `:`.

    Raises NotExpressible for masks and lists, and for numbers and new axes unless they are among `also`.
    """
    given = [part for part in parts if part is not ...]
    if any(isinstance(part, list | tuple | int | None) and not isinstance(part, also) for part in given):
        raise NotExpressible
    if any(map(is_mask, given)):
        raise NotExpressible
    whole = [slice(None)] * (axes - sum(part is not None for part in given))
    at = next((place for place, part in enumerate(parts) if part is ...), len(parts))
    return [*parts[:at], *whole, *parts[at + 1 :]]


def length(part: Any) -> tuple[int, ...]:
    """The shape of an index tensor; a single number has none."""
    if isinstance(part, int):
        return ()
    return (len(part),) if isinstance(part, range) else part.shape


def listed_at(part: Any, shared: Index, size: int = 0) -> ast.expr:
    """The entry of an index tensor at an index of the common broadcast shape; `size` is that of the axis it picks."""
    if isinstance(part, int):
        return ast.Constant(part % size)
    if isinstance(part, range):
        return _stepped(part.start, part.step, shared[-1] if len(part) > 1 else ZERO)
    assert isinstance(part, Indexed)
    return part.stretched(shared)


def _stepped(start: int, step: int, letter: ast.expr) -> ast.expr:
    return add(simple(ast.BinOp(constant(step), ast.Mult(), letter)), constant(start))


def _sliced(part: slice, letter: ast.expr, size: int) -> ast.expr:
    start, _, step = part.indices(size)
    return _stepped(start, step, letter)


def exchanged(where: Index, axis: int, part: ast.expr) -> Index:
    """An index with one axis replaced."""
    axis %= len(where)
    return (*where[:axis], part, *where[axis + 1 :])


def gathered(given: Parameters, meta: torch.Tensor) -> Indexed:
    """x.gather(dim, index)"""
    x, dim, places = given["x"], given["dim"], given["index"] if "index" in given else given["indices"]
    if len(places.shape) != len(x.shape):  # one place of a row is taken for a row of one
        raise NotExpressible
    return Indexed(meta, lambda where: x.stretched(exchanged(where, dim, places.stretched(where))))


def selected(given: Parameters, meta: torch.Tensor) -> Indexed:
    """x.index_select(dim, index)"""
    x, dim, places = given["x"], given["dim"], given["index"]
    return Indexed(meta, lambda where: x.at(exchanged(where, dim, places.at((where[dim],)))))


def looked_up(given: Parameters, meta: torch.Tensor) -> Indexed:
    """F.embedding(index, x)"""
    return Indexed(meta, lambda where: given["x"].at((given["index"].at(where[:-1]), where[-1])))


def joined(given: Parameters, meta: torch.Tensor) -> Indexed:
    """torch.cat(tensors, dim)"""
    tensors, dim = given["tensors"], given["dim"] % meta.ndim

    def at(where: Index) -> ast.expr:
        end, parts = 0, []
        for tensor in tensors:
            own = add(where[dim], constant(-end))
            end += tensor.shape[dim]
            place = exchanged(where, dim, own if tensor.shape[dim] > 1 else ZERO)
            parts.append((ast.Constant(end), tensor.at(place)))
        made: ast.expr = parts[-1][1]
        for limit, part in reversed(parts[:-1]):
            made = chosen([comparison(where[dim], ast.Lt(), limit)], part, made)
        return made

    return Indexed(meta, at)


def beside(given: Parameters, meta: torch.Tensor) -> Indexed:
    """torch.hstack(tensors)"""
    tensors = [_with_axes(tensor, 1) for tensor in given["tensors"]]
    return joined({"tensors": tensors, "dim": min(1, meta.ndim - 1)}, meta)


def on_top(given: Parameters, meta: torch.Tensor) -> Indexed:
    """torch.vstack(tensors)"""
    return joined({"tensors": [_with_axes(tensor, 2) for tensor in given["tensors"]], "dim": 0}, meta)


def _with_axes(tensor: Indexed, axes: int) -> Indexed:
    """The tensor with new axes of length 1 in front, where it has fewer."""
    new = max(axes - tensor.ndim, 0)
    return Indexed(tensor.meta[(None,) * new], lambda where: tensor.at(where[new:]))


def stacked(given: Parameters, meta: torch.Tensor) -> Indexed:
    """torch.stack(tensors, dim)"""
    tensors, dim = given["tensors"], given["dim"] % meta.ndim

    def at(where: Index) -> ast.expr:
        parts = [tensor.at((*where[:dim], *where[dim + 1 :])) for tensor in tensors]
        made: ast.expr = parts[-1]
        for number in range(len(parts) - 2, -1, -1):
            made = chosen([comparison(where[dim], ast.Eq(), ast.Constant(number))], parts[number], made)
        return made

    return Indexed(meta, at)


def meshed(given: Parameters, meta: Sequence[torch.Tensor]) -> tuple[Indexed, ...]:
    """torch.meshgrid(*tensors, indexing=…)"""
    order = list(range(len(meta)))
    if given["indexing"] == "xy":
        order[:2] = order[1::-1]
    pairs = zip(given["tensors"], meta, order, strict=True)
    return tuple(Indexed(part, partial(_along, tensor, axis)) for tensor, part, axis in pairs)


def _along(tensor: Indexed, axis: int, where: Index) -> ast.expr:
    return tensor.at((where[axis],) if tensor.ndim else ())


# By the `index_formula` of their blocks.
GATHERS: dict[str, Callable[[Parameters, Any], Any]] = {
    "by index": indexed, "gather": gathered, "select": selected, "look up": looked_up, "join": joined,
    "join side by side": beside, "join as rows": on_top, "stack": stacked, "mesh": meshed,
}  # fmt: skip
