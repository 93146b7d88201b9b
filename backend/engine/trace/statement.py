"""The statement of one named tensor as a function of the tensors it reads (a slice of the program)."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from backend.engine.interpret.evaluate import Evaluator
from backend.engine.language.tree import in_order, names_in, stored_in
from backend.engine.language.values import Pair, Scope, Values
from backend.engine.trace.graph import Graph, Node


@dataclass(frozen=True)
class Statement:
    """The computation of one named tensor: its expression, after the statements that made the tuples it reads.

    `named` holds, for each of those pairs and tuples, the variables of its parts, None for unnamed ones.
    """

    before: list[ast.Assign]
    expr: ast.expr
    named: Values = field(default_factory=dict)

    def value(self, evaluator: Evaluator) -> torch.Tensor:
        """The tensor recomputed from the evaluator's scope."""
        scope = dict(evaluator.scope)
        for statement in self.before:
            evaluator.statement(statement)
            for name in set(stored_in(statement)) & set(self.named):
                evaluator.scope[name] = _with_named(evaluator.scope[name], self.named[name], scope)
        return evaluator.tensor(self.expr)

    @property
    def names(self) -> list[str]:
        """The names it reads, in the order of the text."""
        parts = [*[statement.value for statement in self.before], self.expr]
        found = [node.id for part in parts for node in in_order(part) if isinstance(node, ast.Name)]
        return list(dict.fromkeys([*found, *_names(list(self.named.values()))]))


def statement_of(node: Node, graph: Graph) -> Statement:
    """The statement that computed a named tensor, with the tuples it reads."""
    pending = [(name, node.variable) for name in names_in(node.written) & set(graph.holders)]
    if not pending:
        return Statement([], node.written)
    made = [(stored_in(statement), statement) for statement in graph.statements if isinstance(statement, ast.Assign)]
    before: dict[int, ast.Assign] = {}
    # The last one: the name may have been an empty list's before, as in `rows = torch.stack(rows)`.
    limits = {node.variable: max((place for place, (names, _) in enumerate(made) if node.variable in names), default=0)}
    while pending:
        name, reader = pending.pop()
        place = max((place for place in range(limits[reader]) if name in made[place][0]), default=None)
        if place is not None and place not in before:
            before[place] = made[place][1]
            limits[name] = place
            pending += [(other, name) for other in names_in(made[place][1].value) & set(graph.holders)]
    labels = {id(other.meta): other.variable for other in graph.named}
    named = {name: _labelled(graph.holders[name], labels) for name in limits if name in graph.holders}
    return Statement([before[place] for place in sorted(before)], node.written, named)


def _labelled(holder: Any, labels: Mapping[int, str]) -> Any:
    """The structure of a pair or tuple with its parts' variables; None for a part without one."""
    if isinstance(holder, Pair):
        return Pair(labels.get(id(holder.values)), None)
    return [_labelled(part, labels) for part in holder] if isinstance(holder, tuple | list) else labels.get(id(holder))


def _with_named(value: Any, named: Any, scope: Scope) -> Any:
    if isinstance(value, Pair) and isinstance(named, Pair):
        return Pair(_with_named(value.values, named.values, scope), value.indices)
    if isinstance(value, tuple | list) and isinstance(named, list):
        return type(value)(_with_named(part, name, scope) for part, name in zip(value, named, strict=True))
    return scope[named] if isinstance(named, str) and isinstance(value, torch.Tensor) else value


def _names(named: Any) -> list[str]:
    if isinstance(named, Pair):
        return _names(named.values)
    return [name for part in named for name in _names(part)] if isinstance(named, list) else [named] if named else []
