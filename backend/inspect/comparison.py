"""Two walks held side by side, tensor by tensor: answers POST /api/comparison."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch

from backend.engine.encode import number
from backend.engine.language.guard import guarded
from backend.inspect.comparison_types import Likeness, LikenessKind, SideBySide, SideTensor
from backend.pipeline import run_of
from backend.present.picture_types import JsonNumber
from backend.program.request import Request
from backend.program.runs import Run

# Of float32, what two ways of computing the same thing differ by, as a part of the longer of the two.
ROUNDING = 1e-5
# What is shorter than this part of the other is no more than the rounding of a zero.
RESIDUE = 1e-6
# How near to 1 a cosine is where two point the same way.
PARALLEL = 1e-4


@guarded
def comparison(request: Request, names: Path | None = None) -> SideBySide:
    """What tensors of the same name have in common in two walks, their values and their gradients.

    `request` is the body of POST /api/comparison: `left` and `right`, each what POST /api/walk takes. Tensors come in
    the order of the left walk, then those that only the right one has. Gradients are those of the printed lines.
    """
    left, right = run_of(request["left"], names), run_of(request["right"], names)
    named = dict.fromkeys([*left.plan.graph.by_variable, *right.plan.graph.by_variable])
    values, gradients = (values_of(left), values_of(right)), (gradients_of(left), gradients_of(right))
    return {
        "left": _loss(left),
        "right": _loss(right),
        "tensors": [
            {
                "variable": variable,
                "value": likeness(values[0].get(variable), values[1].get(variable)),
                "gradient": likeness(gradients[0].get(variable), gradients[1].get(variable)),
            }
            for variable in named
        ],
    }


def _loss(run: Run) -> JsonNumber:
    loss: JsonNumber = number(float(run.forward.tensors[run.plan.graph.loss.variable]))
    return loss


def values_of(run: Run) -> Mapping[str, torch.Tensor]:
    """Each named tensor's value, by its variable."""
    return {name: run.forward.tensors[name] for name in run.plan.graph.by_variable}


def gradients_of(run: Run) -> Mapping[str, torch.Tensor]:
    """Each named tensor's gradient, by its variable; one that can't be computed any more is left out."""
    there = run.gradients.keys() - run.lost.keys()
    return {name: run.gradients["d" + name] for name in run.plan.graph.by_variable if "d" + name in there}


def likeness(left: torch.Tensor | None, right: torch.Tensor | None) -> Likeness | None:
    """How far two tensors are alike, in float64; None where neither is there."""
    if left is None and right is None:
        return None
    kind, ratio, cosine = _kind(left, right)
    apart = _apart(left, right) if kind in ("scale", "opposite", "turned", "zero", "broken") else []
    return {"kind": kind, "left": _side(left), "right": _side(right), "ratio": ratio, "cosine": cosine,
            "first": apart[0] if apart else None, "differing": len(apart)}  # fmt: skip


def _kind(left: torch.Tensor | None, right: torch.Tensor | None) -> tuple[LikenessKind, float | None, float | None]:
    """In a word what differs, how many times as long the right one is, and the cosine of the angle between them."""
    if left is None or right is None:
        return "missing", None, None
    if left.shape != right.shape:
        return "shape", None, None
    a, b = left.double().flatten(), right.double().flatten()
    if torch.equal(a.nan_to_num(), b.nan_to_num()) and torch.equal(a.isfinite(), b.isfinite()):
        return "same", 1.0, None
    if not bool((a.isfinite() & b.isfinite()).all()):
        return "broken", None, None
    return _apart_by(a, b)


def _apart_by(a: torch.Tensor, b: torch.Tensor) -> tuple[LikenessKind, float | None, float | None]:
    """The same of two that differ and are finite."""
    one, other = float(a.norm()), float(b.norm())
    ratio = other / one if one else None
    if float((a - b).norm()) <= ROUNDING * max(one, other):
        return "rounding", ratio, 1.0
    if min(one, other) <= RESIDUE * max(one, other):
        return "zero", ratio, None
    cosine = max(-1.0, min(1.0, float(a @ b) / (one * other)))
    if abs(cosine) >= 1 - PARALLEL:
        return ("scale" if cosine > 0 else "opposite"), ratio, cosine
    return "turned", ratio, cosine


def _side(tensor: torch.Tensor | None) -> SideTensor | None:
    """A tensor by itself: its shape, its length, how many of its cells are exactly zero and how many are no numbers."""
    if tensor is None:
        return None
    cells = tensor.double()
    return {"shape": list(tensor.shape), "length": number(float(cells.norm())), "cells": tensor.numel(),
            "zeros": int((cells == 0).sum()), "broken": int((~cells.isfinite()).sum())}  # fmt: skip


def _apart(left: torch.Tensor | None, right: torch.Tensor | None) -> list[list[int]]:
    """The cells in which two tensors of one shape differ beyond rounding, in their order."""
    assert left is not None
    assert right is not None
    a, b = left.double(), right.double()
    finite = a.isfinite() & b.isfinite()
    largest = torch.where(finite, torch.maximum(a.abs(), b.abs()), 0.0).max()
    equal = torch.where(finite, (a - b).abs() <= ROUNDING * largest, (a == b) | (a.isnan() & b.isnan()))
    cells: list[list[int]] = (~equal).nonzero().tolist()
    return cells
