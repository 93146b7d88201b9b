"""What is measured of one step: norms, updates, statistics, activations, and the share of right answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch

from backend.engine.encode import number
from backend.engine.execute.plan import Plan
from backend.engine.execute.run import values_of
from backend.engine.language.pytree import as_tensor
from backend.engine.language.values import Values
from backend.inspect.flat_cells import flat_cells
from backend.training.data import Minibatches
from backend.training.evaluation import correct, scores_of
from backend.training.event_types import Activation, Histogram, Parameter, Statistics
from backend.training.trainer import Moment, Trainer

BINS = 30
MOST_LAYERS, MOST_UNITS = 16, 4096  # activations that are told, and the units of all of them together
LARGEST = 1e300  # of the cells in a histogram: the distance of any two can be told


def statistics(tensor: torch.Tensor) -> Statistics:
    """Mean, standard deviation and norm of a tensor."""
    mean, norm = float(tensor.mean()), float(torch.linalg.vector_norm(tensor))
    spread = float(tensor.std(correction=0))
    return {"mean": number(mean), "std": number(spread), "norm": number(norm)}


def parameters(trainer: Trainer, moment: Moment) -> list[Parameter]:
    """Each parameter as it was, its gradient before and after clipping, and its update beside it."""
    before = trainer.named(moment.weights)
    raw = trainer.named(moment.gradient if moment.whole is None else moment.whole)
    told: list[Parameter] = []
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


def activations(plan: Plan, values: Values, dtype: torch.dtype) -> Iterator[Activation]:
    """Each of the first activations: a histogram, and the share of each unit's examples in which it is flat.

    Whoever follows a run gets all this twenty times a second, so it is bounded, whatever the program.
    """
    nodes = [chunk.node for chunk in plan.graph.chunks if chunk.node.saturates][:MOST_LAYERS]
    most = MOST_UNITS // max(len(nodes), 4)
    for node in nodes:
        assert node.op is not None
        flat = flat_cells(node, values, dtype)
        units = flat.reshape(-1, flat.shape[-1]).double().mean(0)
        yield {
            "name": node.variable,
            "histogram": histogram(as_tensor(values[node.variable])),
            "word": node.op.flat_word,
            "share": float(flat.double().mean().nan_to_num()),
            "units": [round(share, 4) for share in units[:most].nan_to_num().tolist()],
            "size": len(units),
            "whole": int((units == 1).sum()),
        }


def histogram(tensor: torch.Tensor) -> Histogram:
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


def values_at(trainer: Trainer, moment: Moment) -> Values:
    """The forward pass on the minibatch of a moment."""
    return values_of(moment.plan.graph, tensors_of(trainer, moment), trainer.task.dtype)


def accuracy(trainer: Trainer, values: Values) -> float | None:
    """The share of a minibatch whose largest score is the right one; None for a program's own tensors."""
    task, source = trainer.task, trainer.task.source
    scores = scores_of(task.plan, source.inputs) if isinstance(source, Minibatches) else None
    if not isinstance(source, Minibatches) or scores is None:
        return None
    right = correct(values, scores.variable, as_tensor(values[source.inputs[1]]))
    return None if right is None else right / source.batch


def tensors_of(trainer: Trainer, moment: Moment) -> Mapping[str, torch.Tensor]:
    """The inputs and the parameters of a moment."""
    return moment.inputs | trainer.named(moment.weights)
