"""Takes steps: minibatch, gradient, clipping, update; every step is the same whoever watches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import torch

from backend.engine.execute.plan import Plan
from backend.training.bounded_history import Thinned
from backend.training.clamped import ClampedLoss, clamped_loss
from backend.training.clipping import Clipped, Clipping
from backend.training.loops import loop_of
from backend.training.optimisers import OptimiserState
from backend.training.schedules import Schedule
from backend.training.step import AutogradStep, Parameters, Step, make_step, places_of
from backend.training.task import Task, clipping_of, optimiser_of, schedule_of

Tensors = dict[str, torch.Tensor]
SMOOTHING = 0.99  # of the running mean of the loss: about the last hundred steps
MOST_CHANGES = 1_000  # of settings that are known; what was trained before them can't be taken again
LARGEST_RATE = 1e30  # which float32 can hold, and no weight survives


class Diverged(Exception):  # noqa: N818 - it is the run's end, and no error of ours
    """The loss is not a number any more, or not finite; the weights are those it was computed with."""


@dataclass(frozen=True)
class Moment:
    """What a step was computed from: the weights before it, and the inputs; and its gradient before clipping.

    Where the loss of each example is clamped, `plan` is the program with the clamp, of which `gradient` and `loss` are
    too; `whole` is the gradient without it.
    """

    plan: Plan
    weights: torch.Tensor
    inputs: Tensors
    gradient: torch.Tensor
    loss: float
    clamped: ClampedLoss | None = None
    whole: torch.Tensor | None = None

    @property
    def bytes(self) -> int:
        """About what it takes to keep it."""
        return 4 * self.weights.nbytes + sum(tensor.nbytes for tensor in self.inputs.values())


@dataclass(frozen=True)
class Settings:
    """What may be changed while a run is under way."""

    schedule: Schedule
    optimiser: Mapping[str, float]
    clipping: Clipping | None


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

    @property
    def bytes(self) -> int:
        """About what it takes to keep it."""
        return self.weights.nbytes + sum(tensor.nbytes for tensor in self.optimiser.memory.values())


@dataclass
class Trainer:
    """A task in training: `number` steps are taken; of those since `forget` the `losses`, and their running `means`."""

    task: Task
    number: int = 0
    losses: list[float] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    clipped: Clipped | None = None
    moments: Thinned[Moment] = field(default_factory=lambda: Thinned(lambda moment: moment.bytes))
    checkpoints: Thinned[State] = field(default_factory=lambda: Thinned(lambda state: state.bytes))
    changes: dict[int, Settings] = field(default_factory=dict)  # by the first step that was taken with them

    def __post_init__(self) -> None:
        self.plain = self.step = self.step_of(self.task.plan)
        self.task.source.start(self.step.inputs)
        self.parameters = self.step.parameters
        self.optimiser, self.schedule = optimiser_of(self.task.request), schedule_of(self.task.request)
        self.loop = loop_of(self.task.request.get("loop"), self.task.plan)
        self.clipping: Clipping | None = None
        self.clamped: ClampedLoss | None = None
        self.smoothed = Smoothed()
        self.hold(clipping_of(self.task.request))
        self.first = self.state()
        self.checkpoints.add(0, self.first)
        self.remember()

    def step_of(self, plan: Plan, dtype: torch.dtype | None = None) -> Step:
        """A step of a program in the way that the task asks for."""
        task, dtype = self.task, dtype or self.task.dtype
        tensors, changing = task.material.tensors, task.source.changing
        if task.lines == "autograd":
            return AutogradStep(plan, *places_of(plan, tensors, dtype))
        return make_step(plan, tensors, dtype, changing)

    def twin(self) -> Trainer:
        """Another trainer of the same task, which goes its own way."""
        return Trainer(replace(self.task, source=self.task.source.copy()))

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

    def hold(self, clipping: Clipping | None) -> None:
        """Clip in this way from now on; a clamped loss is another program, with weights of its own."""
        if clipping == self.clipping:
            return
        self.clipping, self.clipped, task = clipping, None, self.task
        by_loss = clipping is not None and clipping.by == "loss"
        self.clamped = clamped_loss(task.material, task.plan, clipping.limit) if clipping and by_loss else None
        if self.clamped is None and self.step is self.plain:
            return
        weights = self.parameters.flat
        self.step = self.plain if self.clamped is None else self.step_of(self.clamped.plan)
        self.parameters = self.step.parameters
        self.parameters.flat.copy_(weights)
        task.source.start(self.step.inputs)

    @property
    def settings(self) -> Settings:
        """What the next step is taken with."""
        return Settings(self.schedule, self.optimiser.settings, self.clipping)

    def apply(self, settings: Settings) -> None:
        """Go on with other settings."""
        self.follow(settings.schedule)
        self.optimiser.set(settings.optimiser)
        self.hold(settings.clipping)

    def remember(self) -> None:
        """Note the settings that the next step is taken with, for whoever takes it again."""
        self.changes[self.number] = self.settings
        if len(self.changes) > MOST_CHANGES:
            del self.changes[min(self.changes)]

    def advance(self, count: int) -> None:
        """Take so many steps; raises Diverged at a loss that is not finite, before its update."""
        with torch.no_grad(), np.errstate(all="ignore"):
            for _ in range(count):
                self.take(self.gradient())

    def watched(self) -> Moment:
        """Take one step and keep what it was computed from; raises Diverged as `advance` does."""
        if self.number - max(self.checkpoints) >= self.checkpoints.spacing:
            self.checkpoints.add(self.number, self.state())
        with torch.no_grad(), np.errstate(all="ignore"):
            loss = self.gradient()
            moment = self.keep()
            self.take(loss)
        return moment

    def gradient(self) -> float:
        """The loss of the next minibatch, with its gradient left in the parameters."""
        self.task.source.next()
        self.loss = loss = self.loop.run(self)
        if not math.isfinite(loss):
            raise Diverged
        return loss

    def take(self, loss: float) -> None:
        """Update the weights by the gradient that is there."""
        self.loop.take(self, loss)
        self.losses.append(loss)
        self.smoothed.add(loss)
        self.means.append(self.smoothed.value)
        self.number += 1

    def keep(self) -> Moment:
        """Keep what the step under way is computed from, before its update."""
        moment = self.now(self.loss)
        if self.clamped:
            moment = replace(moment, whole=self._whole(moment.inputs))
        self.moments.add(self.number, moment)
        return moment

    def now(self, loss: float = math.nan) -> Moment:
        """The weights and inputs as they are, with the gradient that is there: of the latest step, or none yet."""
        inputs = {name: tensor.clone() for name, tensor in self.step.inputs.items()}
        weights, gradient = self.parameters.flat.clone(), self.parameters.gradient.clone()
        plan = self.clamped.plan if self.clamped else self.task.plan
        return Moment(plan, weights, inputs, gradient, loss, self.clamped)

    def _whole(self, inputs: Tensors) -> torch.Tensor:
        """The gradient of the step under way without the clamp of its losses."""
        self.plain.parameters.flat.copy_(self.parameters.flat)
        for name, tensor in self.plain.inputs.items():
            tensor.copy_(inputs[name])
        with torch.no_grad(), np.errstate(all="ignore"):
            self.plain.run()
        return self.plain.parameters.gradient.clone()

    def forget(self) -> None:
        """Forget the losses that somebody has been told."""
        self.losses.clear()
        self.means.clear()

    @property
    def largest(self) -> int:
        """About how many bytes a state of it has once every average is remembered."""
        return self.parameters.flat.nbytes * (1 + self.optimiser.averages + self.loop.kept)

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
        self.forget()
        self.clipped = None

    def restart(self) -> None:
        """Begin again, from the same weights and on the same minibatches; learning rates stay as they are now."""
        settings = self.optimiser.settings
        self.restore(self.first)
        self.optimiser.set(settings)
        for kept in (self.moments, self.checkpoints, self.changes):
            kept.clear()
        self.checkpoints.add(0, self.first)
        self.remember()

    def named(self, weights: torch.Tensor) -> Tensors:
        """Flat weights as parameters by name."""
        views = Parameters(self.parameters.values, weights.dtype)
        views.flat.copy_(weights)
        return views.values
