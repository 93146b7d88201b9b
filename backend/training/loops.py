"""Mistakes of the training loop: the gradients are right, and what is done with them is not; each is one block.

The page offers them for a second run, and the lab tells where each happened. What the requests and the page know of
them is written from the blocks by `python -m tests.tools.documents`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Protocol

from backend.training.clamped import ClampedLoss
from backend.training.clipping import Clipped, Clipping
from backend.training.optimisers import Optimiser
from backend.training.step import Parameters


class Stepping(Protocol):
    """What a loop knows of the trainer whose weights it changes."""

    parameters: Parameters
    optimiser: Optimiser
    clipping: Clipping | None
    clamped: ClampedLoss | None
    clipped: Clipped | None
    number: int

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""

    def rate_of(self, step: int) -> float:
        """The learning rate of a step."""


LOOPS: dict[str, type[Loop]] = {}
LOSS_SCALE = 65_536.0  # that half precision usually begins with


class Loop:
    """What happens between a gradient and the weights; this is the right order: clip, then step.

    A mistake says its `title`, `asks` before it is seen and `says` what comes of it. `needs` are settings without which
    it is none, as the form and an address call them; `thread` is where it happened, and when.
    """

    title: ClassVar[str]
    asks: ClassVar[str]
    says: ClassVar[str]
    needs: ClassVar[Mapping[str, str]]
    thread: ClassVar[tuple[str, int]]
    kept: ClassVar[int] = 0  # how many numbers it remembers of each weight, beside those of the optimiser

    def take(self, trainer: Stepping, loss: float) -> None:
        """Change the weights by the gradient that is there."""
        self.clip(trainer, loss)
        self.step(trainer)

    def clip(self, trainer: Stepping, loss: float) -> None:
        """Clip the gradient, where that is asked for and isn't done in the program."""
        if trainer.clipping is not None and trainer.clamped is None:
            trainer.clipped = trainer.clipping.clip(trainer.parameters.gradient, loss)

    def step(self, trainer: Stepping) -> None:
        """One step of the optimiser."""
        trainer.optimiser.step(trainer.parameters.flat, trainer.parameters.gradient, trainer.rate)


class Mistake(Loop):
    """A loop with one mistake in it."""

    def __init_subclass__(
        cls, *, name: str, title: str, asks: str, says: str, thread: tuple[str, int],
        needs: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init_subclass__()
        cls.title, cls.asks, cls.says, cls.thread, cls.needs = title, asks, says, thread, needs or {}
        LOOPS[name] = cls


class NeverZeroed(
    Mistake,
    name="never-zeroed",
    title="zero_grad forgotten",
    asks="`zero_grad` is never called. What becomes of the steps?",
    says="Each step takes the sum of all gradients so far: momentum that forgets nothing.",
    thread=("wenet-e2e/wekws#72", 2022),
):
    """Each gradient is added to all those before it."""

    kept = 1

    def take(self, trainer: Stepping, loss: float) -> None:
        """g ← g + all gradients before it."""
        gradient = trainer.parameters.gradient
        before = trainer.optimiser.kept("grad", gradient)
        before.add_(gradient)
        gradient.copy_(before)
        super().take(trainer, loss)
        before.copy_(gradient)  # clipping is done in place, in what is kept, too


class ZeroedBeforeStep(
    Mistake,
    name="zeroed-before-step",
    title="zero_grad before the step",
    asks="`zero_grad()` stands between `backward()` and `step()`. Every gradient is right. What does a step take?",
    says="Each step takes zeros: a gradient is computed, shown and thrown away, and nothing is learned.",
    thread=("sacmehta/EdgeNets#14", 2019),
):
    """Each gradient is gone when the step is taken."""

    def step(self, trainer: Stepping) -> None:
        """g ← 0, then the step."""
        trainer.parameters.gradient.zero_()
        super().step(trainer)


class ClipAfterStep(
    Mistake,
    name="clip-after-step",
    title="Clipped after the step",
    asks="The gradient is clipped behind `optimizer.step()`. The log shows the clipped norm. What do the weights get?",
    says="The weights get the whole gradient, and the norm that is told keeps to the limit all the same.",
    thread=("jongwook/onsets-and-frames#24", 2020),
    needs={"clip": "norm"},
):
    """The step is taken first."""

    def take(self, trainer: Stepping, loss: float) -> None:
        """Step, then clip."""
        self.step(trainer)
        self.clip(trainer, loss)


class ClipWhileScaled(
    Mistake,
    name="clip-while-scaled",
    title="Clipped while still scaled",
    asks="The loss is scaled by 65,536. Its gradient is clipped, and unscaled then. How long is what is left?",
    says="The limit meets gradients that are 65,536 times as long. After unscaling hardly anything is left.",
    thread=("Lightning-AI/pytorch-lightning#9330", 2021),
    needs={"clip": "norm"},
):
    """Clipped as long as the loss's scale is in it."""

    def clip(self, trainer: Stepping, loss: float) -> None:
        """Scale, clip, unscale."""
        gradient = trainer.parameters.gradient
        gradient.mul_(LOSS_SCALE)
        super().clip(trainer, loss)
        gradient.div_(LOSS_SCALE)


class MomentumOnTheGradient(
    Mistake,
    name="momentum-on-the-gradient",
    title="Momentum on the wrong term",
    asks="`v = v + momentum * g` is written for `v = momentum * v + g`. When does a velocity end?",
    says="The velocity never ends: nothing makes it shorter, so all gradients so far go on pushing.",
    thread=("ooples/AiDotNet#2008", 2026),
    needs={"optimiser": "momentum"},
):
    """The share stands at the gradient, and the velocity is kept whole."""

    def step(self, trainer: Stepping) -> None:
        """v ← v + momentum · g; w ← w − lr · v."""
        optimiser, weights = trainer.optimiser, trainer.parameters.flat
        v = optimiser.kept("v", weights)
        v.add_(trainer.parameters.gradient, alpha=optimiser.settings["momentum"])
        weights.sub_(v, alpha=trainer.rate)
        optimiser.steps += 1


class AdamUncorrected(
    Mistake,
    name="adam-uncorrected",
    title="Adam without bias correction",
    asks="Adam’s two averages begin at zero, and neither is corrected for it. How long is the first step?",
    says="The first step is √1000 / 10 = 3.2 times as long: the second average starts more slowly.",
    thread=("google-research/bert#153", 2018),
    needs={"optimiser": "adam"},
):
    """The averages are taken as they are."""

    def step(self, trainer: Stepping) -> None:
        """m ← β₁m + (1 − β₁)g; s ← β₂s + (1 − β₂)g²; w ← w − lr · m / (√s + ε)."""
        optimiser, w, g = trainer.optimiser, trainer.parameters.flat, trainer.parameters.gradient
        numbers = optimiser.settings
        m, s = optimiser.kept("m", w), optimiser.kept("s", w)
        m.lerp_(g, 1 - numbers["beta1"])
        s.mul_(numbers["beta2"]).addcmul_(g, g, value=1 - numbers["beta2"])
        w.addcdiv_(m, s.sqrt().add_(numbers["eps"]), value=-trainer.rate)
        optimiser.steps += 1


class LayersInAList(
    Mistake,
    name="layers-in-a-list",
    title="A layer the optimiser doesn’t know",
    asks="Layers are kept in a Python list, so `parameters()` misses one. Its gradient is right. What becomes of it?",
    says="The first parameter has a gradient and never moves. The others learn to live with what it began as.",
    thread=("pytorch/pytorch#715", 2017),
):
    """The first parameter is left out of every step."""

    def step(self, trainer: Stepping) -> None:
        """Step, and put the first parameter back."""
        first = next(iter(trainer.parameters.values.values()))
        before = first.clone()
        super().step(trainer)
        first.copy_(before)


class RateOfTheNextStep(
    Mistake,
    name="schedule-first",
    title="scheduler.step() first",
    asks="`scheduler.step()` stands before `optimizer.step()`. Which learning rate is never used?",
    says="The first rate is never used: each step takes the next one’s, so a decay comes one step early.",
    thread=("ThilinaRajapakse/pytorch-transformers-classification#21", 2019),
    needs={"schedule": "step"},
):
    """Each step is taken at the next one's rate."""

    def step(self, trainer: Stepping) -> None:
        """One step at the rate of the next."""
        rate = trainer.rate_of(trainer.number + 1)
        trainer.optimiser.step(trainer.parameters.flat, trainer.parameters.gradient, rate)


def loop_of(name: str | None) -> Loop:
    """The loop with a mistake of that name in it, or the right one."""
    return LOOPS[name]() if name else Loop()
