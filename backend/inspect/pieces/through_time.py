"""Through time: the gradient's norm at each step of an unrolled recurrence, and what each step adds to its weight."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from pathlib import Path

import torch

from backend.engine.encode import number
from backend.engine.execute.lookup import node_of
from backend.engine.execute.run import Forward, run_backward
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.wording import listed, number_text
from backend.engine.trace.graph import Graph, Node
from backend.inspect.closed_forms.find import adds, between, consumers
from backend.inspect.closed_forms.match import passes
from backend.inspect.pieces.piece_types import Piece, ThroughTime, ThroughTimePoint
from backend.inspect.pieces.saturation import roles_of
from backend.inspect.pieces.scaled import SCALES, USUAL, norm, runs
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

LEAST, MOST = 3, 200  # steps of a series
# By what all steps together multiply the gradient.
KINDS = ((0.2, "vanishes"), (0.9, "shrinks"), (1.1, "keeps its size"), (5.0, "grows"), (math.inf, "explodes"))
PEAK = 1.05  # so many times both ends: the steps don't all do the same
NAME = re.compile(r"^(.*?)_?(?:@?(\d+))?$")


@guarded
def through_time(request: Request, names: Path | None = None) -> ThroughTime:
    """The norm of the loss's gradient at each step of a series, at several scales of its recurrent weight.

    `request` is the body of POST /api/throughtime; `tensor` is any step of the series, or the weight. Besides the
    norms it holds how much each step brings to the weight's gradient, which is their sum, and the weight's largest
    singular value and spectral radius, where these bound what a step does. Raises Refusal where there is none.
    """
    run = run_of(request["walk"], names)
    wanted = node_of(run.plan, request["tensor"])
    known = [(series, weight) for series, weight in series_and_weights(run) if wanted in (*series, weight)]
    if not known:
        raise Refusal("throughtime-none", found=request["tensor"])
    series, weight = known[0]
    matrix = run.forward.tensors[weight.variable].double()
    points: list[ThroughTimePoint] = []
    others = joined(series, run.plan.graph)
    for scale, forward in runs(request["walk"], weight, names):
        norms = [norm(forward.autograd.get(node.variable)) for node in series]
        brought, total = contributions(run, forward, weight)
        points.append(
            {
                "scale": scale,
                "norms": [number(one) for one in norms],
                "brought": [number(one) for one in brought],
                "total": number(total),
                "text": norms_sentence(series, norms, others),
            }
        )
    bounds = is_plain(series, weight, run.plan.graph)
    singular = float(torch.linalg.matrix_norm(matrix, 2))
    return {
        "tensor": series[-1].variable,
        "series": [node.variable for node in series],
        "weight": str(weight.name),
        "singular": number(singular) if bounds else None,
        "radius": number(float(torch.linalg.eigvals(matrix).abs().max())) if bounds else None,
        "steps": [run.plan.first_backward + place for place in lines_to(run, weight)],
        "scales": list(SCALES),
        "usual": USUAL,
        "points": points,
    }


def through_time_offers(run: Run) -> list[Piece]:
    """Offered at the backward steps of a series and of its recurrent weight."""
    if run.plan.planted is not None:
        return []
    first = run.plan.first_backward
    return [
        {
            "kind": "throughtime",
            "tensor": str(series[-1].name),
            "steps": [first + n for n, line in enumerate(run.plan.lines) if line.target in (*series, weight)],
        }
        for series, weight in series_and_weights(run)
    ]


def series_and_weights(run: Run) -> list[tuple[list[Node], Node]]:
    """Every series of tensors, each made from the one before, with the square matrix that each one is multiplied by."""
    graph, roles = run.plan.graph, roles_of(run)
    long = [series for series in all_series(graph) if LEAST <= len(series) <= MOST]
    return [(series, weight) for series in long if (weight := recurrent(series, graph, roles))]


def all_series(graph: Graph) -> list[list[Node]]:
    """Tensors whose names differ by a number only, such as h, h@2, h@3 or h_0, h_1, as long as each reads the last."""
    groups: dict[tuple[str, tuple[int, ...]], list[Node]] = {}
    for node in graph.named:
        match = NAME.match(str(node.name))
        if match and node in graph.reached:
            groups.setdefault((match[1], node.shape), []).append(node)
    return [chain(nodes) for nodes in groups.values()]


def chain(nodes: list[Node]) -> list[Node]:
    """The tensors of a group, in order, from the first one on as long as each is computed from the one before."""
    made = nodes[:1]
    for node in nodes[1:]:
        if made[-1] in sources(node):
            made.append(node)
        elif len(made) == 1:
            made = [node]
        else:
            break
    return made


def sources(node: Node) -> set[Node]:
    """What a named tensor's own line reads, through parts without a name and through named ones of the same line."""
    seen, pending = set[Node](), [node]
    while pending:
        for source in pending.pop().inputs.values():
            if source not in seen:
                seen.add(source)
                if len(seen) < MOST and source.op is not None:
                    pending.append(source)
    return seen


def recurrent(series: list[Node], graph: Graph, roles: dict[str, str]) -> Node | None:
    """The square parameter by which every step but the last is multiplied."""
    width = series[0].shape[-1:] and series[0].shape[-1]
    for weight in graph.inputs:
        if roles.get(weight.variable) != "parameter" or weight.shape != (width, width):
            continue
        products = [node for node in graph.nodes if {*node.inputs.values()} & {weight} and len(node.inputs) == 2]
        met = {source for node in products for source in node.inputs.values()}
        if all(node in met for node in series[:-1]):
            return weight
    return None


def steps_between(series: list[Node], graph: Graph) -> Iterator[tuple[Node, Node, set[Node]]]:
    """Each step of a series and the next, with the tensors in between."""
    read_by = consumers(graph)
    for one, other in itertools.pairwise(series):
        yield one, other, between(one, other, read_by)


def is_plain(series: list[Node], weight: Node, graph: Graph) -> bool:
    """Whether each step is the one before times the weight, at most with something added and an activation.

    Only then the weight's singular values say what a step back does: a gate, a sum past the product or a normalisation
    changes the gradient, too.
    """
    read_by = consumers(graph)
    for one, other, inside in steps_between(series, graph):
        first = [node for node in read_by.get(one, []) if node in inside]
        if len(first) != 1 or weight not in first[0].inputs.values() or not first[0].op:
            return False
        rest = inside - {*first, other} | ({other} - {*first})
        if not all(adds(node) or (node.op and 0 < node.op.steepest <= 1) or passes(node) for node in rest):
            return False
    return True


def joined(series: list[Node], graph: Graph) -> list[Node]:
    """The steps to which a gradient comes back from elsewhere, too, and not through the next step alone."""
    read_by = consumers(graph)
    return [
        one
        for one, other, inside in steps_between(series, graph)
        if any(node not in inside for each in {one, *inside} - {other} for node in read_by.get(each, []))
    ]


def lines_to(run: Run, weight: Node) -> list[int]:
    """The numbers of the backward lines that add to the weight's gradient, that of the last step first."""
    return [number for number, line in enumerate(run.plan.lines) if line.target is weight]


def contributions(run: Run, forward: Forward, weight: Node) -> tuple[list[float], float]:
    """The norm of what each of those lines brings in some run of the plan, and the norm of their sum."""
    backward = run_backward(run.plan.lines, forward.values, run.material.dtype)
    brought = [norm(backward.contributions[place].value) for place in lines_to(run, weight)]
    return brought, norm(backward.gradients[f"d{weight.variable}"])


def norms_sentence(series: list[Node], norms: list[float], others: list[Node]) -> str:
    """What becomes of the gradient from the last step to the first, and how much a step changes it.

    To `others` something comes back on other paths: what a step does can't be told from the norms then.
    """
    first, last = norms[0], norms[-1]
    ends = f"`d{series[-1].variable}` to `d{series[0].variable}`"
    if not (0 < first < math.inf and 0 < last < math.inf):
        return f"From {ends} the gradient is lost: {number_text(last, 2)} becomes {number_text(first, 2)}."
    change = f"From {ends} the gradient's norm goes from {number_text(last, 2)} to {number_text(first, 2)}."
    if others:
        which = "each of these steps" if len(others) == len(series) - 1 else listed([f"`{n.name}`" for n in others])
        return f"{change} To {which} something comes back on other paths, too."
    peak = max(range(len(norms)), key=norms.__getitem__)
    if norms[peak] > PEAK * max(first, last):
        return f"{change} In between, it is largest: {number_text(norms[peak], 2)} at `d{series[peak].variable}`."
    each = (first / last) ** (1 / (len(norms) - 1))
    kind = next(word for limit, word in KINDS if first / last < limit)
    return f"{change} Each step back multiplies it by about {number_text(each, 2)}: it {kind}."
