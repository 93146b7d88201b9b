"""What the names in a backward line stand for: values, gradients, their shapes and the names of their axes."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.shape_inference import Outlines, ShapeEvaluator
from backend.engine.language.application import is_of_module
from backend.engine.language.rewrite import filled_from
from backend.engine.language.tree import children
from backend.engine.language.unparse import printed
from backend.engine.language.values import Values
from backend.engine.ops.base import Shape
from backend.engine.trace.graph import Graph, Node
from backend.lines.equations.drawn import KEEPS_AXES, drawn, is_transpose


def numbers_read(*trees: ast.AST) -> Iterator[str]:
    """The names whose numbers are read, as often as they are; what only lends its shape is not among them."""
    return (part.id for part in parts_read(*trees) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load))


def parts_read(*trees: ast.AST) -> Iterator[ast.AST]:
    """The parts of trees that go into what they compute, in the order in which they are written."""
    for tree in trees:
        yield tree
        yield from parts_read(*_read_by(tree))


def _read_by(tree: ast.AST) -> Iterable[ast.AST]:
    """The parts of an expression that go into its result; of `torch.ones_like(x)` and `x.shape` none."""
    match tree:
        case ast.Attribute(attr="shape"):
            return ()
        case ast.Call(func=ast.Attribute(attr=name), args=[_, *others]) if drawn(name) == "shape":
            return others
    return children(tree)


def names_of(plan: Plan) -> Names:
    """What the expressions of a plan's lines are called, kept with it."""
    return plan.once(_names)


def _names(plan: Plan) -> Names:
    return Names(plan.graph, plan.lines, plan.shapes)


class Names:
    """The names that the backward lines of one graph use."""

    def __init__(self, graph: Graph, lines: list[Line], scope: dict[str, object]) -> None:
        self.values = graph.by_variable
        self.gradients: dict[str, Node] = {line.variable: line.target for line in lines}
        self.constants: Values = graph.constants
        self.loss = graph.loss
        self.written = Counter(printed(node.written) for node in graph.nodes)
        self.scope, self.device = scope, "cpu" if graph.actual else "meta"
        self.shapes = Outlines(scope, self.device)
        self.read: dict[int, tuple[ast.AST, list[str]]] = {}

    def gradients_in(self, *exprs: ast.AST) -> list[str]:
        """The gradients whose numbers are read, each once."""
        return list(dict.fromkeys(name for expr in exprs for name in self._gradients_in(expr)))

    def _gradients_in(self, expr: ast.AST) -> list[str]:
        known = self.read.get(id(expr))
        if known is None:
            known = self.read[id(expr)] = expr, [printed(part) for part in parts_read(expr) if self.is_gradient(part)]
        return known[1]

    def is_gradient(self, expr: ast.AST) -> TypeGuard[ast.expr]:
        """Whether an expression is a gradient by its name."""
        return isinstance(expr, ast.Name) and expr.id in self.gradients

    def shape(self, expr: ast.expr) -> Shape:
        """The shape of an expression; that of a plain number is ()."""
        value = self.outline(expr)
        return tuple(value.shape) if isinstance(value, torch.Tensor) else ()

    def is_mask(self, expr: ast.expr) -> bool:
        """Whether an expression is a boolean mask, which takes no sign."""
        value = self.outline(expr)
        return isinstance(value, torch.Tensor) and value.dtype is torch.bool

    def outline(self, expr: ast.expr) -> Any:
        """The result of an expression on the meta device, in the precision of the run."""
        known = self.shapes.known.get(id(expr))
        if known is not None:
            return known[1]
        with DefaultDtype(self.loss.meta.dtype):
            return self.shapes.value(expr)

    def number(self, expr: ast.expr) -> float | None:
        """The value of an expression of numerals and of the program's plain numbers."""
        names = [part.id for part in ast.walk(expr) if isinstance(part, ast.Name) and part.id != "math"]
        if any(not isinstance(self.constants.get(name), int | float) for name in names):
            return None
        value = ShapeEvaluator(dict(self.constants), shares=math.inf).value(expr)
        return float(value) if isinstance(value, int | float) else None

    def is_twin(self, node: Node) -> bool:
        """Whether the same expression stands in two places, so that it does not tell which one is meant."""
        return self.written[printed(node.written)] > 1

    def node_of(self, expr: ast.expr) -> tuple[Node, str] | None:
        """The tensor of the walk that a name stands for, and whether its value or its gradient is meant."""
        if not isinstance(expr, ast.Name):
            return None
        if expr.id in self.values:
            return self.values[expr.id], "value"
        return (self.gradients[expr.id], "gradient") if expr.id in self.gradients else None

    def dims(self, expr: ast.expr) -> list[str]:
        """A name for each axis; `axis 1` where nothing sure is known."""
        shape, known = self.shape(expr), self._known(expr)
        if known is None or len(known) != len(shape):
            return [f"axis {axis}" for axis in range(len(shape))]
        return [f"axis {axis}" if name.startswith("axis ") else name for axis, name in enumerate(known)]

    def _known(self, expr: ast.expr) -> list[str] | None:
        if (node := self.node_of(expr)) is not None:
            return node[0].dims
        match expr:
            case ast.UnaryOp(operand=inner):
                return self._known(inner)
            case ast.Attribute(value=inner, attr=name) if is_transpose(name):
                return self._turned(inner)
            case ast.BinOp(op=ast.MatMult(), left=left, right=right):
                return self._multiplied(self._known(left), self._known(right))
            case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
                return self._met(expr, [left, right])
            case ast.Call(func=ast.Attribute(attr=name, value=owner) as func) if name in KEEPS_AXES:
                first = expr.args[:1] if is_of_module(func) else [owner]
                return self._known(first[0]) if first else None
        return None

    def _turned(self, inner: ast.expr) -> list[str] | None:
        known = self._known(inner)
        return None if known is None or len(known) < 2 else [*known[:-2], known[-1], known[-2]]

    def _multiplied(self, left: list[str] | None, right: list[str] | None) -> list[str] | None:
        if left is None or right is None or min(len(left), len(right)) < 2:
            return None
        return [*left[:-1], right[-1]]

    def _met(self, expr: ast.expr, sides: list[ast.expr]) -> list[str]:
        """Names by position from the end, from whichever side has that axis at full length."""
        shape = self.shape(expr)
        names = ["axis "] * len(shape)
        for side in sides:
            own, known = self.shape(side), self.dims(side)
            for back in range(1, len(own) + 1):
                if own[-back] == shape[-back] and names[-back].startswith("axis "):
                    names[-back] = known[-back]
        return names


class NamesWithOnes(Names):
    """The names of a line in which ones stand in the place of the upstream gradient."""

    @classmethod
    def like(cls, names: Names) -> NamesWithOnes:
        """The same names."""
        made = cls.__new__(cls)
        vars(made).update(vars(names), read={})
        return made

    def is_gradient(self, expr: ast.AST) -> TypeGuard[ast.expr]:
        """Whether an expression is a gradient by its name, or ones."""
        return super().is_gradient(expr) or (isinstance(expr, ast.Call) and filled_from(expr) is not None)
