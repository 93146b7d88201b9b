"""The terms that one cell of a walk is the sum of: answers POST /api/cell.

A term of a gradient is a local derivative times an upstream gradient. Local derivatives are torch's own, of the
statement as it ran; upstream gradients and the number shown are the walk's.
"""

from __future__ import annotations

from pathlib import Path

from backend.engine.encode import Document
from backend.engine.execute.lookup import node_of, sound, with_gradient
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.inspect.cell.gradient_terms import opened_gradient
from backend.inspect.cell.value_terms import opened_value
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run


@guarded
def cell(wanted: Request, names: Path | None = None) -> Document:
    """The terms of one cell of a value, a gradient or one step's contribution.

    `wanted` is the body of POST /api/cell. Raises Refusal where there is no such tensor, cell, gradient or step.
    """
    run = run_of(wanted["walk"], names)
    return cell_of(run, wanted["tensor"], wanted["which"], tuple(wanted["index"]), wanted.get("step"))


def cell_of(run: Run, name: str, which: str, index: tuple[int, ...], step: int | None = None) -> Document:
    """The same for a given run."""
    node = node_of(run.plan, name)
    if which != "value":
        sound(run, with_gradient(run.plan, name))  # before the index: that of another shape is outside this one
    if len(index) != len(node.shape) or any(not 0 <= i < size for i, size in zip(index, node.shape, strict=True)):
        raise Refusal("cell-outside", found=list(index), tensor=name, shape=shape_text(node.shape))
    if which == "value":
        answer = opened_value(run, node, index) | {"because": ""}
    else:
        answer = opened_gradient(run, with_gradient(run.plan, name), index, step)
    return {"tensor": name, "which": which, "index": list(index), **answer}
