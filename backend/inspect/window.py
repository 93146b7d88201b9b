"""A rectangular window into one tensor of a walk, cell by cell or pooled."""

from __future__ import annotations

from pathlib import Path

import torch

from backend.engine.encode import LARGEST_WHOLE, Document, typed_within
from backend.engine.execute.lookup import node_of, with_gradient
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.pipeline import run_of
from backend.present.parts import difference
from backend.program.request import Request
from backend.program.runs import Run


@guarded
def window(request: Request, names: Path | None = None) -> Document:
    """The rectangle [row0, row1, column0, column1) of a tensor's sheet, clipped to it.

    The sheet is the tensor with all axes but the last laid one below the other: (-1, last axis). `request` is the body
    of POST /api/tensor. Raises Refusal for a tensor or step that is not there, and for a rectangle without any cell.
    """
    run = run_of(request["walk"], names)
    whole = sheet(tensor_of(run, request["tensor"], request["which"], request.get("step")))
    rows, columns = whole.shape
    row0, row1, column0, column1 = request["window"]
    clipped = [*_clipped(row0, row1, rows), *_clipped(column0, column1, columns)]
    if clipped[0] == clipped[1] or clipped[2] == clipped[3]:
        raise Refusal("window-empty", rows=rows, columns=columns)
    part = whole[clipped[0] : clipped[1], clipped[2] : clipped[3]]
    return {"window": clipped, "sheet": [rows, columns], "tensor": typed_within(LARGEST_WHOLE)(part)}


def _clipped(first: int, end: int, size: int) -> tuple[int, int]:
    """The part of a range within 0 … size; (end, end) if it is empty."""
    first = min(max(first, 0), size)
    return first, max(min(end, size), first)


def sheet(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of any rank as a matrix (-1, last axis); a scalar as [1, 1]."""
    columns = tensor.shape[-1] if tensor.ndim else 1
    return tensor.reshape(tensor.numel() // columns if columns else 0, columns)


def tensor_of(run: Run, name: str, which: str, step: int | None) -> torch.Tensor:
    """The tensor a request names; raises Refusal where the walk has no such tensor."""
    if step is not None:
        return of_step(run, name, which, step)
    if which == "value":
        return run.forward.tensors[node_of(run.plan, name).variable]
    variable = with_gradient(run.plan, name).variable
    manual, autograd = run.gradients["d" + variable], run.forward.autograd[variable]
    if which == "difference":
        return difference(manual, autograd)
    return manual if which == "manual" else autograd


def of_step(run: Run, name: str, which: str, step: int) -> torch.Tensor:
    """A backward step's contribution to a tensor's gradient, or the gradient after it; steps count as in the walk."""
    node, first = with_gradient(run.plan, name), run.plan.first_backward
    steps = [first + number for number, line in enumerate(run.plan.lines) if line.target is node]
    if step not in steps:
        raise Refusal("step-other", found=step, tensor=name, steps=", ".join(map(str, steps)))
    kept = run.contributions[step - first]
    return kept.value if which == "contribution" else kept.accumulated
