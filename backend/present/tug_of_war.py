"""Where a gradient is a tug-of-war: softmax minus one-hot over the number of rows, as of a mean cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from backend.engine.verify.measure import Array
from backend.program.runs import Run

# A picture of more rows or columns than these is no picture.
MOST_ROWS, MOST_COLUMNS = 400, 120
TOLERANCE = 1e-4


def tugs_of_war(run: Run) -> dict[str, str]:
    """The logits whose gradient it is, each with the tensor of its right classes, by the names of both."""
    found: dict[str, str] = {}
    classes = _classes(run)
    for logits, value, gradient in _candidates(run) if classes else ():
        for name, target in _targets(classes, *value.shape):
            # of several with one softmax, such as logits and logits less their maxima, the first
            if name not in found.values() and _is_tug(gradient, value, target):
                found[logits] = name
    names = {node.variable: str(node.name) for node in run.plan.graph.named}
    return {names[logits]: names[target] for logits, target in found.items()}


# In numpy: torch takes three times as long for tensors as small as these.
def _candidates(run: Run) -> Iterator[tuple[str, Array, Array]]:
    """Values of rows and columns with their gradients, in the order of the program."""
    for node in run.plan.graph.named:
        value, gradient = run.forward.tensors[node.variable], run.gradients.get("d" + node.variable)
        if gradient is None or value.ndim != 2 or value.shape[1] < 2 or gradient.shape != value.shape:
            continue
        if value.shape[0] <= MOST_ROWS and value.shape[1] <= MOST_COLUMNS:
            yield node.variable, value.numpy(), gradient.numpy()


def _classes(run: Run) -> dict[str, Array]:
    """Rows of whole numbers from 0 on, which may be classes."""
    values = {node.variable: run.forward.tensors[node.variable] for node in run.plan.graph.named}
    rows = {name: value.numpy() for name, value in values.items() if value.dtype is torch.int64 and value.ndim == 1}
    return {name: row for name, row in rows.items() if row.size and row.min() >= 0}


def _targets(classes: dict[str, Array], rows: int, columns: int) -> Iterator[tuple[str, Array]]:
    """Those that may be a class for each row."""
    return ((name, row) for name, row in classes.items() if len(row) == rows and row.max() < columns)


def _is_tug(gradient: Array, logits: Array, target: Array) -> bool:
    right = np.arange(len(target)), target
    pushed = gradient[right].max()
    if pushed > 0 and pushed > TOLERANCE * np.abs(gradient).max():  # the right class is pulled up in every row
        return False
    if not np.isfinite(logits).all():
        return False
    wanted = torch.softmax(torch.from_numpy(logits).double(), 1).numpy()
    wanted[right] -= 1
    wanted /= len(logits)
    size = np.abs(wanted).max()
    return bool(size > 0 and np.abs(gradient - wanted).max() <= TOLERANCE * size)
