"""With this module a request is run once and looked into often: its plan, values and gradients, the latest few kept."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from backend.language.nested import tensors_in
from backend.plan import Plan, plan_for
from backend.request import Material, identity, read
from backend.run import Contribution, Forward, Tensors, run_backward, run_forward
from backend.verify import Verdict

# How many runs are kept, how much they may hold together, and how much the latest one alone.
KEPT, MOST_BYTES, LARGEST_BYTES = 8, 2**25, 2**27


@dataclass
class Run:
    """One plan with the numbers of one request, in the precision it asked for; verdicts once they are reached."""

    material: Material
    plan: Plan
    forward: Forward
    gradients: Tensors
    contributions: list[Contribution]
    seconds: dict[str, float]
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    @cached_property
    def bytes(self) -> int:
        """What all of its tensors hold, each storage counted once."""
        held: list[Any] = [*self.forward.values.values(), *self.forward.autograd.values(), *self.gradients.values()]
        held += [part for kept in self.contributions for part in (kept.value, kept.accumulated, kept.shown)]
        storages = [tensor.untyped_storage() for tensor in tensors_in(held)]
        return sum({storage.data_ptr(): storage.nbytes() for storage in storages}.values())


_runs: OrderedDict[str, Run] = OrderedDict()


def new_run(request: Mapping[str, Any], names: Path | None = None) -> Run:
    """Run a request, and keep the run for questions about it; raises Refusal where it can't be carried out."""
    _make_room()
    material = read(request, names)
    plan = plan_for(material)
    started = time.perf_counter()
    forward = run_forward(plan.graph, material.tensors, material.dtype)
    forward_done = time.perf_counter()
    shown = {number: picture.to_evaluate for number, picture in enumerate(plan.pictures) if picture}
    gradients, contributions = run_backward(plan.lines, forward.values, material.dtype, shown)
    seconds = {"forward": forward_done - started, "backward": time.perf_counter() - forward_done}
    run = Run(material, plan, forward, gradients, contributions, seconds)
    _keep(identity(request), run)
    return run


def run_of(request: Mapping[str, Any], names: Path | None = None) -> Run:
    """The run of a request: one that was kept, else a new one."""
    key = identity(request)
    if key not in _runs:
        return new_run(request, names)
    _runs.move_to_end(key)
    return _runs[key]


def other_precision(run: Run) -> tuple[Forward, Tensors]:
    """The same plan in the other precision: float64 for a walk in float32, and the reverse."""
    other = torch.float32 if run.material.dtype is torch.float64 else torch.float64
    forward = run_forward(run.plan.graph, run.material.tensors, other)
    return forward, run_backward(run.plan.lines, forward.values, other, {})[0]


def _keep(key: str, run: Run) -> None:
    """Keep a run that is not too large, and as many of those before it as there is room for beside it."""
    if run.bytes > LARGEST_BYTES:
        return
    _runs[key] = run
    while len(_runs) > KEPT or (len(_runs) > 1 and _bytes() > MOST_BYTES):
        _runs.popitem(last=False)


def _make_room() -> None:
    """Let a large run go before another one is computed: both would not fit beside each other."""
    if _bytes() > MOST_BYTES:
        _runs.clear()


def _bytes() -> int:
    return sum(run.bytes for run in _runs.values())
