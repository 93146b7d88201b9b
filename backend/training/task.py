"""What is to be trained: a request read into a program, the tensors it begins with, and where its data come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch

from backend.execute.plan import Plan
from backend.language.errors import Refusal
from backend.ops.base import broadcast_shape
from backend.pipeline import material_of, planned, with_plant
from backend.program.data.dataset import load_dataset
from backend.program.data.examples import minibatch
from backend.program.inputs import Input
from backend.program.request import Material, Request
from backend.training.clipping import Clipping
from backend.training.data import CONTEXTS, TARGETS, Names, Source
from backend.training.optimisers import OPTIMISERS, Optimiser
from backend.training.schedules import SCHEDULES, Schedule

EXAMPLES = "n"  # the constant that lessons count their examples with
SIZES: Mapping[str, int] = {"context": 3, "embedding": 10, "hidden": 200}
Lines = Literal["closed", "printed", "autograd"]


@dataclass(frozen=True)
class Task:
    """A program to train, the tensors it begins with, and how; the same request gives the same task."""

    request: Request
    material: Material
    plan: Plan
    source: Source
    steps: int
    seed: int
    lines: Lines

    @property
    def dtype(self) -> torch.dtype:
        """The precision that it is trained in."""
        return self.material.dtype


def read_task(request: Request, names: Path | None = None) -> Task:
    """The task that a request asks for; raises Refusal where its program is refused, or has nothing to train.

    `walk` is the body of POST /api/walk. A lesson that can be trained draws minibatches of a word list, at the `sizes`
    that are asked for; any other program is trained on its own tensors, the same at every step.
    """
    wanted = request["walk"]
    material = material_of({name: value for name, value in wanted.items() if name != "plant"}, names)
    source: Source = Source()
    usual = material.lesson.seed if material.lesson else None
    seed = int(request.get("seed", usual or 0))
    if material.lesson is not None and material.lesson.parameters is not None:
        material, source = _sized(request, material, seed, names)
    plan = with_plant(planned(material), wanted.get("plant"))
    if not any(node.role == "parameter" and node.needs and node in plan.graph.reached for node in plan.graph.inputs):
        raise Refusal("nothing-to-train")
    check_gradients(plan)
    return Task(
        request, material, plan, source, int(request.get("steps", 10_000)), seed, request.get("lines", "closed")
    )


def check_gradients(plan: Plan) -> None:
    """Raise Refusal where a planted line makes a gradient that its parameter can't be updated with."""
    if plan.planted is not None and plan.planted.unfit:
        raise Refusal("planted-unfit", found=plan.lines[min(plan.planted.unfit)].code)
    for node in plan.graph.inputs:
        made = plan.shapes.get("d" + node.variable) if node.role == "parameter" else None
        if isinstance(made, torch.Tensor) and broadcast_shape(tuple(made.shape), node.shape) != node.shape:
            raise Refusal("planted-shape", found=node.variable, made=str(tuple(made.shape)), shape=str(node.shape))


def _sized(request: Request, material: Material, seed: int, names: Path | None) -> tuple[Material, Source]:
    """A lesson at other sizes, its parameters and then its minibatches drawn from one generator, as in the lecture."""
    assert material.lesson is not None
    assert material.lesson.parameters is not None
    sizes = {**SIZES, **request.get("sizes", {})}
    batch = int(request.get("batch", 32))
    data, g = load_dataset(names, sizes["context"]), torch.Generator().manual_seed(seed)
    tensors = material.lesson.parameters(len(data.vocabulary), g, **sizes)
    tensors = {name: tensor.to(material.dtype) for name, tensor in tensors.items()}
    source = Names(data, batch, g)
    first = torch.Generator().manual_seed(seed)
    tensors[CONTEXTS], tensors[TARGETS] = minibatch(data.train.X, data.train.Y, batch, first)
    inputs = {
        name: Input(material.inputs[name].role, tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()
    }
    return replace(material, tensors=tensors, inputs=inputs, constants={EXAMPLES: batch}), source


def optimiser_of(request: Request) -> Optimiser:
    """The optimiser that a request names, with its settings."""
    wanted = dict(request.get("optimiser", {"name": "sgd"}))
    return OPTIMISERS[wanted.pop("name")](**wanted)


def schedule_of(request: Request) -> Schedule:
    """The learning-rate schedule that a request names; the lecture's unless it says so."""
    wanted = dict(request.get("schedule", {"name": "step"}))
    return SCHEDULES[wanted.pop("name")](**wanted)


def clipping_of(request: Request) -> Clipping | None:
    """What a request wants clipped, if anything."""
    wanted = request.get("clip")
    return Clipping(wanted["by"], wanted["limit"]) if wanted else None
