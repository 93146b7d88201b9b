"""Runs a plan on tensors: the forward lines with autograd recording, then the printed backward lines."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.planted import Losses, Planted, PlantedLine, run_planted
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.interpret.tape import Tapes
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard, wants_memory
from backend.engine.language.pytree import as_tensor, with_tensors
from backend.engine.language.tree import loaded_in
from backend.engine.language.values import Scope, Values
from backend.engine.trace.graph import Graph

Tensors = dict[str, torch.Tensor]


@dataclass
class Forward:
    """The forward pass: values, and autograd's gradients, by variable (absent if no path leads to the loss)."""

    values: Values
    autograd: Tensors

    @cached_property
    def tensors(self) -> Tensors:
        """Those of the values that are tensors."""
        return {name: value for name, value in self.values.items() if isinstance(value, torch.Tensor)}


@dataclass
class Contribution:
    """One backward line's contribution, and the gradient after it.

    Behind a planted line `lost` says why there are no numbers, and all cells are NaN.
    """

    value: torch.Tensor
    accumulated: torch.Tensor
    lost: str = ""


@dataclass
class Backward:
    """The backward lines as they were run: what each of them brought, and every name as it was in the end."""

    lines: list[Line]
    forward: Scope
    scope: Scope
    contributions: list[Contribution]
    dtype: torch.dtype
    planted: Planted | None = None

    @cached_property
    def gradients(self) -> Tensors:
        """The gradients in the end, by their variables."""
        return {line.variable: as_tensor(self.scope[line.variable]) for line in self.lines}

    def values_after(self, number: int, expressions: Sequence[ast.expr | None]) -> list[Any]:
        """What expressions give right after a line has run; raises Refusal where torch refuses."""
        evaluator = Evaluator(self.scope_after(number))
        with torch.no_grad(), DefaultDtype(self.dtype):
            return [None if expr is None else evaluator.value(expr) for expr in expressions]

    def scope_after(self, number: int) -> Values:
        """Every name's value right after a line has run: a gradient holds what had come to it by then."""
        before_planted = self.planted is None or number < self.planted.number
        scope = {**self.scope, **(self.forward if before_planted else {})}
        for line in self.lines:
            scope.pop(line.variable, None)
        for line, kept in zip(self.lines[: number + 1], self.contributions, strict=False):
            scope[line.variable] = kept.accumulated
        return scope


def run_forward(graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> Forward:
    """Run the forward lines with autograd recording, then autograd's backward pass from the loss.

    Raises Refusal where torch refuses the values, such as an index out of range.
    """
    scope, autograd = recorded(graph, tensors, dtype)
    once: dict[int, torch.Tensor] = {}  # a list that grew holds what the lists before it hold

    def detached(tensor: torch.Tensor) -> torch.Tensor:
        if id(tensor) not in once:
            once[id(tensor)] = tensor.detach()
        return once[id(tensor)]

    values = {name: with_tensors(value, detached) for name, value in scope.items()}
    return Forward(values, autograd)


def recorded(graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> tuple[Values, Tensors]:
    """All values, as autograd has recorded them, and its gradients, by variable; raises as `run_forward` does."""
    scope: Values = dict(graph.constants)
    for node in graph.inputs:
        tensor = as_dtype(tensors[node.variable], dtype)
        scope[node.variable] = tensor.detach().requires_grad_() if node.needs else tensor
    with DefaultDtype(dtype):
        scope = _run(graph, scope, dtype)
    return scope, _gradients_of(graph, scope)


def loss_of(graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> float:
    """The loss alone, without recording; raises Refusal where torch refuses the values."""
    return float(as_tensor(values_of(graph, tensors, dtype)[graph.loss.variable]))


def values_of(graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> Values:
    """All values, without recording; raises Refusal where torch refuses them."""
    scope = dict(graph.constants) | {node.variable: as_dtype(tensors[node.variable], dtype) for node in graph.inputs}
    with torch.no_grad(), DefaultDtype(dtype):
        return _run(graph, scope, dtype)


def _gradients_of(graph: Graph, scope: Values) -> Tensors:
    """Autograd's gradients of a recorded forward pass, by variable."""
    wanted = [node for node in graph.named if node.needs]
    found = _autograd(as_tensor(scope[graph.loss.variable]), [as_tensor(scope[node.variable]) for node in wanted])
    return {node.variable: _with_cells(each) for node, each in zip(wanted, found, strict=True) if each is not None}


def _with_cells(gradient: torch.Tensor) -> torch.Tensor:
    """A gradient that has cells: for one that is zero everywhere autograd may return a tensor without any in memory."""
    return gradient.clone() if gradient._is_zerotensor() else dense(gradient)


def dense(gradient: torch.Tensor) -> torch.Tensor:
    """A gradient with all its cells: an embedding may give those of the rows that were looked up."""
    return gradient.to_dense() if gradient.is_sparse else gradient


def _autograd(loss: torch.Tensor, wanted: list[torch.Tensor]) -> tuple[torch.Tensor | None, ...]:
    """Autograd's gradients; raises Refusal where torch has no derivative for an operation."""
    try:
        return torch.autograd.grad(loss, wanted, allow_unused=True)
    except RuntimeError as error:
        if wants_memory(error):
            raise
        raise Refusal("no-way-back") from None


def _run(graph: Graph, scope: Values, dtype: torch.dtype) -> Values:
    """Every name's value once the statements have run: from their tape where there is one."""
    if (made := graph.tapes.run(scope, dtype)) is not None:
        return scope | made[0]
    evaluator = graph.tapes.evaluator(dict(scope), lambda: scope, dtype)
    for statement in graph.statements:
        try:
            with guard(statement):
                evaluator.statement(statement)
        except Refusal as refusal:
            raise refusal.locate(statement, graph.source) from None
    graph.tapes.keep(evaluator, scope, (), dtype)
    return evaluator.scope


def run_backward(
    lines: list[Line], values: Scope, dtype: torch.dtype, planted: Planted | None = None, tapes: Tapes | None = None
) -> Backward:
    """Run the printed backward lines, from their tape where `tapes` has one.

    Raises Refusal where a line fails; behind a `planted` one, its gradient and those that need it are NaN instead, and
    the contribution says why.
    """
    if tapes is None or planted is not None:
        return _lines_run(lines, values, dtype, planted, Evaluator(dict(values)))
    with torch.no_grad(), DefaultDtype(dtype):
        found = tapes.run(values, dtype)
    if found is not None:
        made, brought = found
        kept = list(map(Contribution, brought[::2], brought[1::2]))
        return Backward(lines, values, {**values, **made}, kept, dtype)
    evaluator = tapes.evaluator(dict(values), lambda: _read_by(lines), dtype)
    backward = _lines_run(lines, values, dtype, None, evaluator)
    tapes.keep(
        evaluator, values, (one for kept in backward.contributions for one in (kept.value, kept.accumulated)), dtype
    )
    return backward


def _read_by(lines: list[Line]) -> Iterable[str]:
    """The names that lines read, each once."""
    return dict.fromkeys(name for line in lines for name in loaded_in(*line.statements))


def _lines_run(
    lines: list[Line], values: Scope, dtype: torch.dtype, planted: Planted | None, evaluator: Evaluator
) -> Backward:
    summed = {line.variable: number for number, line in enumerate(lines) if line.mode == "+="}
    losses = Losses(planted)
    kept: list[Contribution] = []
    with torch.no_grad(), DefaultDtype(dtype):
        for number, line in enumerate(lines):
            try:
                losses.check(number, line)
                made = _contribution(evaluator, line, number < summed.get(line.variable, 0))
            except Refusal as refusal:
                if planted is None or number < planted.number:
                    raise
                losses.lose(line)
                evaluator.scope[line.variable] = missing = torch.full(line.target.shape, torch.nan, dtype=dtype)
                made = Contribution(missing, missing, lost=refusal.message)
            kept.append(made)
    return Backward(lines, values, evaluator.scope, kept, dtype, planted)


def _contribution(evaluator: Evaluator, line: Line, added: bool) -> Contribution:
    """What one backward line computes; a copy of it where a later line is still `added` to the same tensor in place."""
    if isinstance(line, PlantedLine):
        value, gradient = run_planted(evaluator, line)
    else:
        for statement in line.statements:
            _without_place(evaluator, statement)
        gradient = as_tensor(evaluator.scope[line.variable])
        value = _brought(evaluator, line) if line.mode == "+=" else gradient
    snapshot = evaluator.applied(torch.Tensor.clone, (gradient,), {}) if added else gradient
    return Contribution(snapshot if value is gradient else value, snapshot)


def _without_place(evaluator: Evaluator, statement: ast.stmt) -> None:
    """Run a backward statement; a refusal there points at no place in the program's text."""
    try:
        evaluator.statement(statement)
    except Refusal as refusal:
        refusal.where = None
        raise


def _brought(evaluator: Evaluator, line: Line) -> torch.Tensor:
    """What a `+=` or `-=` line has just added, in the gradient's shape: 0 in cells that it doesn't write to."""
    if not line.is_partial:
        added: torch.Tensor = evaluator.last
        return as_tensor(evaluator.applied(operator.neg, (added,), {})) if line.takes_away else added
    assert isinstance(line.last, ast.AugAssign)
    gradient, scope = evaluator.scope[line.variable], evaluator.scope
    scope[line.variable] = zeros = as_tensor(evaluator.applied(torch.zeros_like, (gradient,), {}))
    evaluator.add(line.last, evaluator.last)
    scope[line.variable] = gradient
    return zeros


def as_dtype(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A floating-point tensor in another precision; integers and booleans as they are."""
    return tensor.to(dtype) if tensor.is_floating_point() else tensor
