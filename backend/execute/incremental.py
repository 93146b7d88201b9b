"""With this module a program runs again from the middle: one tensor is exchanged, and only what reads it runs anew."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from backend.graph import Graph
from backend.language.evaluate import DefaultDtype, Evaluator
from backend.language.nested import tensors_in, with_tensors
from backend.run import as_dtype


class Repeater(Evaluator):
    """Runs statements again and again; `.detach()` always gives what it gave first, as no derivative passes it."""

    def __init__(self, scope: dict[str, Any], held: dict[tuple[int, int], Any]) -> None:
        super().__init__(scope)
        self.held, self.number, self.count = held, 0, 0

    def repeat(self, statement: ast.stmt, number: int) -> None:
        """Run the statement of that number."""
        self.number, self.count = number, 0
        self.statement(statement)

    def operation(self, key: str, args: tuple[Any, ...], kwargs: dict[str, Any], node: ast.expr) -> Any:
        value = super().operation(key, args, kwargs, node)
        if key != ".detach":
            return value
        self.count += 1
        return self.held.setdefault((self.number, self.count), value)


@dataclass
class Moment:
    """One statement as it ran: the names it read, and what it stored under which."""

    statement: ast.stmt
    reads: frozenset[str]
    stored: dict[str, Any]


@dataclass
class Leg:
    """Part of the way from an exchanged tensor: values that stay, names that hold the tensor, a statement to run."""

    kept: dict[str, Any] = field(default_factory=dict)
    touched: list[str] = field(default_factory=list)
    statement: ast.stmt | None = None
    number: int = 0


class Replay:
    """A program as it ran once on these tensors, in this precision, every value remembered; records no gradients.

    Raises Refusal where torch refuses the numbers.
    """

    def __init__(self, graph: Graph, tensors: Mapping[str, torch.Tensor], dtype: torch.dtype) -> None:
        self.dtype = dtype
        self.held: dict[tuple[int, int], Any] = {}
        inputs = {node.variable: as_dtype(tensors[node.variable], dtype) for node in graph.inputs}
        self.start: dict[str, Any] = dict(graph.constants) | inputs
        self.scope = dict(self.start)
        evaluator = Repeater(self.scope, self.held)
        self.moments: list[Moment] = []
        with torch.no_grad(), DefaultDtype(dtype):
            for number, statement in enumerate(graph.statements):
                evaluator.repeat(statement, number)
                names = _names(statement, ast.Store)
                self.moments.append(
                    Moment(statement, _names(statement, ast.Load), {name: self.scope[name] for name in names})
                )

    def __getitem__(self, variable: str) -> torch.Tensor:
        """The tensor of that name, as it was first."""
        return self.scope[variable]  # type: ignore[no-any-return]

    def way(self, source: str, target: str) -> Way:
        """The way from one variable to another."""
        return Way(self, self[source], target)


class Way:
    """What has to run again for one variable when one tensor is exchanged: that and nothing else."""

    def __init__(self, replay: Replay, tensor: torch.Tensor, target: str) -> None:
        self.replay, self.tensor, self.target = replay, tensor, target
        self.legs = self._legs(self._runs())

    def value(self, instead: torch.Tensor) -> torch.Tensor:
        """The target's value when `instead` takes the tensor's place; raises Refusal where torch refuses that."""
        scope: dict[str, Any] = {}
        evaluator = Repeater(scope, self.replay.held)
        with DefaultDtype(self.replay.dtype):
            for leg in self.legs:
                scope.update(leg.kept)
                scope.update({name: exchanged(leg.kept[name], self.tensor, instead) for name in leg.touched})
                if leg.statement is not None:
                    evaluator.repeat(leg.statement, leg.number)
        return scope[self.target]  # type: ignore[no-any-return]

    def _runs(self) -> list[bool]:
        """For each statement whether it lies behind the tensor."""
        changed = {name for name, value in self.replay.start.items() if holds(value, self.tensor)}
        runs = []
        for moment in self.replay.moments:
            run = not changed.isdisjoint(moment.reads)
            runs.append(run)
            for name, value in moment.stored.items():
                (changed.add if run or holds(value, self.tensor) else changed.discard)(name)
        return runs

    def _legs(self, runs: list[bool]) -> list[Leg]:
        """The statements to run, and between them the values that stay, as far as the target needs them."""
        wanted, order = {self.target}, []
        for number in range(len(runs) - 1, -1, -1):
            moment = self.replay.moments[number]
            if wanted.isdisjoint(moment.stored):
                continue
            order.append(number)
            wanted -= set(moment.stored)
            wanted |= moment.reads if runs[number] else set()
        legs = [Leg({name: value for name, value in self.replay.start.items() if name in wanted})]
        for number in reversed(order):
            moment = self.replay.moments[number]
            if runs[number]:
                legs[-1].statement, legs[-1].number = moment.statement, number
                legs.append(Leg())
            else:
                legs[-1].kept |= moment.stored
        for leg in legs:
            leg.touched = [name for name, value in leg.kept.items() if holds(value, self.tensor)]
        return legs


def holds(value: Any, tensor: torch.Tensor) -> bool:
    """Whether a value is that very tensor, or has it inside."""
    return any(part is tensor for part in tensors_in(value))


def exchanged(value: Any, tensor: torch.Tensor, instead: torch.Tensor) -> Any:
    """The value with another tensor in the place of one."""
    return with_tensors(value, lambda part: instead if part is tensor else part)


def _names(statement: ast.stmt, context: type[ast.expr_context]) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, context))
