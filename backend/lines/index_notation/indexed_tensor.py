"""A tensor in index notation: its shape, and the scalar expression at an index."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

Index = tuple[ast.expr, ...]
ZERO = ast.Constant(0)
MOST_PARTS = 400


class NotExpressible(Exception):  # noqa: N818 - an outcome, not a fault
    """Not expressible in index notation, or too long to read."""


@dataclass(frozen=True)
class Indexed:
    """A tensor in index notation: its shape (on the meta device), and the scalar expression at an index."""

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
        """The scalar at an index of a larger shape that this tensor is broadcast to."""
        if len(index) < self.ndim:
            raise NotExpressible
        own = index[len(index) - self.ndim :]
        return self.at(tuple(ZERO if size == 1 else part for part, size in zip(own, self.shape, strict=True)))


def named(name: str, meta: torch.Tensor) -> Indexed:
    """A named tensor: `h[i,j]`, or `h` for a scalar."""
    return Indexed(meta, lambda index: subscript(name, index) if index else ast.Name(name, ast.Load()))


def subscript(name: str, index: Sequence[ast.expr]) -> ast.expr:
    """`name[i,j]`."""
    return ast.Subscript(ast.Name(name, ast.Load()), ast.Tuple(list(index), ast.Load()), ast.Load())


class IndexPool:
    """A pool of summation indices; they get letters once the whole formula is known (see bind.py)."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.steps = 0

    def step(self) -> None:
        """Count one more term of the formula; raises NotExpressible above MOST_PARTS."""
        self.steps += 1
        if self.steps > MOST_PARTS:
            raise NotExpressible

    def fresh(self, size: int) -> ast.expr:
        """A new summation index for an axis of this length; the constant 0 for length 1."""
        if size == 1:
            return ZERO
        name = f"·{len(self.sizes)}"
        self.sizes[name] = size
        return ast.Name(name, ast.Load())
