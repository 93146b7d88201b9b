"""Which cells of an activation let next to nothing through."""

from __future__ import annotations

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.expression import expression
from backend.engine.language.pytree import as_tensor
from backend.engine.language.rewrite import filled, substitute
from backend.engine.language.values import Values
from backend.engine.trace.graph import Node

FLAT = 0.02  # of the largest slope: tanh beyond ±0.99, a sigmoid within 0.005 of an end, a relu that is off


def flat_below(node: Node) -> float:
    """The slope below which a cell of an activation counts as flat."""
    return FLAT * node.op.steepest if node.op else 0.0


def flat_cells(node: Node, values: Values, dtype: torch.dtype) -> torch.Tensor:
    """A mask, of the shape of an activation's result, of the cells where its own backward rule gives next to nothing.

    `values` has the forward pass by variable. The rule is run with an upstream gradient of 1, in `dtype`.
    """
    assert node.op is not None
    derived = {word: expression(text) for word, text in node.op.derive(node.call).items() if text}
    words = node.words | {name: source.expr for name, source in node.inputs.items()} | {"out": node.expr}
    rule = substitute(filled(node.op.rule("x", False), derived), words)
    evaluator = Evaluator({**values, "g": torch.ones_like(as_tensor(values[node.variable]))})
    with torch.no_grad(), DefaultDtype(dtype):
        return evaluator.tensor(rule).abs() < flat_below(node)
