"""Plants a line in a plan's backward pass, in place of the right one; what comes after it is drawn anew."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import torch

from backend.differentiate.lines import Line
from backend.equations.as_run import picture_as_run
from backend.equations.equation import Picture, picture_of
from backend.equations.names import Names
from backend.execute.plan import Plan
from backend.execute.planted import Planted, PlantedLine, made_by
from backend.execute.planted_text import read_line
from backend.interpret.evaluate import DefaultDtype
from backend.interpret.shape_inference import ShapeEvaluator
from backend.language.errors import Refusal
from backend.language.guard import attempted
from backend.language.on_demand import OnDemand
from backend.language.values import Values
from backend.mistakes.choices import Choice, choices_of


def line_number(plan: Plan, step: int) -> int:
    """The number of the line of a backward step, which counts as in the walk; raises Refusal for another step."""
    first = plan.first_backward
    if not first <= step < first + len(plan.lines):
        raise Refusal("plant-no-line", found=step, first=first, last=first + len(plan.lines) - 1)
    return step - first


def possible(plan: Plan, number: int) -> list[Choice]:
    """The mistakes that can be planted in place of a line."""
    return choices_of(plan.lines[number], plan.names, plan.lines)


def plant_mistake(plan: Plan, number: int, code: str) -> Plan:
    """The plan with a mistake in place of a backward line; raises Refusal where the line has no such mistake."""
    choices = {choice.mutant.code: choice for choice in possible(plan, number)}
    if code not in choices:
        raise Refusal("mistake-unknown", found=code, codes=", ".join(choices) or "none")
    return plant(plan, number, choices[code].mutant.source, choices[code])


def plant(plan: Plan, number: int, text: str, choice: Choice | None = None) -> Plan:
    """The plan with a text of one or more lines in place of a backward line, by the line's number.

    Raises Refusal for a text that is none of the language, that writes to what isn't its own, or that reads what isn't
    there yet. Whether shapes fit is no matter here: lines that do not fit are noted.
    """
    right, line = plan.lines[number], read_line(plan, number, text)
    lines = [*plan.lines[:number], line, *plan.lines[number + 1 :]]
    shapes, unfit = _shapes_after(plan, lines, number)
    same = all(_shape(shapes, one) == _shape(plan.shapes, one) for one in lines[number:]) and not unfit
    drawn = {one for one in range(number, number + 1 if same else len(lines)) if one not in unfit}
    names = Names(plan.graph, lines, shapes)
    planted = Planted(number, right, line, choice, unfit)
    pictures = _pictures(plan, lines, names, drawn)
    return Plan(plan.graph, lines, pictures, plan.forward_pictures, names, plan.lesson, planted, plan)


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


def _shape(shapes: Values, line: Line) -> tuple[int, ...] | None:
    value = shapes.get(line.variable)
    return tuple(value.shape) if isinstance(value, torch.Tensor) else None


def _pictures(plan: Plan, lines: list[Line], names: Names, drawn: Collection[int]) -> Sequence[Picture | None]:
    """The planned pictures, some of them drawn anew for other lines and shapes; None for what can't be drawn."""

    def drawn_at(number: int) -> Picture | None:
        line, right, meant = lines[number], plan.lines[number], plan.pictures[number]
        if number not in drawn or (meant is None and not isinstance(line, PlantedLine)):
            return meant
        if isinstance(line, PlantedLine):
            return attempted(partial(picture_as_run, line, right, meant, names), None)
        return attempted(partial(picture_of, line, names), None)

    return OnDemand(len(lines), drawn_at)
