"""`watch`: keeps the last step of a training loop, and writes its walk when a number is no longer as usual."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import inf
from operator import add, lt
from pathlib import Path
from typing import Any

import torch
from torch import nn

from backend.engine.language.errors import Refusal
from gradwalk.beginning import Beginning, beginning
from gradwalk.own_backward.returned import same_draws
from gradwalk.recorder.recording import WalkError, recorded
from gradwalk.recorder.values import tensors_in
from gradwalk.sizes import Sizes, exact
from gradwalk.walking import Walk, walked

TIMES = 1000.0  # its usual size
SETTLED = 5  # steps that make a size usual
ENGINE: Any = torch.autograd.Variable._execution_engine
KEEPS = 0.5  # of the usual size, each time that it is taken
OFTEN = 8  # steps after which the usual sizes are taken again, once they are settled


class GradientWarning(UserWarning):
    """A step's gradients are not as usual."""


class Step:
    """What a step was made of: inputs, where the random numbers stood, and what arrived at the model's outputs."""

    __slots__ = ("args", "arriving", "kwargs", "number", "state")

    def __init__(self, number: int, args: Sequence[Any], kwargs: Mapping[str, Any], state: torch.Tensor) -> None:
        self.number, self.args, self.kwargs, self.state = number, args, kwargs, state
        self.arriving: dict[int, torch.Tensor] = {}


@dataclass(frozen=True)
class Alarm:
    """What was found: the step, counted from 0, which parameter's gradient told it, where it began, and the file."""

    step: int
    reason: str
    began: Beginning | None
    walk: Walk | None
    file: Path | None

    def __str__(self) -> str:
        began = f" It began at {self.began}." if self.began else ""
        file = f" The walk is in {self.file}." if self.file else ""
        return f"Step {self.step}: {self.reason}.{began}{file}"


class Watch:
    """A model that is watched: `found` is what was found, None until then."""

    def __init__(self, model: nn.Module, folder: str | Path) -> None:
        self.model, self.folder = model, Path(folder)
        self.found: Alarm | None = None
        self.steps = 0
        self.now: Step | None = None
        self.before: Step | None = None
        self.resting = False
        self.usual: dict[str, float] = {}
        self.most: list[float] = []  # the sizes from which a gradient isn't usual
        known = {name: one for name, one in model.named_parameters() if one.requires_grad}
        self.names, self.parameters = [*known], [*known.values()]
        self.sizes = Sizes(self.parameters)
        self.drawn = torch.default_generator.get_state  # each step pays for every word that is looked up

    def __deepcopy__(self, _: object) -> Asleep:
        """A copy of a watched model is another model: its hooks do nothing."""
        return Asleep()

    def __reduce__(self) -> tuple[type[Asleep], tuple[()]]:
        """Nor do those of one that is read from a file."""
        return Asleep, ()

    # Around a step.
    def enters(self, _: nn.Module, args: Any, kwargs: Any) -> None:
        """Keep what the model is given."""
        if not self.resting and torch.is_grad_enabled():
            self.now = Step(self.steps, args, kwargs, self.drawn())

    def leaves(self, _: nn.Module, __: Any, out: Any) -> None:
        """Have the gradient told that arrives at what the model makes."""
        step = self.now
        if self.resting or step is None:
            return
        outs = (out,) if isinstance(out, torch.Tensor) else tensors_in(out)
        for place, one in enumerate([each for each in outs if each.requires_grad]):
            hook(one, partial(self.arrives, step, place))

    def arrives(self, step: Step, place: int, gradient: torch.Tensor) -> None:
        """Note what arrives; once the backward pass has ended, look at the gradients."""
        if self.resting:
            return
        if not step.arriving:
            ENGINE.queue_callback(partial(self.ended, step))
        step.arriving[place] = gradient

    def ended(self, step: Step) -> None:
        """Look at the gradients of a step: their sizes alone, beside the usual ones."""
        names, found = self.names, [grad for one in self.parameters if (grad := one.grad) is not None]
        if self.resting or not found:  # as after torch.autograd.grad, which gives them to whoever asked
            return
        sizes = self.sizes(found)
        if self.steps < SETTLED or not self.steps % OFTEN or not self.are_usual(sizes):
            sizes = [one if 0 < one < inf else exact(grad) for one, grad in zip(sizes, found, strict=True)]
            if len(found) < len(names):
                names = [name for name, one in zip(names, self.parameters, strict=True) if one.grad is not None]
            if reason := self.reason(names, sizes):
                self.tell(step, reason)
                return
        self.before, self.steps = step, self.steps + 1

    def are_usual(self, sizes: Sequence[float]) -> bool:
        """Whether no size needs to be looked at: none is zero, too large or not a number."""
        return len(sizes) == len(self.most) and all(sizes) and all(map(lt, sizes, self.most))

    def reason(self, names: Sequence[str], sizes: Sequence[float]) -> str:
        """What is not as usual; where all is, the usual sizes are taken again."""
        usual, settled = self.usual, self.steps >= SETTLED
        for name, size in zip(names, sizes, strict=True):
            if not size < inf:
                return f"the gradient of {name} isn't finite"
            before = usual.get(name, size)
            if settled and before and not size:
                return f"the gradient of {name} is zero"
            if settled and size > TIMES * before > 0:
                return f"the gradient of {name} is {size / before:.0f} times its usual size"
            usual[name] = size + KEEPS * (before - size)
        self.most = [TIMES * usual.get(name, 0.0) for name in self.names]
        return ""

    # Once something is found.
    def tell(self, step: Step, reason: str) -> None:
        """Walk the step as it was, write the walk down, and say where it began; from then on nothing is watched."""
        self.resting = True
        began = made = file = None
        try:
            with torch.enable_grad():  # a backward pass is still running
                made = walk_of(self.model, step)
                began = beginning(made, walk_of(self.model, self.before) if self.before is not None else None)
                file = made.save(self.folder / f"gradwalk-step-{step.number}.html")
        except (WalkError, Refusal) as error:
            reason = f"{reason}; the step can't be walked: {error}"
        self.found = Alarm(step.number, reason, began, made, file)
        warnings.warn(str(self.found), GradientWarning, stacklevel=2)


class Asleep(Watch):
    """Stands for a watch where the model that it watches was copied."""

    def __init__(self) -> None:
        self.resting, self.now = True, None


def hook(tensor: Any, told: Callable[[torch.Tensor], None]) -> None:
    """What `register_hook` does, without the handle: making that costs the loop as much as everything else."""
    if tensor._backward_hooks is None and tensor.grad_fn is not None:
        tensor._backward_hooks = OrderedDict({-1: told})
        tensor.grad_fn._register_hook_dict(tensor)
    else:
        tensor.register_hook(told)


def walk_of(model: nn.Module, step: Step) -> Walk:
    """The walk of a step as it was, to the parameters, from the gradients that arrived."""
    gradwalk_arriving = step.arriving  # they are called by this name

    def towards(out: Any) -> torch.Tensor:
        every = [one for one in tensors_in(out) if one.requires_grad]
        return reduce(add, [(every[place] * upstream).sum() for place, upstream in sorted(gradwalk_arriving.items())])

    with same_draws():
        torch.set_rng_state(step.state)
        recording = recorded(model, step.args, step.kwargs, towards)
    material = walked(recording, None)
    for name, value in recording.program.inputs.items():
        if value.role == "data":  # the step itself sends it no gradient
            material.inputs[name] = replace(material.inputs[name], role="constant")
            recording.own.pop(name, None)
    return Walk(recording, material)


@contextmanager
def watch(model: nn.Module, folder: str | Path = ".") -> Iterator[Watch]:
    """Watch the gradients of a model while a loop trains it.

    At the first gradient that isn't finite, is zero where it wasn't, or a thousand times its usual size, the walk of
    that step is written into `folder`, and a GradientWarning says where it began. Until then only sizes are looked at.
    """
    made = Watch(model, folder)
    handles = [
        model.register_forward_pre_hook(made.enters, with_kwargs=True),
        model.register_forward_hook(made.leaves),
    ]
    try:
        yield made
    finally:
        made.resting = True
        for one in handles:
            one.remove()
