"""How the forward text calls the length of an axis: `n` after `range(n)`, `B` after `B, T, C = x.size()`.

A length goes by a name only where the text made that axis with that name, or took the name from it; a constant that
merely has the same value is another thing. Names travel along with the axes; where that is not certain, they end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from backend.engine.interpret.evaluate import Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.nodes import plain
from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Graph, Node

Sizes = list[ast.expr | None]
# A longer expression says less than its number.
LONGEST = 18


def sizes_of(graph: Graph) -> dict[Node, Sizes]:
    """For every node, an expression for the length of each axis that the text has one for."""
    return _Sizes(graph).found


class _Sizes:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        named = {node.variable: node.meta for node in graph.named}
        self.evaluator = Evaluator(graph.constants | named)
        self.found: dict[Node, Sizes] = {}
        taken = dict(_taken(graph.statements))
        for node in [*graph.inputs, *graph.nodes]:
            sizes = self.of(node) if node.op is not None else []
            sizes = sizes if len(sizes) == len(node.shape) else [None] * len(node.shape)
            known = {axis: name for (variable, axis), name in taken.items() if variable == node.variable}
            sizes = [_plain(known[a]) if a in known else size for a, size in enumerate(sizes)]
            self.found[node] = [self.if_true(size, n) for size, n in zip(sizes, node.shape, strict=True)]

    def of(self, node: Node) -> Sizes:
        assert node.op is not None
        inputs = {name: self.found[source] for name, source in node.inputs.items()}
        written = node.op.sizes(node.words, node.call)
        if written and len(written) == len(node.shape):
            return [size if self.is_short(size) else None for size in written]
        return self.carried(node, inputs)

    def carried(self, node: Node, inputs: Mapping[str, Sizes]) -> Sizes:
        """The lengths that an operation leaves as they are: letters say it, or else names of axes."""
        assert node.op is not None
        op, call = node.op, node.call
        if not (op.subscripts(call) or (op.cell_for(call) and not op.moves)):
            return self.moved(node, inputs)
        terms, result = op.terms_of(call)
        by_letter: dict[str, ast.expr] = {}
        for name, sizes in inputs.items():
            letters = terms.get(name, result)
            if len(letters) == len(sizes):
                by_letter |= {c: size for c, size in zip(letters, sizes, strict=True) if size is not None and c != "1"}
        return [by_letter.get(letter) for letter in result]

    def moved(self, node: Node, inputs: Mapping[str, Sizes]) -> Sizes:
        """Each axis goes by a name of its own, and is found again under it."""
        assert node.op is not None
        names = {name: [f"{name}:{axis}" for axis in range(len(sizes))] for name, sizes in inputs.items()}
        known = {f"{name}:{axis}": size for name, sizes in inputs.items() for axis, size in enumerate(sizes)}
        return [known.get(axis) for axis in node.op.axes(names, node.call) or []]

    def is_short(self, size: ast.expr | None) -> bool:
        return size is not None and not isinstance(size, ast.Constant) and len(printed(size)) <= LONGEST

    def if_true(self, size: ast.expr | None, length: int) -> ast.expr | None:
        """The expression, where it is that length: of constants, or of the shape of a tensor with a name."""
        if size is None:
            return None
        try:
            value = self.evaluator.value(size)
        except Refusal:
            return None
        return size if type(value) is int and value == length else None


def _taken(statements: list[ast.Assign]) -> Iterator[tuple[tuple[str, int], str]]:
    """The names that statements such as `B, T = x.shape` give to axes, as ((tensor, axis), name)."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value) if tensor := _whole_shape(value):
                yield from (((tensor, axis), n.id) for axis, n in enumerate(names) if isinstance(n, ast.Name))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if place := _one_length(value):
                yield place, name


def _whole_shape(value: ast.expr) -> str:
    match value:
        case ast.Attribute(value=ast.Name(id=tensor), attr="shape"):
            return tensor
        case ast.Call(func=ast.Attribute(value=ast.Name(id=tensor), attr="size"), args=[], keywords=[]):
            return tensor
    return ""


def _one_length(value: ast.expr) -> tuple[str, int] | None:
    match value:
        case ast.Subscript(value=shape, slice=ast.Constant(value=int(axis))) if tensor := _whole_shape(shape):
            return tensor, axis
        case ast.Call(func=ast.Attribute(value=ast.Name(id=tensor), attr="size"), args=[ast.Constant(value=int(axis))]):
            return tensor, axis
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=tensor)]):
            return tensor, 0
    return None


def _plain(name: str) -> ast.expr:
    return plain(ast.Name(name, ast.Load()))
