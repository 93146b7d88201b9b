"""A walk's lines run by Python itself, beside autograd: which gradients come out wrong, and which not at all."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.nn.functional as functional

from backend.engine.execute.plan import Plan
from backend.engine.language.tree import loaded_in, stored_in
from backend.program.runs import Run

# A gradient differs where it does so by more than this share of autograd's own, or of the walk's largest.
OWN, LARGEST = 1e-6, 1e-9


@dataclass
class Outcome:
    """What Python makes of the lines: its names, autograd's gradients, and the gradients that it can't compute."""

    scope: dict[str, Any]
    autograd: dict[str, torch.Tensor]
    lost: set[str] = field(default_factory=set)

    @property
    def scale(self) -> float:
        return max((float(one.abs().max()) for one in self.autograd.values() if one.numel()), default=1.0) or 1.0

    def wrong(self) -> set[str]:
        """The gradients that are not autograd's, by their variables."""
        return {f"d{name}" for name, right in self.autograd.items() if not self.is_right(name, right)}

    def is_right(self, name: str, right: torch.Tensor) -> bool:
        mine = self.scope.get("d" + name)
        if "d" + name in self.lost or not isinstance(mine, torch.Tensor) or mine.shape != right.shape:
            return False
        apart = float((mine - right).abs().max()) if right.numel() else 0.0
        return apart <= max(OWN * float(right.abs().max() if right.numel() else 0.0), LARGEST * self.scale)


def forward(run: Run) -> Outcome:
    """The forward pass in float64, and autograd's gradients of all named tensors."""
    graph, material = run.plan.graph, run.material
    scope: dict[str, Any] = {"torch": torch, "F": functional, "math": math, **graph.constants}
    for node in graph.inputs:
        given = material.tensors[node.variable]
        given = given.double() if given.is_floating_point() else given
        scope[node.variable] = given.clone().requires_grad_() if node.needs else given
    torch.set_default_dtype(torch.float64)
    try:
        exec(graph.forward_source, scope)
    finally:
        torch.set_default_dtype(torch.float32)
    named = [node for node in graph.named if node.needs]
    found = torch.autograd.grad(scope[graph.loss.variable], [scope[one.variable] for one in named], allow_unused=True)
    autograd = {one.variable: gradient for one, gradient in zip(named, found, strict=True) if gradient is not None}
    plain = {
        name: value.detach().clone() if isinstance(value, torch.Tensor) else value for name, value in scope.items()
    }
    return Outcome(plain, autograd)


def backward(run: Run, plan: Plan, before: int | None = None) -> Outcome:
    """The plan's printed lines one after the other (those before a number); where Python stops, that gradient is lost."""
    outcome = forward(run)
    torch.set_default_dtype(torch.float64)
    try:
        for line in plan.lines[:before]:
            names = {line.variable, *stored_in(*line.statements)}
            needs = {*loaded_in(*line.statements), *([line.variable] if line.mode == "+=" else [])}
            try:
                assert not needs & outcome.lost
                exec(line.code, outcome.scope)
            except Exception:
                outcome.lost |= names
    finally:
        torch.set_default_dtype(torch.float32)
    return outcome
