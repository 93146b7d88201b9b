"""Exhibits of the lab in plain PyTorch: values, gradients, and both runs of a card, none of it by the engine."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

import torch

from backend.program.exhibits.exhibit import Exhibit
from backend.program.lessons import ROOM
from tests.support.torch_reference import Recorder, tensors, wanted
from tests.support.wrong_gradients import WRONG

Named = dict[str, torch.Tensor]


def program_of(exhibit: Exhibit, side: int) -> dict[str, Any]:
    """The program of a side; that of the other one where only a backward line is wrong."""
    return dict(exhibit.sides[side].program or exhibit.sides[0].program or {})


def inputs(exhibit: Exhibit, side: int, dtype: torch.dtype = torch.float32) -> Named:
    return tensors(program_of(exhibit, side), dtype)


def plain(exhibit: Exhibit, side: int, given: Named) -> tuple[Named, Named]:
    """Values and gradients by name, by autograd alone."""
    for name in wanted(program_of(exhibit, side), given):
        given[name].requires_grad_()
    known = {**given, **_named(exhibit, side, given)}
    reached = {name: one for name, one in known.items() if one.requires_grad}
    grads = torch.autograd.grad(known["loss"], list(reached.values()), allow_unused=True)
    return known, {name: grad for name, grad in zip(reached, grads, strict=True) if grad is not None}


def _named(exhibit: Exhibit, side: int, given: Named) -> Named:
    """The tensors that one side's program names, from these inputs."""
    program = exhibit.sides[side].program
    if program is None:
        return WRONG[exhibit.name](given)
    recorder = Recorder(dict(program), given)
    recorder.run(ast.parse(str(program["source"])).body)
    return recorder.seen


def known(name: str, side: int, changed: Named | None = None, dtype: torch.dtype = torch.float64) -> Named:
    """Values, and gradients as `dW`, of one side of an exhibit, with some of its tensors changed."""
    exhibit = ROOM.exhibits[name]
    given = {one: t.detach().clone() for one, t in (inputs(exhibit, side, dtype) | (changed or {})).items()}
    values, grads = plain(exhibit, side, given)
    return {one: t.detach() for one, t in values.items()} | {f"d{one}": grad for one, grad in grads.items()}


@cache
def trained(name: str, side: int, rate: float | None = None) -> tuple[list[float], Named]:
    """The losses of a run of a card, at its own rate or another; and the weights that it ends at."""
    exhibit = ROOM.exhibits[name]
    assert exhibit.training is not None
    specs = program_of(exhibit, side)["tensors"]
    moved = [one for one, spec in specs.items() if spec["role"] == "parameter"]
    weights = {one: t for one, t in known(name, side).items() if one in moved}
    losses = []
    for _ in range(exhibit.training.steps):
        now = known(name, side, weights)
        losses.append(float(now["loss"]))
        slopes = {one: now[f"d{one}"] for one in moved if f"d{one}" in now}
        weights |= {one: weights[one] - (rate or exhibit.training.rate) * slope for one, slope in slopes.items()}
    return [*losses, float(known(name, side, weights)["loss"])], weights
