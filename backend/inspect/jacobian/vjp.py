"""VJPs, Jacobian columns and whole Jacobians of a named tensor by one tensor that it reads."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.pytree import as_tensor
from backend.engine.trace.graph import Node
from backend.engine.trace.statement import statement_of
from backend.inspect.jvp import jvp, perturbed, read_by
from backend.program.runs import Run


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
    """The derivative of a node by one of its inputs, all other named tensors constant, in the run's precision.

    With a block, only its part of the input varies, and `matrix` has only its part of the node. Everything is torch's
    own: no backward rule is used. With `beside`, the point is perturbed by a few roundings.
    """

    def __init__(self, run: Run, node: Node, source: Node, block: Block = Block(), beside: int | None = None) -> None:
        self.statement, self.variable = statement_of(node, run.plan.graph), source.variable
        self.dtype = run.material.dtype
        scope = read_by(self.statement, run.forward.values, source.variable)
        self.scope = scope if beside is None else perturbed(scope, beside)
        self.whole, self.block = as_tensor(self.scope[source.variable]), block
        self.start = block.cut(self.whole, False).contiguous()
        self.moving = torch.zeros(self.whole.shape, dtype=torch.bool)
        block.cut(self.moving, False)[...] = True

    def value(self, start: torch.Tensor) -> torch.Tensor:
        """The whole node for another value of the part of the input that varies."""
        if self.block.along:
            for axis in sorted(self.block.axes(False)):
                start = start.unsqueeze(axis)
            start = torch.where(self.moving, start, self.whole)
        with DefaultDtype(self.dtype):
            return self.statement.value(Evaluator({**self.scope, self.variable: start}))

    def recorded(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The part of the input that varies as an autograd leaf, and the whole node computed from it."""
        leaf = self.start.detach().clone().requires_grad_()
        with torch.enable_grad():
            return leaf, self.value(leaf)

    def pulled(self, arriving: torch.Tensor) -> torch.Tensor:
        """The VJP, upstream @ J, for an upstream gradient of the whole node's shape."""
        return pull(*self.recorded(), arriving)

    def matrix(self) -> torch.Tensor:
        """The Jacobian [m, n] of the flattened tensors, by rows or by columns, whichever are fewer."""
        leaf, whole = self.recorded()
        out = self.block.cut(whole, True)
        if leaf.numel() < out.numel():
            columns = self.columns(leaf, out)
            return torch.stack(columns, 1) if columns else out.new_zeros(out.numel(), 0)
        rows = [pull(leaf, out, unit(out, cell)).reshape(-1) for cell in range(out.numel())]
        return torch.stack(rows) if rows else out.new_zeros(0, leaf.numel())

    def columns(self, leaf: torch.Tensor, out: torch.Tensor) -> list[torch.Tensor]:
        """The Jacobian's columns by double backward: the VJP's derivative by its cotangent."""
        with torch.enable_grad():
            arriving = torch.zeros_like(out, requires_grad=True)
            try:
                pulled = pull(leaf, out, arriving, again=True)
                found = [pull(arriving, pulled, unit(leaf, cell)) for cell in range(leaf.numel())]
            except RuntimeError:  # an operation that torch can't differentiate twice
                found = [self.pushed(cell) for cell in range(leaf.numel())]
        return [column.reshape(-1) for column in found]

    def pushed(self, cell: int) -> torch.Tensor:
        """One column by torch's forward mode (a JVP)."""
        with torch.no_grad():
            return jvp(lambda start: self.block.cut(self.value(start), True), self.start, unit(self.start, cell))

    def reaches_others(self) -> bool:
        """Whether cells of the node outside of the block depend on the block's inputs, too."""
        if not self.block.along:
            return False
        leaf, whole = self.recorded()
        others = torch.rand(whole.shape, generator=torch.Generator().manual_seed(0), dtype=whole.dtype) + 0.5
        self.block.cut(others, True)[...] = 0.0
        return bool((pull(leaf, whole, others) != 0).any())


def pull(leaf: torch.Tensor, out: torch.Tensor, arriving: torch.Tensor, again: bool = False) -> torch.Tensor:
    """The VJP from a result to a leaf; with `again` it can be differentiated itself."""
    if not out.requires_grad:
        return torch.zeros_like(leaf)
    (found,) = torch.autograd.grad(out, leaf, arriving, retain_graph=True, create_graph=again, allow_unused=True)
    return torch.zeros_like(leaf) if found is None else found


def unit(tensor: torch.Tensor, cell: int) -> torch.Tensor:
    """Zeros in the shape of a tensor, with a one at a flat index."""
    made = torch.zeros(tensor.numel(), dtype=tensor.dtype)
    made[cell] = 1.0
    return made.reshape(tensor.shape)
