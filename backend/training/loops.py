"""Mistakes of the training loop: the lines are right, and what the loop does with them is not; each is one block.

The page offers them for a second run, and the lab tells where each happened. What the requests and the page know of
them is written from the blocks by `python -m tests.tools.documents`.

Three that happen have no place here. Minibatches are drawn with replacement, so no epoch has a short batch at its end.
AdamW has one group of parameters, as PyTorch's has, so decay on gains and biases is in the right loop, too. And a step
is one program: a graph that grows by one at every step, for want of a `detach`, is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import ClassVar, Protocol

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.run import run_backward, values_of
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import as_tensor
from backend.engine.language.tree import loaded_in
from backend.engine.language.values import Scope
from backend.training.clamped import ClampedLoss
from backend.training.clipping import Clipped, Clipping
from backend.training.optimisers import Adam, Optimiser
from backend.training.step import Parameters, Step


class Stepping(Protocol):
    """What a loop knows of the trainer whose weights it changes."""

    step: Step
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
    it is none, as the form and an address call them; `thread` is where it happened, and when; `lesson` shows it.
    """

    title: ClassVar[str]
    asks: ClassVar[str]
    says: ClassVar[str]
    needs: ClassVar[Mapping[str, str]]
    thread: ClassVar[tuple[str, int]]
    lesson: ClassVar[str]
    kept: ClassVar[int] = 0  # how many numbers it remembers of each weight, beside those of the optimiser

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def run(self, trainer: Stepping) -> float:
        """The loss of the minibatch that is there; its gradient is left in the parameters."""
        return trainer.step.run()

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
        needs: Mapping[str, str] | None = None, lesson: str = "makemore-mlp",
    ) -> None:  # fmt: skip
        super().__init_subclass__()
        cls.title, cls.asks, cls.says, cls.thread = title, asks, says, thread
        cls.needs, cls.lesson = needs or {}, lesson
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
    asks="The gradient is clipped after `optimizer.step()`. The log shows the clipped norm. What do the weights get?",
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
    asks="The loss is scaled by 65,536. Its gradient is clipped, and only then unscaled. How long is what is left?",
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
    says="The velocity never ends by itself: nothing wears off, so all gradients so far go on pushing.",
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
        """w ← w − lr · m / (√s + ε)."""
        optimiser, weights = trainer.optimiser, trainer.parameters.flat
        assert isinstance(optimiser, Adam)
        m, s = optimiser.averaged(weights, trainer.parameters.gradient)
        weights.addcdiv_(m, s.sqrt().add_(optimiser.eps), value=-trainer.rate)
        optimiser.steps += 1


class DecayThroughAdam(
    Mistake,
    name="decay-through-adam",
    title="Weight decay through Adam",
    asks="`weight_decay * w` is added to the gradient, and Adam gets the sum. Which weights hardly decay any more?",
    says="Those with large gradients: their decay is divided by the gradient’s size, too. That is L2, not AdamW.",
    thread=("nntrainer/nntrainer#3565", 2025),
    needs={"optimiser": "adamw"},
):
    """The decay takes the way of the gradient."""

    def step(self, trainer: Stepping) -> None:
        """g ← g + decay · w, and then as Adam does."""
        optimiser, weights = trainer.optimiser, trainer.parameters.flat
        assert isinstance(optimiser, Adam)
        optimiser.steps += 1
        decayed = trainer.parameters.gradient.add(weights, alpha=optimiser.settings["weight_decay"])
        Adam.update(optimiser, weights, decayed, trainer.rate)


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
    asks="`scheduler.step()` stands before `optimizer.step()`. At which rate is each step taken?",
    says="Each step takes the next one’s rate: the schedule’s first value is skipped; a decay comes one step early.",
    thread=("ThilinaRajapakse/pytorch-transformers-classification#21", 2019),
    needs={"schedule": "step"},
):
    """Each step is taken at the next one's rate."""

    def step(self, trainer: Stepping) -> None:
        """One step at the rate of the next."""
        rate = trainer.rate_of(trainer.number + 1)
        trainer.optimiser.step(trainer.parameters.flat, trainer.parameters.gradient, rate)


class UpdatedTooEarly(
    Mistake,
    name="updated-too-early",
    title="Weights updated too early",
    asks="Each weight changes as soon as its own gradient is there. With which weights does the way back go on?",
    says="With the new ones: the layer before learns from an error that the forward pass never made.",
    thread=("CodingTrain/Toy-Neural-Network-JS#72", 2018),
    needs={"clip": "none"},
):
    """A layer's gradient, its update, and only then the gradient of the layer before."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        weights = [node.variable for node in plan.graph.inputs if node.role == "parameter"]
        self.lines = weights_first(plan.lines, ["d" + name for name in weights])

    def run(self, trainer: Stepping) -> float:
        """Forward as ever; then each weight's lines as early as they can run, its update, and on."""
        parameters, graph = trainer.parameters, self.plan.graph
        dtype = parameters.flat.dtype
        weights = {name: one.clone() for name, one in parameters.values.items()}
        scope: Scope = values_of(graph, trainer.step.inputs | weights, dtype)
        loss = float(as_tensor(scope[graph.loss.variable]))
        for line, finished in self.lines:
            scope = run_backward([line], scope, dtype).scope
            if finished:
                name = line.variable.removeprefix("d")
                parameters.gradients[name].copy_(as_tensor(scope[line.variable]))
                weights[name].copy_(self.updated(trainer).values[name])
        return loss

    def updated(self, trainer: Stepping) -> Parameters:
        """The weights that a step would leave; right for those whose gradient is there."""
        after = Parameters(trainer.parameters.values, trainer.parameters.flat.dtype)
        deepcopy(trainer.optimiser).step(after.flat, trainer.parameters.gradient, trainer.rate)
        return after

    def clip(self, trainer: Stepping, loss: float) -> None:
        """Nothing is clipped: when the first weight changes, no norm is known."""


def weights_first(lines: list[Line], gradients: list[str]) -> list[tuple[Line, bool]]:
    """Backward lines, those of these gradients as early as they can run, and whether a line is the last of its own."""
    made: dict[str, int] = {}
    places: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        of_weight = line.variable in gradients
        place = max((made.get(name, -1) for name in loaded_in(*line.statements)), default=-1)
        made[line.variable] = max(place, made.get(line.variable, -1)) if of_weight else number
        places.append((made[line.variable], number) if of_weight else (number, number))
    order = sorted(range(len(lines)), key=places.__getitem__)
    last = {lines[number].variable: number for number in order}
    return [(lines[n], lines[n].variable in gradients and last[lines[n].variable] == n) for n in order]


class StateKept(
    Mistake,
    name="state-kept",
    title="State never reset",
    asks="The hidden state is zero once. From then on a batch begins where the last one ended. Where should it begin?",
    says="Each batch begins with what the last one has left instead of zero, and the weights learn to count on that.",
    thread=("tensorflow/tensorflow#40067", 2020),
    lesson="through-time",
):
    """What the program assigns anew to a tensor of its data is there at the next step."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.states = states_of(plan)
        self.begun: dict[str, torch.Tensor] = {}
        if not self.states:
            raise Refusal("loop-stateless")

    def run(self, trainer: Stepping) -> float:
        """Begin with the state that was left, and leave one."""
        inputs, memory = trainer.step.inputs, trainer.optimiser.memory
        for name in self.states:
            begun = self.begun.setdefault(name, inputs[name].clone())
            inputs[name].copy_(memory.get(f"state {name}", begun))
        loss = trainer.step.run()
        values = values_of(self.plan.graph, inputs | trainer.parameters.values, trainer.parameters.flat.dtype)
        memory.update({f"state {name}": as_tensor(values[last]).clone() for name, last in self.states.items()})
        return loss


def states_of(plan: Plan) -> dict[str, str]:
    """The tensors of its data that a program assigns anew, and the variable of what each is in the end."""
    found: dict[str, str] = {}
    for node in plan.graph.by_variable.values():  # in the order of the lines
        name, again, _ = (node.name or "").partition("@")
        begun = plan.graph.by_variable.get(name)
        if again and begun is not None and begun.role == "data" and begun.shape == node.shape:
            found[name] = node.variable
    return found


def loop_of(name: str | None, plan: Plan) -> Loop:
    """The loop with a mistake of that name in it, or the right one; raises Refusal where the program can't have it."""
    return LOOPS[name](plan) if name else Loop(plan)
