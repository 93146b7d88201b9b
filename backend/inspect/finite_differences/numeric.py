"""Gradient check by central differences: answers POST /api/numeric."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import torch

from backend.engine.encode import Document, number
from backend.engine.execute.lookup import with_gradient
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.trace.graph import Node
from backend.inspect.finite_differences.bisect import all_agree, needs_pieces
from backend.inspect.finite_differences.kinks import Kink
from backend.inspect.finite_differences.line_function import Line
from backend.inspect.finite_differences.oracle import AlongDirection, Oracle, Overdue, direction_for, judge, oracle_of
from backend.inspect.jvp import one_hot
from backend.pipeline import run_of
from backend.program.request import Request

# Seconds of processor time: the deadline; from the request to the last evaluation; for evaluations at least; the
# estimate above which a program is refused. Another deadline scales all of them.
DEADLINE, SECONDS, LEAST_SECONDS, MOST_SECONDS = 2.0, 1.2, 0.4, 2.0
# Statements that are rerun for one answer: some 1.2 seconds of small ones, so that a long program's answer doesn't
# depend on how busy the machine is.
STATEMENTS = 30_000
DRAWN_CELLS = 8
SWEEP = tuple(10.0 ** (-half / 2) for half in range(2, 23))
# Pieces of a direction with kinks at most: for one tensor, and for each one where all are asked for.
PIECES, PIECES_OF_EACH = 64, 24


@guarded
def numeric(request: Request, names: Path | None = None, deadline: float = DEADLINE) -> Document:
    """Central differences beside the manual gradient of one node, some of its cells, or (`*`) of every node.

    `request` is the body of POST /api/numeric; everything is in float64. An answer reruns a limited number of
    statements, takes less than `deadline` seconds of processor time, and names what is left out. Raises Refusal for a
    node that is unknown or has no gradient, for cells that don't exist, for a loss that isn't finite, and for a program
    too slow to be run several times.
    """
    started, stretched = time.process_time(), deadline / DEADLINE
    run = run_of(request["walk"], names)
    # Differences need the program in float64, twice the work: forward and backward, then forward again and again.
    if 2 * (4 * run.seconds["forward"] + run.seconds["backward"]) > MOST_SECONDS * stretched:
        raise Refusal("numeric-too-slow")
    oracle = oracle_of(run)
    oracle.until = max(started + SECONDS * stretched, time.process_time() + LEAST_SECONDS * stretched)
    oracle.left = STATEMENTS
    name, seed = request["node"], request.get("seed", 0)
    if name == "*":
        return everything(oracle, seed)
    node = with_gradient(oracle.plan, name)
    if not node.meta.numel():
        raise Refusal("node-empty", found=name)
    try:
        if request.get("mode", "direction") == "cells":
            return {"node": name, **cell_by_cell(oracle, node, cells_of(node, name, request.get("cells"), seed))}
        return {"node": name, **in_one_direction(oracle, node, seed)}
    except Overdue:
        raise Refusal("numeric-too-slow") from None


def in_one_direction(oracle: Oracle, node: Node, seed: int) -> Document:
    """One node along one seeded direction, with the error at each of many steps as far as time permits."""
    found = judge(oracle, node, direction_for(oracle.replay[node.variable], seed))
    answer = document(found) | refined(oracle, node, found, PIECES)
    looked = found.line.spent
    sweep = swept(found.line, found.analytic)
    return answer | {"sweep": sweep, "evaluations": answer["evaluations"] + found.line.spent - looked}


def refined(oracle: Oracle, node: Node, found: AlongDirection, most: int) -> Document:
    """The verdict on the pieces of a direction with kinks; empty for a smooth direction."""
    if not needs_pieces(found):
        return {}
    agrees, spent = all_agree(oracle, node, found, most)
    told = {"evaluations": found.line.spent + spent}
    return told if agrees is None else told | {"agrees": agrees}


def document(found: AlongDirection) -> Document:
    """The JSON of one slope."""
    slope, analytic = found.slope, found.analytic
    return {
        "mode": "direction",
        "step": slope.step,
        "stencil": slope.stencil,
        "analytic": number(analytic),
        "autograd": number(found.autograd),
        "numeric": number(slope.numeric),
        "relative_error": number(scaled(analytic, slope.numeric)),
        "relative": None if analytic == slope.numeric == 0 else number(scaled(analytic, slope.numeric, 0.0)),
        "agrees": slope.agrees,
        "kink": kink_sides(slope.kink),
        "evaluations": found.line.spent,
    }


def scaled(a: float, b: float, least: float = 1.0) -> float:
    """|a - b| / max(least, |a|, |b|); 0 if both are equal, NaN if one isn't finite."""
    if a == b:
        return 0.0
    return abs(a - b) / max(least, abs(a), abs(b)) if math.isfinite(a) and math.isfinite(b) else math.nan


def kink_sides(kink: Kink | None) -> Document | None:
    """The slopes on both sides of a kink."""
    return None if kink is None else {"left": number(kink.left), "right": number(kink.right)}


def swept(line: Line, analytic: float) -> list[list[Any]]:
    """The scaled error of two-point differences at steps from 1e-1 to 1e-11.

    Whole powers of ten come first, so that a timeout still leaves a coarse sweep."""
    errors = {}
    for step in (*SWEEP[::2], *SWEEP[1::2]):
        try:
            errors[step] = number(scaled(analytic, line.slope(2, step)))
        except Overdue:
            break
    return [[step, errors[step]] for step in SWEEP if step in errors]


def cells_of(node: Node, name: str, cells: list[list[int]] | None, seed: int) -> list[tuple[int, ...]]:
    """The cells asked for, or a few drawn at random; raises Refusal for a cell outside the node."""
    if cells is None:
        g, size = torch.Generator().manual_seed(seed), node.meta.numel()
        flat = sorted(set(torch.randint(0, size, (DRAWN_CELLS,), generator=g).tolist()))
        places = (torch.unravel_index(torch.tensor(one), node.shape) for one in flat)
        return [tuple(int(i) for i in place) for place in places]
    for cell in cells:
        if len(cell) != len(node.shape) or any(not 0 <= i < size for i, size in zip(cell, node.shape, strict=True)):
            raise Refusal("cell-outside", found=cell, tensor=name, shape=shape_text(node.shape))
    return [tuple(cell) for cell in cells]


def cell_by_cell(oracle: Oracle, node: Node, cells: list[tuple[int, ...]]) -> Document:
    """Some cells of a node, one at a time; the worst one stands for all, with its sweep."""
    judged: list[AlongDirection] = []
    for cell in cells:
        try:
            judged.append(judge(oracle, node, one_hot(oracle.replay[node.variable], cell)))
        except Overdue:
            break
    if not judged:
        raise Overdue
    told = [{"cell": list(cell), **document(found)} for cell, found in zip(cells, judged, strict=False)]
    worst = max(range(len(told)), key=lambda i: badness(told[i]))
    sweep = swept(judged[worst].line, judged[worst].analytic)
    spent = sum(found.line.spent for found in judged)
    skipped = [list(cell) for cell in cells[len(judged) :]]
    return told[worst] | {"mode": "cells", "sweep": sweep, "evaluations": spent, "cells": told, "skipped": skipped}


def badness(told: Document) -> tuple[bool, bool, float]:
    """The sort key for the worst result: disagreement first, then smooth slopes before kinks, then the error."""
    error = told["relative_error"]
    return not told["agrees"], told["kink"] is None, error if isinstance(error, float) else math.inf


def everything(oracle: Oracle, seed: int) -> Document:
    """Every gradient along its own random direction; `skipped` ones, for want of time or statements, are named.

    Directions with kinks are bisected last, when all have been judged once.
    """
    results: dict[str, Document] = {}
    apart: list[tuple[str, Node, AlongDirection]] = []
    gradients = {n: node for n, node in oracle.plan.by_name.items() if node.variable in oracle.manual}
    for name, node in gradients.items():
        try:
            found = judge(oracle, node, direction_for(oracle.replay[node.variable], seed))
        except Overdue:
            break
        results[name] = {"node": name, **document(found)}
        if needs_pieces(found):
            apart.append((name, node, found))
    if not results:
        raise Refusal("numeric-too-slow")
    for name, node, found in apart:
        results[name] |= refined(oracle, node, found, PIECES_OF_EACH)
    return summary(list(results.values())) | {"skipped": [name for name in gradients if name not in results]}


def summary(results: list[Document]) -> Document:
    """All results, and the worst error among those without a kink, where there is no single correct slope."""
    errors = [told["relative_error"] for told in results if told["kink"] is None]
    largest = max((error if isinstance(error, float) else math.inf for error in errors), default=0.0)
    return {
        "mode": "direction",
        "results": results,
        "worst": max(results, key=badness)["node"],
        "relative_error": number(largest),
        "agrees": all(told["agrees"] for told in results),
    }
