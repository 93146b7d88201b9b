"""Three ways to write the gradient of a table of which rows were picked: answers POST /api/threeways."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import torch

from backend.engine.encode import number, typed_within
from backend.engine.execute.lookup import node_of
from backend.engine.execute.run import Contribution, Forward, Tensors, run_backward, run_forward
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.unparse import printed
from backend.engine.language.wording import plural
from backend.engine.trace.graph import Node
from backend.inspect.closed_forms.derivation import compared, gradient_scale
from backend.inspect.closed_forms.match import bare
from backend.inspect.pieces.piece_types import Piece, ThreeWays, Way
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

MOST_ROWS = 1_024  # picked rows that a loop goes through
MOST_CELLS = 65_536
LETTERS = "ijklmnopqrst"
MOST_AXES = 4  # of an index


@guarded
def three_ways(request: Request, names: Path | None = None) -> ThreeWays:
    """The gradient of a picked table as a loop, as one call, and as a product with a one-hot matrix.

    `request` is the body of POST /api/threeways, with the table's name as `tensor`. Each way is run in both precisions
    and compared with what the walk's own line brings. Raises Refusal where no rows of the tensor are picked.
    """
    run = run_of(request["walk"], names)
    table = node_of(run.plan, request["tensor"])
    picked = next((node for node in picks(run) if node.inputs["x"] is table), None)
    if picked is None:
        raise Refusal("threeways-none", found=request["tensor"])
    other = torch.float32 if run.material.dtype is torch.float64 else torch.float64
    forward = run_forward(run.plan.graph, run.material.tensors, other)
    backward = run_backward(run.plan.lines, forward.values, other)
    truth = _brought(run, picked, run.contributions), _brought(run, picked, backward.contributions)
    encode = typed_within(MOST_CELLS)
    ways: list[Way] = []
    for name, code, text in ways_as_code(picked, set(run.forward.values)):
        value = ran(code, f"d{table.variable}", run.forward, run.gradients, run.material.dtype)
        fine = ran(code, f"d{table.variable}", forward, backward.gradients, other)
        ways.append(
            {"name": name, "code": code, "text": text, "check": compared((value, fine), truth, gradient_scale(run))}
        )
    index = run.forward.tensors[_index(picked).variable]
    return {
        "tensor": str(table.name),
        "variable": f"d{table.variable}",
        "upstream": f"d{picked.variable}",
        "index": printed(_index(picked).expr),
        "ways": ways,
        "labels": _labels(run, table),
        "places": [int(place) % table.shape[0] for place in index.flatten()],
        "index_shape": list(index.shape),
        "rows": encode(run.gradients[f"d{picked.variable}"].reshape(index.numel(), -1)),
        "gradient": encode(truth[0].reshape(table.shape[0], -1)),
        "scale": number(float(truth[0].abs().max())),
        "text": picked_sentence(table, index, _labels(run, table)),
    }


def three_ways_offers(run: Run) -> list[Piece]:
    """Offered at the backward step through which a picked table gets its gradient."""
    if run.plan.planted is not None:
        return []
    found: list[Piece] = []
    for node in picks(run):
        steps = [
            run.plan.first_backward + place
            for place, line in enumerate(run.plan.lines)
            if line.target is node.inputs["x"] and line.through is not None and line.through.node is node
        ]
        found += [{"kind": "threeways", "tensor": str(node.inputs["x"].name), "steps": steps}] if steps else []
    return found


def picks(run: Run) -> list[Node]:
    """The named tensors that are rows of a table, picked by a tensor of whole numbers."""
    return [chunk.node for chunk in run.plan.graph.chunks if _is_pick(chunk.node, run)]


def _is_pick(node: Node, run: Run) -> bool:
    index, table = node.parameters.get("index"), node.inputs.get("x")
    if not isinstance(index, Node) or table is None or table.name is None or not table.shape:
        return False
    whole = bare(index).name is not None and index.shape and not index.meta.dtype.is_floating_point
    fits = node.shape == index.shape + table.shape[1:] and str(index.meta.dtype) != "torch.bool"
    small = index.meta.numel() <= MOST_ROWS and len(index.shape) <= MOST_AXES and len(table.shape) == 2
    first = node.parameters.get("dim", 0) == 0
    if not (whole and fits and small and first and f"d{node.variable}" in run.gradients):
        return False
    return int(run.forward.tensors[bare(index).variable].min()) >= 0  # a one-hot row has no place for -1


def _labels(run: Run, table: Node) -> list[str]:
    """Names for the table's rows, where the program's data have some."""
    names = run.material.labels.get(table.dims[0], []) if table.dims else []
    return names if len(names) == table.shape[0] else []


def _index(picked: Node) -> Node:
    return bare(picked.parameters["index"])


def _brought(run: Run, picked: Node, contributions: list[Contribution]) -> torch.Tensor:
    """What the walk's line brings to the table through this pick."""
    every = zip(run.plan.lines, contributions, strict=True)
    return next(
        kept.value
        for line, kept in every
        if line.target is picked.inputs["x"] and line.through is not None and line.through.node is picked
    )


def ways_as_code(picked: Node, taken: set[str]) -> list[tuple[str, str, str]]:
    """The three ways: name, code and one sentence each."""
    table, index = picked.inputs["x"], _index(picked)
    d, up, places = f"d{table.variable}", f"d{picked.variable}", printed(index.expr)
    rows, width = table.shape
    letters = [letter for letter in LETTERS if letter not in taken][: len(index.shape)]
    loop = [f"{d} = torch.zeros_like({table.variable})"]
    loop += [
        f"{'    ' * depth}for {letter} in range({size}):"
        for depth, (letter, size) in enumerate(zip(letters, index.shape, strict=True))
    ]
    at = ", ".join(letters)
    loop.append(f"{'    ' * len(letters)}{d}[{places}[{at}]] += {up}[{at}]")
    flat_index = places if len(index.shape) == 1 else f"{places}.view(-1)"
    flat = up if len(index.shape) == 1 else f"{up}.reshape(-1, {width})"
    return [
        ("a loop", "\n".join(loop), f"Each row of `{up}` is added to the row of `{d}` that it was picked from."),
        (
            "index_add",
            f"{d} = torch.zeros_like({table.variable}).index_add(0, {flat_index}, {flat})",
            "The same additions in one call. A plain `d[index] = …` would keep only the last of several.",
        ),
        (
            "one-hot product",
            f"{d} = F.one_hot({flat_index}, {rows}).type_as({up}).T @ {flat}",
            f"Picking row r is a product with a one-hot row. So `{d}` is the matrix product's rule: one-hot transposed "
            "times upstream.",
        ),
    ]


def ran(code: str, variable: str, forward: Forward, gradients: Tensors, dtype: torch.dtype) -> torch.Tensor:
    """The value of a variable after these lines over a walk's values and gradients."""
    evaluator = Evaluator({name: value for name, value in (forward.values | gradients).items() if name != variable})
    with torch.no_grad(), DefaultDtype(dtype):
        for statement in ast.parse(code).body:
            evaluator.statement(statement)
    return evaluator.tensor(ast.Name(variable, ast.Load()))


def picked_sentence(table: Node, index: torch.Tensor, labels: list[str]) -> str:
    """How often the commonest row was picked, and how many rows not at all."""
    counts = Counter(int(place) % table.shape[0] for place in index.flatten())
    row, most = max(counts.items(), key=lambda pair: (pair[1], -pair[0]))
    missing = table.shape[0] - len(counts)
    never = f" {plural('row', missing)} {'was' if missing == 1 else 'were'} never picked: zero." if missing else ""
    if most == 1:
        return f"Each row of `{table.variable}` was picked once at most, so nothing adds up.{never}"
    name = f", “{labels[row]}”," if labels else ""
    return f"Row {row}{name} of `{table.variable}` was picked {most} times: {most} rows add up in it.{never}"
