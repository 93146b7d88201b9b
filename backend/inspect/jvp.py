"""With this module torch itself differentiates one statement, by whichever of its modes knows how.

Nothing here knows the backward rules, so that what it finds can be held against them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.autograd.forward_ad as forward_ad

from backend.language.errors import Refusal
from backend.language.evaluate import DefaultDtype, Evaluator
from backend.lens.path import Path
from backend.statement import Scope, Statement

Function = Callable[[torch.Tensor], torch.Tensor]
# How often a rate is taken anew from numbers nearby.
NEARBY = 4


def pushed(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """How a function's result moves when `tensor` moves along `tangent`: by forward mode, or what else torch has."""
    for mode in (forward, two_pulls):
        try:
            return mode(function, tensor, tangent)
        except (Refusal, RuntimeError):  # an operation without a formula for that
            continue
    return row_by_row(function, tensor, tangent)


def forward(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """By forward mode; raises Refusal or RuntimeError where torch has no formula."""
    with forward_ad.dual_level():
        result = function(forward_ad.make_dual(tensor, tangent))  # type: ignore[no-untyped-call]
        moved = forward_ad.unpack_dual(result).tangent  # type: ignore[no-untyped-call]
        return torch.zeros_like(result) if moved is None else moved.detach().clone()


@torch.enable_grad()
def two_pulls(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """By reverse mode alone: a pull is linear in what is pulled, and its own slope is the push.

    Raises RuntimeError where torch can't differentiate its own backward pass.
    """
    source = tensor.detach().requires_grad_()
    result = function(source)
    weight = torch.zeros_like(result, requires_grad=True)
    (pulled,) = torch.autograd.grad(result, source, weight, create_graph=True)
    return torch.autograd.grad(pulled, weight, tangent)[0]


@torch.enable_grad()
def row_by_row(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """By one pull for each cell of the result."""
    source = tensor.detach().requires_grad_()
    result = function(source)
    rows = []
    for cell in result.reshape(-1):
        (row,) = torch.autograd.grad(cell, source, retain_graph=True, allow_unused=True)
        rows.append(torch.zeros(()) if row is None else (row * tangent).sum())
    return torch.stack(rows).reshape(result.shape).detach()


def one_hot(tensor: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
    """Zeros in the shape of a tensor, with a one at `index`."""
    made = torch.zeros_like(tensor, memory_format=torch.contiguous_format)
    made[index] = 1.0
    return made


def nearby(scope: Scope, number: int) -> dict[str, Any]:
    """A scope whose decimals are a few roundings nearer to zero, by factors that depend on the tensor and on `number`.

    A rate that is a difference of large numbers may be rounded away by chance: those nearby show how far to doubt it.
    Ties within a tensor stay ties, and a probability stays one.
    """
    moved = {}
    for place, (name, value) in enumerate(scope.items()):
        roundings = 1 + (3 * place + 5 * number) % 8
        moved[name] = value * (1 - torch.finfo(value.dtype).eps * roundings) if is_decimal(value) else value
    return moved


def is_decimal(value: Any) -> bool:
    """Whether a value is a tensor of floating-point numbers."""
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def read_by(statement: Statement | Path, scope: Scope, variable: str) -> dict[str, Any]:
    """Of a scope what the statement reads, and the variable."""
    return {name: scope[name] for name in dict.fromkeys([*statement.names, variable]) if name in scope}


def moved_by(
    statement: Statement | Path, scope: Scope, variable: str, index: tuple[int, ...], dtype: torch.dtype
) -> torch.Tensor:
    """∂(the statement's tensor)/∂`variable`[index], all other names held: a tensor of the result's shape.

    `scope` holds what the statement reads, all of precision `dtype`.
    """
    source = scope[variable].contiguous()  # a stretched tensor has no room for a slope of its own in every cell

    def function(tensor: torch.Tensor) -> torch.Tensor:
        return statement.value(Evaluator({**scope, variable: tensor}))

    with torch.no_grad(), DefaultDtype(dtype):
        return pushed(function, source, one_hot(source, index))
