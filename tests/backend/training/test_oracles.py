"""Three oracles judge the gradients of a step, and each of them sees what is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
import torch

from backend.engine.encode import Document
from backend.pipeline import run_of, walk
from backend.training import session as sessions
from backend.training.oracles import compared
from backend.training.session import Session
from backend.training.trainer import Moment
from backend.training.walk_request import walk_request

MAKEMORE: Mapping[str, Any] = {
    "walk": {"lesson": "makemore-mlp"}, "sizes": {"embedding": 3, "hidden": 8}, "batch": 8, "steps": 30,
}  # fmt: skip
CLASSIFIER: Mapping[str, Any] = {"walk": {"lesson": "classifier"}, "steps": 30}


def judged(request: Mapping[str, Any], seconds: float = 60.0) -> tuple[Session, Moment, dict[str, Document]]:
    session = Session(request)
    moment = session.trainer.watched()
    return session, moment, {one["name"]: {**one} for one in compared(session.trainer, moment, seconds)}


@pytest.mark.parametrize("request_", [MAKEMORE, CLASSIFIER, {**CLASSIFIER, "clip": {"by": "loss", "limit": 2.0}}])
def test_all_three_agree_with_a_right_gradient(request_: Mapping[str, Any]) -> None:
    session, _, told = judged(request_)
    assert list(told) == list(session.trainer.parameters.values)
    for name, one in told.items():
        assert one["level"] in ("exact", "approximate", "zero"), name
        assert one["printed"]["level"] in ("exact", "approximate", "zero"), name
        assert one["differences"]["agrees"] is True, one["differences"]
        shape = session.trainer.parameters.shapes[name]
        assert all(len(cell["cell"]) == len(shape) for cell in one["differences"]["cells"])


def test_the_cell_with_the_largest_gradient_is_among_those_that_are_nudged() -> None:
    session, moment, told = judged(CLASSIFIER)
    for name, gradient in session.trainer.named(moment.gradient).items():
        largest = [int(i) for i in torch.unravel_index(gradient.abs().argmax(), gradient.shape)]
        cells = told[name]["differences"]["cells"]
        assert cells[0]["cell"] == largest
        assert cells[0]["analytic"] == pytest.approx(float(gradient[tuple(largest)]), rel=1e-4)
        assert cells[0]["numeric"] == pytest.approx(cells[0]["analytic"], rel=1e-5)


def test_where_only_the_others_overflow_they_judge_nothing() -> None:
    """A gradient that is finite beside small steps of softmax in which a probability is zero, its logarithm infinite."""
    session = Session(MAKEMORE)
    moment = session.trainer.watched()
    moment.weights.mul_(100.0)
    run = run_of(walk_request(session.trainer, moment), None)
    assert not math.isfinite(float(run.forward.tensors["loss"]))
    for one in compared(session.trainer, moment, 0.0):
        assert (one["level"], one["printed"]["level"]) == ("autograd-not-finite", "lines-not-finite"), one
        assert one["maxdiff"] is None


def test_a_planted_mistake_is_seen_by_autograd_and_by_differences_and_is_what_the_lines_say() -> None:
    steps = json.loads(walk({"lesson": "classifier"}))["steps"]
    step = next(one["index"] for one in steps if one["code"].startswith("db1 ="))
    planted = {"lesson": "classifier", "plant": {"step": step, "mistake": "scale"}}
    _, _, told = judged({**CLASSIFIER, "walk": planted})
    assert {name for name, one in told.items() if one["level"] == "wrong"} == {"b1"}
    assert {name for name, one in told.items() if not one["differences"]["agrees"]} == {"b1"}
    assert all(one["printed"]["level"] != "wrong" for one in told.values())


def test_a_step_that_is_off_is_seen_by_the_printed_lines() -> None:
    session = Session(MAKEMORE)
    moment = session.trainer.watched()
    moment.gradient.mul_(1.001)
    told = compared(session.trainer, moment, 0.0)
    assert {one["printed"]["level"] for one in told if one["name"] != "b1"} == {"wrong"}


def test_without_time_there_are_no_differences_and_with_little_of_it_every_parameter_has_its_first_cell_first() -> None:
    _, _, told = judged(MAKEMORE, 0.0)
    assert {one["differences"] is None for one in told.values()} == {True}
    _, _, told = judged(MAKEMORE)
    assert {len(one["differences"]["cells"]) for one in told.values()} <= {1, 2, 3}


def test_any_step_is_compared_and_a_loss_that_is_not_finite_has_no_differences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for patience in ("DIFFERENCES_ASKED", "AT_ONCE"):
        monkeypatch.setattr(sessions, patience, 60.0)
    session = Session({**CLASSIFIER, "steps": 60})
    while session.status == "running":
        list(session.turn())
    session.trainer.moments.clear()
    (told,) = session.command({"do": "compare", "step": 7})
    assert told["step"] == 7
    assert all(one["differences"]["agrees"] for one in told["parameters"])
    tensors = {"w": {"role": "parameter", "values": [0.5]}}
    log = {"walk": {"source": "loss = torch.log(w).sum()", "tensors": tensors}, "steps": 9}
    bad = Session({**log, "schedule": {"name": "constant", "lr": 1.0}})
    while bad.status == "running":
        list(bad.turn())
    (told,) = bad.command({"do": "compare"})
    assert {one["differences"] is None for one in told["parameters"]} == {True}
