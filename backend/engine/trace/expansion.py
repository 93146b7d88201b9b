"""Uses of operations that have no shape of their own: what is short for several steps, and what numbers shape."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import Any, Protocol

import torch

from backend.engine.interpret.evaluate import Evaluator
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.pytree import tensors_in, with_tensors
from backend.engine.language.tree import item
from backend.engine.language.values import Args, Values
from backend.engine.ops.base import Op
from backend.engine.trace.graph import Node
from backend.engine.trace.rename import Renamer


class Tracing(Protocol):
    """What is needed of whoever traces a program."""

    nodes: list[Node]
    scope: Values
    renamer: Renamer
    shapes: ShapeEvaluator
    actual: Evaluator

    def value(self, node: ast.expr) -> Any: ...
    def renamed(self, node: ast.expr) -> ast.expr: ...
    def places(self, index: Any, node: ast.AST) -> Any: ...
    def metas(self, value: Any) -> Any: ...
    def actual_value(self, node: Node) -> torch.Tensor: ...


def expanded(tracer: Tracing, steps: str, bound: Values, words: Mapping[str, ast.expr], node: ast.expr) -> Any:
    """What an expansion makes of these arguments; the result goes by the operation as it is written."""
    tree, before, scope = copy.deepcopy(expression(steps)), len(tracer.nodes), tracer.scope
    for part in ast.walk(tree):
        if isinstance(part, ast.expr):
            ast.copy_location(part, node)
        if isinstance(part, ast.Name) and part.id in bound:
            value = bound[part.id]
            tracer.renamer.made[part] = value.expr if isinstance(value, Node) else words[part.id]
    tracer.scope = bound
    try:
        made = tracer.value(tree)
    except Refusal as refusal:
        raise refusal.moved_to(node) from None
    finally:
        tracer.scope = scope
    whole, fresh = tracer.renamed(node), tracer.nodes[before:]
    for number, one in enumerate(made if isinstance(made, tuple) else [made]):
        if one in fresh:
            one.expr = one.written = item(whole, number) if isinstance(made, tuple) else whole
    return made


def outline(tracer: Tracing, op: type[Op], key: str, args: Args, kwargs: Values, node: ast.expr) -> Any:
    """The outline of a use's result; it needs numbers where they tell how many cells there are."""
    if not op.shaped_by_numbers:
        shaped = op.shapes_as.get(key, key)
        places = (args[0], tracer.places(args[1], node)) if shaped == "[]" else args
        return tracer.shapes.operation(shaped, tracer.metas(places), tracer.metas(kwargs), node)
    given = tuple(tracer.actual_value(arg) if isinstance(arg, Node) else arg for arg in args)
    made = tracer.actual.operation(key, given, kwargs, node)
    for part in tensors_in(made):
        tracer.shapes.charge(part, node, given)
    return with_tensors(made, lambda part: part.to("meta"))
