"""With this module a plan meets numbers: the forward lines, the backward lines it wrote, and autograd beside them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from backend.accumulate import place_of, takes_away
from backend.graph import Graph
from backend.language.errors import Refusal
from backend.language.evaluate import DefaultDtype, Evaluator
from backend.language.nested import with_tensors
from backend.lines import Line

Tensors = dict[str, torch.Tensor]


@dataclass
class Forward:
    """Values by variable, and autograd's gradients by variable (absent where no path leads to the loss)."""

    values: dict[str, Any]
    autograd: Tensors


@dataclass
class Contribution:
    """What one backward line added, the gradient after it, and the tensors its picture shows."""

    value: torch.Tensor
    accumulated: torch.Tensor
    shown: list[torch.Tensor | None] = field(default_factory=list)


def run_forward(graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> Forward:
    """Run the forward lines in torch with autograd recording, and let it work back from the loss.

    Raises Refusal where torch refuses the numbers, such as an index out of range.
    """
    scope: dict[str, Any] = dict(graph.constants)
    for node in graph.inputs:
        tensor = as_dtype(tensors[node.variable], dtype)
        scope[node.variable] = tensor.detach().requires_grad_() if node.needs else tensor
    with DefaultDtype(dtype):
        _run(graph, scope)
    wanted = [node for node in graph.named if node.needs]
    found = torch.autograd.grad(scope[graph.loss.variable], [scope[n.variable] for n in wanted], allow_unused=True)
    values = {name: with_tensors(value, torch.Tensor.detach) for name, value in scope.items()}
    return Forward(values, {n.variable: g for n, g in zip(wanted, found, strict=True) if g is not None})


def _run(graph: Graph, scope: dict[str, Any]) -> None:
    evaluator = Evaluator(scope)
    for statement in graph.statements:
        try:
            evaluator.statement(statement)
        except Refusal as refusal:
            raise refusal.locate(statement, graph.source) from None


def run_backward(
    lines: list[Line], values: Mapping[str, Any], dtype: torch.dtype, shown: Mapping[int, list[ast.expr | None]]
) -> tuple[Tensors, list[Contribution]]:
    """Run the printed backward lines; every contribution is kept beside the gradient as it stood after it.

    `shown` names, by line number, further expressions to evaluate there for the step's picture.
    """
    evaluator = Evaluator(dict(values))
    added = {line.variable for line in lines if line.mode == "+="}
    kept: list[Contribution] = []
    with torch.no_grad(), DefaultDtype(dtype):
        for number, line in enumerate(lines):
            for statement in line.statements:
                _without_place(evaluator, statement)
            gradient = evaluator.scope[line.variable]
            snapshot = gradient.clone() if line.variable in added else gradient
            value = _brought(evaluator, line) if line.mode == "+=" else snapshot
            pictures = [None if expr is None else evaluator.value(expr) for expr in shown.get(number, [])]
            kept.append(Contribution(value, snapshot, pictures))
    return {line.variable: evaluator.scope[line.variable] for line in lines}, kept


def _without_place(evaluator: Evaluator, statement: ast.stmt) -> None:
    """Run a backward statement; what fails there is nowhere in the reader's own text."""
    try:
        evaluator.statement(statement)
    except Refusal as refusal:
        refusal.where = None
        raise


def _brought(evaluator: Evaluator, line: Line) -> torch.Tensor:
    """What a line that adds has just added; zeros around it where it added to some cells only."""
    if not isinstance(place_of(line.statements[-1]), ast.Subscript):
        return -evaluator.last if takes_away(line.statements[-1]) else evaluator.last  # type: ignore[no-any-return]
    zeros = torch.zeros_like(evaluator.scope[line.variable])
    Evaluator(evaluator.scope | {line.variable: zeros}).statement(line.statements[-1])
    return zeros


def as_dtype(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A tensor of decimals in another precision; whole numbers and truth values as they are."""
    return tensor.to(dtype) if tensor.is_floating_point() else tensor
