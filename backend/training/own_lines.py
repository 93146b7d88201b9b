"""A backward pass that somebody wrote themselves, in the place of the printed lines."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.scope import known_shapes
from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import PlantedLine, made_by
from backend.engine.execute.planted_text import read_line
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal


def with_own(plan: Plan, answers: Mapping[str, str]) -> tuple[Plan, list[str]]:
    """The plan with each answer in the place of the line that completes its gradient, and the tensors that have one.

    `answers` are by the tensors' names, each the whole of a gradient: what the lines before it gave, nobody reads any
    more. What can't be a line of a backward pass, such as a method that changes a tensor in place, leaves the printed
    line where it is.
    """
    if not answers:
        return plan, []
    lasts = {line.variable: number for number, line in enumerate(plan.lines)}
    gradients = {name: f"d{node.variable}" for name, node in plan.by_name.items() if name in answers}
    places = {lasts[variable]: name for name, variable in gradients.items() if variable in lasts}
    evaluator = ShapeEvaluator(known_shapes(plan.graph), "cpu" if plan.graph.actual else "meta", shares=3)
    lines: list[Line] = []
    own: list[str] = []
    with torch.no_grad(), DefaultDtype(plan.graph.loss.meta.dtype):
        for number, printed in enumerate(plan.lines):
            name = places.get(number, "")
            written = _read(plan, number, answers[name]) if name else None
            if written is not None and _runs(evaluator, written):
                own.append(name)
                lines.append(written)
            else:
                evaluator.run(printed.statements)
                lines.append(printed)
    return Plan(plan.graph, lines, evaluator.scope, plan.narration), own


def _read(plan: Plan, number: int, text: str) -> PlantedLine | None:
    """The line that an answer says; None for what is none, or what only adds to its gradient."""
    try:
        line = read_line(plan, number, text)
    except Refusal:
        return None
    return line if line.mode == "=" else None


def _runs(evaluator: ShapeEvaluator, line: PlantedLine) -> bool:
    """Whether a line runs at the shapes that are there, which it then adds to."""
    before = dict(evaluator.scope)
    try:
        evaluator.run(line.statements)
        evaluator.scope[line.variable] = made_by(line, evaluator.scope)
    except Refusal:
        evaluator.scope = before
        return False
    return True
