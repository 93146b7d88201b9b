"""The backward rules of a graph's operations where they stand, each filled in and looked through once for all uses."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cached_property

from backend.engine.language.expression import expression
from backend.engine.language.rewrite import filled
from backend.engine.language.tree import loaded_in, names_in, nodes_in
from backend.engine.ops.base import Call
from backend.engine.trace.graph import Graph, Node


class Rule:
    """A rule for one input with its derived words filled in; the operation's own words still stand for its tensors."""

    def __init__(self, expr: ast.expr) -> None:
        self.expr = expr

    @cached_property
    def names(self) -> set[str]:
        """The words that it reads."""
        return names_in(self.expr)

    @cached_property
    def asks_for_shapes(self) -> bool:
        """Whether some tensor's shape stands in it."""
        return any(isinstance(part, ast.Attribute) and part.attr == "shape" for part in nodes_in(self.expr))

    @cached_property
    def _compared(self) -> list[set[str]]:
        return [names_in(part) for part in nodes_in(self.expr) if isinstance(part, ast.Compare)]

    def compares(self, name: str) -> bool:
        """Whether it asks which cells of an input equal the result."""
        return any({name, "out"} <= names for names in self._compared)


class Rules:
    """The rules of one graph; `exact` prefers their bit-exact variants."""

    def __init__(self, graph: Graph, exact: bool) -> None:
        self.exact, self.at_poles = exact, _read_at_poles(graph)
        self.filled: dict[tuple[object, ...], Rule] = {}
        self.reads: dict[ast.expr, int] = {}

    def of(self, node: Node, name: str, derived: Mapping[str, ast.expr]) -> Rule:
        """The rule for one input of an operation, with its derived words."""
        bare = self.bare(node, name)
        key = (bare, *derived.items())
        if key not in self.filled:
            self.filled[key] = Rule(filled(bare, derived))
        return self.filled[key]

    def bare(self, node: Node, name: str) -> ast.expr:
        """The rule for one input of an operation where it stands."""
        assert node.op is not None
        return node.op.rule(name, self.exact, node in self.at_poles and node.op.cuts_at_zero(node.call))

    def derived(self, node: Node, name: str, named: frozenset[tuple[str, int]] = frozenset()) -> dict[str, ast.expr]:
        """The further words of the rule for one input, some of them with axes whose length is `named`."""
        assert node.op is not None
        call = Call(node.call.shapes, node.call.parameters, node.call.out, name, named)
        return {key: expression(text) for key, text in node.op.derive(call).items() if text}

    def reads_upstream(self, node: Node, name: str) -> int:
        """How many times the rule for one input reads the upstream gradient."""
        return max(map(self._reads, [self.bare(node, name), *self.derived(node, name).values()]))

    def _reads(self, rule: ast.expr) -> int:
        if rule not in self.reads:
            self.reads[rule] = loaded_in(rule).count("g")
        return self.reads[rule]


def _read_at_poles(graph: Graph) -> set[Node]:
    """The tensors whose zeros meet an infinite slope: an operation reads them, or what is zero where they are."""
    met = {
        source
        for node in graph.reached
        for name, source in node.inputs.items()
        if node.op is not None and node.op.has_pole(name, node.call)
    }
    waiting = [*met]
    while waiting:
        node = waiting.pop()
        op, call = node.op, node.call
        if op is not None:
            further = {one for name, one in node.inputs.items() if op.keeps_zeros(name, call)} - met
            met |= further
            waiting += further
    return met
