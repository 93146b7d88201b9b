"""What a walk leaves out, and POST /api/steps answers with, is what the whole walk has; a near walk computes none of it."""

from __future__ import annotations

import copy
import json
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest

import backend
from backend.engine import encode
from backend.engine.execute import plan
from backend.engine.execute.run import Backward
from backend.lines.equations import equation, forward
from backend.lines.index_notation import picture_cells
from backend.present import candidates, mathml, parts, pictures, questions, schema
from backend.program import runs
from tests.support import schema_check
from tests.support.asking import program, whole
from tests.support.filled import faults, filled, put_together
from tests.support.programs import REQUESTS, mostly, request_of

LESSON = {"lesson": "makemore-mlp"}
X = [[-1.0, 2.0, 0.0], [3.0, -4.0, 0.5]]
ODD: dict[str, Any] = {
    "not finite": program("y = x.log()\nz = x / x.relu()\nloss = y.sum() + z.sum()", x=X),
    "an infinite gradient": program("y = torch.sqrt(x.relu())\nloss = y.sum()", x=X),
    "two names": program("y = x * 2\nz = y\nloss = (z * z).sum()", x=X),
    "zeros with a sign": program("y = -x * 0\nloss = (y * x).sum()", x=X),
    "masks and places": program("m = x > 0\nk = x.argmax(1)\nloss = (x * m).sum() + x[0, k].sum()", x=X),
    "twice precise": program("loss = (x * x).sum()", "float64", x=X),
    "changed": LESSON | {"changes": [{"tensor": "W2", "index": [3], "value": 0.7}, {"tensor": "h", "scale": 2.0}]},
    "planted": LESSON | {"plant": {"step": 24, "mistake": "keepdim"}},
    "planted and lost": LESSON | {"plant": {"step": 24, "mistake": "missing-sum"}},
    "a line of one's own": LESSON | {"plant": {"step": 24, "code": "t = counts * dprobs\ndcounts_sum_inv = t.sum(1)"}},
}


def asked(name: str) -> dict[str, Any]:
    return dict(ODD.get(name) or request_of(name))


def lists(request: dict[str, Any]) -> Any:
    return json.loads(backend.walk(request | {"arrays": "lists"}))


@pytest.fixture(scope="module")
def complete() -> Any:
    """The lesson, whole; who changes it copies it."""
    return whole(LESSON)


@pytest.fixture(scope="module")
def wanted(complete: Any) -> Any:
    """The same as lists, which it agrees with as long as nobody changes it."""
    made = lists(LESSON)
    assert faults(filled(copy.deepcopy(complete)), made) == []
    return made


def every_part(walk: dict[str, Any], near: Any) -> Any:
    """What POST /api/steps answers where everything is asked for."""
    judged = [node["name"] for node in near["nodes"]]
    wanted = {"steps": [step["index"] for step in near["steps"]], "judged": judged}
    sent = backend.steps({"walk": walk, **wanted, "gradients": True, "questions": True})
    return json.loads(encode.as_json(sent, "typed"))


@pytest.fixture
def _nothing_pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """How much is sent of large tensors is held elsewhere."""
    monkeypatch.setattr(encode, "FIRST_CELLS", 10**7)


@pytest.mark.usefixtures("_nothing_pooled")
@pytest.mark.parametrize("name", [*ODD, *mostly(REQUESTS)])
@pytest.mark.filterwarnings("ignore:reduction")
def test_what_is_left_out_is_what_the_rules_say_and_comes_with_the_steps(name: str) -> None:
    request = asked(name)
    complete, near = whole(request), json.loads(backend.walk(request))
    sent = every_part(request, near)
    assert schema_check.faults(sent, schema.StepParts) == []
    assert faults(put_together(near, sent), complete) == []
    assert faults(filled(complete), lists(request)) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda walk: walk["steps"][20].update(contribution=walk["steps"][21]["accumulated"]),
        lambda walk: walk["nodes"][0]["gradient"].update(autograd=walk["nodes"][1]["value"]),
        lambda walk: walk["steps"][-1]["picture"]["operands"].pop(),
        lambda walk: walk["steps"][-1]["accumulated"].update(walk["nodes"][0]["value"]),
        lambda walk: walk["steps"][3].update(cells=[]),
        lambda walk: walk["steps"][-1].update(norm=0.0),
        lambda walk: walk.pop("planted"),
    ],
)
def test_what_differs_is_found(complete: Any, wanted: Any, damage: Callable[[Any], None]) -> None:
    damaged = copy.deepcopy(complete)
    damage(damaged)
    assert faults(filled(damaged), wanted)


def test_a_near_walk_sends_neither_gradients_nor_what_belongs_to_one_step() -> None:
    near = json.loads(backend.walk(LESSON))
    for step in near["steps"]:
        later = {"cells", "picture"}
        if step["direction"] == "backward":
            later |= {"arrives", "math", "candidates", "contribution", "accumulated", "question"}
        assert step.keys().isdisjoint(later)
    gradients = [node["gradient"] for node in near["nodes"] if node["gradient"]]
    assert len(gradients) == 27
    assert all(one.keys().isdisjoint({"manual", "autograd", "difference"}) for one in gradients)


def code_of(function: Any) -> CodeType:
    code: CodeType = function.__code__
    return code


# What is made for single steps; each is called for a whole walk, and for a near one none.
FOR_ONE_STEP = {
    "questions": code_of(questions.Quiz.__init__),
    "proposals": code_of(questions.asked_about),
    "pictures": code_of(equation.picture_of),
    "drawn": code_of(pictures.picture),
    "forward pictures": code_of(forward._picture_of),
    "forward drawn": code_of(pictures.forward_picture),
    "cells": code_of(picture_cells.picture_cells),
    "forward cells": code_of(picture_cells.forward_cells),
    "candidates": code_of(candidates.candidates),
    "formulas": code_of(mathml._settled),
    "operands": code_of(Backward.values_after),
    "autograd's columns": code_of(parts.difference),
}


def made(request: dict[str, Any]) -> Counter[str]:
    """How often each of them is called for a walk that nothing was kept for."""
    plan._plans.clear()
    runs._runs.clear()
    names, found = {code: name for name, code in FOR_ONE_STEP.items()}, Counter[str]()

    def called(frame: FrameType, event: str, _of: object) -> None:
        if event == "call" and frame.f_code in names:
            found[names[frame.f_code]] += 1

    sys.setprofile(called)
    try:
        backend.walk(request)
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("request_body", [LESSON, request_of("lstm")])
def test_a_near_walk_makes_nothing_that_belongs_to_one_step(request_body: dict[str, Any]) -> None:
    assert made(request_body) == {}
    assert set(made(request_body | {"steps": "all"})) == set(FOR_ONE_STEP)


def test_of_a_planted_walk_its_own_line_alone_is_drawn() -> None:
    found = made(LESSON | {"plant": {"step": 24, "mistake": "keepdim"}})
    assert set(found) <= {"pictures", "operands"}
    assert max(found.values(), default=0) <= 2


def test_a_question_about_steps_looks_into_the_run_that_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    runs._runs.clear()
    request = program("y = x * 2\nloss = (y * y).sum()", x=X)
    backend.walk(request | {"arrays": "typed", "steps": "near"})
    monkeypatch.setattr(backend.pipeline, "new_run", lambda *_: pytest.fail("it is run again"))
    assert set(backend.steps({"walk": request, "steps": [1, 2], "judged": []})["parts"]) == {"1", "2"}
