"""With this module one chunk stands alone: a function of the tensors it reads, which torch itself differentiates.

Nothing here knows the backward rules, so that what it finds can be held against them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.autograd.forward_ad as forward_ad

from backend.graph import Graph, Node
from backend.language.errors import Refusal
from backend.language.evaluate import DefaultDtype, Evaluator
from backend.symbolic import names_in

Scope = Mapping[str, Any]
Function = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class Statement:
    """How one named tensor was made: its expression, and the statements before it that made pairs and tuples for it."""

    before: list[ast.stmt]
    expr: ast.expr

    def value(self, scope: Scope, reader: type[Evaluator] = Evaluator) -> torch.Tensor:
        """The tensor, made anew from the names in `scope`."""
        evaluator = reader(dict(scope))
        for statement in self.before:
            evaluator.statement(statement)
        return evaluator.value(self.expr)  # type: ignore[no-any-return]

    @property
    def names(self) -> list[str]:
        """The names it reads, in reading order."""
        parts = [*[part.value for part in self.before if isinstance(part, ast.Assign)], self.expr]
        found = (node.id for part in parts for node in in_order(part) if isinstance(node, ast.Name))
        return list(dict.fromkeys(found))


def statement_of(node: Node, graph: Graph) -> Statement:
    """The statement of a named tensor as it ran."""
    stored = [_stored(statement) for statement in graph.statements]
    own = next((place for place, names in enumerate(stored) if node.variable in names), 0)
    before: dict[int, ast.stmt] = {}
    pending = [(name, own) for name in names_in(node.written)]
    while pending:
        name, limit = pending.pop()
        if name not in graph.holders:
            continue
        place = max((place for place in range(limit) if name in stored[place]), default=None)
        if place is not None and place not in before:
            before[place] = graph.statements[place]
            pending += [(other, place) for other in names_in(graph.statements[place].value)]  # type: ignore[attr-defined]
    return Statement([before[place] for place in sorted(before)], node.written)


def _stored(statement: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def in_order(node: ast.AST) -> list[ast.AST]:
    """Every part of an expression, from left to right."""
    return [node, *(part for child in ast.iter_child_nodes(node) for part in in_order(child))]


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
    source = known[variable]

    def function(tensor: torch.Tensor) -> torch.Tensor:
        return statement.value(known | {variable: tensor})

    with torch.no_grad(), DefaultDtype(dtype):
        return pushed(function, source, one_hot(source, index))
