"""With this module one number of a walk opens into the terms that it is the sum of.

A term is a local derivative times what arrives. Local derivatives are torch's own, of the statement as it ran; what
arrives and what is shown are the walk's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backend.language.errors import Refusal
from backend.language.evaluate import shown
from backend.lens.arrivals import opened_gradient
from backend.lens.values import opened_value
from backend.lookup import node_of, with_gradient
from backend.runs import Run, run_of


def cell(wanted: Mapping[str, Any], names: Path | None = None) -> dict[str, Any]:
    """The terms of one cell of a value, a gradient or one step's contribution.

    `wanted` is the body of POST /api/cell. Raises Refusal where there is no such tensor, cell, gradient or step.
    """
    run = run_of(wanted["walk"], names)
    return cell_of(run, wanted["tensor"], wanted["which"], tuple(wanted["index"]), wanted.get("step"))


def cell_of(run: Run, name: str, which: str, index: tuple[int, ...], step: int | None = None) -> dict[str, Any]:
    """The same for a run that is at hand."""
    node = node_of(run.plan, name)
    if len(index) != len(node.shape) or any(not 0 <= i < size for i, size in zip(index, node.shape, strict=True)):
        raise Refusal("cell-outside", found=list(index), tensor=name, shape=shown(node.shape))
    if which == "value":
        answer = opened_value(run, node, index)
    else:
        answer = opened_gradient(run, with_gradient(run.plan, name), index, step)
    return {"tensor": name, "which": which, "index": list(index), **answer}
