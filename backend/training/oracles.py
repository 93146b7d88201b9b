"""A step's gradients before three oracles: autograd, the printed lines run one by one, and central differences."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from backend.engine.encode import number
from backend.engine.execute.incremental import Recording
from backend.engine.execute.run import Tensors, as_dtype, run_forward
from backend.engine.verify.compare import Verdict, judge_all
from backend.inspect.finite_differences.oracle import Oracle, Overdue, judge
from backend.inspect.jvp import one_hot
from backend.training.event_types import Compared, GradientVerdict, NotFinite, Nudged, NudgedCell
from backend.training.instruments import tensors_of
from backend.training.step import PrintedStep, Step, places_of
from backend.training.trainer import Moment, Trainer

DRAWN = 2  # cells of each parameter that differences are taken of, beside the one with the largest gradient


def compared(trainer: Trainer, moment: Moment, seconds: float) -> list[Compared]:
    """What each oracle says of each parameter's gradient; central differences as far as `seconds` go.

    Autograd and the printed lines are held against the step's own numbers, in its precision and in float64, as every
    walk is judged; differences of the loss against the same gradients in float64.
    """
    until = time.process_time() + seconds
    plan, tensors, precisions = moment.plan, tensors_of(trainer, moment), (trainer.task.dtype, torch.float64)
    fine = _gradients(trainer.step_of(plan, torch.float64), tensors)
    ours = trainer.named(moment.gradient), fine
    spelled = [_gradients(PrintedStep(plan, *places_of(plan, tensors, dtype)), tensors) for dtype in precisions]
    autograd = []
    for dtype in precisions:
        cast = {name: as_dtype(tensor, dtype) for name, tensor in tensors.items()}
        found = run_forward(plan.graph, cast, dtype).autograd
        autograd.append({name: found[name] for name in ours[0]})
    by_autograd = _judged(ours, autograd, "autograd-not-finite")
    by_lines = _judged(ours, spelled, "lines-not-finite")
    differences = _differences(trainer, moment, (fine, autograd[1]), until)
    return [
        {
            "name": name,
            **by_autograd[name],
            "printed": by_lines[name],
            "differences": differences.get(name),
        }
        for name in ours[0]
    ]


def _gradients(step: Step, tensors: Mapping[str, torch.Tensor]) -> Tensors:
    """The gradients of one run of a step on these tensors."""
    for into in (step.parameters.values, step.inputs):
        for name, tensor in into.items():
            tensor.copy_(tensors[name])
    with torch.no_grad(), np.errstate(all="ignore"):
        step.run()
    return {name: gradient.clone() for name, gradient in step.parameters.gradients.items()}


def _judged(ours: tuple[Tensors, Tensors], other: list[Tensors], no_verdict: NotFinite) -> dict[str, GradientVerdict]:
    """How gradients compare; `no_verdict` is the level where only the others are NaN or infinite."""
    mine = [{"d" + name: tensor for name, tensor in tensors.items()} for tensors in ours]
    told = {name: _told(one) for name, one in judge_all(mine[0], other[0], mine[1], other[1]).items()}
    lost = {name for name in told if _is_finite(name, ours) and not _is_finite(name, other)}
    return told | {name: {"level": no_verdict, "maxdiff": None, "relative_error": None} for name in lost}


def _is_finite(name: str, precisions: Sequence[Tensors]) -> bool:
    return all(bool(one[name].isfinite().all()) for one in precisions)


def _told(verdict: Verdict) -> GradientVerdict:
    numbers = [None if one is None else number(one) for one in (verdict.maxdiff, verdict.relative_error)]
    return {"level": verdict.level, "maxdiff": numbers[0], "relative_error": numbers[1]}


def _differences(
    trainer: Trainer, moment: Moment, gradients: tuple[Tensors, Tensors], until: float
) -> dict[str, Nudged]:
    """Central differences of the loss in float64 at a few cells of each parameter; none where it isn't finite."""
    plan, (ours, theirs) = moment.plan, gradients
    replay = Recording(plan.graph, dict(tensors_of(trainer, moment)), torch.float64)
    if not math.isfinite(float(replay[plan.graph.loss.variable])):
        return {}
    oracle = Oracle(plan, dict(ours), dict(theirs), replay, until)
    told: dict[str, list[NudgedCell]] = {name: [] for name in ours}
    g = torch.Generator().manual_seed(trainer.number)
    cells = {name: _cells(gradient, g) for name, gradient in ours.items()}
    try:
        for place in range(DRAWN + 1):  # one cell of each, then the next one: time may not last for all
            for name in ours:
                if place < len(cells[name]):
                    told[name].append(_at(oracle, name, cells[name][place]))
    except Overdue:
        pass
    return {
        name: {"agrees": all(one["agrees"] for one in found), "cells": found} for name, found in told.items() if found
    }


def _cells(gradient: torch.Tensor, g: torch.Generator) -> list[tuple[int, ...]]:
    """The cell with the largest gradient, and a few drawn at random."""
    flat = [int(gradient.abs().nan_to_num(0.0).argmax())]
    flat += torch.randint(0, gradient.numel(), (DRAWN,), generator=g).tolist()
    shape = gradient.shape
    return [tuple(int(i) for i in torch.unravel_index(torch.tensor(one), shape)) for one in dict.fromkeys(flat)]


def _at(oracle: Oracle, name: str, cell: tuple[int, ...]) -> NudgedCell:
    node = oracle.plan.graph.by_variable[name]
    found = judge(oracle, node, one_hot(oracle.replay[name], cell))
    return {
        "cell": list(cell), "numeric": number(found.slope.numeric), "analytic": number(found.analytic),
        "agrees": found.slope.agrees,
    }  # fmt: skip
