"""Jacobian-vector products of one statement, by forward mode, by double backward, or row by row.

Everything is torch's own: no backward rule is used, so that the result is an independent check of the rules.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.autograd.forward_ad as forward_ad

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import as_tensor, is_decimal
from backend.engine.language.values import Scope, Values
from backend.engine.trace.statement import Statement
from backend.inspect.path_function import PathFunction

Function = Callable[[torch.Tensor], torch.Tensor]
# torch gives these no types.
_dual: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = forward_ad.make_dual
_parts: Callable[[torch.Tensor], forward_ad.UnpackedDualTensor] = forward_ad.unpack_dual
# How many perturbed points a derivative is recomputed at.
NEARBY = 4
# So many derivatives that are no number are looked into.
MOST_STRAYS = 256


def jvp(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """The JVP of `function` at `tensor` along `tangent`, of the result's shape, in the first mode that works."""
    for mode in (forward, jvp_by_double_vjp):
        try:
            return mode(function, tensor, tangent)
        except (Refusal, RuntimeError):  # an operation without a formula for that
            continue
    return row_by_row(function, tensor, tangent)


def forward(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """JVP by forward mode; raises Refusal or RuntimeError where torch has no formula."""
    with forward_ad.dual_level():
        result = function(_dual(tensor, tangent))
        moved = _parts(result).tangent
        return torch.zeros_like(result) if moved is None else moved.detach().clone()


@torch.enable_grad()
def jvp_by_double_vjp(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """JVP by double backward: the VJP is linear in its cotangent, and its derivative by the cotangent is the JVP.

    Raises RuntimeError where torch can't differentiate its own backward pass.
    """
    source = tensor.detach().requires_grad_()
    result = function(source)
    weight = torch.zeros_like(result, requires_grad=True)
    (pulled,) = torch.autograd.grad(result, source, weight, create_graph=True)
    return torch.autograd.grad(pulled, weight, tangent)[0]


@torch.enable_grad()
def row_by_row(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """JVP row by row: one VJP for each cell of the result."""
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


def perturbed(scope: Scope, number: int) -> Values:
    """The scope with each float tensor scaled by 1 - k·eps, k in 1 … 8, to estimate rounding errors.

    A derivative that is a difference of large numbers may be rounded away by chance; its spread over perturbed points
    bounds the error. k depends on the tensor's place in the scope and on `number`. One factor for a whole tensor keeps
    ties, and keeps probabilities at most 1.
    """
    moved = {}
    for place, (name, value) in enumerate(scope.items()):
        roundings = 1 + (3 * place + 5 * number) % 8
        moved[name] = value * (1 - torch.finfo(value.dtype).eps * roundings) if is_decimal(value) else value
    return moved


def read_by(statement: Statement | PathFunction, scope: Scope, variable: str) -> Values:
    """The part of the scope that the statement reads, with `variable`."""
    return {name: scope[name] for name in dict.fromkeys([*statement.names, variable]) if name in scope}


def jacobian_column(
    statement: Statement | PathFunction, scope: Scope, variable: str, index: tuple[int, ...], dtype: torch.dtype
) -> torch.Tensor:
    """One Jacobian column, ∂(the statement's tensor)/∂`variable`[index], of the result's shape; all else is constant.

    `scope` holds the tensors that the statement reads, all of precision `dtype`.
    """
    # A stretched tensor has no room for a slope of its own in every cell.
    source = as_tensor(scope[variable]).contiguous()
    function = function_of(statement, scope, variable)

    with torch.no_grad(), DefaultDtype(dtype):
        return sound_jvp(function, source, one_hot(source, index))


def sound_jvp(function: Function, tensor: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    """The JVP, where a cell that nothing moves has none, whatever infinite slope is multiplied by that nothing."""
    moving = tangent != 0

    def moved_by_it(cells: torch.Tensor) -> bool:
        return bool((_pulled(function, tensor, cells)[moving] != 0).any())

    return without_strays(jvp(function, tensor, tangent), moved_by_it)


def without_strays(slopes: torch.Tensor, depends: Callable[[torch.Tensor], bool]) -> torch.Tensor:
    """Slopes with zero where NaN is 0 · ∞: one mode of differentiation makes it of a cell that isn't read at all.

    `depends` asks the other mode whether any of these cells, ones in zeros, has to do with the one that is nudged.
    """
    strays = slopes.isnan().reshape(-1).nonzero().reshape(-1)
    if not 0 < len(strays) <= MOST_STRAYS:
        return slopes
    cleared, pending = slopes.clone(memory_format=torch.contiguous_format), [strays]
    while pending:
        places = pending.pop()
        cells = torch.zeros(slopes.numel(), dtype=slopes.dtype)
        cells[places] = 1.0
        if not depends(cells.reshape(slopes.shape)):
            cleared.view(-1)[places] = 0.0
        elif len(places) > 1:
            pending += places.chunk(2)
    return cleared


@torch.enable_grad()
def _pulled(function: Function, tensor: torch.Tensor, cotangent: torch.Tensor) -> torch.Tensor:
    """The VJP of `function` at `tensor`; zeros where the result doesn't depend on it."""
    source = tensor.detach().requires_grad_()
    result = function(source)
    (pulled,) = torch.autograd.grad(result, source, cotangent, allow_unused=True) if result.requires_grad else (None,)
    return torch.zeros_like(tensor) if pulled is None else pulled


def function_of(statement: Statement | PathFunction, scope: Scope, variable: str) -> Function:
    """A statement as a function of one of the tensors that it reads."""
    return lambda tensor: statement.value(Evaluator({**scope, variable: tensor}))
