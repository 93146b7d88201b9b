"""A plan run on tensors, in one precision and in the other."""

from __future__ import annotations

import ast
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch

from backend.engine.execute.bound_program import BoundProgram
from backend.engine.execute.plan import Plan
from backend.engine.execute.run import Backward, Contribution, Forward, Tensors, recorded, run_backward, run_forward
from backend.engine.language.pytree import tensors_in


@dataclass
class ProgramRun:
    """A plan run on a program's tensors, in the precision asked for."""

    material: BoundProgram
    plan: Plan
    forward: Forward
    backward: Backward
    seconds: dict[str, float]
    looked_at: dict[tuple[object, ...], list[Any]] = field(default_factory=dict, init=False, repr=False)

    @property
    def gradients(self) -> Tensors:
        """The gradients, by their variables."""
        return self.backward.gradients

    @property
    def contributions(self) -> list[Contribution]:
        """What each backward line brought."""
        return self.backward.contributions

    def after(self, number: int, expressions: Sequence[ast.expr | None]) -> list[Any]:
        """What expressions give right after a backward line, evaluated once.

        Raises Refusal where torch refuses.
        """
        key = (number, *expressions)
        if key not in self.looked_at:
            self.looked_at[key] = found = self.backward.values_after(number, expressions)
            self.bytes += stored(found)
        return self.looked_at[key]

    @cached_property
    def lost(self) -> dict[str, str]:
        """The gradients that could not be computed behind a planted line, by their variables, with the reasons."""
        every = zip(self.plan.lines, self.contributions, strict=True)
        return {line.variable: kept.lost for line, kept in every if kept.lost}

    @cached_property
    def bytes(self) -> int:
        """The bytes of its tensors; of those that somebody looks at after a line as well, once somebody does."""
        known, dtype = self.plan.stored, self.material.dtype
        if dtype not in known or self.plan.graph.actual:
            held = [*self.forward.values.values(), *self.forward.autograd.values(), *self.backward.scope.values()]
            known[dtype] = stored([*held, *((kept.value, kept.accumulated) for kept in self.contributions)])
        return known[dtype]


def stored(values: list[Any]) -> int:
    """The bytes of the tensors in some values, each storage counted once."""
    storages = [tensor.untyped_storage() for tensor in {id(tensor): tensor for tensor in tensors_in(values)}.values()]
    return sum({storage.data_ptr(): storage.nbytes() for storage in storages}.values())


def execute(plan: Plan, material: BoundProgram) -> ProgramRun:
    """Run the forward lines, with autograd beside them, then the backward lines; raises Refusal where torch refuses."""
    started = time.process_time()
    forward = run_forward(plan.graph, material.tensors, material.dtype)
    forward_done = time.process_time()
    backward = run_backward(plan.lines, forward.values, material.dtype, plan.planted, plan.tapes)
    seconds = {"forward": forward_done - started, "backward": time.process_time() - forward_done}
    return ProgramRun(material, plan, forward, backward, seconds)


def other_precision(run: ProgramRun) -> tuple[Tensors, Tensors]:
    """Autograd's gradients, by the variables of the tensors, and the printed lines', by their own, in the other
    precision: float64 for a walk in float32, and the reverse."""
    other = torch.float32 if run.material.dtype is torch.float64 else torch.float64
    plan = run.plan
    values, autograd = recorded(plan.graph, run.material.tensors, other)
    return autograd, run_backward(plan.lines, values, other, plan.planted, plan.tapes).gradients
