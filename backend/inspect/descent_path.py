"""Steps of gradient descent one after the other: with a planted mistake, and beside them with the right gradient."""

from __future__ import annotations

import time

import torch

from backend.engine.encode import Document, number
from backend.engine.execute.plan import Plan
from backend.engine.execute.run import Tensors, as_dtype, loss_of, run_backward, values_of
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.program.changes import parameters_of
from backend.program.runs import Run

# Seconds of processor time for all steps at all rates: behind them, a path is shorter than it was asked for.
SECONDS = 1.2


def paths(run: Run, rates: list[float], steps: int) -> list[Document]:
    """For each rate the losses before and after each step, in float64; `right` ones where a mistake is planted.

    Both are equally long. `stopped` says why not a single step can be made with the planted gradient.
    """
    until = time.process_time() + SECONDS
    return [_path(run, rate, steps, until) for rate in rates]


def _path(run: Run, rate: float, steps: int, until: float) -> Document:
    why = stopped(run)
    wrong, right = Descender(run, run.plan), run.plan.origin and Descender(run, run.plan.origin)
    for _ in range(steps):
        if time.process_time() > until:
            break
        if not why:
            wrong.step(rate)
        if right:
            right.step(rate)
    told = [number(loss) for loss in wrong.losses]
    return {"rate": rate, "losses": told, "right": [number(loss) for loss in right.losses] if right else None,
            "stopped": why}  # fmt: skip


def stopped(run: Run) -> str:
    """Why no step can be made: a parameter's gradient was not computed, or can't be taken from it."""
    for name in parameters_of(run.material):
        gradient, parameter = run.gradients.get("d" + name), run.material.tensors[name]
        if "d" + name in run.lost:
            return f"No step can be made: `d{name}` could not be computed."
        if gradient is not None and not _fits(gradient.shape, parameter.shape):
            has, needs = shape_text(tuple(gradient.shape)), shape_text(tuple(parameter.shape))
            return f"No step can be made: `d{name}` is {has} and `{name}` is {needs}."
    return ""


def _fits(gradient: torch.Size, parameter: torch.Size) -> bool:
    """Whether `parameter -= gradient` runs: the gradient is broadcast, the parameter keeps its shape."""
    behind = len(parameter) - len(gradient)
    return behind >= 0 and all(one in (1, size) for one, size in zip(gradient, parameter[behind:], strict=True))


class Descender:
    """A plan's parameters on their way downhill, in float64, and the losses so far."""

    def __init__(self, run: Run, plan: Plan) -> None:
        self.plan = plan
        self.tensors: Tensors = {name: as_dtype(one, torch.float64) for name, one in run.material.tensors.items()}
        self.moved = [name for name in parameters_of(run.material) if "d" + name in run.gradients]
        self.losses = [loss_of(plan.graph, self.tensors, torch.float64)]

    def step(self, rate: float) -> None:
        """One step of all parameters; where torch refuses the new numbers, the loss is NaN from then on."""
        try:
            values = values_of(self.plan.graph, self.tensors, torch.float64)
            gradients = run_backward(self.plan.lines, values, torch.float64, self.plan.planted).gradients
            for name in self.moved:
                self.tensors[name] = self.tensors[name] - rate * gradients["d" + name]
            self.losses.append(loss_of(self.plan.graph, self.tensors, torch.float64))
        except Refusal:
            self.losses.append(float("nan"))
