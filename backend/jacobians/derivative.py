"""With this module a named tensor is a function of one tensor it reads: pulled back, pushed forward, as a matrix."""

from __future__ import annotations

import torch

from backend.graph import Node
from backend.language.evaluate import DefaultDtype, Evaluator
from backend.lens.local import nearby, pushed, read_by
from backend.runs import Run
from backend.statement import statement_of


class Derivative:
    """A node by one of its inputs, every other named tensor held where it is, in the run's precision.

    With `example`, only that entry of the input's leading axis moves, and `matrix` has only that entry of the node's.
    Everything is torch's own: nothing here knows the backward rules. With `beside`, what is read is a little off.
    """

    def __init__(
        self, run: Run, node: Node, source: Node, example: int | None = None, beside: int | None = None
    ) -> None:
        self.statement, self.variable = statement_of(node, run.plan.graph), source.variable
        self.dtype = run.material.dtype
        scope = read_by(self.statement, run.forward.values, source.variable)
        self.scope = scope if beside is None else nearby(scope, beside)
        self.whole, self.example = self.scope[source.variable], example
        self.start = part(self.whole, example).contiguous()

    def value(self, start: torch.Tensor) -> torch.Tensor:
        """The whole node, with another value for what moves of the input."""
        if self.example is not None:
            start = torch.cat([self.whole[: self.example], start.unsqueeze(0), self.whole[self.example + 1 :]])
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
        out = part(whole, self.example)
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
            return pushed(lambda start: part(self.value(start), self.example), self.start, unit(self.start, cell))

    def reaches_others(self) -> bool:
        """Whether other entries of the node than this example's move with it, too."""
        if self.example is None:
            return False
        leaf, whole = self.recorded()
        others = torch.rand(whole.shape, generator=torch.Generator().manual_seed(0), dtype=whole.dtype) + 0.5
        others[self.example] = 0.0
        return bool((pull(leaf, whole, others) != 0).any())


def part(tensor: torch.Tensor, example: int | None) -> torch.Tensor:
    """A tensor, or one entry of its leading axis."""
    return tensor if example is None else tensor[example]


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
