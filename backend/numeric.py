"""With this module the third oracle speaks: gradients from the loss's values alone, by central differences."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from backend.differences import SWEEP, Line, Slope, measure
from backend.graph import Node
from backend.language.errors import Refusal
from backend.language.evaluate import shown
from backend.lookup import with_gradient
from backend.plan import Plan
from backend.replay import Replay, Way
from backend.run import Tensors, run_backward, run_forward
from backend.runs import run_of
from backend.wire import number

Document = dict[str, Any]
SECONDS = 1.2
DRAWN_CELLS = 8


class Overdue(Exception):  # noqa: N818 - running out of time is no fault
    """The time for an answer is used up."""


@dataclass
class Oracle:
    """One program in float64: its manual gradients, autograd's, and its loss as a function of any tensor."""

    plan: Plan
    replay: Replay
    manual: Tensors
    autograd: Tensors
    until: float

    def loss(self, way: Way, tensor: torch.Tensor) -> float:
        """The loss with a tensor exchanged; NaN where torch refuses what comes of it."""
        if time.perf_counter() > self.until:
            raise Overdue
        try:
            with torch.no_grad():
                return float(way.value(tensor))
        except Refusal:
            return math.nan

    def line(self, node: Node, direction: torch.Tensor) -> Line:
        """The loss along a direction through a node's value."""
        loss = self.plan.graph.loss.variable
        way, middle = self.replay.way(node.variable, loss), self.replay[node.variable]
        return Line(lambda t: self.loss(way, middle + t * direction), float(self.replay[loss]))


def numeric(request: Mapping[str, Any], names: Path | None = None) -> Document:
    """Central differences beside the manual gradient of one node, some of its cells, or (`*`) of every node.

    `request` is the body of POST /api/numeric. Raises Refusal for a node that is unknown or has no gradient, for cells
    that do not exist, and for a program too slow to be run several times.
    """
    oracle = oracle_for(request["walk"], names, time.perf_counter() + SECONDS)
    seed = request.get("seed", 0)
    if request["node"] == "*":
        return everything(oracle, seed)
    node = with_gradient(oracle.plan, request["node"])
    try:
        if request.get("mode", "direction") == "cells":
            return cell_by_cell(oracle, node, request["node"], request.get("cells"), seed)
        return {"node": request["node"], **along(oracle, node, seed, sweep=True)}
    except Overdue:
        raise Refusal("numeric-too-slow", found=request["node"]) from None


def oracle_for(request: Mapping[str, Any], names: Path | None, until: float) -> Oracle:
    """The oracle of a walk's request."""
    run = run_of(request, names)
    graph, tensors = run.plan.graph, run.material.tensors
    if run.material.dtype is torch.float64:
        forward, gradients = run.forward, run.gradients
    else:
        forward = run_forward(graph, tensors, torch.float64)
        gradients = run_backward(run.plan.lines, forward.values, torch.float64, {})[0]
    manual = {name: gradients["d" + name] for name in forward.autograd}
    return Oracle(run.plan, Replay(graph, tensors, torch.float64), manual, forward.autograd, until)


def direction_for(tensor: torch.Tensor, seed: int) -> torch.Tensor:
    """A seeded direction in which every cell moves: a random sign times a length evenly spread over 0.5 to 1.5.

    No length is near zero, so no cell escapes; they differ, so that swapped cells or opposite errors do not cancel as
    they would with signs alone. All are scaled by the tensor's root mean square where that is below 1: steps are then
    small beside the tensor itself.
    """
    g = torch.Generator().manual_seed(seed)
    sign = torch.randint(0, 2, tensor.shape, generator=g).double() * 2 - 1
    length = torch.rand(tensor.shape, generator=g, dtype=torch.float64) + 0.5
    size = float(tensor.square().mean().sqrt()) if tensor.numel() else 0.0
    return sign * length * (size if 0 < size < 1 else 1.0)


def along(oracle: Oracle, node: Node, seed: int, sweep: bool) -> Document:
    """One node judged along one direction; with `sweep` also the error at each of many steps, as time permits."""
    direction = direction_for(oracle.replay[node.variable], seed)
    line = oracle.line(node, direction)
    analytic = dot(oracle.manual[node.variable], direction)
    told = {"mode": "direction"} | judged(line, analytic, dot(oracle.autograd[node.variable], direction))
    return told | ({"sweep": swept(line, analytic)} if sweep else {}) | {"evaluations": line.spent}


def dot(gradient: torch.Tensor, direction: torch.Tensor) -> float:
    """The derivative along a direction."""
    return float((gradient * direction).sum())


def judged(line: Line, analytic: float, autograd: float) -> Document:
    """What an answer says of one slope."""
    slope = measure(line, analytic)
    error = abs(analytic - slope.numeric)
    size = max(abs(analytic), abs(slope.numeric))
    return {
        "step": slope.step,
        "stencil": slope.stencil,
        "analytic": number(analytic),
        "autograd": number(autograd),
        "numeric": number(slope.numeric),
        "relative_error": number(scaled(analytic, slope.numeric)),
        "relative": None if size == 0 else number(0.0 if analytic == slope.numeric else error / size),
        "agrees": slope.agrees,
        "kink": _kink(slope),
    }


def scaled(a: float, b: float) -> float:
    """|a - b| / max(1, |a|, |b|); zero where both are the same non-finite value."""
    return 0.0 if a == b else abs(a - b) / max(1.0, abs(a), abs(b))


def _kink(slope: Slope) -> Document | None:
    kink = slope.kink
    return None if kink is None else {"left": number(kink.left), "right": number(kink.right)}


def swept(line: Line, analytic: float) -> list[list[Any]]:
    """The scaled error of two-point differences at steps from 1e-1 to 1e-11; whole powers of ten first, in case."""
    errors = {}
    for step in (*SWEEP[::2], *SWEEP[1::2]):
        try:
            errors[step] = number(scaled(analytic, line.slope(2, step)))
        except Overdue:
            break
    return [[step, errors[step]] for step in SWEEP if step in errors]


def cell_by_cell(oracle: Oracle, node: Node, name: str, cells: list[list[int]] | None, seed: int) -> Document:
    """Some cells of a node judged one at a time, steps being of the cell's own unit; the worst one stands for all."""
    places = drawn(node, seed) if cells is None else [place_of(node, name, cell) for cell in cells]
    lines = [oracle.line(node, one_hot(oracle.replay[node.variable], place)) for place in places]
    manual, autograd = oracle.manual[node.variable], oracle.autograd[node.variable]
    found = [
        {"cell": list(place), **judged(line, float(manual[place]), float(autograd[place]))}
        for place, line in zip(places, lines, strict=True)
    ]
    worst = max(range(len(found)), key=lambda i: badness(found[i]))
    analytic = float(manual[places[worst]])
    sweep = swept(lines[worst], analytic)
    spent = sum(line.spent for line in lines)
    return {"node": name, "mode": "cells", **found[worst], "sweep": sweep, "evaluations": spent, "cells": found}


def drawn(node: Node, seed: int) -> list[tuple[int, ...]]:
    """A few cells at random, in reading order."""
    cells = node.meta.numel()
    if not cells:
        raise Refusal("node-empty", found=str(node.name))
    g = torch.Generator().manual_seed(seed)
    flat = (
        range(cells)
        if cells <= DRAWN_CELLS
        else sorted(set(torch.randint(0, cells, (DRAWN_CELLS,), generator=g).tolist()))
    )
    return [tuple(int(i) for i in torch.unravel_index(torch.tensor(one), node.shape)) for one in flat]


def place_of(node: Node, name: str, cell: list[int]) -> tuple[int, ...]:
    """A cell's index, if the node has such a cell; raises Refusal otherwise."""
    if len(cell) != len(node.shape) or any(not 0 <= i < size for i, size in zip(cell, node.shape, strict=True)):
        raise Refusal("cell-outside", found=cell, tensor=name, shape=shown(node.shape))
    return tuple(cell)


def one_hot(tensor: torch.Tensor, place: tuple[int, ...]) -> torch.Tensor:
    """A one in one cell of zeros."""
    made = torch.zeros_like(tensor)
    made[place] = 1.0
    return made


def badness(found: Document) -> tuple[bool, bool, float]:
    """How much an answer deserves a look: what disagrees first, what is smooth before what has a kink."""
    error = found["relative_error"]
    return not found["agrees"], found["kink"] is None, error if isinstance(error, float) else math.inf


def everything(oracle: Oracle, seed: int) -> Document:
    """Every gradient judged along a direction of its own; what there was no time for is named."""
    results: list[Document] = []
    skipped: list[str] = []
    reached = {line.target for line in oracle.plan.lines}
    for name, node in oracle.plan.by_name.items():
        if node not in reached or node.variable not in oracle.manual:
            continue
        try:
            results.append({"node": name, **along(oracle, node, seed, sweep=False)})
        except Overdue:
            skipped.append(name)
    if not results:
        raise Refusal("numeric-too-slow", found=str(oracle.plan.graph.loss.name))
    worst = max(results, key=badness)
    smooth = [found["relative_error"] for found in results if found["kink"] is None]
    largest = max((math.inf if isinstance(error, str) else error for error in smooth), default=0.0)
    agrees = all(found["agrees"] for found in results)
    told = {"mode": "direction", "results": results, "worst": worst["node"], "relative_error": number(largest)}
    return told | {"agrees": agrees, "skipped": skipped}
