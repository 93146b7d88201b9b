"""The names in scope for the backward lines, as shapes on the meta device, before any line runs."""

from __future__ import annotations

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.shape_cache import zeros_like
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.trace.graph import Graph


def known_shapes(graph: Graph) -> dict[str, object]:
    """Every name that a backward line may use, on the meta device unless some shape depends on values."""
    device = "cpu" if graph.actual else "meta"
    scope: dict[str, object] = {node.variable: node.meta for node in graph.named}
    scope |= graph.constants | graph.holders | graph.actual
    needing = [node for node in graph.named if node.needs]
    return scope | {"d" + node.variable: zeros_like(node.meta, device) for node in needing}


def scope_after(lines: list[Line], graph: Graph) -> dict[str, object]:
    """Every name in scope once all lines have run, with its shape; raises Refusal where they pass the budget."""
    evaluator = ShapeEvaluator(known_shapes(graph), "cpu" if graph.actual else "meta", shares=3)
    with torch.no_grad(), DefaultDtype(graph.loss.meta.dtype):
        for line in lines:
            evaluator.run(line.statements)
    return evaluator.scope
