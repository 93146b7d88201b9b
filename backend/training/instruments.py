"""What is measured of one step: norms, updates, statistics, activations, and the comparison with autograd."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch

from backend.encode import Document, number
from backend.execute.run import as_dtype, run_forward, values_of
from backend.inspect.flat_cells import flat_cells, saturates
from backend.language.pytree import as_tensor
from backend.language.values import Values
from backend.training.step import PrintedStep, places_of
from backend.training.task import Task
from backend.training.trainer import Moment, Trainer
from backend.verify.compare import judge_all

BINS = 30
MOST_UNITS = 1024
LARGEST = 1e300  # of the cells in a histogram: the distance of any two can be told


def statistics(tensor: torch.Tensor) -> Document:
    """Mean, standard deviation and norm of a tensor."""
    mean, norm = float(tensor.mean()), float(torch.linalg.vector_norm(tensor))
    spread = float(tensor.std(correction=0))
    return {"mean": number(mean), "std": number(spread), "norm": number(norm)}


def parameters(trainer: Trainer, moment: Moment) -> list[Document]:
    """Each parameter as it was, its gradient before and after clipping, and its update beside it."""
    before, raw = trainer.named(moment.weights), trainer.named(moment.gradient)
    told = []
    for name, value in trainer.parameters.values.items():
        update, size = float((value - before[name]).std(correction=0)), float(before[name].std(correction=0))
        told.append(
            {
                "name": name,
                "value": statistics(before[name]),
                "gradient": statistics(raw[name]),
                "norm_after": number(float(torch.linalg.vector_norm(trainer.parameters.gradients[name]))),
                "update_ratio": number(update / size) if size else None,
            }
        )
    return told


def activations(task: Task, values: Values) -> Iterator[Document]:
    """Each activation: a histogram of its cells, and the share of each unit's examples in which it is flat."""
    for node in (chunk.node for chunk in task.plan.graph.chunks if saturates(chunk.node)):
        assert node.op is not None
        flat = flat_cells(node, values, task.dtype)
        units = flat.reshape(-1, flat.shape[-1]).double().mean(0)
        yield {
            "name": node.variable,
            "histogram": histogram(as_tensor(values[node.variable])),
            "word": node.op.flat_word,
            "share": float(flat.double().mean().nan_to_num()),
            "units": [round(share, 4) for share in units[:MOST_UNITS].nan_to_num().tolist()],
            "whole": int((units == 1).sum()),
        }


def histogram(tensor: torch.Tensor) -> Document:
    """How many cells lie in each of equal bins between the least and the largest finite one."""
    cells = tensor.detach().flatten().double().numpy()
    finite = cells[np.abs(cells) < LARGEST]
    counts, edges = np.zeros(BINS, int), np.array([0.0, 1.0])
    if len(finite):
        try:
            counts, edges = np.histogram(finite, BINS)
        except ValueError:  # so near to each other that there are no numbers between them to begin bins with
            counts[0], edges = len(finite), np.array([finite.min(), finite.max()])
    return {"low": float(edges[0]), "high": float(edges[-1]), "counts": [int(count) for count in counts]}


def activations_at(trainer: Trainer, moment: Moment) -> list[Document]:
    """The activations of the minibatch of a moment."""
    values = values_of(trainer.task.plan.graph, tensors_of(trainer, moment), trainer.task.dtype)
    return list(activations(trainer.task, values))


def tensors_of(trainer: Trainer, moment: Moment) -> Mapping[str, torch.Tensor]:
    """The inputs and the parameters of a moment."""
    return moment.inputs | trainer.named(moment.weights)


def compared(trainer: Trainer, moment: Moment) -> list[Document]:
    """Each parameter's gradient against autograd's: in this precision and in float64, as every walk is judged."""
    plan, tensors = trainer.task.plan, tensors_of(trainer, moment)
    fine = PrintedStep(plan, *places_of(plan, tensors, torch.float64))
    with torch.no_grad():
        fine.run()
    ours = _by_gradient(trainer.named(moment.gradient)), _by_gradient(fine.parameters.gradients)
    theirs = []
    for dtype in (trainer.task.dtype, torch.float64):
        cast = {name: as_dtype(tensor, dtype) for name, tensor in tensors.items()}
        theirs.append(run_forward(plan.graph, cast, dtype).autograd)
    names = trainer.parameters.shapes
    autograd = [{name: found[name] for name in names} for found in theirs]
    verdicts = judge_all(ours[0], autograd[0], ours[1], autograd[1])
    return [
        {
            "name": name,
            "level": verdict.level,
            "maxdiff": None if verdict.maxdiff is None else number(verdict.maxdiff),
            "relative_error": None if verdict.relative_error is None else number(verdict.relative_error),
        }
        for name, verdict in verdicts.items()
    ]


def _by_gradient(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {"d" + name: tensor for name, tensor in tensors.items()}
