"""The loss as one number of a walk moves, beside the straight line of its gradient: answers POST /api/curve."""

from __future__ import annotations

import math
from pathlib import Path

import torch

from backend.engine.encode import Document, number
from backend.engine.execute.lookup import sound, with_gradient
from backend.engine.execute.run import Tensors, as_dtype, loss_of
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.trace.graph import Graph
from backend.inspect.finite_differences.estimate import STANDARD, measure
from backend.inspect.finite_differences.line_function import Line
from backend.inspect.finite_differences.numeric import cells_of, kink_sides
from backend.inspect.finite_differences.oracle import size_of
from backend.pipeline import planned, run_of
from backend.program.changes import loose
from backend.program.request import Request
from backend.program.runs import Run

POINTS = 41


@guarded
def curve(request: Request, names: Path | None = None) -> Document:
    """The loss at `points` values of one cell, from `span` below its own to `span` above or `within` ends, in float64.

    `request` is the body of POST /api/curve. `slope` is the gradient that the walk shows; where the loss has a kink at
    the cell's own value, `kink` holds its slopes on both sides, and where `.detach()` hides a part from the gradient,
    `own_slope` is that of the loss. A computed tensor is cut loose from its line. Raises Refusal for a cell that
    doesn't exist or has no gradient.
    """
    run, name = run_of(request["walk"], names), request["tensor"]
    node = with_gradient(run.plan, name)
    (cell,) = cells_of(node, name, [request["index"]], 0)
    value = float(run.forward.tensors[node.variable][cell])
    graph, tensors = _cut(run, node.variable)
    slope = float(sound(run, node)[cell])

    def loss(t: float) -> float:
        moved = tensors[node.variable].clone()
        moved[cell] += t
        try:
            return loss_of(graph, tensors | {node.variable: moved}, torch.float64)
        except Refusal:
            return float("nan")

    line = Line(loss, loss(0.0))
    found = measure(line, slope)
    span = float(request.get("span") or 2 * max(abs(value), size_of(tensors[node.variable])))
    within, points = request.get("within"), request.get("points") or POINTS
    moves = [to - value for to in _spaced(within, points)] if within else _around(span, points)
    return {
        "tensor": name,
        "index": list(cell),
        "value": number(value),
        "loss": number(line(0.0)),
        "slope": number(slope),
        "kink": kink_sides(found.kink),
        # of several steps the estimate keeps the one that comes nearest to the gradient: here none is meant to
        "own_slope": None if found.agrees or found.kink or not _hides(graph) else number(line.slope(*STANDARD[0])),
        "span": number(span),
        "within": _ends(within) if within else None,
        "points": [[number(value + t), number(line(t))] for t in moves],
    }


def _around(span: float, points: int) -> list[float]:
    """Moves to either side, of a span that may be huge."""
    parts = torch.linspace(-1, 1, points, dtype=torch.float64).tolist()
    return [span * part if math.isfinite(span) else math.nan for part in parts]


def _ends(within: Request) -> Document:
    return {"least": float(within["least"]), "greatest": float(within["greatest"]), "log": within["log"]}


def _spaced(within: Request, points: int) -> list[float]:
    """Values from one end to the other, at equal distances or in equal ratios."""
    least, greatest = (math.log(within[end]) if within["log"] else within[end] for end in ("least", "greatest"))
    values = torch.linspace(least, greatest, points, dtype=torch.float64)
    return (values.exp() if within["log"] else values).tolist()


def _cut(run: Run, variable: str) -> tuple[Graph, Tensors]:
    """A program in which the tensor is an input, and its inputs in float64."""
    material = loose(run.material, variable, planned)
    return planned(material).graph, {name: as_dtype(one, torch.float64) for name, one in material.tensors.items()}


def _hides(graph: Graph) -> bool:
    """Whether the loss may move where the gradient doesn't look."""
    return any(node.op is not None and node.op.detaches for node in graph.nodes)
