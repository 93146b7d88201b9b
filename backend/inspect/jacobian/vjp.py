"""A named tensor as a function of one tensor that it reads: pulled back, pushed forward, as a matrix."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from backend.graph import Node
from backend.language.evaluate import DefaultDtype, Evaluator
from backend.lens.local import nearby, pushed, read_by
from backend.runs import Run
from backend.statement import statement_of


@dataclass(frozen=True)
class Block:
    """A block of a Jacobian: the entries `at` of axes that a node and its input share; without axes the whole of it.

    `along` has pairs: an axis of the node and the axis of the input that belongs to it.
    """

    along: tuple[tuple[int, int], ...] = ()
    at: tuple[int, ...] = ()

    def axes(self, of_node: bool) -> list[int]:
        """The axes of the node, or of the input, that are held."""
        return [pair[0 if of_node else 1] for pair in self.along]

    def fixed(self, count: int, of_node: bool) -> list[int | None]:
        """For each of so many axes the entry that is held, None where the axis runs."""
        held = dict(zip(self.axes(of_node), self.at, strict=True))
        return [held.get(axis) for axis in range(count)]

    def cut(self, tensor: torch.Tensor, of_node: bool) -> torch.Tensor:
        """The block's part of the node, or of the input."""
        return tensor[tuple(slice(None) if at is None else at for at in self.fixed(tensor.ndim, of_node))]


class Derivative:
    """A node by one of its inputs, every other named tensor held where it is, in the run's precision.

    With a block, only its part of the input moves, and `matrix` has only its part of the node.
    Everything is torch's own: nothing here knows the backward rules. With `beside`, what is read is a little off.
    """

    def __init__(self, run: Run, node: Node, source: Node, block: Block = Block(), beside: int | None = None) -> None:
        self.statement, self.variable = statement_of(node, run.plan.graph), source.variable
        self.dtype = run.material.dtype
        scope = read_by(self.statement, run.forward.values, source.variable)
        self.scope = scope if beside is None else nearby(scope, beside)
        self.whole, self.block = self.scope[source.variable], block
        self.start = block.cut(self.whole, False).contiguous()
        self.moving = torch.zeros(self.whole.shape, dtype=torch.bool)
        block.cut(self.moving, False)[...] = True

    def value(self, start: torch.Tensor) -> torch.Tensor:
        """The whole node, with another value for what moves of the input."""
        if self.block.along:
            for axis in sorted(self.block.axes(False)):
                start = start.unsqueeze(axis)
            start = torch.where(self.moving, start, self.whole)
        with DefaultDtype(self.dtype):
            return self.statement.value(Evaluator({**self.scope, self.variable: start}))

    def recorded(self) -> tuple[torch.Tensor, torch.Tensor]:
        """What moves of the input as a leaf, and the whole node as computed from it."""
        leaf = self.start.detach().clone().requires_grad_()
        with torch.enable_grad():
            return leaf, self.value(leaf)

    def pulled(self, arriving: torch.Tensor) -> torch.Tensor:
        """arriving @ J for a gradient that arrives at the whole node."""
        return pull(*self.recorded(), arriving)

    def matrix(self) -> torch.Tensor:
        """The Jacobian [m, n], by rows or by columns, whichever are fewer."""
        leaf, whole = self.recorded()
        out = self.block.cut(whole, True)
        if leaf.numel() < out.numel():
            columns = self.columns(leaf, out)
            return torch.stack(columns, 1) if columns else out.new_zeros(out.numel(), 0)
        rows = [pull(leaf, out, unit(out, cell)).reshape(-1) for cell in range(out.numel())]
        return torch.stack(rows) if rows else out.new_zeros(0, leaf.numel())

    def columns(self, leaf: torch.Tensor, out: torch.Tensor) -> list[torch.Tensor]:
        """The columns of the Jacobian: what is pulled back is linear in what arrives, and its own slope is a column."""
        with torch.enable_grad():
            arriving = torch.zeros_like(out, requires_grad=True)
            try:
                pulled = pull(leaf, out, arriving, again=True)
                found = [pull(arriving, pulled, unit(leaf, cell)) for cell in range(leaf.numel())]
            except RuntimeError:  # an operation that torch can't differentiate twice
                found = [self.pushed(cell) for cell in range(leaf.numel())]
        return [column.reshape(-1) for column in found]

    def pushed(self, cell: int) -> torch.Tensor:
        """One column by torch's forward mode."""
        with torch.no_grad():
            return pushed(lambda start: self.block.cut(self.value(start), True), self.start, unit(self.start, cell))

    def reaches_others(self) -> bool:
        """Whether other cells of the node than this block's move with it, too."""
        if not self.block.along:
            return False
        leaf, whole = self.recorded()
        others = torch.rand(whole.shape, generator=torch.Generator().manual_seed(0), dtype=whole.dtype) + 0.5
        self.block.cut(others, True)[...] = 0.0
        return bool((pull(leaf, whole, others) != 0).any())


def pull(leaf: torch.Tensor, out: torch.Tensor, arriving: torch.Tensor, again: bool = False) -> torch.Tensor:
    """One vector through what torch recorded between a leaf and a result; with `again` that is recorded, too."""
    if not out.requires_grad:
        return torch.zeros_like(leaf)
    (found,) = torch.autograd.grad(out, leaf, arriving, retain_graph=True, create_graph=again, allow_unused=True)
    return torch.zeros_like(leaf) if found is None else found


def unit(tensor: torch.Tensor, cell: int) -> torch.Tensor:
    """A one in one cell, counted through the flattened tensor, of zeros."""
    made = torch.zeros(tensor.numel(), dtype=tensor.dtype)
    made[cell] = 1.0
    return made.reshape(tensor.shape)
