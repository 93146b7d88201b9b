"""Learning-rate schedules: the rate of each step, counted from 0; a run may change to another one at any time.

Each is one block, as an optimiser is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from backend.training.choice import number

SCHEDULES: dict[str, type[Schedule]] = {}


@dataclass(frozen=True)
class Schedule:
    """What all schedules share: the rate that they begin from or reach."""

    title: ClassVar[str]
    lr: float = number("rate", 0.1)

    def __init_subclass__(cls, *, name: str, title: str) -> None:
        cls.title = title
        SCHEDULES[name] = cls

    def rate(self, step: int) -> float:
        """The learning rate of a step."""
        raise NotImplementedError


@dataclass(frozen=True)
class Constant(Schedule, name="constant", title="constant"):
    """The same rate at every step."""

    def rate(self, step: int) -> float:  # noqa: ARG002 - whatever the step
        """The rate."""
        return self.lr


@dataclass(frozen=True)
class StepDecay(Schedule, name="step", title="step decay"):
    """A rate that is multiplied by `factor` every `every` steps."""

    factor: float = number("rate", 0.1)
    every: int = number("count", 100_000)

    def rate(self, step: int) -> float:
        """lr · factor ^ (step // every)."""
        try:
            return self.lr * self.factor ** (step // self.every)
        except OverflowError:  # a factor above 1, again and again
            return math.inf


@dataclass(frozen=True)
class WarmupCosine(Schedule, name="cosine", title="warm-up, cosine"):
    """A rate that rises in a straight line for `warmup` steps, then falls as half a cosine to `floor` at `total`."""

    warmup: int = number("steps", 100)
    total: int = number("count", 10_000)
    floor: float = number("rate", 0.0)

    def rate(self, step: int) -> float:
        """lr · (step + 1) / warmup on the way up, then floor + (lr − floor) · (1 + cos πt) / 2."""
        if step < self.warmup:
            return self.lr * (step + 1) / self.warmup
        share = min(1.0, (step - self.warmup) / max(1, self.total - self.warmup))
        return self.floor + (self.lr - self.floor) * (1 + math.cos(math.pi * share)) / 2
