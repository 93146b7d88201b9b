"""The local Jacobian of a named tensor by one of its inputs: answers POST /api/jacobian."""

from __future__ import annotations

import math
from pathlib import Path

import torch

from backend.engine.encode import LARGEST_WHOLE, Document, typed
from backend.engine.execute.lookup import node_of, sound, with_gradient
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.pytree import largest_finite
from backend.engine.ops.base import Op
from backend.engine.trace.graph import Node, named_inputs
from backend.inspect.jacobian.parts import WHOLE, Drawn, drawn, itself, leading, sizes
from backend.inspect.jacobian.patterns import pattern_of, words_for
from backend.inspect.jacobian.vjp import Block, Derivative
from backend.inspect.jacobian.vjp_check import TOLERANCE, LineVjp
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run


@guarded
def jacobian(request: Request, names: Path | None = None) -> Document:
    """The Jacobian [m, n] of a node by one of its inputs, both flattened, whole or a block of it.

    `request` is the body of POST /api/jacobian. With `example` it is the block of that entry of the leading axis that
    both share; with `cell`, a cell of `tensor` (one of the two, else the input), whatever can be drawn around it, with
    `along` too the block along that pair of axes.
    Raises Refusal where the node or input is unknown, the one does not read the other, no gradient arrives, there is
    no such example, or the matrix has more than 65,536 cells; with `cell` it has none then, and words that say so.
    """
    run = run_of(request["walk"], names)
    node = with_gradient(run.plan, request["node"])
    source = input_of(run, node, request["node"], request["input"])
    for one in (node, source):
        if "d" + one.variable in run.gradients:
            sound(run, one)
    examples, example = shared_axis(node, source), request.get("example")
    asked = {"node": request["node"], "input": request["input"], "examples": examples}
    if "cell" in request:
        along = None if request.get("along") is None else (request["along"][0], request["along"][1])
        part = drawn(run, node, source, request["cell"], request.get("tensor") == request["node"], along)
        return asked | (too_large(part) if part.block is None else described(run, node, source, part))
    if example is not None and not 0 <= example < (examples or 0):
        raise Refusal("example-unknown", found=example, node=request["node"], count=examples or 0)
    block = Block() if example is None else Block(((0, 0),), (example,))
    rows, columns = sizes(node, source, block.along)
    if rows * columns > LARGEST_WHOLE:
        raise Refusal("jacobian-too-large", rows=f"{rows:,}", columns=f"{columns:,}")
    return asked | {"example": example} | described(run, node, source, Drawn(block, not block.along, (rows, columns)))


def too_large(part: Drawn) -> Document:
    """The answer for a Jacobian whose smallest block is still too large to draw."""
    rows, columns = (f"{n:,} {noun}{'s' * (n != 1)}" for n, noun in zip(part.least, ("row", "column"), strict=True))
    rest = "The equation shows what becomes of it when the gradient arrives."
    words = f"This Jacobian has {rows} and {columns}: more than can be drawn. {rest}"
    return {"jacobian": None, "along": [], "at": [], "words": words}


def described(run: Run, node: Node, source: Node, part: Drawn) -> Document:
    """A block with the axes that run along its sides, and its numbers."""
    block = part.block
    assert block is not None
    return {
        "along": [list(pair) for pair in block.along],
        "at": list(block.at),
        "ways": [list(pair) for pair in part.ways],
        "small": math.prod(sizes(node, source, ())) <= WHOLE,
        "rows": side(node, block, True),
        "columns": side(source, block, False),
        **measured(run, node, source, part),
    }


def side(node: Node, block: Block, of_node: bool) -> Document:
    """The axes that run along one side of the matrix, flattened; `fixed` has the entry of each axis that does not."""
    fixed = block.fixed(len(node.shape), of_node)
    running = [axis for axis, at in enumerate(fixed) if at is None]
    return {
        "shape": [node.shape[axis] for axis in running],
        "dims": [node.dims[axis] for axis in running],
        "fixed": fixed,
    }


def measured(run: Run, node: Node, source: Node, part: Drawn) -> Document:
    """The matrix, the upstream gradient, their product, the walk's own contribution, and the matrix's pattern."""
    block = part.block or Block()
    derivative = Derivative(run, node, source, block)
    matrix, tolerance = derivative.matrix(), TOLERANCE[run.material.dtype]
    arriving = block.cut(run.gradients["d" + node.variable], True).reshape(-1)
    result = weighed(arriving, matrix)
    across, brought = derivative.reaches_others(), LineVjp(run, node, source)
    shown = None if across else brought.alone(block)
    out = block.cut(run.forward.tensors[node.variable], True).reshape(-1).double()
    pattern = pattern_of(matrix.double(), out, tolerance, None if block.along else shared_axis(node, source))
    return {
        "jacobian": typed(matrix),
        "arriving": typed(arriving),
        "result": typed(result.to(matrix.dtype)),
        "shown": None if shown is None else typed(shown),
        "agrees": brought.agrees()
        if shown is None
        else brought.agree(result, shown, largest_finite(weighed(arriving.abs(), matrix.abs()))),
        "across": across,
        "apart": part.apart,
        "itself": itself(run, node, source, block, matrix),
        "structure": pattern.name,
        "words": words_for(
            pattern, node.variable, source.variable, only_operation(node, source), batch_name(node, source)
        ),
    }


def input_of(run: Run, node: Node, asked: str, name: str) -> Node:
    """The input of that name; raises Refusal where the node doesn't read it, or can't be differentiated by it."""
    source, read = node_of(run.plan, name), named_inputs(node)
    if source not in read:
        listed = ", ".join(f"`{other.name}`" for other in read) or "nothing"
        raise Refusal("input-not-read", found=name, node=asked, inputs=listed)
    if not source.meta.dtype.is_floating_point:
        raise Refusal("input-whole-numbers", found=name)
    if _is_held(run, node, source):
        raise Refusal("input-held", found=name, node=asked)
    return source


def _is_held(run: Run, node: Node, source: Node) -> bool:
    """Whether an operation of the node's line reads the input as what torch has no derivative by, such as weights."""
    own = next(steps for chunk, steps in run.plan.graph.primitives() if chunk.node is node)
    return any(step.parameters.get(name) is source for step in own if step.op for name in step.op.others)


def shared_axis(node: Node, source: Node) -> int | None:
    """The length of the leading axis that both share, the batch axis; None if it is 1 or not shared."""
    if not node.shape or not source.shape or node.shape[0] != source.shape[0] or node.shape[0] < 2:
        return None
    return node.shape[0] if leading(node, source, (0, 0)) else None


def batch_name(node: Node, source: Node) -> str:
    """What the leading axis of either is called; empty where nobody gave it a name."""
    names = [one.dims[0] for one in (node, source) if one.dims]
    return next((name for name in names if not name.startswith("axis ")), "")


def only_operation(node: Node, source: Node) -> type[Op] | None:
    """The single operation between a node and its input, broadcasts not counted; None if there are more."""
    inputs = [_unstretched(one) for one in node.inputs.values()]
    named = all(one.name is not None for one in inputs)
    return node.op if named and inputs.count(source) == 1 else None


def _unstretched(node: Node) -> Node:
    while node.is_broadcast and node.name is None:
        node = node.inputs["x"]
    return node


def weighed(arriving: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
    """upstream @ matrix in float64, with 0 · inf = 0."""
    products = arriving.double()[:, None] * matrix.double()
    return torch.where(matrix == 0, 0.0, products).sum(0)
