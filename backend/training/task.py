"""What is to be trained: a request read into a program, the tensors it begins with, and where its data come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from backend.engine.execute.plan import Plan
from backend.engine.language.errors import Refusal
from backend.engine.ops.base import broadcast_shape
from backend.pipeline import material_of, planned, with_plant
from backend.program.data.examples import minibatch
from backend.program.request import Material, Request
from backend.training.choice import USUAL_LINES, Lines
from backend.training.clipping import Clipping
from backend.training.data import CONTEXTS, TARGETS, Minibatches, Source, names
from backend.training.fitting import EXAMPLES, retold, with_data
from backend.training.optimisers import OPTIMISERS, Optimiser
from backend.training.own_lines import with_own
from backend.training.schedules import SCHEDULES, Schedule

BATCH = 32
SIZES: Mapping[str, int] = {"context": 3, "embedding": 10, "hidden": 200}


@dataclass(frozen=True)
class Task:
    """A program to train, the tensors it begins with, and how; the same request gives the same task.

    `own` are the tensors whose gradients come from lines of somebody's own.
    """

    request: Request
    material: Material
    plan: Plan
    source: Source
    steps: int
    seed: int
    lines: Lines
    own: Sequence[str] = ()

    @property
    def dtype(self) -> torch.dtype:
        """The precision that it is trained in."""
        return self.material.dtype


def read_task(request: Request, path: Path | None = None) -> Task:
    """The task that a request asks for; raises Refusal where its program is refused, or has nothing to train.

    `walk` is the body of POST /api/walk. `data` says what minibatches are drawn from, a word list or pictures of
    digits; without it a lesson has what it is usually trained on, and any other program its own tensors, the same at
    every step. The makemore network is made at the `sizes` that are asked for. `answers` are lines of somebody's own,
    by the tensors whose gradients they are. `path` is a word list.
    """
    wanted = request["walk"]
    plain = {name: value for name, value in wanted.items() if name != "plant"}
    material = material_of(plain, path)
    usual = material.lesson.seed if material.lesson else None
    seed = int(request.get("seed", usual or 0))
    if usual is not None and seed != usual and "seed" not in wanted:
        material = material_of({**plain, "seed": seed}, path)
    material, source = _with_source(request, material, seed, path)
    plan, own = with_own(with_plant(planned(material), wanted.get("plant")), request.get("answers") or {})
    if not any(node.role == "parameter" and node.needs and node in plan.graph.reached for node in plan.graph.inputs):
        raise Refusal("nothing-to-train")
    check_gradients(plan)
    return Task(
        request, material, plan, source, int(request.get("steps", 10_000)), seed, request.get("lines", USUAL_LINES), own
    )


def check_gradients(plan: Plan) -> None:
    """Raise Refusal where a planted line makes a gradient that its parameter can't be updated with."""
    if plan.planted is not None and plan.planted.unfit:
        raise Refusal("planted-unfit", found=plan.lines[min(plan.planted.unfit)].code)
    for node in plan.graph.inputs:
        made = plan.shapes.get("d" + node.variable) if node.role == "parameter" else None
        if isinstance(made, torch.Tensor) and broadcast_shape(tuple(made.shape), node.shape) != node.shape:
            raise Refusal("planted-shape", found=node.variable, made=str(tuple(made.shape)), shape=str(node.shape))


def _with_source(request: Request, material: Material, seed: int, path: Path | None) -> tuple[Material, Source]:
    """The program with the data that a request asks for, or that it is usually trained on."""
    lesson = material.lesson
    kind = request.get("data") or (lesson.trained_on if lesson is not None else "own")
    if lesson is not None and lesson.parameters is not None and kind != "digits":
        material, source = _sized(request, material, lesson.parameters, seed, path)
        return material, source if kind == "names" else Source()
    return (material, Source()) if kind == "own" else with_data(request, material, kind, seed, path)


def _sized(
    request: Request, material: Material, drawn: Callable[..., dict[str, torch.Tensor]], seed: int, path: Path | None
) -> tuple[Material, Source]:
    """A lesson at other sizes, its parameters and then its minibatches drawn from one generator, as in the lecture."""
    sizes = {**SIZES, **request.get("sizes", {})}
    batch = int(request.get("batch", BATCH))
    data, g = names(path, sizes["context"]), torch.Generator().manual_seed(seed)
    tensors = {name: tensor.to(material.dtype) for name, tensor in drawn(data.classes, g, **sizes).items()}
    source = Minibatches(data, batch, g)
    first = torch.Generator().manual_seed(seed)
    tensors[CONTEXTS], tensors[TARGETS] = minibatch(data.train.X, data.train.Y, batch, first)
    made = replace(material, tensors=tensors, inputs=retold(material, tensors), constants={EXAMPLES: batch})
    return made, source


def optimiser_of(request: Request) -> Optimiser:
    """The optimiser that a request names, with its settings."""
    wanted = dict(request.get("optimiser", {"name": "sgd"}))
    return OPTIMISERS[wanted.pop("name")](**wanted)


def schedule_of(request: Request) -> Schedule:
    """The learning-rate schedule that a request names, else step decay; from the usual rate of its optimiser."""
    wanted = dict(request.get("schedule", {"name": "step"}))
    usual = OPTIMISERS[request.get("optimiser", {}).get("name", "sgd")].usual_rate
    return SCHEDULES[wanted.pop("name")](**{"lr": usual, **wanted})


def clipping_of(request: Request) -> Clipping | None:
    """What a request wants clipped, if anything."""
    wanted = request.get("clip")
    return Clipping(wanted["by"], wanted["limit"]) if wanted else None
