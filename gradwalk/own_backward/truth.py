"""The true gradients of a function's forward pass: by lines of our own in float64, or by central differences."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from itertools import product
from operator import add
from typing import Any

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.run import run_forward
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.limits import widened
from backend.engine.language.pytree import largest_finite
from backend.engine.language.tree import loaded_in
from backend.engine.language.values import Values
from backend.engine.ops.base import Shape
from backend.lines.equations.names import names_of
from backend.lines.mistakes.library import Mutant, mutants_of
from backend.pipeline import planned
from backend.program.request import Material
from gradwalk.own_backward.returned import Returned, in_precision, same_draws
from gradwalk.recorder.function import Function, forward_of
from gradwalk.recorder.recording import Recording, WalkError, recorded
from gradwalk.recorder.recording import names_of as arguments_of
from gradwalk.recorder.trial import material_of
from gradwalk.recorder.values import tensors_in
from gradwalk.room import ROOM

MOST_CELLS = 4096  # that are moved one by one
STEP = 6e-6  # of a cell, in float64
NOISE = 30.0  # times what one operation rounds, and what a third derivative as large as the first adds
Planted = tuple[Line, Mutant]
UPSTREAM = "upstream"


class Lines:
    """The lines of a forward pass, and those that lead back: what they compute in float64, and in the given precision.

    `precise` and `plain` are the gradients of every input for each upstream one.
    """

    def __init__(self, cls: Function, args: Sequence[Any], found: Returned) -> None:
        forward, several = forward_of(cls), found.upstreams[0]

        def weighed(*given: Any) -> Any:
            outs = tensors_in(forward(*given[: len(args)]))
            return reduce(add, [(one * weight).sum() for one, weight in zip(outs, given[len(args) :], strict=True)])

        names = named(forward, len(args), len(several))
        parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names]
        vars(weighed)["__signature__"] = inspect.Signature(parameters)
        self.recording: Recording = recorded(weighed, in_precision([*args, *several], torch.float64), {}, None)
        self.material: Material = material_of(self.recording.program.source, dict(self.recording.program.inputs))
        labels = {one.label: name for name, one in self.recording.program.inputs.items()}
        self.inputs = [labels.get(names[place], "") for place in found.places]
        self.weights = [labels[name] for name in names[len(args) :] if name in labels]
        for name in self.weights:
            self.material.inputs[name] = replace(self.material.inputs[name], role="constant")
        self.recording.own = {name: own for name, own in self.recording.own.items() if name in self.inputs}
        self.dtype = found.outs[0].dtype
        with widened(**ROOM):
            self.plan = planned(self.material)
            self.scopes = {dtype: list(self.scoped(found, dtype)) for dtype in (torch.float64, self.dtype)}
        self.precise, self.plain = (self.back(dtype) for dtype in (torch.float64, self.dtype))

    def scoped(self, found: Returned, dtype: torch.dtype) -> Iterator[Values]:
        """What is in scope before the way back, for each upstream gradient."""
        values = run_forward(self.plan.graph, self.material.tensors, dtype).values
        for several in found.upstreams:
            yield values | {name: one.to(dtype) for name, one in zip(self.weights, several, strict=False)}

    def gradients(self, name: str, dtype: torch.dtype, planted: Planted | None = None) -> list[torch.Tensor]:
        """One input's gradient for each upstream one; `planted` is a mutant in the place of a line.

        Raises Refusal where PyTorch refuses the mutant.
        """
        if planted is None:
            scopes = self.precise if dtype is torch.float64 else self.plain
        else:
            with widened(**ROOM):
                scopes = self.back(dtype, planted)
        shape = self.material.tensors[name].shape
        return [tensor_in(scope, f"d{name}", shape) for scope in scopes]

    def back(self, dtype: torch.dtype, planted: Planted | None = None) -> list[Values]:
        """All that the lines make of each upstream gradient."""
        made = []
        for scope in self.scopes[dtype]:
            evaluator = Evaluator(dict(scope))
            with torch.no_grad(), DefaultDtype(dtype):
                for line in self.plan.lines:
                    if isinstance(held := evaluator.scope.get(line.variable), torch.Tensor):
                        evaluator.scope[line.variable] = held.clone()  # what is added to it changes nothing else
                    mutant = planted[1] if planted is not None and line is planted[0] else line
                    evaluator.run(mutant.statements)
            made.append(evaluator.scope)
        return made

    @cached_property
    def steps(self) -> str:
        """The operation past whose steps or bounds a gradient is often passed on purpose; empty without one."""
        for node in self.plan.graph.nodes:
            if node.op is not None and node.op.passed_straight and sum(one.needs for one in node.inputs.values()) == 1:
                return node.op.name()
        return ""

    def suspects(self) -> Iterator[Planted]:
        """Every mistake of the library in every line, but for those of the loss that upstream gradients stand in."""
        names, weights = names_of(self.plan), set(self.weights)
        for line in self.plan.lines:
            if line.target is self.plan.graph.loss or weights & {*loaded_in(*line.statements)}:
                continue
            yield from ((line, mutant) for mutant in mutants_of(line, names, self.plan.lines))


def tensor_in(scope: Values, name: str, shape: Shape) -> torch.Tensor:
    """A gradient; zeros where no line makes one."""
    value = scope.get(name)
    if not isinstance(value, torch.Tensor):
        return torch.zeros(shape, dtype=torch.float64)
    return value if value.is_floating_point() else value.double()


def named(forward: Callable[..., Any], count: int, upstreams: int) -> list[str]:
    """What the arguments are called, and the upstream gradients behind them."""
    own = arguments_of(forward, count)
    weights = [UPSTREAM if upstreams == 1 else f"{UPSTREAM}{place}" for place in range(upstreams)]
    return [*own, *weights]


def by_differences(cls: Function, args: Sequence[Any], found: Returned) -> list[list[torch.Tensor]]:
    """The gradients of each place for each upstream one: every cell is moved a little, forth and back, in float64.

    How exact they are is told by `noise`.
    """
    given = in_precision(args, torch.float64)
    forward = forward_of(cls)
    if sum(given[place].numel() for place in found.places) > MOST_CELLS:
        raise WalkError(f"More than {MOST_CELLS} cells are too many to be moved one by one: give smaller tensors.")
    return [moved(forward, given, place, found) for place in found.places]


def noise(found: Returned, precise: Sequence[torch.Tensor]) -> float:
    """How far central differences of one place may be off: what is lost where values cancel, and by the step's length.

    Both as in Nocedal and Wright, "Numerical Optimization", section 8.1.
    """
    values = [
        sum(
            float((one.double() * weight.double()).abs().sum()) for one, weight in zip(found.outs, several, strict=True)
        )
        for several in found.upstreams
    ]
    return NOISE * max(
        torch.finfo(torch.float64).eps * max(values) / STEP, STEP * STEP * max(map(largest_finite, precise))
    )


def moved(forward: Callable[..., Any], given: list[Any], place: int, found: Returned) -> list[torch.Tensor]:
    """The gradients of one argument."""
    tensor = given[place]
    slopes = [torch.zeros_like(tensor) for _ in found.upstreams]
    for cell in product(*map(range, tensor.shape)):
        was = float(tensor[cell])
        step = STEP * max(1.0, abs(was))
        sides = []
        for side in (step, -step):
            tensor[cell] = was + side
            with same_draws(), torch.no_grad():
                made = forward(*(one.clone() if isinstance(one, torch.Tensor) else one for one in given))
            sides.append(tensors_in(made))
        tensor[cell] = was
        for slope, several in zip(slopes, found.upstreams, strict=True):
            change = sum(float(((a - b) * weight.double()).sum()) for a, b, weight in zip(*sides, several, strict=True))
            slope[cell] = change / (2 * step)
    return slopes
