"""Checks an answer for one gradient, and names its mistake: answers POST /api/practice/check."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import torch

from backend.engine.encode import LARGEST_WHOLE, number, typed_within
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.trace.graph import Node
from backend.engine.verify.compare import Verdict, judge
from backend.engine.verify.zeros import Zeros
from backend.practice.answer import read_answer, run_answer
from backend.practice.cascade import answers_above, cascaded
from backend.practice.closed import closed_hints
from backend.practice.diagnose import NO_RULE, diagnosis_of, luck_in, unreadable
from backend.practice.exercise import Exercise, exercise_of
from backend.practice.hints import hints_for
from backend.practice.judge import Judged, is_zero, judged, same
from backend.practice.reply import Checked, Diagnosis, Given, Shown, Task, Tasks, Worst
from backend.practice.trial import ARRIVING, Case
from backend.present import schema
from backend.program.request import Request

encode = typed_within(LARGEST_WHOLE)


@guarded
def practice_check(request: Request, names: Path | None = None) -> Checked:
    """Whether an answer is the gradient of `target` on every instance of the program, and if not, what is wrong.

    `request` is the body of POST /api/practice/check. Raises Refusal where the walk can't be carried out, and for a
    target that it doesn't have.
    """
    exercise = exercise_of(request["walk"], names)
    node = exercise.target(request["target"])
    variable, last = f"d{node.variable}", _last(exercise, node, request.get("step"))
    numbers = exercise.own.numbers_of(variable)[: None if last is None else last + 1]
    hints = _hints(exercise, node, numbers, request)[: request.get("hints", 0)]
    try:
        answer = read_answer(request["answer"], variable)
    except Refusal as refusal:
        return _reply(False, hints, diagnosis=unreadable(refusal))
    cases = exercise.of(variable, last)
    own = exercise.own_case(variable, last)
    if request.get("cascade"):
        above = answers_above(exercise, request["cascade"])
        cases, (own,) = cascaded(cases, above), cascaded([own], above)
    found = judged(answer, cases, of_step=bool(last))
    refused = found.shown.refusal is not None  # and so must not be run where nothing is weighed
    mine = None if refused else run_answer(answer, own.scope, own.trial.precision).value
    verdict = _verdict(mine, found, own, exercise)
    diagnosis = diagnosis_of(found, verdict)
    correct = diagnosis is None
    remark = luck_in(found) if correct else None
    zero = _zero(exercise, node, found, last, correct, remark is not None)
    sent = (
        None
        if verdict is None
        else cast(schema.Verdict, {k: number(v) for k, v in verdict._asdict().items()} | {"because": zero or ""})
    )
    told = zero if correct or is_zero(cases[0]) else None
    return _reply(correct, hints, sent, diagnosis or remark, told, _shown(mine, own))


def _hints(exercise: Exercise, node: Node, numbers: list[int], request: Request) -> list[str]:
    """The hints for the gradient step by step, or with `closed` for its closed form, where one is known."""
    if not request.get("closed"):
        return hints_for(exercise.run.plan, node, numbers)
    return closed_hints(exercise.closed[node]) if node in exercise.closed else []


def _last(exercise: Exercise, node: Node, step: int | None) -> int | None:
    """Which of a gradient's own lines a step of the walk is; None without a step. Raises Refusal for another's."""
    if step is None:
        return None
    own = exercise.own.numbers_of(f"d{node.variable}")
    number_of_line = step - exercise.run.plan.first_backward
    if number_of_line not in own:
        raise Refusal("target-unknown", found=f"{node.variable} (step {step})")
    return own.index(number_of_line)


def _reply(
    correct: bool,
    hints: list[str],
    verdict: schema.Verdict | None = None,
    diagnosis: Diagnosis | None = None,
    zero: str | None = None,
    gradient: Shown | None = None,
) -> Checked:
    return {
        "correct": correct, "verdict": verdict, "diagnosis": diagnosis, "hints": hints, "zero": zero,
        "gradient": gradient,
    }  # fmt: skip


def _verdict(mine: torch.Tensor | None, found: Judged, own: Case, exercise: Exercise) -> Verdict | None:
    """The answer judged as the walk judges its own lines: in both precisions, against autograd where it is whole."""
    other = found.shown.value
    if mine is None or other is None:
        return None
    if mine.shape != own.truth.shape or other.shape != own.truth.shape:
        return judge(mine, own.truth, other, found.cases[0].truth)
    name = own.variable[1:]
    whole = own.numbers == own.trial.numbers_of(own.variable)
    true = own.trial.autograd.get(name) if whole else own.truth
    fine = exercise.shown.autograd.get(name) if whole else found.cases[0].truth
    if true is None or fine is None:
        true, fine = own.truth, found.cases[0].truth
    scale = max(
        (float(t.abs().nan_to_num(0.0, 0.0, 0.0).max()) for t in own.trial.autograd.values() if t.numel()), default=1.0
    )
    if own.trial.precision is torch.float64:
        return judge(mine, true, mine.float(), true.float(), scale or 1.0)
    return judge(mine, true, other, fine, scale or 1.0)


def _zero(exercise: Exercise, node: Node, found: Judged, last: int | None, correct: bool, remarked: bool) -> str | None:
    """Why the true gradient is zero, where it is; or why a path that was left out doesn't count."""
    zeros = Zeros(exercise.run, exercise.verdicts)
    verdict = exercise.verdicts.get(node.variable)
    if last is None and verdict is not None and verdict.kind is not None and is_zero(found.cases[0]):
        because = zeros.because(node.variable, verdict)
        lead = "" if "true gradient is" in because or "exactly zero" in because else "The true gradient is zero. "
        note = "" if found.by_rule or remarked else f" So this is right, {NO_RULE}."
        return lead + because + (note if correct else "")
    return _path_left_out(found, zeros, exercise) if correct and last is None else None


def _path_left_out(found: Judged, zeros: Zeros, exercise: Exercise) -> str | None:
    """Why a path needn't be there: with random upstream gradients the answer is the truth without it."""
    for case, outcome in zip(found.cases, found.outcomes, strict=True):
        if case.trial.kind != ARRIVING or outcome.value is None or len(case.paths) < 2:
            continue
        for line, path in zip(case.lines, case.paths, strict=True):
            above = line.through.node.variable if line.through else ""
            known = exercise.verdicts.get(above)
            if known is not None and known.level == "zero" and same(outcome.value, case.truth - path):
                return f"The path through `{above}` may be left out: {_small(zeros.because(above, known))}"
    return None


def _small(text: str) -> str:
    return text if text.startswith("`") or text[1:2].isupper() else text[0].lower() + text[1:]


def _shown(mine: torch.Tensor | None, own: Case) -> Shown | None:
    if mine is None:
        return None
    true = own.truth
    if mine.shape != true.shape:
        return {"answer": encode(mine), "true": encode(true), "difference": None, "worst": None}
    difference = mine - true
    return {"answer": encode(mine), "true": encode(true), "difference": encode(difference), "worst": _worst(mine, true)}


def _worst(mine: torch.Tensor, true: torch.Tensor) -> Worst | None:
    if not mine.numel():
        return None
    gap = (mine - true).abs().nan_to_num(torch.inf)
    place = int(gap.argmax())
    index = [int(i) for i in torch.unravel_index(torch.tensor(place), mine.shape)]
    a, b = float(mine.reshape(-1)[place]), float(true.reshape(-1)[place])
    return {"index": index, "answer": number(a), "true": number(b), "difference": number(a - b)}


@guarded
def practice_tasks(request: Request, names: Path | None = None) -> Tasks:
    """The gradients of a program that can be written, in backward order, each with what is in scope by then.

    The loss's own is 1 and nothing is to be written there.

    `request` is the body of POST /api/practice/tasks. Raises Refusal where the walk can't be carried out.
    """
    exercise = exercise_of(request["walk"], names)
    plan, seen = exercise.run.plan, dict[str, Node]()
    for line in reversed(plan.lines):
        if not line.inner and line.target.name is not None and line.through is not None:
            seen.setdefault(line.variable, line.target)
    return {"tasks": [_task(exercise, variable, node) for variable, node in reversed(seen.items())]}


def _task(exercise: Exercise, variable: str, node: Node) -> Task:
    numbers = exercise.own.numbers_of(variable)
    return {
        "target": str(node.name),
        "name": variable,
        "shape": list(node.shape),
        "steps": [exercise.run.plan.first_backward + number for number in numbers],
        "closed": (closed := _has_closed_form(exercise, node)),
        "closed_hints": closed and node in exercise.closed,
        "given": _given(exercise.own.before[numbers[-1]], exercise),
    }


def _given(scope: Mapping[str, object], exercise: Exercise) -> list[Given]:
    """Values and gradients of the program; what the printed lines help themselves with would give them away."""
    gradients = {line.variable for line in exercise.own.lines if not line.inner}
    return [
        {
            "name": name,
            "shape": list(value.shape) if isinstance(value, torch.Tensor) else None,
            "gradient": name in gradients,
        }
        for name, value in scope.items()
        if name in gradients or name in exercise.own.values
    ]


def _has_closed_form(exercise: Exercise, node: Node) -> bool:
    """Whether a block begins here that shifts a tensor by its own maximum or mean: its gradient has a short form."""
    numbers = exercise.own.numbers_of(f"d{node.variable}")
    through = [line.through for line in (exercise.own.lines[number] for number in numbers) if line.through]
    shifted = [chunk for chunk in through if _is_difference(chunk.node.written)]
    statistics = {chunk.node.name for chunk in through if 1 in chunk.node.shape and chunk.node.shape != node.shape}
    return any(statistics & set(chunk.names_read) for chunk in shifted)


def _is_difference(expr: ast.expr) -> bool:
    return isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Sub)
