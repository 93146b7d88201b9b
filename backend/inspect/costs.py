"""What each line of a walk costs: the multiply-adds of its products, and the bytes that are kept for the way back."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from backend.engine.execute.plan import Plan
from backend.engine.interpret.shape_inference import PARTICULAR, ShapeEvaluator, block_of
from backend.engine.language.pytree import tensors_in
from backend.engine.language.values import Values
from backend.engine.ops import OPS
from backend.engine.ops.base import Op
from backend.engine.trace.graph import Chunk, Node
from backend.program.runs import Run

# Calls that ask their first argument for its shape or its kind of number, and not for its numbers.
OF_SHAPE = frozenset(name for op in OPS if op.drawn == "shape" or "like" in op.others for name in op.names())


@dataclass(frozen=True)
class Cost:
    """One line: its multiply-adds; of a forward line the bytes that are kept, and the backward line that frees them."""

    code: str
    direction: Literal["forward", "again", "backward"]
    multiply_adds: int
    kept: int = 0
    freed_by: str = ""


class Counting(ShapeEvaluator):
    """Goes through lines by their shapes, and counts the multiply-adds of what sums products."""

    def __init__(self, scope: Values) -> None:
        super().__init__(scope, shares=float("inf"))
        self.multiply_adds = 0

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        result = super().operation(key, args, kwargs, node)
        op, bound = block_of(key, args, kwargs) if key in PARTICULAR else (Op, {})
        if op.has_own("multiplications"):
            sizes = [(one.numel(), tuple(one.shape)) for one in tensors_in(result)]
            self.multiply_adds += sum(cells * op.multiplications(bound, shape) for cells, shape in sizes)
        return result

    def cost(self, statements: Iterable[ast.stmt]) -> int:
        before = self.multiply_adds
        for statement in statements:
            self.statement(statement)
        return self.multiply_adds - before


def costs(run: Run, again: Collection[str] = ()) -> list[Cost]:
    """Every line of a walk in its order; the tensors in `again` are not kept, but computed once more when needed."""
    plan = run.plan
    counting = Counting({node.variable: node.meta for node in plan.graph.inputs} | dict(run.material.constants))
    readers = _readers(plan)
    made = list[Cost]()
    for chunk, statements in _statements(plan):
        node = chunk.node
        reader = "" if node.variable in again else readers.get(node.variable, "")
        kept = node.meta.numel() * node.meta.element_size() if reader else 0
        made.append(Cost(chunk.code, "forward", counting.cost(statements), kept, reader))
    repeated = _repeated(plan, made, again)
    pairs = zip(made, plan.graph.chunks, strict=True)
    more = [Cost(one.code, "again", one.multiply_adds) for one, chunk in pairs if chunk.node in repeated]
    for line in plan.lines:
        if more and any(set(again) & numbers_read(statement) for statement in line.statements):
            made, more = made + more, []
        made.append(Cost(line.code, "backward", counting.cost(line.statements)))
    return made


def _statements(plan: Plan) -> Iterator[tuple[Chunk, list[ast.stmt]]]:
    """Each line that names a tensor, with its statement; of several names in one line the first has it."""
    statements, latest = iter(plan.graph.statements), 0
    for chunk in plan.graph.chunks:
        yield chunk, [] if chunk.line == latest else list(islice(statements, 1))
        latest = chunk.line


def _repeated(plan: Plan, made: list[Cost], again: Collection[str]) -> set[Node]:
    """What is computed once more: these tensors, and what they are made from that isn't kept either."""
    kept = {chunk.node for chunk, one in zip(plan.graph.chunks, made, strict=True) if one.kept}
    pending = [chunk.node for chunk in plan.graph.chunks if chunk.node.variable in again]
    found = set[Node]()
    while pending:
        node = pending.pop()
        if node not in found and node not in kept and node.op is not None:
            found.add(node)
            pending += node.inputs.values()
    return found


def _readers(plan: Plan) -> dict[str, str]:
    """For each tensor whose numbers the way back reads, the last line that does: behind it nobody needs them."""
    return {name: line.code for line in plan.lines for statement in line.statements for name in numbers_read(statement)}


def numbers_read(statement: ast.stmt) -> set[str]:
    """The names whose numbers a statement reads, and not their shapes alone."""
    shapes = {
        id(part)
        for node in ast.walk(statement)
        for part in _asked_for_shape(node)
    }  # fmt: skip
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in shapes
    }


def _asked_for_shape(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Attribute(value, "shape" | "dtype"):
            return [value]
        case ast.Call(ast.Attribute(_, name), [first, *_]) if name in OF_SHAPE:
            return [first]
    return []
