"""The lines that a run of the engine leaves behind, in the names of its program: as the walk prints its own."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy

from backend.course.own_engine.tape import Outcome, Received
from backend.engine.language.unparse import printed
from backend.lowering.values import Instance, Tensor
from backend.lowering.written import Row


def backward_lines(outcome: Outcome) -> list[str]:
    """The lines of the backward pass in their order: `dx = …` where a gradient comes first, then `dx += …`."""
    naming = _Naming(outcome)
    events = sorted(outcome.received, key=lambda one: one.rows)
    lines = list[str]()
    for row in naming.rows:
        while events and events[0].rows <= row.number:
            lines += naming.passed_on(events.pop(0))
        lines += naming.written(row)
    return lines + [line for one in events for line in naming.passed_on(one)]


class _Naming(ast.NodeTransformer):
    """What each variable of a run is called: a tensor as in the program, a gradient after its tensor.

    `first` names each gradient's variable, `before` is the variable of the same gradient until then. What is used in a
    single line is written there.
    """

    def __init__(self, outcome: Outcome) -> None:
        self.shown = {_data_of(one): name for name, one in outcome.named.items()}
        self.first, self.before = dict[str, str](), dict[str, str]()
        self.times = Counter(map(self.gradient, outcome.received))
        latest = dict[str, str]()
        for one in outcome.received:
            name = self.gradient(one)
            self.first.setdefault(one.variable, name)
            self.before.setdefault(one.variable, latest.get(name, ""))
            latest[name] = one.variable
        data = {*self.shown, *(_data_of(one.by) for one in outcome.received)}
        self.rows = [row for row in outcome.rows if row.names[0] not in data]
        read = Counter(node.id for row in self.rows for node in ast.walk(row.value) if isinstance(node, ast.Name))
        once = {row.names[0]: row.value for row in self.rows if read[row.names[0]] == 1}
        self.inlined = {variable: value for variable, value in once.items() if variable not in self.first}

    def gradient(self, one: Received) -> str:
        own = _data_of(one.by)
        return f"d{self.shown.get(own, own)}"

    def passed_on(self, one: Received) -> Iterator[str]:
        """The line by which a gradient is another one, unless it is its own; what is added to later is a copy."""
        name, other = self.gradient(one), self.first[one.variable]
        if name != other:
            yield f"{name} = {other}.clone()" if self.times[name] > 1 else f"{name} = {other}"

    def written(self, row: Row) -> Iterator[str]:
        """A line of the run, unless it is written within another one."""
        variable, value = row.names[0], row.value
        if variable in self.inlined:
            return
        name, sign = self.first.get(variable, variable), "="
        match value:
            case ast.BinOp(ast.Name(left), ast.Add(), right) if left == self.before.get(variable):
                value, sign = right, "+="
        yield f"{name} {sign} {printed(self.visit(deepcopy(value)))}"

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.inlined:
            made: ast.expr = self.visit(deepcopy(self.inlined[node.id]))
            return made
        name = self.shown.get(node.id) or self.first.get(node.id)
        return ast.Name(name, ast.Load()) if name else node


def _data_of(one: Instance) -> str:
    """The variable that an object's numbers have among the lines."""
    held = one.attributes.get("data")
    return str(held.variable) if isinstance(held, Tensor) else ""
