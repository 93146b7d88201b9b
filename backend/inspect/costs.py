"""What each line of a walk costs: the multiply-adds of its products, and the bytes that are kept for the way back."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import torch

from backend.engine.encode import Document
from backend.engine.execute.lookup import node_of
from backend.engine.execute.plan import Plan
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.shape_inference import FUSED, PARTICULAR, ShapeEvaluator, block_of, inside
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.pytree import tensors_in
from backend.engine.language.tree import stored_in
from backend.engine.language.values import Values
from backend.engine.ops import OPS
from backend.engine.ops.base import Op
from backend.engine.trace.graph import Graph, Node
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

# Calls that ask their first argument for its shape or its kind of number, and not for its numbers.
OF_SHAPE = frozenset(name for op in OPS if op.drawn == "shape" or "like" in op.others for name in op.names())


@dataclass(frozen=True)
class Cost:
    """One line: its multiply-adds; of a forward line the bytes that are kept, and the backward line that frees them.

    `made` is the variable of a forward line, and `held` all the bytes that are kept for the way back when it is done.
    """

    code: str
    direction: Literal["forward", "again", "backward"]
    multiply_adds: int
    kept: int = 0
    freed_by: str = ""
    made: str = ""
    held: int = 0


@dataclass(frozen=True)
class Kept:
    """The bytes of a tensor whose numbers the way back reads, and the last line that does, counted from 0."""

    size: int
    until: int


@guarded
def line_costs(request: Request, names: Path | None = None) -> Document:
    """What each line costs: answers POST /api/costs; raises Refusal where `again` names no tensor that a line computes.

    `request` is the body of the request; the tensors in its `again` are not kept, but computed once more.
    """
    run = run_of(request["walk"], names)
    again = [node_of(run.plan, name) for name in request.get("again", [])]
    for node in again:
        if node.op is None:
            raise Refusal("again-given", found=node.variable)
    every = costs(run, [node.variable for node in again])
    return {"again": [node.variable for node in again], "lines": [asdict(one) for one in every]}


class Counting(ShapeEvaluator):
    """Runs lines, and counts the multiply-adds of what sums products."""

    def __init__(self, scope: Values, device: str = "cpu") -> None:
        super().__init__(scope, device, shares=float("inf"))
        self.multiply_adds = 0

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        result = super().operation(key, args, kwargs, node)
        op, bound = block_of(key, args, kwargs) if key in PARTICULAR else (Op, {})
        if op.has_own("multiplications"):
            self.multiply_adds += sum(op.multiplications(bound, tuple(one.shape)) for one in tensors_in(result))
        elif key in FUSED:
            scope, steps = inside(key, args, kwargs, result)
            small = Counting(scope, "meta")
            for name, step in steps:
                small.scope[name] = small.value(step)
            self.multiply_adds += small.multiply_adds
        return result

    def cost(self, statements: Iterable[ast.stmt]) -> int:
        before = self.multiply_adds
        for statement in statements:
            self.statement(statement)
        return self.multiply_adds - before


def costs(run: Run, again: Collection[str] = ()) -> list[Cost]:
    """Every line of a walk in its order; the tensors in `again` are not kept, but computed once more when needed.

    A planted line counts as the right one, which it stands for.
    """
    plan = run.plan.origin or run.plan
    inputs = {node.variable: run.forward.tensors[node.variable] for node in plan.graph.inputs}
    counting = Counting(inputs | dict(run.material.constants))
    kept = _kept(plan, run, {chunk.node.variable for chunk in plan.graph.chunks} - set(again))
    held, made = dict[str, Kept](), list[Cost]()
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        forward = _forward(plan.graph, counting)
        for chunk in plan.graph.chunks:
            name = chunk.node.variable
            held |= {name: kept[name]} if name in kept else {}
            size, freed_by = (kept[name].size, plan.lines[kept[name].until].code) if name in kept else (0, "")
            made.append(Cost(chunk.code, "forward", forward[name], size, freed_by, name, _size(held)))
        repeated = _repeated(plan, kept, again)
        more = [one for one, chunk in zip(made, plan.graph.chunks, strict=True) if chunk.node in repeated]
        renewed = _kept(plan, run, {one.made for one in more})
        for place, line in enumerate(plan.lines):
            if more and any(set(again) & numbers_read(statement) for statement in line.statements):
                for one in more:
                    held |= {one.made: renewed[one.made]} if one.made in renewed else {}
                    made.append(Cost(one.code, "again", one.multiply_adds, made=one.made, held=_size(held)))
                more = []
            held = {name: one for name, one in held.items() if one.until > place}
            made.append(Cost(line.code, "backward", counting.cost(line.statements), held=_size(held)))
    return made


def _forward(graph: Graph, counting: Counting) -> Counter[str]:
    """The multiply-adds of each forward line, by the tensor that it makes: of several, by the first."""
    made, found, before = {chunk.node.variable for chunk in graph.chunks}, Counter[str](), 0
    for statement in graph.statements:
        before += counting.cost([statement])
        name = next((name for name in stored_in(statement) if name in made), None)
        if name is not None:  # else a list or a tuple, which belongs to the line that reads it
            found[name] += before
            before = 0
    return found


def _size(held: Mapping[str, Kept]) -> int:
    return sum(one.size for one in held.values())


def _kept(plan: Plan, run: Run, among: Collection[str]) -> dict[str, Kept]:
    """Those among these tensors whose numbers the way back reads.

    Views share their numbers: the first that is read stands for all of them, and what an input holds is there anyway.
    """
    storages = {node.variable: run.forward.tensors[node.variable].untyped_storage() for node in plan.graph.named}
    until = {
        name: place
        for place, line in enumerate(plan.lines)
        for statement in line.statements
        for name in numbers_read(statement)
    }
    there = {storages[node.variable].data_ptr() for node in plan.graph.inputs}
    names = [chunk.node.variable for chunk in plan.graph.chunks]
    read = [name for name in names if name in until and name in among]
    sharing = dict[int, list[str]]()
    for name in read:
        sharing.setdefault(storages[name].data_ptr(), []).append(name)
    return {
        names[0]: Kept(storages[names[0]].nbytes(), max(until[name] for name in names))
        for place, names in sharing.items()
        if place not in there
    }


def _repeated(plan: Plan, kept: Collection[str], again: Collection[str]) -> set[Node]:
    """What is computed once more: these tensors, and what they are made from that isn't kept either."""
    pending = [chunk.node for chunk in plan.graph.chunks if chunk.node.variable in again]
    found = set[Node]()
    while pending:
        node = pending.pop()
        if node not in found and node.variable not in kept and node.op is not None:
            found.add(node)
            pending += node.inputs.values()
    return found


def numbers_read(node: ast.AST) -> set[str]:
    """The names whose numbers a statement reads, and not their shapes alone; one subtree may stand in two places."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    shaped = [id(part) for part in _asked_for_shape(node) if isinstance(part, ast.Name)]
    return {name for part in ast.iter_child_nodes(node) if id(part) not in shaped for name in numbers_read(part)}


def _asked_for_shape(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Attribute(value, "shape" | "dtype"):
            return [value]
        case ast.Call(ast.Attribute(_, name), [first, *_]) if name in OF_SHAPE:
            return [first]
    return []
