"""How far every tensor moves when one number is nudged: answers POST /api/tangents.

The derivative is taken forwards, line by line, by torch's own forward mode. No backward rule is used, so that its end
at the loss is an independent check of the gradient.
"""

from __future__ import annotations

from pathlib import Path

import torch

from backend.engine.encode import Document, number
from backend.engine.execute.lookup import node_of
from backend.engine.execute.run import values_of
from backend.engine.interpret.evaluate import DefaultDtype, shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.pytree import as_tensor, is_decimal
from backend.engine.language.values import Scope
from backend.engine.trace.graph import Graph, Node
from backend.engine.trace.statement import Statement, statement_of
from backend.inspect.answer_types import Chances
from backend.inspect.jvp import forward, function_of, one_hot, sound_jvp
from backend.pipeline import run_of
from backend.present.document import in_focus
from backend.present.tug_of_war import tugs_of_war
from backend.program.request import Request
from backend.program.runs import Run


@guarded
def tangents(request: Request, names: Path | None = None) -> Document:
    """Of every tensor that one cell moves: how far it moves at most for each unit by which this one does.

    `request` is the body of POST /api/tangents. What stands still is left out; `slope` is the loss's own move, zero
    where no path leads there, and `gradient` what the walk shows of this cell, null where it shows none. Raises Refusal
    for a tensor or cell that is not there, or one of whole numbers, which can't be nudged. `chances` are the
    probabilities of the example in focus, where the loss judges scores that move, with how each of them moves.
    """
    run = run_of(request["walk"], names)
    node, index = node_of(run.plan, request["tensor"]), tuple(request["index"])
    if len(index) != len(node.shape) or any(not 0 <= i < size for i, size in zip(index, node.shape, strict=True)):
        raise Refusal("cell-outside", found=list(index), tensor=node.name, shape=shape_text(node.shape))
    if not is_decimal(run.forward.tensors[node.variable]):
        raise Refusal("nudge-whole", found=node.variable)
    moved = tangents_of(run, node, index)
    loss = moved.get(run.plan.graph.loss)
    return {
        "tensor": node.name,
        "index": list(index),
        "slope": number(0.0 if loss is None else float(loss)),
        "gradient": _shown(run, node, index),
        "moved": {str(one.name): number(float(tangent.abs().max())) for one, tangent in moved.items()},
        "chances": _chances(run, moved, request.get("example")),
    }


def tangents_of(run: Run, start: Node, index: tuple[int, ...]) -> dict[Node, torch.Tensor]:
    """Tangents along one cell, in float64, of all named tensors that move with it, in the order of the program."""
    graph, dtype = run.plan.graph, torch.float64
    scope = values_of(graph, run.material.tensors, dtype)
    found = {start: one_hot(as_tensor(scope[start.variable]), index)}
    with torch.no_grad(), DefaultDtype(dtype):
        for chunk in graph.chunks:
            if chunk.node is not start and is_decimal(scope[chunk.node.variable]):
                _follow(chunk.node, graph, scope, found)
    return found


def _chances(run: Run, moved: dict[Node, torch.Tensor], example: int | None) -> Chances | None:
    """What the softmax of the scores that the loss judges gives each class of one example, and how that moves."""
    judged = next(iter(tugs_of_war(run).items()), None)
    if judged is None:
        return None
    scores, targets = (run.plan.by_name[name] for name in judged)
    if scores not in moved:
        return None
    row = in_focus(run.material).get(scores.dims[0], 0) if example is None else example
    if row >= scores.shape[0]:
        raise Refusal("cell-outside", found=[row], tensor=scores.name, shape=shape_text(scores.shape))
    value = as_tensor(run.forward.tensors[scores.variable])[row].double()
    with torch.no_grad():
        moves = forward(lambda one: torch.softmax(one, 0), value, moved[scores][row])
    return {
        "tensor": str(scores.name),
        "row": row,
        "target": int(as_tensor(run.forward.tensors[targets.variable])[row]),
        "shares": torch.softmax(value, 0).tolist(),
        "moves": [number(one) for one in moves.tolist()],
    }


def _follow(node: Node, graph: Graph, scope: Scope, found: dict[Node, torch.Tensor]) -> None:
    """Adds the tangent of one line's tensor, where any that it reads moves it."""
    statement = statement_of(node, graph)
    read = set(statement.names)
    parts = [_part(statement, scope, source, tangent) for source, tangent in found.items() if source.variable in read]
    total = torch.stack(parts).sum(0) if parts else None
    if total is not None and bool((total != 0).any()):
        found[node] = total


def _part(statement: Statement, scope: Scope, source: Node, tangent: torch.Tensor) -> torch.Tensor:
    """What one of the moving tensors that a line reads makes of it, while the others rest."""
    value = as_tensor(scope[source.variable]).contiguous()
    return sound_jvp(function_of(statement, scope, source.variable), value, tangent.contiguous())


def _shown(run: Run, node: Node, index: tuple[int, ...]) -> float | str | None:
    gradient = run.gradients.get("d" + node.variable)
    return None if gradient is None or tuple(gradient.shape) != node.shape else number(float(gradient[index]))
