"""Index formulas of operations that only move cells (views, transposes, rolls, …), found by moving cell numbers.

The operation is a black box: it is run on a tensor of cell numbers, and the result tells where each cell came from. A
guessed formula is taken only if it is right for every cell.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator

import numpy as np
import torch

from backend.engine.language.tree import constant
from backend.lines.index_notation.indexed_tensor import ZERO, Index, Indexed, NotExpressible
from backend.lines.index_notation.scalar_expr import add, times

Shape = tuple[int, ...]
IndexFormula = Callable[[Index], ast.expr]


def numbered(shape: Shape) -> torch.Tensor:
    """A tensor of this shape in which every cell holds its own flat index."""
    return torch.arange(math.prod(shape)).view(shape)


def moved(source: Indexed, cells: torch.Tensor, meta: torch.Tensor) -> Indexed:
    """The tensor of the cells `cells` (flat indices) of `source`; raises NotExpressible without a formula."""
    if cells.dtype is not torch.int64 or tuple(cells.shape) != tuple(meta.shape) or not cells.numel():
        raise NotExpressible
    along = np.unravel_index(cells.numpy(), source.shape) if source.shape else ()
    formulas = [_formula(torch.as_tensor(part), source.shape, axis) for axis, part in enumerate(along)]
    return Indexed(meta, lambda index: source.at(tuple(formula(index) for formula in formulas)))


def _formula(wanted: torch.Tensor, source: Shape, axis: int) -> IndexFormula:
    """One coordinate in the source as an expression over the result's index."""
    for guess, formula in _guesses(wanted, source, axis):
        if torch.equal(guess.expand_as(wanted), wanted):
            return formula
    raise NotExpressible


def _guesses(wanted: torch.Tensor, source: Shape, axis: int) -> Iterator[tuple[torch.Tensor, IndexFormula]]:
    shape = tuple(wanted.shape)
    letters = [torch.arange(size).view(_along(shape, a)) for a, size in enumerate(shape)]
    start = int(wanted.reshape(-1)[0])
    steps = [int(wanted[_first(shape, a)]) - start for a in range(len(shape))]
    line = sum((step * letter for step, letter in zip(steps, letters, strict=True)), torch.tensor(start))
    yield line, lambda index: _line(index, steps, start)
    for a, letter in enumerate(letters):
        run = (
            wanted.select(a, 0)
            if len(shape) == 0
            else wanted[tuple(0 if b != a else slice(None) for b in range(len(shape)))]
        )
        yield from _of_one(a, letter, run)
    # A view counts through all cells.
    strides = [math.prod(shape[a + 1 :]) if shape[a] > 1 else 0 for a in range(len(shape))]
    flat = sum((stride * letter for stride, letter in zip(strides, letters, strict=True)), torch.tensor(0))
    each, size = math.prod(source[axis + 1 :]), source[axis]
    yield flat // each % size, lambda index: _counted(index, shape, strides, each, size)


def _of_one(axis: int, letter: torch.Tensor, run: torch.Tensor) -> Iterator[tuple[torch.Tensor, IndexFormula]]:
    """Guesses over one letter: strided, cyclic, or both."""
    each = int((run != run[0]).nonzero()[0]) if bool((run != run[0]).any()) else 1
    size = int(run.max()) + 1
    yield letter // each % size, lambda index: _split(index[axis], each, size if each * size < len(run) else 0)
    shift = int(run[0])
    yield (letter + shift) % size, lambda index: _split(add(index[axis], constant(shift)), 1, size)


def _along(shape: Shape, axis: int) -> Shape:
    return tuple(size if a == axis else 1 for a, size in enumerate(shape))


def _first(shape: Shape, axis: int) -> Shape:
    return tuple(int(a == axis and shape[a] > 1) for a in range(len(shape)))


def _line(index: Index, steps: list[int], start: int) -> ast.expr:
    """start + step · letter + …"""
    made: ast.expr = ZERO
    for letter, step in sorted(zip(index, steps, strict=True), key=lambda pair: pair[1] < 0):
        made = add(made, times(step, letter)) if step else made
    if start and any(step < 0 for step in steps) and not any(step > 0 for step in steps):
        return add(constant(start), made)
    return add(made, constant(start))


def _counted(index: Index, shape: Shape, strides: list[int], each: int, size: int) -> ast.expr:
    """(stride · letter + …) // each % size, with multiples of `each` moved out and multiples of `size` dropped."""
    axes = [axis for axis, stride in enumerate(strides) if stride and stride // each % size | stride % each]
    outer = [strides[axis] // each if axis in axes and strides[axis] % each == 0 else 0 for axis in range(len(shape))]
    inner = [strides[axis] if axis in axes and strides[axis] % each else 0 for axis in range(len(shape))]
    most = [sum(step * (n - 1) for step, n in zip(steps, shape, strict=True)) for steps in (outer, inner)]
    made = _line(index, outer, 0)
    if any(inner) and most[1] >= each:
        made = add(made, _split(_line(index, inner, 0), each, 0))
    return _split(made, 1, size if most[0] + most[1] // each >= size else 0)


def _split(line: ast.expr, each: int, size: int) -> ast.expr:
    """line // each % size, without the parts that change nothing."""
    made = line if each == 1 else ast.BinOp(line, ast.FloorDiv(), ast.Constant(each))
    return made if not size else ast.BinOp(made, ast.Mod(), ast.Constant(size))
