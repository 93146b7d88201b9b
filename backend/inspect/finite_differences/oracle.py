"""The finite-differences oracle: the loss in float64 as a function of any one tensor."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import torch

from backend.engine.execute.incremental import Recording, Rerun
from backend.engine.execute.plan import Plan
from backend.engine.execute.run import Tensors, run_backward, run_forward
from backend.engine.language.errors import Refusal
from backend.engine.trace.graph import Node
from backend.inspect.finite_differences.estimate import Slope, measure
from backend.inspect.finite_differences.line_function import Line
from backend.program.runs import Run

MOST_BYTES = 2**23  # of a run in its own precision whose numbers in float64 are kept beside it


class Overdue(Exception):  # noqa: N818 - running out of time is no fault
    """The time for an answer is used up."""


@dataclass
class Oracle:
    """One program in float64: manual gradients, autograd's, and a recording to rerun until the time `until`.

    Of its statements no more than `left` are rerun: a count, unlike a time, is the same on every machine.
    """

    plan: Plan
    manual: Tensors
    autograd: Tensors
    replay: Recording
    until: float = math.inf
    left: float = math.inf

    def spend(self, statements: int) -> None:
        """Raise Overdue when the time is used up, or the statements are."""
        if self.left <= 0 or time.process_time() >= self.until:
            raise Overdue
        self.left -= statements

    def line(self, node: Node, direction: torch.Tensor) -> Line:
        """The loss as a function of t at node + t · direction; NaN where torch refuses the values."""
        loss = self.plan.graph.loss.variable
        way, middle = self.replay.way(node.variable, loss), self.replay[node.variable]
        return Line(lambda t: self._loss(way, middle + t * direction), float(self.replay[loss]))

    def _loss(self, way: Rerun, tensor: torch.Tensor) -> float:
        self.spend(len(way.legs))
        try:
            with torch.no_grad():
                return float(way.value(tensor))
        except Refusal:
            return math.nan


@dataclass
class AlongDirection:
    """A gradient compared with finite differences along one direction."""

    slope: Slope
    direction: torch.Tensor
    line: Line
    analytic: float
    autograd: float


_latest: list[tuple[Run, Oracle]] = []  # of one run at most: questions about it come one after the other


def oracle_of(run: Run) -> Oracle:
    """The oracle of a run, kept unless it is large; raises Refusal where its loss is not a finite number."""
    if _latest and _latest[0][0] is run:
        return replace(_latest[0][1])
    _latest.clear()
    oracle = new_oracle(run)
    if run.bytes <= MOST_BYTES:
        _latest.append((run, oracle))
    return replace(oracle)


def new_oracle(run: Run) -> Oracle:
    """The oracle, from the start; raises Refusal where its loss is not a finite number."""
    manual, autograd = _in_float64(run)
    replay = Recording(run.plan.graph, run.material.tensors, torch.float64)
    loss = run.plan.graph.loss
    if not math.isfinite(float(replay[loss.variable])):
        raise Refusal("loss-not-finite", found=loss.name)
    return Oracle(run.plan, manual, autograd, replay)


def _in_float64(run: Run) -> tuple[Tensors, Tensors]:
    """Manual gradients and autograd's, by variable, where there are both."""
    forward, gradients = run.forward, run.gradients
    if run.material.dtype is not torch.float64:
        forward = run_forward(run.plan.graph, run.material.tensors, torch.float64)
        gradients = run_backward(run.plan.lines, forward.values, torch.float64, run.plan.planted).gradients
    manual = {name: gradients["d" + name] for name in forward.autograd if "d" + name in gradients}
    return {name: in_place_of(gradient, forward.autograd[name]) for name, gradient in manual.items()}, forward.autograd


def in_place_of(gradient: torch.Tensor, autograd: torch.Tensor) -> torch.Tensor:
    """The gradient; NaN throughout where a planted line gives it another shape, so that it promises nothing."""
    return gradient if gradient.shape == autograd.shape else torch.full_like(autograd, torch.nan)


def judge(oracle: Oracle, node: Node, direction: torch.Tensor) -> AlongDirection:
    """A node's gradient judged along a direction.

    If that settles nothing, as for the logarithm of very small and very large numbers, the direction is scaled by
    each cell's magnitude.
    """
    found = along(oracle, node, direction)
    if found.slope.agrees or (found.slope.settled and found.slope.kink is None):
        return found
    again = along(oracle, node, direction * proportions(oracle.replay[node.variable]))
    return again if again.slope.settled and again.slope.kink is None else found


def along(oracle: Oracle, node: Node, direction: torch.Tensor) -> AlongDirection:
    """A node's gradient judged along exactly this direction."""
    analytic = dot(oracle.manual[node.variable], direction)
    line = oracle.line(node, direction)
    return AlongDirection(
        measure(line, analytic), direction, line, analytic, dot(oracle.autograd[node.variable], direction)
    )


def dot(gradient: torch.Tensor, direction: torch.Tensor) -> float:
    """The directional derivative; cells with direction 0 contribute 0 even if their gradient is infinite."""
    return float(torch.where(direction == 0, 0.0, gradient * direction).sum())


def direction_for(tensor: torch.Tensor, seed: int) -> torch.Tensor:
    """A random sign for each cell times a length evenly spread over 0.5 to 1.5, all times the tensor's size.

    No length is near zero, so no cell escapes; they differ, so that swapped cells or opposite errors do not cancel as
    they would with signs alone. The size is the root mean square where that is below 1, and 1 otherwise: steps are then
    small beside the tensor itself.
    """
    g = torch.Generator().manual_seed(seed)
    sign = torch.randint(0, 2, tensor.shape, generator=g).double() * 2 - 1
    length = torch.rand(tensor.shape, generator=g, dtype=torch.float64) + 0.5
    return sign * length * size_of(tensor)


def size_of(tensor: torch.Tensor) -> float:
    """The root mean square of a tensor's finite cells where that is below 1, otherwise 1."""
    size = float(tensor[tensor.isfinite()].square().mean().sqrt())
    return size if 0 < size < 1 else 1.0


def proportions(tensor: torch.Tensor) -> torch.Tensor:
    """Each cell's magnitude relative to `size_of` its tensor, at most 1; 1 for cells that are zero."""
    parts = (tensor.abs() / size_of(tensor)).clamp(max=1.0)
    return torch.where(parts > 0, parts, torch.ones_like(parts))
