"""With this module what the walk's lines bring to a tensor is held against torch, from one node at a time."""

from __future__ import annotations

from contextlib import suppress

import torch

from backend.graph import Node
from backend.jacobians.derivative import Block, Derivative
from backend.language.errors import Refusal
from backend.lens.local import NEARBY
from backend.lens.terms import ROUNDINGS
from backend.lens.ways import ways_to
from backend.runs import Run

# What rounding may do in a run of that precision, as a part of the largest sum of magnitudes.
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}


class Brought:
    """What the walk's lines bring from a node to an input of it; `company` are all nodes from which these lines come.

    A line may carry what comes from several, as in `a, b = (x @ W).chunk(2)`: it goes on as one from their common part.
    """

    def __init__(self, run: Run, node: Node, source: Node) -> None:
        self.run, self.source = run, source
        ends = [
            (way.end, way.place) for way in ways_to(source, run.plan.graph, run.plan.lines) if way.place is not None
        ]
        self.company, places = {node}, set[int]()
        while found := {place for end, place in ends if end in self.company} - places:
            places |= found
            self.company |= {end for end, place in ends if place in places}
        self.values = [run.contributions[place].value for place in sorted(places)]

    @property
    def whole(self) -> torch.Tensor:
        """All that these lines bring."""
        return torch.stack(self.values).sum(0)

    def alone(self, block: Block) -> torch.Tensor | None:
        """What comes from the node alone, flattened; None where no line brings it or it comes with something else."""
        return block.cut(self.whole, False).reshape(-1) if self.values and len(self.company) == 1 else None

    def pulled(self, beside: int | None = None) -> torch.Tensor:
        """What torch brings from the whole gradients of all these nodes to the whole input, or to one a little off."""
        parts = [
            Derivative(self.run, one, self.source, beside=beside).pulled(self.run.gradients["d" + one.variable])
            for one in self.company
        ]
        return torch.stack(parts).sum(0).double()

    def agrees(self) -> bool:
        """Whether the lines bring what torch brings; so it is where there is no line."""
        return not self.values or self.agree(self.pulled(), self.whole, 0.0)

    def agree(self, found: torch.Tensor, shown: torch.Tensor, size: float) -> bool:
        """Whether two tensors are the same but for rounding, of numbers of that size and of those the lines add up."""
        dtype = self.run.material.dtype
        room = TOLERANCE[dtype] * (size + largest(torch.stack(self.values).abs().sum(0)))
        if agree(found, shown, room):
            return True
        return agree(found, shown, room + ROUNDINGS * self.doubt())

    def doubt(self) -> float:
        """What rounding can have done to what torch brings, as numbers nearby show it."""
        pulled, apart = self.pulled(), [0.0]
        for place in range(NEARBY):
            with suppress(Refusal):
                apart.append(largest(self.pulled(place) - pulled))
        return max(apart)


def largest(tensor: torch.Tensor) -> float:
    """The largest finite magnitude."""
    finite = tensor[tensor.isfinite()].abs()
    return float(finite.max()) if finite.numel() else 0.0


def agree(result: torch.Tensor, shown: torch.Tensor, within: float) -> bool:
    """Whether arriving @ J is what the walk shows, but for rounding.

    Where a rate is infinite torch has NaN for those beside it, and nothing can be said of their sum.
    """
    known = ~result.isnan()
    return torch.allclose(result.double()[known], shown.double()[known], rtol=0.0, atol=within)
