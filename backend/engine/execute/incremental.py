"""Incremental re-execution: replaces one tensor and reruns only the statements that depend on it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from backend.engine.execute.run import as_dtype
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.pytree import as_tensor, tensors_in, with_tensors
from backend.engine.language.tree import loaded_in, stored_in
from backend.engine.language.values import Args, Values
from backend.engine.ops.base import keys_of
from backend.engine.trace.graph import Graph

DETACHING = keys_of(lambda op: op.detaches)


class Repeater(Evaluator):
    """Reruns statements; `.detach()` always returns its first result, because no derivative passes it."""

    def __init__(self, scope: Values, held: dict[tuple[int, int], Any]) -> None:
        super().__init__(scope)
        self.held, self.number, self.count = held, 0, 0

    def repeat(self, statement: ast.stmt, number: int) -> None:
        """Run the statement with this number."""
        self.number, self.count = number, 0
        self.statement(statement)

    def operation(self, key: str, args: Args, kwargs: Values, node: ast.expr) -> Any:
        value = super().operation(key, args, kwargs, node)
        if key not in DETACHING:
            return value
        self.count += 1
        return self.held.setdefault((self.number, self.count), value)


@dataclass
class Recorded:
    """One statement of the recording: the names it read, and the values it stored by name."""

    statement: ast.stmt
    reads: frozenset[str]
    stored: Values


@dataclass
class Segment:
    """A segment of the rerun: cached values, names bound to the replaced tensor, and the statement to run (or None)."""

    kept: Values = field(default_factory=dict)
    touched: list[str] = field(default_factory=list)
    statement: ast.stmt | None = None
    number: int = 0


class Recording:
    """A recording of one run of a program in one precision, with every value cached; no gradients are recorded.

    Raises Refusal where torch refuses the values.
    """

    def __init__(self, graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> None:
        self.dtype = dtype
        self.held: dict[tuple[int, int], Any] = {}
        inputs = {node.variable: as_dtype(tensors[node.variable], dtype) for node in graph.inputs}
        self.start: Values = dict(graph.constants) | inputs
        self.scope = dict(self.start)
        evaluator = Repeater(self.scope, self.held)
        self.moments: list[Recorded] = []
        with torch.no_grad(), DefaultDtype(dtype):
            for number, statement in enumerate(graph.statements):
                evaluator.repeat(statement, number)
                names = stored_in(statement)
                self.moments.append(
                    Recorded(statement, frozenset(loaded_in(statement)), {name: self.scope[name] for name in names})
                )

    def __getitem__(self, variable: str) -> torch.Tensor:
        """The recorded tensor of that name."""
        return as_tensor(self.scope[variable])

    def way(self, source: str, target: str) -> Rerun:
        """The rerun from one variable to another."""
        return Rerun(self, self[source], target)


class Rerun:
    """The rerun of exactly the statements that a variable depends on through one replaced tensor."""

    def __init__(self, replay: Recording, tensor: torch.Tensor, target: str) -> None:
        self.replay, self.tensor, self.target = replay, tensor, target
        self.legs = self._legs(self._runs())

    def value(self, instead: torch.Tensor) -> torch.Tensor:
        """The target's value with `instead` in place of the tensor; raises Refusal where torch refuses that."""
        scope: Values = {}
        evaluator = Repeater(scope, self.replay.held)
        with DefaultDtype(self.replay.dtype):
            for leg in self.legs:
                scope.update(leg.kept)
                scope.update({name: exchanged(leg.kept[name], self.tensor, instead) for name in leg.touched})
                if leg.statement is not None:
                    evaluator.repeat(leg.statement, leg.number)
        return as_tensor(scope[self.target])

    def _runs(self) -> list[bool]:
        """For each statement whether it depends on the tensor."""
        changed = {name for name, value in self.replay.start.items() if holds(value, self.tensor)}
        runs = []
        for moment in self.replay.moments:
            run = not changed.isdisjoint(moment.reads)
            runs.append(run)
            for name, value in moment.stored.items():
                (changed.add if run or holds(value, self.tensor) else changed.discard)(name)
        return runs

    def _legs(self, runs: list[bool]) -> list[Segment]:
        """The segments of the rerun, without statements and values that the target doesn't need."""
        wanted, order = {self.target}, []
        for number in range(len(runs) - 1, -1, -1):
            moment = self.replay.moments[number]
            if wanted.isdisjoint(moment.stored):
                continue
            order.append(number)
            wanted -= set(moment.stored)
            wanted |= moment.reads if runs[number] else set()
        legs = [Segment({name: value for name, value in self.replay.start.items() if name in wanted})]
        for number in reversed(order):
            moment = self.replay.moments[number]
            if runs[number]:
                legs[-1].statement, legs[-1].number = moment.statement, number
                legs.append(Segment())
            else:
                legs[-1].kept |= moment.stored
        for leg in legs:
            leg.touched = [name for name, value in leg.kept.items() if holds(value, self.tensor)]
        return legs


def holds(value: Any, tensor: torch.Tensor) -> bool:
    """Whether a value is this tensor object or contains it."""
    return any(part is tensor for part in tensors_in(value))


def exchanged(value: Any, tensor: torch.Tensor, instead: torch.Tensor) -> Any:
    """The value with `instead` in place of `tensor`."""
    return with_tensors(value, lambda part: instead if part is tensor else part)
