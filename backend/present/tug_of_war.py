"""Where a gradient is a tug-of-war: softmax minus one-hot over the number of rows, as of a mean cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from backend.execute.session import Run

# A picture of more rows or columns than these is no picture.
MOST_ROWS, MOST_COLUMNS = 400, 120
TOLERANCE = 1e-4


def tugs_of_war(run: Run) -> dict[str, str]:
    """The logits whose gradient it is, each with the tensor of its right classes, by the names of both."""
    found: dict[str, str] = {}
    classes = _classes(run)
    for logits, gradient in _candidates(run) if classes else ():
        value = run.forward.tensors[logits]
        for target in _targets(classes, *value.shape):
            # of several with one softmax, such as logits and logits less their maxima, the first
            if target not in found.values() and _is_tug(gradient, value, run.forward.tensors[target]):
                found[logits] = target
    names = {node.variable: str(node.name) for node in run.plan.graph.named}
    return {names[logits]: names[target] for logits, target in found.items()}


def _candidates(run: Run) -> Iterator[tuple[str, torch.Tensor]]:
    """Values of rows and columns with their gradients, in the order of the program."""
    for node in run.plan.graph.named:
        value, gradient = run.forward.tensors[node.variable], run.gradients.get("d" + node.variable)
        if gradient is None or value.ndim != 2 or value.shape[1] < 2 or gradient.shape != value.shape:
            continue
        if value.shape[0] <= MOST_ROWS and value.shape[1] <= MOST_COLUMNS and bool(value.isfinite().all()):
            yield node.variable, gradient


def _classes(run: Run) -> dict[str, torch.Tensor]:
    """Rows of whole numbers, which may be classes."""
    values = {node.variable: run.forward.tensors[node.variable] for node in run.plan.graph.named}
    return {name: value for name, value in values.items() if value.dtype is torch.int64 and value.ndim == 1}


def _targets(classes: dict[str, torch.Tensor], rows: int, columns: int) -> Iterator[str]:
    """Those that may be a class for each row."""
    for name, value in classes.items():
        if len(value) == rows and rows and 0 <= value.min() <= value.max() < columns:
            yield name


def _is_tug(gradient: torch.Tensor, logits: torch.Tensor, target: torch.Tensor) -> bool:
    against = gradient.gather(1, target[:, None]).max()
    if against > TOLERANCE * gradient.abs().max():  # the right class is pulled up in every row
        return False
    pulls = torch.softmax(logits.double(), 1) - torch.nn.functional.one_hot(target, logits.shape[1])
    wanted = pulls / len(logits)
    size = float(wanted.abs().max())
    return size > 0 and bool((gradient.double() - wanted).abs().max() <= TOLERANCE * size)
