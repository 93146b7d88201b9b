"""With this module a program is an oracle: its loss as a function of any one tensor, in float64."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import torch

from backend.differences.line import Line
from backend.differences.replay import Replay, Way
from backend.differences.slope import Slope, measure
from backend.graph import Node
from backend.language.errors import Refusal
from backend.plan import Plan
from backend.run import Tensors, run_backward, run_forward
from backend.runs import Run


class Overdue(Exception):  # noqa: N818 - running out of time is no fault
    """The time for an answer is used up."""


@dataclass
class Oracle:
    """One program in float64: its manual gradients, autograd's, and its values, ready to be run again until a time."""

    plan: Plan
    manual: Tensors
    autograd: Tensors
    replay: Replay
    until: float = math.inf

    def check_time(self) -> None:
        """Raise Overdue when the time is used up."""
        if time.perf_counter() > self.until:
            raise Overdue

    def line(self, node: Node, direction: torch.Tensor) -> Line:
        """The loss along a direction through a node's value; NaN where torch refuses what comes of it."""
        loss = self.plan.graph.loss.variable
        way, middle = self.replay.way(node.variable, loss), self.replay[node.variable]
        return Line(lambda t: self._loss(way, middle + t * direction), float(self.replay[loss]))

    def _loss(self, way: Way, tensor: torch.Tensor) -> float:
        self.check_time()
        try:
            with torch.no_grad():
                return float(way.value(tensor))
        except Refusal:
            return math.nan


@dataclass
class Judged:
    """What values alone say of a gradient along one direction."""

    slope: Slope
    direction: torch.Tensor
    line: Line
    analytic: float
    autograd: float


def oracle_of(run: Run) -> Oracle:
    """The oracle of a run; raises Refusal where its loss is not a finite number."""
    manual, autograd = _in_float64(run)
    replay = Replay(run.plan.graph, run.material.tensors, torch.float64)
    loss = run.plan.graph.loss
    if not math.isfinite(float(replay[loss.variable])):
        raise Refusal("loss-not-finite", found=loss.name)
    return Oracle(run.plan, manual, autograd, replay)


def _in_float64(run: Run) -> tuple[Tensors, Tensors]:
    """Manual gradients and autograd's, by variable, where there are both."""
    forward, gradients = run.forward, run.gradients
    if run.material.dtype is not torch.float64:
        forward = run_forward(run.plan.graph, run.material.tensors, torch.float64)
        gradients = run_backward(run.plan.lines, forward.values, torch.float64, {})[0]
    return {name: gradients["d" + name] for name in forward.autograd if "d" + name in gradients}, forward.autograd


def judge(oracle: Oracle, node: Node, direction: torch.Tensor) -> Judged:
    """A node's gradient judged along a direction.

    Where steps of the tensor's own size settle nothing, as for the logarithm of small and large numbers, each cell
    moves in proportion to itself.
    """
    found = along(oracle, node, direction)
    if found.slope.agrees or (found.slope.settled and found.slope.kink is None):
        return found
    again = along(oracle, node, direction * proportions(oracle.replay[node.variable]))
    return again if again.slope.settled and again.slope.kink is None else found


def along(oracle: Oracle, node: Node, direction: torch.Tensor) -> Judged:
    """A node's gradient judged along just this direction."""
    analytic = dot(oracle.manual[node.variable], direction)
    line = oracle.line(node, direction)
    return Judged(measure(line, analytic), direction, line, analytic, dot(oracle.autograd[node.variable], direction))


def dot(gradient: torch.Tensor, direction: torch.Tensor) -> float:
    """The derivative along a direction; what a cell has that does not move is of no account, be it infinite."""
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
    """How large each cell is beside its tensor's size, at most 1; 1 for cells that are zero."""
    parts = (tensor.abs() / size_of(tensor)).clamp(max=1.0)
    return torch.where(parts > 0, parts, torch.ones_like(parts))
