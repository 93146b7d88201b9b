"""Compares the backward lines' contribution to a tensor with torch's vector-Jacobian product."""

from __future__ import annotations

from contextlib import suppress

import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import largest_finite
from backend.engine.trace.graph import Node
from backend.inspect.cell.terms import ROUNDINGS
from backend.inspect.jacobian.vjp import Block, Derivative
from backend.inspect.jvp import NEARBY
from backend.inspect.paths import paths_to
from backend.program.runs import Run

# The rounding error allowed in a run of that precision, relative to the largest sum of magnitudes.
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}


class LineVjp:
    """What the backward lines contribute from a node to its input; `sources` are all nodes that these lines combine.

    A line may combine several nodes' gradients, as in `a, b = (x @ W).chunk(2)`: from `x @ W` on they are one.
    """

    def __init__(self, run: Run, node: Node, source: Node) -> None:
        self.run, self.source = run, source
        ends = [
            (way.end, way.place) for way in paths_to(source, run.plan.graph, run.plan.lines) if way.place is not None
        ]
        self.sources, places = {node}, set[int]()
        while found := {place for end, place in ends if end in self.sources} - places:
            places |= found
            self.sources |= {end for end, place in ends if place in places}
        self.values = [run.contributions[place].value for place in sorted(places)]

    @property
    def whole(self) -> torch.Tensor:
        """The sum of these lines' contributions."""
        return torch.stack(self.values).sum(0)

    def alone(self, block: Block) -> torch.Tensor | None:
        """The node's own contribution, flattened; None if there is no line, or if it is combined with other nodes'."""
        return block.cut(self.whole, False).reshape(-1) if self.values and len(self.sources) == 1 else None

    def pulled(self, beside: int | None = None) -> torch.Tensor:
        """torch's VJP from all of `sources` to the input, in float64; at a perturbed point if `beside` is given."""
        parts = [
            Derivative(self.run, one, self.source, beside=beside).pulled(self.run.gradients["d" + one.variable])
            for one in self.sources
        ]
        return torch.stack(parts).sum(0).double()

    def agrees(self) -> bool:
        """Whether the lines match torch's VJP; True if there are no lines."""
        return not self.values or self.agree(self.pulled(), self.whole, 0.0)

    def agree(self, found: torch.Tensor, shown: torch.Tensor, size: float) -> bool:
        """Whether two tensors agree within the rounding error of terms of that size and of the lines' contributions."""
        dtype = self.run.material.dtype
        room = TOLERANCE[dtype] * (size + largest_finite(torch.stack(self.values).abs().sum(0)))
        if products_agree(found, shown, room):
            return True
        return products_agree(found, shown, room + ROUNDINGS * self.doubt())

    def doubt(self) -> float:
        """A bound on the rounding error of torch's VJP: its spread over perturbed points."""
        pulled, apart = self.pulled(), [0.0]
        for place in range(NEARBY):
            with suppress(Refusal):
                apart.append(largest_finite(self.pulled(place) - pulled))
        return max(apart)


def products_agree(result: torch.Tensor, shown: torch.Tensor, within: float) -> bool:
    """Whether the VJP `result` and the walk's `shown` differ by at most `within`, cells that are NaN in `result` apart.

    Next to an infinite derivative torch's VJP has NaN, which decides nothing.
    """
    known = ~result.isnan()
    return torch.allclose(result.double()[known], shown.double()[known], rtol=0.0, atol=within)
