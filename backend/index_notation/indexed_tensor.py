"""With this module a tensor is seen cell by cell: at an index of letters it says which number stands there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

Index = tuple[ast.expr, ...]
ZERO = ast.Constant(0)
MOST_PARTS = 400


class Unsayable(Exception):  # noqa: N818 - an outcome, not a fault
    """Letters cannot say this, or not in a line that anyone would read."""


@dataclass(frozen=True)
class Lens:
    """A tensor without its numbers: its shape, and the number at an index as an expression."""

    meta: torch.Tensor
    at: Callable[[Index], ast.expr]

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""
        return tuple(self.meta.shape)

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return self.meta.ndim

    def stretched(self, index: Index) -> ast.expr:
        """The number at an index of a larger shape that this one is stretched to."""
        own = index[len(index) - self.ndim :]
        return self.at(tuple(ZERO if size == 1 else part for part, size in zip(own, self.shape, strict=True)))


def named(name: str, meta: torch.Tensor) -> Lens:
    """A tensor that has a name: `h[i,j]`, and `h` alone for a single number."""
    return Lens(meta, lambda index: subscript(name, index) if index else ast.Name(name, ast.Load()))


def subscript(name: str, index: Sequence[ast.expr]) -> ast.expr:
    """`name[i,j]`."""
    return ast.Subscript(ast.Name(name, ast.Load()), ast.Tuple(list(index), ast.Load()), ast.Load())


class Letters:
    """Gives out places for sums to run over; they get their letters once the whole line is known."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.steps = 0

    def step(self) -> None:
        """Count one more part of the line; raises Unsayable where there are more than anyone reads."""
        self.steps += 1
        if self.steps > MOST_PARTS:
            raise Unsayable

    def fresh(self, size: int) -> ast.expr:
        """A new one for an axis of that length; the number 0 where there is nothing to run over."""
        if size == 1:
            return ZERO
        name = f"·{len(self.sizes)}"
        self.sizes[name] = size
        return ast.Name(name, ast.Load())
