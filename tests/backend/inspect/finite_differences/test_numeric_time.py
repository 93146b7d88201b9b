"""Central differences as far as time permits: answers in part, a sweep that ends, and refusals."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from app.compute.worker import load_jobs
from backend.engine.language.errors import Refusal
from backend.pipeline import run_of
from tests.support import makemore
from tests.support.asking import along, program

module = sys.modules["backend.inspect.finite_differences.numeric"]


class Clock:
    """A clock that goes on by a hundredth of a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def process_time(self) -> Any:
        self.now += 0.01
        return self.now


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets how many seconds of that clock there are for evaluations, each of which takes a hundredth."""
    clock = Clock()

    def allow(number: Any) -> None:
        monkeypatch.setattr(module, "time", clock)
        monkeypatch.setattr(sys.modules["backend.inspect.finite_differences.oracle"], "time", clock)
        monkeypatch.setattr(module, "SECONDS", number)
        monkeypatch.setattr(module, "LEAST_SECONDS", number)
        monkeypatch.setattr(module, "MOST_SECONDS", 60.0)  # that of the machine's own clock

    return allow


def test_many_gradients_are_answered_as_far_as_time_permits(seconds: Any) -> None:
    seconds(0.5)
    answer = along(makemore.LESSON, "*")
    assert answer["agrees"]
    assert 5 <= len(answer["results"]) <= 9
    assert [told["node"] for told in answer["results"]] + answer["skipped"] == [*makemore.names(), "loss"]


def test_a_sweep_ends_when_time_does(seconds: Any) -> None:
    seconds(0.3)
    answer = along(makemore.LESSON, "W1")
    assert answer["agrees"]
    steps = [step for step, _ in answer["sweep"]]
    assert 8 <= len(steps) < 21
    assert steps == sorted(steps, reverse=True)
    assert set(steps) >= {0.1, 0.01, 1e-6}


def test_cells_are_answered_as_far_as_time_permits(seconds: Any) -> None:
    seconds(0.5)
    cells = [[0, place] for place in range(64)]
    answer = along(makemore.LESSON, "h", mode="cells", cells=cells)
    assert answer["agrees"]
    assert 5 <= len(answer["cells"]) <= 9
    assert [told["cell"] for told in answer["cells"]] + answer["skipped"] == cells


@pytest.mark.parametrize("mode", ["direction", "cells"])
@pytest.mark.parametrize("name", ["h", "*"])
def test_a_program_too_slow_to_be_run_again_is_refused(seconds: Any, name: Any, mode: Any) -> None:
    seconds(0.02)
    with pytest.raises(Refusal) as refusal:
        along(makemore.LESSON, name, mode=mode)
    assert refusal.value.code == "numeric-too-slow"


def test_a_program_that_took_long_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(makemore.LESSON)
    monkeypatch.setitem(run.seconds, "forward", 100.0)
    monkeypatch.setattr(module, "oracle_of", None)
    with pytest.raises(Refusal) as refusal:
        along(makemore.LESSON, "h")
    assert refusal.value.code == "numeric-too-slow"


def test_kinks_without_time_keep_the_directions_verdict(seconds: Any) -> None:
    walk = program("loss = (torch.relu(x) * w).sum()", x=[0.0, 1.0, -1.0], w=[1.5, 2.0, -3.0])
    seconds(0.8)
    answer = along(walk, "*")
    told = next(told for told in answer["results"] if told["node"] == "x")
    assert told["kink"]
    assert told["agrees"]


@pytest.mark.parametrize(("deadline", "fewest", "most"), [(1.0, 5, 14), (2.0, 15, 23), (10.0, 27, 27)])
def test_the_time_for_differences_follows_the_deadline(
    seconds: Any, monkeypatch: pytest.MonkeyPatch, deadline: float, fewest: int, most: int
) -> None:
    monkeypatch.setattr(run_of(makemore.LESSON), "seconds", {"forward": 0.0, "backward": 0.0})
    seconds(1.2)
    answer = module.numeric({"walk": makemore.LESSON, "node": "*"}, None, deadline)
    assert fewest <= len(answer["results"]) <= most
    assert len(answer["results"]) + len(answer["skipped"]) == 27


def test_a_long_program_s_answer_ends_at_the_same_place_however_much_time_there_is(
    seconds: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a recording says what the server says, and the same when it is made again."""
    monkeypatch.setattr(module, "STATEMENTS", 400)
    seconds(20)
    answers = [along(makemore.LESSON, "*")]
    seconds(60)
    answers.append(along(makemore.LESSON, "*"))
    assert answers[0] == answers[1]
    assert answers[0]["results"]
    assert answers[0]["skipped"]


@pytest.mark.parametrize(("deadline", "refused"), [(1.0, True), (2.0, False), (10.0, False)])
def test_what_is_too_slow_depends_on_the_deadline(
    monkeypatch: pytest.MonkeyPatch, deadline: float, refused: bool
) -> None:
    run = run_of(makemore.LESSON)
    monkeypatch.setitem(run.seconds, "forward", 0.2)
    monkeypatch.setitem(run.seconds, "backward", 0.1)
    asked = {"walk": makemore.LESSON, "node": "b2"}
    if refused:
        with pytest.raises(Refusal) as caught:
            module.numeric(asked, None, deadline)
        assert caught.value.code == "numeric-too-slow"
    else:
        assert module.numeric(asked, None, deadline)["agrees"]


def test_a_worker_tells_its_deadline() -> None:
    """A worker that has a thousandth of a second refuses what one that has a minute answers."""
    asked = {"walk": makemore.LESSON, "node": "b2"}
    assert json.loads(load_jobs(None, 60.0)["numeric"](asked))["agrees"]
    with pytest.raises(Refusal) as caught:
        load_jobs(None, 0.001)["numeric"](asked)
    assert caught.value.code == "numeric-too-slow"
