"""With this module torch itself differentiates one statement, by whichever of its modes knows how.

Nothing here knows the backward rules, so that what it finds can be held against them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.autograd.forward_ad as forward_ad

from backend.language.errors import Refusal
from backend.language.evaluate import DefaultDtype
from backend.statement import Scope, Statement

Function = Callable[[torch.Tensor], torch.Tensor]


def pushed(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """How a function's result moves when `tensor` moves along `tangent`: torch's forward mode."""
    try:
        with forward_ad.dual_level():
            result = function(forward_ad.make_dual(tensor, tangent))  # type: ignore[no-untyped-call]
            moved = forward_ad.unpack_dual(result).tangent  # type: ignore[no-untyped-call]
            return torch.zeros_like(result) if moved is None else moved.detach().clone()
    except (Refusal, NotImplementedError):  # an operation without a forward-mode formula
        return _pushed_by_two_pulls(function, tensor, tangent)


def _pushed_by_two_pulls(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """The same from reverse mode alone: a pull is linear in what is pulled, and its own slope is the push."""
    try:
        with torch.enable_grad():
            source = tensor.detach().requires_grad_()
            result = function(source)
            weight = torch.zeros_like(result, requires_grad=True)
            (pulled,) = torch.autograd.grad(result, source, weight, create_graph=True)
            return torch.autograd.grad(pulled, weight, tangent)[0]
    except RuntimeError:
        return _pushed_row_by_row(function, tensor, tangent)


def _pushed_row_by_row(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """The same where torch has neither: one pull for each cell of the result."""
    with torch.enable_grad():
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


def in_precision(scope: Scope, dtype: torch.dtype) -> dict[str, Any]:
    """A scope whose decimals are all of one precision."""
    return {name: _in_precision(value, dtype) for name, value in scope.items()}


def _in_precision(value: Any, dtype: torch.dtype) -> Any:
    return value.to(dtype) if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def moved_by(
    statement: Statement, scope: Scope, variable: str, index: tuple[int, ...], dtype: torch.dtype
) -> torch.Tensor:
    """∂(the statement's tensor)/∂`variable`[index], all other names held: a tensor of the result's shape."""
    known = in_precision({name: scope[name] for name in {*statement.names, variable} if name in scope}, dtype)
    source = known[variable].contiguous()  # a stretched tensor has no room for a slope of its own in every cell

    def function(tensor: torch.Tensor) -> torch.Tensor:
        return statement.value(known | {variable: tensor})

    with torch.no_grad(), DefaultDtype(dtype):
        return pushed(function, source, one_hot(source, index))
