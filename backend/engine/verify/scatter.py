"""How far rounding alone carries autograd's gradients: what changes where every input is a hair larger or smaller.

All are scaled by one factor, so that equal ones stay equal and zeros stay zeros: no maximum and no step turns over.
Chaitin-Chatelin and Frayssé, "Lectures on Finite Precision Computations" (1996), measure so what a computation loses.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import torch

from backend.engine.execute.run import as_dtype, recorded
from backend.engine.execute.session import ProgramRun
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import largest_finite

HAIRS = -3, -2, -1, 1, 2, 3  # units in the last place of 1
# Of the walk's largest gradient: more is a step, and no rounding.
MOST = {torch.float32: 2e-3, torch.float64: 3e-7}


class Scatter(NamedTuple):
    """How far a gradient is carried in the run's precision, and in the other one."""

    own: float
    other: float


NONE = Scatter(0.0, 0.0)


def scatters(run: ProgramRun, names: Collection[str]) -> dict[str, Scatter]:
    """What rounding carries each of these variables' gradients by, in both precisions; 0 where that can't be told."""
    dtype = run.material.dtype
    other = torch.float32 if dtype is torch.float64 else torch.float64
    try:
        own, others = (_carried(run, names, precision) for precision in (dtype, other))
    except Refusal:
        return {}
    return {name: Scatter(own[name], others[name]) for name in names}


def _carried(run: ProgramRun, names: Collection[str], dtype: torch.dtype) -> dict[str, float]:
    """The same in one precision: of six the third, as those on one side may cross a step."""
    (whole, *moved) = (_gradients(run, dtype, hair) for hair in (0, *HAIRS))
    room = MOST[dtype] * max(map(largest_finite, whole.values()), default=0.0)
    carried = {name: sorted(_distance(one[name], whole[name]) for one in moved)[2] for name in names}
    return {name: far if far <= room else 0.0 for name, far in carried.items()}


def _gradients(run: ProgramRun, dtype: torch.dtype, hair: int) -> dict[str, torch.Tensor]:
    """Autograd's gradients where every input that has one is so many hairs larger."""
    factor = 1 + hair * torch.finfo(dtype).eps
    moved = {
        node.variable: as_dtype(run.material.tensors[node.variable], dtype) * factor
        for node in run.plan.graph.inputs
        if node.needs
    }
    return dict(recorded(run.plan.graph, {**run.material.tensors, **moved}, dtype)[1])


def _distance(one: torch.Tensor, other: torch.Tensor) -> float:
    """The largest difference of finite cells."""
    return largest_finite(one.double() - other.double())
