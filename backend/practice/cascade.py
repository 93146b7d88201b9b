"""Earlier gradients as somebody's own answers make them, mistakes and all, in the place of the true ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.practice.answer import Answer, read_answer, run_answer
from backend.practice.exercise import Exercise
from backend.practice.trial import ARRIVING, Case


def answers_above(exercise: Exercise, given: Mapping[str, str]) -> dict[str, Answer]:
    """The answers that can be read, by the variables of their gradients; raises Refusal for an unknown target."""
    found: dict[str, Answer] = {}
    for name, source in given.items():
        variable = f"d{exercise.target(name).variable}"
        try:
            found[variable] = read_answer(source, variable)
        except Refusal:
            continue  # an answer that can't be read changes nothing: it was told so where it was asked
    return found


def cascaded(cases: list[Case], answers: Mapping[str, Answer]) -> list[Case]:
    """The cases with these answers in scope; the truth stays what it was."""
    return [_cascaded(case, answers) for case in cases if case.trial.kind != ARRIVING]


def _cascaded(case: Case, answers: Mapping[str, Answer]) -> Case:
    one = case.trial
    evaluator = Evaluator(dict(one.values))
    lasts = {line.variable: number for number, line in enumerate(one.lines)}
    with torch.no_grad(), DefaultDtype(one.precision):
        for number, line in enumerate(one.lines[: case.numbers[-1]]):
            before = dict(evaluator.scope)
            true = one.before[number + 1][line.variable]
            held = evaluator.scope.get(line.variable)
            if isinstance(held, torch.Tensor):
                evaluator.scope[line.variable] = held.clone()
            try:
                evaluator.run(line.statements)
            except Refusal:
                evaluator.scope[line.variable] = true  # of gradients that don't fit together nothing comes
            if line.variable in answers and number == lasts[line.variable]:
                made = run_answer(answers[line.variable], before, one.precision).value
                evaluator.scope[line.variable] = true if made is None else made
    return replace(case, scope=evaluator.scope)
