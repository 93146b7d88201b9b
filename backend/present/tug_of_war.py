"""Where a gradient is a tug-of-war: softmax minus one-hot over the number of rows, as of a mean cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from backend.engine.execute.plan import Plan
from backend.engine.verify.measure import Array
from backend.program.runs import Run

# A picture of more rows or columns than these is no picture.
MOST_ROWS, MOST_COLUMNS = 400, 120
TOLERANCE = 1e-4


def tugs_of_war(run: Run) -> dict[str, str]:
    """The logits whose gradient it is, each with the tensor of its right classes, by the names of both."""
    found: dict[str, str] = {}
    classes = _classes(run)
    for logits, value, gradient in _candidates(run, {len(row) for row, _ in classes.values()}):
        rows, columns = value.shape
        for name, (target, greatest) in classes.items():
            # of several with one softmax, such as logits and logits less their maxima, the first
            fits = len(target) == rows and greatest < columns and name not in found.values()
            if fits and _is_tug(gradient, value, target):
                found[logits] = name
    named = run.plan.graph.by_variable
    return {str(named[logits].name): str(named[target].name) for logits, target in found.items()}


# In numpy: torch takes three times as long for tensors as small as these.
def _candidates(run: Run, lengths: set[int]) -> Iterator[tuple[str, Array, Array]]:
    """Values of so many rows, and of columns, with their gradients, in the order of the program."""
    gradients = run.gradients
    for name, rows in run.plan.once(_drawable).items():
        if rows not in lengths or (gradient := gradients.get("d" + name)) is None:
            continue
        value = run.forward.tensors[name]
        if gradient.shape == value.shape:
            yield name, value.numpy(), gradient.numpy()


def _drawable(plan: Plan) -> dict[str, int]:
    """The tensors of rows and columns that could be drawn, with their rows."""
    tables = [node for node in plan.graph.named if len(node.shape) == 2]
    return {
        node.variable: node.shape[0]
        for node in tables
        if node.shape[0] <= MOST_ROWS and 2 <= node.shape[1] <= MOST_COLUMNS
    }


def _classes(run: Run) -> dict[str, tuple[Array, int]]:
    """Rows of whole numbers from 0 on, which may be classes, each with its greatest."""
    rows = {name: run.forward.tensors[name].numpy() for name in run.plan.once(_whole_rows)}
    return {name: (row, int(row.max())) for name, row in rows.items() if row.size and row.min() >= 0}


def _whole_rows(plan: Plan) -> list[str]:
    nodes = [node for node in plan.graph.named if len(node.shape) == 1]
    return [node.variable for node in nodes if node.meta.dtype is torch.int64]


def _is_tug(gradient: Array, logits: Array, target: Array) -> bool:
    right = np.arange(len(target)), target
    pushed = gradient[right].max()
    if pushed > 0 and pushed > TOLERANCE * np.abs(gradient).max():  # the right class is pulled up in every row
        return False
    if not np.isfinite(logits).all():
        return False
    wanted = logits.astype(np.float64)
    wanted -= wanted.max(1, keepdims=True)
    np.exp(wanted, out=wanted)
    wanted /= wanted.sum(1, keepdims=True)
    wanted[right] -= 1
    wanted /= len(logits)
    size = np.abs(wanted).max()
    return bool(size > 0 and np.abs(gradient - wanted).max() <= TOLERANCE * size)
