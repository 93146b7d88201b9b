"""One training step made from a program's printed lines: forward, backward, loss and every parameter's gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import PlantedLine, made_by
from backend.engine.execute.run import as_dtype, run_backward, run_forward, values_of
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import as_tensor
from backend.training.compiler.recorder import Recorder

Array = npt.NDArray[Any]
# How far a compiled gradient may be from that of the printed lines, in float64 and beside the largest gradient.
TOLERANCE = 1e-9


class Parameters:
    """The parameters of a program and their gradients: two flat tensors, and views into them by name."""

    def __init__(self, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> None:
        self.shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
        count = sum(tensor.numel() for tensor in tensors.values())
        self.flat, self.gradient = torch.zeros(count, dtype=dtype), torch.zeros(count, dtype=dtype)
        self.values, self.gradients = self._views(self.flat), self._views(self.gradient)
        for name, tensor in tensors.items():
            self.values[name].copy_(tensor)

    def _views(self, flat: torch.Tensor) -> dict[str, torch.Tensor]:
        parts = torch.split(flat, [math.prod(shape) for shape in self.shapes.values()])
        return {name: part.view(shape) for (name, shape), part in zip(self.shapes.items(), parts, strict=True)}


class Step:
    """Runs a plan's forward and backward lines on one minibatch; the loss and the gradients are left in place.

    `inputs` are the tensors that a minibatch is written into before each run.
    """

    def __init__(self, parameters: Parameters, inputs: dict[str, torch.Tensor]) -> None:
        self.parameters, self.inputs = parameters, inputs

    def run(self) -> float:
        """The loss; the gradients are in `parameters.gradient`."""
        raise NotImplementedError


class PrintedStep(Step):
    """Runs the printed lines one by one, each as the page runs it; slow, and right for whatever the language has."""

    def __init__(self, plan: Plan, parameters: Parameters, inputs: dict[str, torch.Tensor]) -> None:
        super().__init__(parameters, inputs)
        self.plan, self.dtype = plan, parameters.flat.dtype

    def run(self) -> float:
        graph = self.plan.graph
        values = values_of(graph, self.inputs | self.parameters.values, self.dtype)
        gradients = run_backward(self.plan.lines, values, self.dtype, self.plan.planted).gradients
        for name, into in self.parameters.gradients.items():
            found = gradients.get("d" + name)
            into.zero_() if found is None else into.copy_(found)
        return float(as_tensor(values[graph.loss.variable]))


class AutogradStep(Step):
    """Runs the forward lines, and leaves the backward pass to autograd: what the printed lines are compared with."""

    def __init__(self, plan: Plan, parameters: Parameters, inputs: dict[str, torch.Tensor]) -> None:
        super().__init__(parameters, inputs)
        self.plan, self.dtype = plan, parameters.flat.dtype

    def run(self) -> float:
        """The loss; the gradients are in `parameters.gradient`."""
        with torch.enable_grad():
            forward = run_forward(self.plan.graph, self.inputs | self.parameters.values, self.dtype)
        for name, into in self.parameters.gradients.items():
            into.copy_(forward.autograd[name])
        return float(forward.tensors[self.plan.graph.loss.variable])


class CompiledStep(Step):
    """Runs the calls that a compiler made of the same lines."""

    def __init__(
        self,
        parameters: Parameters,
        inputs: dict[str, torch.Tensor],
        calls: Sequence[Callable[[], object]],
        loss: Array,
    ) -> None:
        super().__init__(parameters, inputs)
        self.calls, self.loss = list(calls), loss

    def run(self) -> float:
        for call in self.calls:
            call()
        return float(self.loss)


def make_step(plan: Plan, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype, changing: frozenset[str]) -> Step:
    """A step for a plan, compiled where that gives what its lines give; `changing` are the inputs of a minibatch."""
    compiled = compiled_step(plan, tensors, dtype, changing)
    if compiled is not None and _holds(plan, tensors, changing):
        return compiled
    return PrintedStep(plan, *places_of(plan, tensors, dtype))


def places_of(
    plan: Plan, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype
) -> tuple[Parameters, dict[str, torch.Tensor]]:
    """The parameters that have a gradient, and all other inputs as tensors of their own."""
    roles = {node.variable: node.role for node in plan.graph.inputs}
    chosen = {name: tensors[name] for name, role in roles.items() if role == "parameter" and _has_gradient(plan, name)}
    rest = {name: as_dtype(tensors[name], dtype).clone() for name in roles if name not in chosen}
    return Parameters(chosen, dtype), rest


def _has_gradient(plan: Plan, name: str) -> bool:
    return any(line.variable == "d" + name for line in plan.lines)


def compiled_step(
    plan: Plan, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype, changing: frozenset[str]
) -> CompiledStep | None:
    """The compiled step; None for what the compiler can't follow."""
    parameters, inputs = places_of(plan, tensors, dtype)
    into = {"d" + name: tensor for name, tensor in parameters.gradients.items()}
    scope = {**plan.graph.constants, **inputs, **parameters.values}
    recorder = Recorder(scope, (changing & inputs.keys()) | parameters.values.keys(), into)
    try:
        with torch.no_grad(), DefaultDtype(dtype), np.errstate(all="ignore"):
            recorder.run(plan.graph.statements)
            for line in plan.lines:
                _record(recorder, line)
            for name, place in into.items():
                recorder.keep(recorder.scope[name], place)
    except (Refusal, NotImplementedError, RecursionError):  # the last one of a program of many hundred lines
        return None
    loss = recorder.scope[plan.graph.loss.variable]
    return CompiledStep(parameters, inputs, recorder.needed([loss, parameters.gradient]), as_tensor(loss).numpy())


def _record(recorder: Recorder, line: Line) -> None:
    before = recorder.steps
    recorder.run(line.statements)
    recorder.steps = before
    if isinstance(line, PlantedLine):
        value = recorder.scope[line.variable]
        made = made_by(line, recorder.scope)
        if made is not value and recorder.varies(value):
            raise NotImplementedError
        recorder.scope[line.variable] = made


def _holds(plan: Plan, tensors: Mapping[str, torch.Tensor], changing: frozenset[str]) -> bool:
    """Whether compiled and printed lines give the same in float64, for numbers that the compiler did not see."""
    ours = compiled_step(plan, tensors, torch.float64, changing)
    if ours is None:
        return False
    printed = PrintedStep(plan, *places_of(plan, tensors, torch.float64))
    g = torch.Generator().manual_seed(1)
    moved = printed.parameters.flat + 0.01 * torch.randn(len(printed.parameters.flat), generator=g, dtype=torch.float64)
    for step in (ours, printed):
        step.parameters.flat.copy_(moved)
    with torch.no_grad(), np.errstate(all="ignore"):
        losses = ours.run(), printed.run()
    size = max(float(printed.parameters.gradient.abs().max()), 1e-300) if len(moved) else 1.0
    apart = float((ours.parameters.gradient - printed.parameters.gradient).abs().max()) if len(moved) else 0.0
    return apart <= TOLERANCE * size and math.isclose(*losses, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
