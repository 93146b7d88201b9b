"""Takes steps: minibatch, gradient, clipping, update; every step is the same whoever watches."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import torch

from backend.language.errors import Refusal
from backend.training.clipping import Clipped
from backend.training.optimisers import OptimiserState
from backend.training.schedules import Schedule
from backend.training.step import AutogradStep, Parameters, Step, make_step, places_of
from backend.training.task import Task, clipping_of, optimiser_of, schedule_of

Tensors = dict[str, torch.Tensor]
SMOOTHING = 0.99  # of the running mean of the loss: about the last hundred steps
LARGEST_RATE = 1e30  # which float32 can hold, and no weight survives
MOST_KEPT = 64  # moments of a run that can be walked


class Diverged(Exception):  # noqa: N818 - it is the run's end, and no error of ours
    """The loss is not a number any more, or not finite; the weights are those it was computed with."""


@dataclass(frozen=True)
class Moment:
    """What a step was computed from: the weights before it, and the inputs; and the gradient before clipping."""

    weights: torch.Tensor
    inputs: Tensors
    gradient: torch.Tensor
    loss: float


@dataclass
class Smoothed:
    """A running mean that forgets, corrected for its beginning at zero."""

    total: float = 0.0
    weight: float = 0.0

    def add(self, value: float) -> None:
        """One more value."""
        self.total = SMOOTHING * self.total + (1 - SMOOTHING) * value
        self.weight = SMOOTHING * self.weight + 1 - SMOOTHING

    @property
    def value(self) -> float:
        """The mean; NaN before the first value."""
        return self.total / self.weight if self.weight else math.nan


@dataclass(frozen=True)
class State:
    """All that later steps depend on."""

    number: int
    weights: torch.Tensor
    optimiser: OptimiserState
    source: dict[str, object]
    smoothed: tuple[float, float]


@dataclass
class Trainer:
    """A task in training: `number` steps are taken, `losses` are those since somebody last took them away."""

    task: Task
    number: int = 0
    losses: list[float] = field(default_factory=list)
    clipped: Clipped | None = None
    moments: dict[int, Moment] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.step = self._made()
        self.task.source.start(self.step.inputs)
        self.parameters = self.step.parameters
        self.optimiser, self.schedule = optimiser_of(self.task.request), schedule_of(self.task.request)
        self.clipping, self.smoothed = clipping_of(self.task.request), Smoothed()
        self.first = self.state()

    def _made(self) -> Step:
        task = self.task
        tensors, changing = task.material.tensors, task.source.changing
        if task.lines == "autograd":
            return AutogradStep(task.plan, *places_of(task.plan, tensors, task.dtype))
        return make_step(task.plan, tensors, task.dtype, changing, closed=task.lines == "closed")

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        return self.rate_of(self.number)

    def rate_of(self, step: int) -> float:
        """The learning rate of a step: a schedule that grows beyond every bound stays at one."""
        try:
            return min(self.schedule.rate(step), LARGEST_RATE)
        except OverflowError:
            return LARGEST_RATE

    def follow(self, schedule: Schedule) -> None:
        """Take the learning rates of another schedule from now on."""
        self.schedule = schedule

    def advance(self, count: int) -> None:
        """Take so many steps; raises Diverged at a loss that is not finite, before its update."""
        with torch.no_grad(), np.errstate(all="ignore"):
            for _ in range(count):
                self.take(self.gradient())

    def watched(self) -> Moment:
        """Take one step and keep what it was computed from; raises Diverged as `advance` does."""
        with torch.no_grad(), np.errstate(all="ignore"):
            loss = self.gradient()
            moment = self.keep()
            self.take(loss)
        return moment

    def gradient(self) -> float:
        """The loss of the next minibatch, with its gradient left in the parameters."""
        self.task.source.next()
        self.loss = loss = self.step.run()
        if not math.isfinite(loss):
            raise Diverged
        return loss

    def take(self, loss: float) -> None:
        """Update the weights by the gradient that is there."""
        parameters = self.parameters
        if self.clipping is not None:
            self.clipped = self.clipping.clip(parameters.gradient, loss)
        self.optimiser.step(parameters.flat, parameters.gradient, self.rate)
        self.losses.append(loss)
        self.smoothed.add(loss)
        self.number += 1

    def keep(self) -> Moment:
        """Keep what the step under way is computed from, before its update."""
        inputs = {name: tensor.clone() for name, tensor in self.step.inputs.items()}
        moment = Moment(self.parameters.flat.clone(), inputs, self.parameters.gradient.clone(), self.loss)
        if len(self.moments) >= MOST_KEPT:  # every other one goes: what is left still spans the whole run
            self.moments = dict(list(self.moments.items())[::2])
        self.moments[self.number] = moment
        return moment

    def moment(self, number: int) -> Moment:
        """What a step was computed from, counted from 0; raises Refusal where it is not kept."""
        if number not in self.moments:
            kept = ", ".join(map(str, sorted(self.moments)[-MOST_SAID:])) or "none yet"
            raise Refusal("step-not-kept", found=number, kept=kept, status=404)
        return self.moments[number]

    # Saving, going back, starting over.
    def state(self) -> State:
        """A copy of all that later steps depend on."""
        smoothed = self.smoothed.total, self.smoothed.weight
        return State(
            self.number, self.parameters.flat.clone(), self.optimiser.state(), self.task.source.state(), smoothed
        )

    def restore(self, state: State) -> None:
        """Go on from a state; the settings of the optimiser are those that it had then."""
        self.number = state.number
        self.parameters.flat.copy_(state.weights)
        self.optimiser.restore(state.optimiser)
        self.task.source.restore(state.source)
        self.smoothed = Smoothed(*state.smoothed)
        self.losses.clear()
        self.clipped = None

    def restart(self) -> None:
        """Begin again, from the same weights and on the same minibatches; learning rates stay as they are now."""
        settings = self.optimiser.settings
        self.restore(self.first)
        self.optimiser.set(settings)
        self.moments.clear()

    def named(self, weights: torch.Tensor) -> Tensors:
        """Flat weights as parameters by name."""
        views = Parameters(self.parameters.values, weights.dtype)
        views.flat.copy_(weights)
        return views.values


MOST_SAID = 8
