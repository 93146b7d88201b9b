"""The whole makemore exercise, written right and wrong in many ways; and lines of eleven programs, each with a mistake.

Whether a changed line is wrong is worked out here, by running it on the same program with other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
import torch

from backend import practice_check
from backend.engine.execute.run import run_forward
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.parse import parse_answer
from backend.engine.language.pytree import as_tensor
from backend.engine.language.values import Values
from backend.pipeline import new_run
from backend.program.runs import Run
from backend.program.starts import starts
from tests.support.line_mutants import Wrong, wrong_lines
from tests.support.practice_answers import CLOSED, LECTURE, LUCKY, RIGHT, WRONG
from tests.support.programs import BY_NAME, load, some

MAKEMORE = {"lesson": "makemore-mlp"}
PROGRAMS: dict[str, Any] = {start["name"]: start["request"] for start in starts()} | {"makemore-mlp": MAKEMORE}
# Of the changes of a gradient's lines one in so many is tried, unless all are.
ONE_IN = 9
NAMED = 0.95


def check(target: str, answer: str, walk: Any = MAKEMORE) -> Any:
    return practice_check({"walk": walk, "target": target, "answer": answer})


def test_every_line_of_the_lecture_is_right() -> None:
    assert len(LECTURE) == 26
    assert [name for name, line in LECTURE.items() if not check(name, line)["correct"]] == []


# In the first the lengths of tensors depend on numbers, and printed lines name them by number.
OWN = ("masked-selection", *PROGRAMS)


@pytest.mark.parametrize("name", [*OWN, *some(sorted(BY_NAME.keys() - set(OWN)), 32)])
def test_every_printed_line_is_right(name: str) -> None:
    request = PROGRAMS[name] if name in PROGRAMS else load(BY_NAME[name])
    texts: dict[str, list[str]] = {}
    for line in new_run(request).plan.lines:
        if not line.inner:
            texts.setdefault(str(line.target.name), []).append(line.code)
    wrong = {target: check(target, "\n".join(text), request)["diagnosis"] for target, text in texts.items()}
    assert {target: told for target, told in wrong.items() if told} == {}


def test_what_is_right_may_be_written_in_many_ways() -> None:
    answers = [*CLOSED.items(), *RIGHT]
    told = [(target, answer, check(target, answer)["diagnosis"]) for target, answer in answers]
    assert [one for one in told if one[2] is not None] == []


def test_mistakes_that_people_make_are_rejected_and_named() -> None:
    misnamed = []
    for target, answer, codes in WRONG:
        told = check(target, answer)
        assert not told["correct"], (target, answer)
        assert "this is right" not in (told["zero"] or ""), (target, answer)
        where = told["diagnosis"]["where"]
        assert where is None or where["text"].rstrip("…") in answer, (answer, where)
        if told["diagnosis"]["code"] not in codes.split():
            misnamed.append((answer, codes, told["diagnosis"]["code"]))
    assert len(misnamed) <= 0.05 * len(WRONG), misnamed


def test_one_argument_has_one_verdict() -> None:
    """Where a true gradient is zero, zeros are right, and so is a wrong rule that gives them: with the same remark."""
    remark = "so this is right, though its rule would not hold for another upstream gradient."
    zeros = check("logit_maxes", "torch.zeros_like(logit_maxes)")
    assert (zeros["correct"], zeros["diagnosis"]) == (True, None)
    assert zeros["zero"].endswith(f"S{remark[1:]}")
    for target, answer, code in LUCKY:
        told = check(target, answer)
        assert (told["correct"], told["diagnosis"]["code"]) == (True, code), answer
        assert told["diagnosis"]["message"].endswith(f"Here that changes nothing, {remark}")
        assert "this is right" not in (told["zero"] or ""), "said once"


@dataclass
class Other:
    """A program at other numbers: a scope for each line, and all gradients."""

    run: Run
    scopes: list[Values]
    after: Values


def others(name: str) -> list[Other]:
    return [_stepped(_with_noise(PROGRAMS[name], k)) for k in range(3)]


def _with_noise(request: Any, k: int) -> Run:
    if "lesson" in request:
        return new_run(request | {"seed": 100 + k})
    run, g = new_run(request), torch.Generator().manual_seed(k)
    given = dict(request["tensors"])
    for name, tensor in run.material.tensors.items():
        if tensor.is_floating_point() and name != "mask":
            values = tensor.double() + 0.1 * torch.randn(tensor.shape, generator=g).double()
            given[name] = {"role": given[name]["role"], "values": values.tolist()}
    return new_run(request | {"tensors": given, "dtype": "float64"})


def _stepped(run: Run) -> Other:
    evaluator = Evaluator(dict(run_forward(run.plan.graph, run.material.tensors, torch.float64).values))
    scopes = []
    with torch.no_grad(), DefaultDtype(torch.float64):
        for line in run.plan.lines:
            scopes.append(_copy(evaluator.scope))
            evaluator.run(line.statements)
    return Other(run, scopes, evaluator.scope)


def _copy(scope: Values) -> Values:
    return {name: value.clone() if isinstance(value, torch.Tensor) else value for name, value in scope.items()}


def is_right(source: str, variable: str, last: int, programs: list[Other]) -> bool:
    """Whether changed lines give the gradient, and change nothing else, at all of these numbers."""
    for other in programs:
        scope, truth = _copy(other.scopes[last]), other.after[variable]
        evaluator = Evaluator(scope)
        try:
            with torch.no_grad(), DefaultDtype(torch.float64):
                for statement in parse_answer(source).statements:
                    evaluator.statement(statement)
        except Refusal:
            return False
        made = _with_shape(scope.get(variable))
        if made is None or not isinstance(truth, torch.Tensor) or made.shape != truth.shape:
            return False
        widest = max(
            float(t.abs().max()) for t in scope.values() if isinstance(t, torch.Tensor) and t.is_floating_point()
        )
        if not float((made - truth).abs().max()) <= 1e-9 * float(truth.abs().max()) + 1e-13 * widest:
            return False
        kept = {n: t for n, t in other.scopes[last].items() if n != variable and isinstance(t, torch.Tensor)}
        if not all(torch.equal(before, as_tensor(scope[name])) for name, before in kept.items()):
            return False
    return True


@cache
def changes(name: str) -> tuple[list[Other], list[tuple[str, int, Wrong]]]:
    programs = others(name)
    run = new_run(PROGRAMS[name])
    found: list[tuple[str, int, Wrong]] = []
    lines = run.plan.lines
    for variable in dict.fromkeys(line.variable for line in lines if not line.inner):
        own = [number for number, line in enumerate(lines) if line.variable == variable]
        text = [statement for number in own for statement in lines[number].code.split("\n")]
        above = {line.variable: line.target for line in lines[: own[-1]] if line.variable != variable}
        shapes = {n: tuple(t.shape) for n, t in run.forward.tensors.items() if t.is_floating_point()}
        shapes |= {name: target.shape for name, target in above.items()}
        found += [(variable, own[-1], wrong) for wrong in wrong_lines(text, shapes, set(above))]
    return programs, found


def holds_for_any_upstream_gradient(source: str, variable: str, last: int, programs: list[Other]) -> bool:
    """Whether changed lines give what the printed ones give when random numbers arrive; the loss's own stay 1."""
    other, g = programs[0], torch.Generator().manual_seed(5)
    lines, scope = other.run.plan.lines, _copy(other.scopes[last])
    gradients = {line.variable for line in lines[:last]} - {variable, f"d{other.run.plan.graph.loss.variable}"}
    for name in sorted(gradients & scope.keys()):
        scope[name] = torch.randn(as_tensor(scope[name]).shape, generator=g).double()
    scope.pop(variable, None)
    printed = "\n".join(line.code for line in lines[: last + 1] if line.variable == variable)
    made, wanted = (_run(text, variable, _copy(scope)) for text in (source, printed))
    return made.shape == wanted.shape and bool(torch.allclose(made, wanted, rtol=1e-9, atol=1e-12))


def _run(source: str, variable: str, scope: Values) -> torch.Tensor:
    evaluator = Evaluator(scope)
    with torch.no_grad(), DefaultDtype(torch.float64):
        for statement in parse_answer(source).statements:
            evaluator.statement(statement)
    return as_tensor(_with_shape(scope[variable]))


def _with_shape(made: Any) -> torch.Tensor | None:
    """What lines make of a gradient: a plain number is one of no axes."""
    return torch.tensor(float(made)).double() if isinstance(made, int | float) else made


def sampled(name: str, thorough: bool) -> Iterator[tuple[str, Wrong, bool, bool]]:
    """Changed lines, whether they give the right numbers, and whether they are a rule that holds."""
    programs, found = changes(name)
    for variable, last, wrong in found if thorough else found[::ONE_IN]:
        right = is_right(wrong.source, variable, last, programs)
        yield variable, wrong, right, right and holds_for_any_upstream_gradient(wrong.source, variable, last, programs)


def test_a_changed_line_is_rejected_where_it_is_wrong_and_its_mistake_is_named(thorough: bool) -> None:
    mistaken = named = 0
    misnamed = []
    for name in PROGRAMS:
        for variable, wrong, right, holds in sampled(name, thorough):
            told = check(variable, wrong.source, PROGRAMS[name])
            if holds or (right and told["correct"]):  # a path that brings zeros may be left out
                assert told["correct"], (name, wrong, told["diagnosis"])
                continue
            if right:
                assert "Here it comes out the same" in told["diagnosis"]["message"], (name, wrong)
            assert not told["correct"], (name, wrong, told["zero"])
            mistaken += 1
            if told["diagnosis"]["code"] in wrong.codes:
                named += 1
            else:
                misnamed.append((name, wrong.source, wrong.how, told["diagnosis"]["code"]))
    assert mistaken > (1_500 if thorough else 150)
    assert named >= NAMED * mistaken, misnamed


def test_a_gradient_has_at_least_twenty_changes_where_its_line_is_no_mere_name() -> None:
    _, found = changes("makemore-mlp")
    counts = {variable: sum(one == variable for one, _, _ in found) for variable, _, _ in found}
    assert sum(counts.values()) > 350
    assert counts["dcounts"] >= 20
    assert counts["dbndiff"] >= 20
