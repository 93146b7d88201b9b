"""With this module one operation shows its Jacobian: how each cell of a tensor moves with each cell of an input."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from backend.graph import Node
from backend.jacobians.brought import TOLERANCE, Brought, largest
from backend.jacobians.derivative import Derivative, part
from backend.jacobians.structure import pattern_of, words_for
from backend.language.errors import Refusal
from backend.lookup import node_of, with_gradient
from backend.ops.base import Op
from backend.ops.stretch import Expand
from backend.runs import Run, run_of
from backend.view.layout import named_inputs
from backend.wire import LARGEST_WHOLE, typed

Document = dict[str, Any]


def jacobian(request: Mapping[str, Any], names: Path | None = None) -> Document:
    """The Jacobian [m, n] of a node by one of its inputs, both flattened, whole or for one example.

    `request` is the body of POST /api/jacobian. Raises Refusal where the node or input is unknown, the one does not
    read the other, no gradient arrives, there is no such example, or the matrix has more than 65,536 cells.
    """
    run = run_of(request["walk"], names)
    node = with_gradient(run.plan, request["node"])
    source = input_of(run, node, request["node"], request["input"])
    examples, example = shared_axis(node, source), request.get("example")
    if example is not None and not 0 <= example < (examples or 0):
        raise Refusal("example-unknown", found=example, node=request["node"], count=examples or 0)
    rows, columns = (list(part_shape(one, example)) for one in (node, source))
    if math.prod(rows) * math.prod(columns) > LARGEST_WHOLE:
        raise Refusal("jacobian-too-large", rows=f"{math.prod(rows):,}", columns=f"{math.prod(columns):,}")
    start = 0 if example is None else 1
    return {
        "node": request["node"],
        "input": request["input"],
        "example": example,
        "examples": examples,
        "rows": {"shape": rows, "dims": node.dims[start:]},
        "columns": {"shape": columns, "dims": source.dims[start:]},
        **measured(run, node, source, example, examples),
    }


def measured(run: Run, node: Node, source: Node, example: int | None, examples: int | None) -> Document:
    """The matrix with what arrives, what comes of it, what the walk shows there, and what it all looks like."""
    derivative = Derivative(run, node, source, example)
    matrix, tolerance = derivative.matrix(), TOLERANCE[run.material.dtype]
    arriving = part(run.gradients["d" + node.variable], example).reshape(-1)
    result = weighed(arriving, matrix)
    across, brought = derivative.reaches_others(), Brought(run, node, source)
    shown = None if across else brought.alone(example)
    out = part(run.forward.values[node.variable], example).reshape(-1).double()
    pattern = pattern_of(matrix.double(), out, tolerance, examples if example is None else None)
    return {
        "jacobian": typed(matrix),
        "arriving": typed(arriving),
        "result": typed(result.to(matrix.dtype)),
        "shown": None if shown is None else typed(shown),
        "agrees": brought.agrees()
        if shown is None
        else brought.agree(result, shown, largest(weighed(arriving.abs(), matrix.abs()))),
        "across": across,
        "structure": pattern.name,
        "words": words_for(pattern, str(node.name), str(source.name), only_operation(node, source)),
    }


def input_of(run: Run, node: Node, asked: str, name: str) -> Node:
    """The input of that name; raises Refusal where the node does not read it, or it holds whole numbers."""
    source, read = node_of(run.plan, name), named_inputs(node)
    if source not in read:
        listed = ", ".join(f"`{other.name}`" for other in read) or "nothing"
        raise Refusal("input-not-read", found=name, node=asked, inputs=listed)
    if not source.meta.dtype.is_floating_point:
        raise Refusal("input-whole-numbers", found=name)
    return source


def shared_axis(node: Node, source: Node) -> int | None:
    """The length of the leading axis that both have in common, if more than one: its entries are the examples."""
    if not node.shape or not source.shape or node.shape[0] != source.shape[0] or node.shape[0] < 2:
        return None
    mine, other = node.dims[0], source.dims[0]
    unnamed = "axis 0" in (mine, other) and source.role != "parameter"
    return node.shape[0] if mine == other or unnamed else None


def only_operation(node: Node, source: Node) -> type[Op] | None:
    """The operation between a node and its input where there is a single one, stretching not counted."""
    inputs = [_unstretched(one) for one in node.inputs.values()]
    named = all(one.name is not None for one in inputs)
    return node.op if named and inputs.count(source) == 1 else None


def _unstretched(node: Node) -> Node:
    while node.op is Expand and node.name is None:
        node = node.inputs["x"]
    return node


def part_shape(node: Node, example: int | None) -> tuple[int, ...]:
    """The shape of a node, or of one example of it."""
    return node.shape if example is None else node.shape[1:]


def weighed(arriving: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
    """arriving @ matrix in float64; what does not move brings nothing, be what arrives infinite."""
    products = arriving.double()[:, None] * matrix.double()
    return torch.where(matrix == 0, 0.0, products).sum(0)
