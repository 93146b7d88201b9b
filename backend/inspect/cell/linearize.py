"""Linearization of one cell of a statement: which inputs it is linear in, with their coefficients."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import torch

from backend.engine.execute.run import as_dtype
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.pytree import tensors_in, with_tensors
from backend.engine.language.values import Args, Scope, Values
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import keys_of
from backend.engine.trace.statement import Statement
from backend.inspect.cell.terms import Terms, terms_of, total
from backend.inspect.jvp import jvp, without_strays

NUDGE, CLOSE = 1e-5, 1e-12
MOST_TRIED = 2_000
DETACHING = keys_of(lambda op: op.detaches)
OF_PRECISION = keys_of(lambda op: op.of_precision)
# Operations that read a tensor by which torch has no derivative, such as the class weights of a loss.
HOLDING = keys_of(lambda op: bool(op.others))
Index = tuple[int, ...]


class Reader(Evaluator):
    """Evaluates lines and records every intermediate tensor; `.detach()` is ignored, so that it hides no dependence.

    `dtype` is the walk's precision, which `torch.finfo` in a line refers to.
    """

    def __init__(self, scope: Values, dtype: torch.dtype) -> None:
        super().__init__(scope)
        self.dtype = dtype
        self.made: list[torch.Tensor] = []

    def operation(self, key: str, args: Args, kwargs: Values, node: ast.expr) -> Any:
        if key in DETACHING:
            return args[0]
        if key in HOLDING:
            args, kwargs = _held(key, args, kwargs)
        result = super().operation(key, (self.dtype,) if key in OF_PRECISION else args, kwargs, node)
        self.made += [tensor for tensor in tensors_in(result) if tensor.requires_grad]
        return result


def _held(key: str, args: Args, kwargs: Values) -> tuple[Args, Values]:
    """The arguments of a call, those cut loose by which torch has no derivative."""
    for op, signature in REGISTRY[key]:
        bound = signature.bind(args, kwargs) or {}
        held = [bound[name] for name in op.others if isinstance(bound.get(name), torch.Tensor)]
        if held:
            loose = {id(one): one.detach() for one in held}
            kept = {name: loose.get(id(value), value) for name, value in kwargs.items()}
            return tuple(loose.get(id(value), value) for value in args), kept
    return args, kwargs


@dataclass
class Reading:
    """The linearization of one cell of a chunk, in float64: its value, and the terms of each floating-point input.

    `sizes` is the sum of |∂value/∂t · t| over all intermediates t: the scale of the rounding error. `summed` are the
    inputs that the value is a weighted sum of, coefficient times cell; empty if it isn't linear in any.
    """

    value: float
    sizes: float
    terms: dict[str, Terms]
    summed: list[str]

    @property
    def taken(self) -> list[str]:
        """The inputs whose cells are the terms: those the value is linear in, else all it reads."""
        return self.summed or list(self.terms)


class CellFunction:
    """One cell of a statement's result as a function of the statement's inputs, in float64."""

    def __init__(self, statement: Statement, scope: Scope, index: Index, dtype: torch.dtype) -> None:
        self.statement, self.index, self.dtype = statement, index, dtype
        self.scope = _in_precision({name: scope[name] for name in statement.names if name in scope}, torch.float64)
        tensors = {name: value for name, value in self.scope.items() if isinstance(value, torch.Tensor)}
        self.inputs = {name: value for name, value in tensors.items() if value.is_floating_point()}

    def at(self, inputs: Scope, made: list[torch.Tensor] | None = None) -> torch.Tensor:
        """The cell's value for these inputs; every intermediate tensor is appended to `made`."""
        reader = Reader({**self.scope, **inputs}, self.dtype)
        with DefaultDtype(torch.float64):
            cell = self.statement.value(reader)[self.index]
        if made is not None:
            made += reader.made
        return cell

    def slopes(self) -> tuple[float, dict[str, torch.Tensor], float]:
        """The cell's value, its gradient by every input, and `sizes`, from one backward pass."""
        made: list[torch.Tensor] = []
        leaves = {name: value.detach().requires_grad_() for name, value in self.inputs.items()}
        with torch.enable_grad():
            cell = self.at(leaves, made)
        ways = [*leaves.values(), *made]
        found = torch.autograd.grad(cell, ways, allow_unused=True) if cell.requires_grad else [None] * len(ways)
        slopes = [torch.zeros_like(way) if slope is None else slope for way, slope in zip(ways, found, strict=True)]
        sizes = sum(
            float((slope * way.detach()).abs().nan_to_num(0.0, 0.0).sum())
            for slope, way in zip(slopes, ways, strict=True)
        )
        known = {name: self._known(name, slope) for name, slope in zip(leaves, slopes, strict=False)}
        return float(cell.detach()), known, sizes

    def _known(self, name: str, slope: torch.Tensor) -> torch.Tensor:
        """The slope in one input, with zero where NaN is only 0 · ∞."""

        def depends(cells: torch.Tensor) -> bool:
            with torch.no_grad():
                return bool(jvp(lambda tensor: self.at({name: tensor}), self.inputs[name], cells) != 0)

        return without_strays(slope, depends)


def reading(statement: Statement, scope: Scope, index: Index, labels: dict[str, str], dtype: torch.dtype) -> Reading:
    """Linearize one cell of a statement's result; `dtype` is the walk's precision, `labels` are names by variable."""
    chunk = CellFunction(statement, scope, index, dtype)
    value, slopes, sizes = chunk.slopes()
    terms = {name: terms_of(labels.get(name, name), slopes[name], tensor) for name, tensor in chunk.inputs.items()}
    return Reading(value, sizes, terms, _summed(chunk, value, slopes, terms))


def _in_precision(scope: Scope, dtype: torch.dtype) -> Values:
    """The scope with all float tensors in one precision."""
    return {name: with_tensors(value, lambda tensor: as_dtype(tensor, dtype)) for name, value in scope.items()}


def _summed(chunk: CellFunction, value: float, slopes: dict[str, torch.Tensor], terms: dict[str, Terms]) -> list[str]:
    """The largest set of inputs in which the cell is jointly linear; of several, the first in reading order.

    What it doesn't read, such as the other tensors of a stack, belongs to each: tried one by one there are too many.
    """
    sums = {name: total(one.products) for name, one in terms.items()}
    size = sum(float(one.products.abs().sum()) for one in terms.values()) + abs(value)
    read = [name for name, one in terms.items() if len(one.places)]
    for names in _choices(read) if read else (tuple(terms),):
        if abs(sum(sums[name] for name in names) - value) <= CLOSE * size and _is_linear(chunk, names, slopes):
            return [name for name in terms if name in names or name not in read]
    return []


def _choices(names: list[str]) -> Iterator[tuple[str, ...]]:
    tried = 0
    for count in range(len(names), 0, -1):
        for chosen in combinations(names, count):
            yield chosen
            tried += 1
            if tried == MOST_TRIED:
                return


def _is_linear(chunk: CellFunction, names: tuple[str, ...], slopes: dict[str, torch.Tensor]) -> bool:
    """Whether the linearization stays exact when these inputs are perturbed; equal cells stay equal."""
    nudged = {name: _nudged(chunk.inputs[name]) for name in names}
    with torch.no_grad():
        moved = float(chunk.at(nudged))
    parts = [slopes[name] * nudged[name] for name in names]
    size = sum(float(part.abs().sum()) for part in parts)
    return abs(sum(float(part.sum()) for part in parts) - moved) <= CLOSE * size


def _nudged(tensor: torch.Tensor) -> torch.Tensor:
    size = tensor.abs().max() if tensor.numel() else 1.0
    return tensor + NUDGE * size * torch.sin(1000.0 * tensor / size) if size else tensor
