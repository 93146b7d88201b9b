"""What a lesson tells, told of a changed program: the sentences that are still true of it, and no others."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from backend.engine.execute.plan import Plan
from backend.engine.execute.run import run_backward, run_forward
from backend.engine.interpret.evaluate import TORCH_FAILS, DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import wants_memory
from backend.engine.language.parse import parse_answer
from backend.engine.language.unparse import printed
from backend.engine.language.values import Values
from backend.engine.trace.graph import Graph, Node
from backend.engine.trace.statement import statement_of
from backend.program.lessons import Lesson
from backend.program.request import Material, read

Planner = Callable[[Material], Plan]
# Two sides of a claim agree within this much of the larger one, and of the largest number up to what it reads.
RELATIVE, OF_ALL = 1e-6, 1e-12
UNTOLD = (*TORCH_FAILS, Refusal)


def retold(material: Material, names: Path | None, plan_of: Planner) -> Material:
    """The material of a changed program with those sentences of its lesson that are true of it.

    A sentence stays if its own line is the lesson's and everything holds that `holds` says of it, here and in float64;
    one of which nothing is said there stays as long as nothing at all is different.
    """
    lesson = material.told_by
    if lesson is None:
        return material
    plan = plan_of(replace(material, told_by=None))
    changed = _Changed.of(plan, material)
    labels = material.labels or _labels(lesson, plan, material, names)
    dtype = "float64" if material.dtype is torch.float64 else "float32"
    before = read({"lesson": lesson.name, "dtype": dtype}, names)
    kept = _Kept(lesson, plan_of(before).graph, before, plan.graph, changed)
    known = lesson.known(changed.tensors, labels)
    narration = {
        step: text for step, text in lesson.narration.items() if kept.stays(step) and _filled(text, known) is not None
    }
    codes = {name: label for name, label in lesson.codes.items() if label in labels}
    beginning = lesson.beginning if kept.same_program and _all_filled(lesson.beginning, known) else ()
    told_by = replace(lesson, narration=narration, codes=codes, beginning=beginning)
    return replace(material, told_by=told_by, labels=labels)


def untrue(plan: Plan, material: Material, claims: Iterable[str]) -> list[str]:
    """Those of the claims that don't hold in a program, or can't be worked out there."""
    changed = _Changed.of(plan, material)
    return [claim for claim in claims if not changed.holds(claim)]


@dataclass(frozen=True)
class _Changed:
    """A changed program run in float64: its values and gradients by name."""

    material: Material
    tensors: Mapping[str, torch.Tensor]
    scope: Values
    sizes: Mapping[str, float]

    @classmethod
    def of(cls, plan: Plan, material: Material) -> _Changed:
        forward = run_forward(plan.graph, material.tensors, torch.float64)
        gradients = run_backward(plan.lines, forward.values, torch.float64).gradients
        scope = {**material.constants, **forward.values, **gradients}
        return cls(material, forward.tensors, scope, dict(_largest_so_far(forward.tensors, gradients)))

    def holds(self, claim: str) -> bool:
        """Whether a claim such as `probs.sum(1) == 1` is true of every cell; one that can't be worked out isn't."""
        try:
            with torch.no_grad(), DefaultDtype(torch.float64):
                return self._is_true(claim)
        except UNTOLD as error:
            if wants_memory(error):
                raise
            return False

    def _is_true(self, claim: str) -> bool:
        (statement,) = parse_answer(claim).statements
        assert isinstance(statement, ast.Expr)
        evaluator = Evaluator(dict(self.scope))
        said = statement.value
        if isinstance(said, ast.Compare) and isinstance(said.ops[0], ast.Eq) and len(said.ops) == 1:
            sides = evaluator.value(said.left), evaluator.value(said.comparators[0])
            read = (one.id for one in ast.walk(said) if isinstance(one, ast.Name))
            return _agree(*sides, max((self.sizes.get(name, 0.0) for name in read), default=0.0))
        return bool(torch.as_tensor(evaluator.value(said)).all())


def _largest_so_far(*runs: Mapping[str, torch.Tensor]) -> Iterator[tuple[str, float]]:
    """The largest finite number up to each tensor, in the order they are computed: so large may its rounding be."""
    largest = 0.0
    for name, tensor in (item for run in runs for item in run.items()):
        finite = tensor[tensor.isfinite()].abs() if tensor.is_floating_point() else torch.empty(0)
        largest = max(largest, float(finite.max()) if finite.numel() else 0.0)
        yield name, largest


def _agree(left: Any, right: Any, size: float) -> bool:
    one, other = (torch.as_tensor(side, dtype=torch.float64) for side in (left, right))
    largest = max((float(side.abs().max()) for side in (one, other) if side.numel()), default=0.0)
    shapes = one.shape == other.shape or 0 in (one.dim(), other.dim())
    within = RELATIVE * largest + OF_ALL * size
    return shapes and bool(((one == other) | ((one - other).abs() <= within) & math.isfinite(within)).all())


@dataclass(frozen=True)
class _Kept:
    """Decides of each sentence whether it stays."""

    lesson: Lesson
    before: Graph
    material: Material
    after: Graph
    changed: _Changed

    def stays(self, step: str) -> bool:
        """Whether what is told of a step, by the name of its tensor or gradient, is still true."""
        places = list(self._places(step))
        if not places or not all(places):
            return False
        claims = self.lesson.holds.get(step)
        return self._same_throughout() if claims is None else all(map(self.changed.holds, claims))

    def _places(self, step: str) -> Iterator[bool]:
        """For each step of the changed program that goes by the name, whether its own line is the lesson's."""
        before, after = ({str(node.name): node for node in graph.named} for graph in (self.before, self.after))
        if step in after:
            yield step in before and self._meaning(before[step], self.before) == self._meaning(after[step], self.after)
        name = step.removeprefix("d")
        if name != step and after.get(name) in self.after.reached:
            yield name in before and self._uses(before[name], self.before) == self._uses(after[name], self.after)

    def _meaning(self, node: Node, graph: Graph) -> object:
        """A line without its layout: what it computes, from what, what of that is learned, and if it is the loss."""
        if node in graph.inputs:
            return node.role
        statement = statement_of(node, graph)
        read = {
            name: graph.by_variable[name].role == "parameter" for name in statement.names if name in graph.by_variable
        }
        text = [printed(one.value) for one in statement.before], printed(statement.expr)
        return node.variable, text, read, node is graph.loss

    def _uses(self, node: Node, graph: Graph) -> object:
        """The lines that read a tensor: its gradient comes from them."""
        readers = [chunk.node for chunk in graph.chunks if node.variable in statement_of(chunk.node, graph).names]
        return node.role == "parameter", node is graph.loss, [self._meaning(reader, graph) for reader in readers]

    @property
    def same_program(self) -> bool:
        """Whether the lines are the lesson's, whatever their numbers."""
        graphs = self.before, self.after
        lines = [{str(node.name): self._meaning(node, graph) for node in graph.named} for graph in graphs]
        return lines[0] == lines[1]

    def _same_throughout(self) -> bool:
        """Whether program and numbers are exactly those of the lesson."""
        one, other = self.material, self.changed.material
        if (
            not self.same_program
            or dict(one.constants) != dict(other.constants)
            or set(one.tensors) != set(other.tensors)
        ):
            return False
        pairs = [(tensor, other.tensors[name]) for name, tensor in one.tensors.items()]
        return all(mine.dtype == theirs.dtype and torch.equal(mine, theirs) for mine, theirs in pairs)


def _labels(lesson: Lesson, plan: Plan, material: Material, names: Path | None) -> dict[str, list[str]]:
    """The lesson's labels of a copy's axes; none where such an axis has another length."""
    try:
        found = lesson.labels(material.tensors, names)
    except TORCH_FAILS as error:
        if wants_memory(error):
            raise
        return {}
    sizes = {(axis, size) for node in plan.graph.named for axis, size in zip(node.dims, node.shape, strict=False)}
    return {
        axis: labels
        for axis, labels in found.items()
        if all(size in (1, len(labels)) for name, size in sizes if name == axis)
    }


def _all_filled(texts: Iterable[str], known: Mapping[str, str]) -> bool:
    return all(_filled(text, known) is not None for text in texts)


def _filled(text: str, known: Mapping[str, str]) -> str | None:
    """A sentence with its facts, nothing where one of them can't be worked out."""
    try:
        return text.format_map(known)
    except TORCH_FAILS as error:
        if wants_memory(error):
            raise
        return None
