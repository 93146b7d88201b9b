"""Plants a line in a plan's backward pass, in place of the right one."""

from __future__ import annotations

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import Meant, Planted, PlantedLine, made_by
from backend.engine.execute.planted_text import read_line
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.values import Values


def line_number(plan: Plan, step: int) -> int:
    """The number of the line of a backward step, which counts as in the walk; raises Refusal for another step."""
    first = plan.first_backward
    if not first <= step < first + len(plan.lines):
        raise Refusal("plant-no-line", found=step, first=first, last=first + len(plan.lines) - 1)
    return step - first


def plant(plan: Plan, number: int, text: str, mistake: Meant | None = None) -> Plan:
    """The plan with a text of one or more lines in place of a backward line, by the line's number.

    Raises Refusal for a text that is none of the language, that writes to what isn't its own, or that reads what isn't
    there yet. Whether shapes fit is no matter here: lines that do not fit are noted.
    """
    line = read_line(plan, number, text)
    lines = [*plan.lines[:number], line, *plan.lines[number + 1 :]]
    shapes, unfit = _shapes_after(plan, lines, number)
    planted = Planted(number, plan.lines[number], line, mistake, unfit)
    return Plan(plan.graph, lines, shapes, plan.narration, planted, plan)


def _shapes_after(plan: Plan, lines: list[Line], number: int) -> tuple[Values, dict[int, Refusal]]:
    """Every name's shape once the lines have run from the planted one on, and the refusals of those that don't fit."""
    evaluator = ShapeEvaluator(dict(plan.shapes), "cpu" if plan.graph.actual else "meta", shares=3)
    unfit: dict[int, Refusal] = {}
    with torch.no_grad(), DefaultDtype(plan.graph.loss.meta.dtype):
        for place, line in enumerate(lines[number:], number):
            begun = line.mode == "+=" and (not isinstance(line, PlantedLine) or line.variable in line.gradients)
            if not begun:
                evaluator.scope.pop(line.variable, None)
            try:
                evaluator.run(line.statements)
                if isinstance(line, PlantedLine):
                    evaluator.scope[line.variable] = made_by(line, evaluator.scope)
            except Refusal as refusal:
                unfit[place] = refusal
                evaluator.scope[line.variable] = plan.shapes[line.variable]
    return evaluator.scope, unfit
