"""Two runs keep step: whatever is told of both is told of the same steps, and each is what it would be alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.training.pair import Pair, request_beside, training_session
from backend.training.session import Session, Told

ADAM: Mapping[str, Any] = {"optimiser": {"name": "adam"}, "schedule": {"name": "constant", "lr": 0.01}}
REQUEST: Mapping[str, Any] = {
    "walk": {"lesson": "makemore-mlp"}, "sizes": {"context": 3, "embedding": 4, "hidden": 16}, "batch": 16,
    "steps": 90, "beside": ADAM,
}  # fmt: skip
FEW: Mapping[str, Any] = {"walk": {"lesson": "classifier"}, "steps": 40, "schedule": {"name": "constant", "lr": 0.1}}


def turns(pair: Pair, most: int = 10_000, seconds: float = 0.01) -> list[Told]:
    """The events of so many turns, in which both take as many steps whenever both run."""
    events: list[Told] = []
    for _ in range(most):
        if not pair.busy:
            break
        events += pair.turn(seconds)
        first, second = pair.runs
        assert first.trainer.number == second.trainer.number or "diverged" in (first.status, second.status)
    return events


def ask(pair: Pair, **command: object) -> list[Told]:
    return list(pair.command(command))


def steps(events: list[Told], kind: str, place: int) -> list[int]:
    return [event["steps_taken"] for event in events if event["kind"] == kind and event["run"] == place]


def alone(request: Mapping[str, Any]) -> torch.Tensor:
    """The weights in the end of a run that has nothing beside it."""
    session = Session(request)
    while session.busy:
        list(session.turn())
    return session.trainer.parameters.flat


def test_both_tell_of_the_same_steps_and_are_what_they_are_alone() -> None:
    pair = Pair(REQUEST)
    events = [*pair.begin(), *turns(pair)]
    assert pair.status == "finished"
    for kind in ("start", "report", "validation", "splits"):
        assert steps(events, kind, 0) == steps(events, kind, 1) != [], kind
    first, second = (run.trainer.parameters.flat for run in pair.runs)
    assert torch.equal(first, alone(REQUEST))
    assert torch.equal(second, alone(request_beside(REQUEST)))
    assert torch.equal(second, alone({**REQUEST, **ADAM}))


def test_pauses_single_steps_stops_and_other_rates_come_at_one_step() -> None:
    pair = Pair({**REQUEST, "paused": True})
    assert (pair.status, pair.busy) == ("paused", False)
    told = ask(pair, do="step", count=3)
    assert [(event["run"], event["target"]) for event in told] == [(0, 3), (1, 3)]
    assert steps(turns(pair), "report", 1)[-1] == 3
    told = ask(pair, do="resume")
    assert [(event["run"], event["status"]) for event in told] == [(0, "running"), (1, "running")]
    turns(pair, 2, 0)
    ask(pair, do="pause")
    at = pair.runs[0].trainer.number
    assert at == 5
    told = ask(pair, do="set", schedule={"name": "constant", "lr": 0.2}, beside={"schedule": {**ADAM["schedule"]}})
    assert [(event["steps_taken"], event["lr"]) for event in told] == [(at, 0.2), (at, 0.01)]
    told = ask(pair, do="set", clip={"by": "norm", "limit": 1.0})
    assert [event["clip"] for event in told] == [{"by": "norm", "limit": 1.0}] * 2
    ask(pair, do="run-to", step=at + 5)
    turns(pair)
    assert {run.trainer.number for run in pair.runs} == {at + 5}
    told = ask(pair, do="stop")
    assert steps(told, "splits", 0) == steps(told, "splits", 1) == [at + 5]
    with pytest.raises(Refusal, match="over"):
        ask(pair, do="step")
    told = ask(pair, do="restart")
    assert steps(told, "restart", 0) == steps(told, "restart", 1) == [0]


def test_a_lost_pair_goes_on_where_both_were() -> None:
    pair = Pair(REQUEST)
    turns(pair, 3, 0)
    other = Pair(REQUEST, saved=pair.save())
    assert [run.trainer.number for run in other.runs] == [run.trainer.number for run in pair.runs]
    turns(other)
    assert torch.equal(other.runs[1].trainer.parameters.flat, alone({**REQUEST, **ADAM}))


def test_one_whose_loss_is_no_number_stays_behind_and_the_other_goes_on() -> None:
    for place, rates in enumerate([(1e30, 0.1), (0.1, 1e30)]):
        first, second = ({"name": "constant", "lr": rate} for rate in rates)
        pair = Pair({**FEW, "schedule": first, "beside": {"schedule": second}})
        events = turns(pair)
        assert [run.status == "diverged" for run in pair.runs] == [place == 0, place == 1]
        assert pair.runs[1 - place].trainer.number == FEW["steps"]
        assert pair.status == pair.runs[0].status
        assert steps(events, "diverged", place)[0] < FEW["steps"]
        assert steps(ask(pair, do="restart"), "restart", place) == [0]


def test_one_of_both_is_asked_for_what_is_its_own() -> None:
    plant = {"step": 6, "mistake": "sign"}
    pair = Pair({**FEW, "beside": {"plant": plant}})
    turns(pair, 2, 0)
    ask(pair, do="pause")
    walks = [ask(pair, do="walk", run=run, step=1)[0]["walk"] for run in (0, 1)]
    assert "plant" not in walks[0]
    assert walks[1]["plant"] == plant
    compared = ask(pair, do="compare", run=1)[-1]
    assert (compared["kind"], compared["run"]) == ("compared", 1)
    assert ask(pair, do="about")[0]["beside"]["run"] == 1


def test_where_there_is_no_second_run_none_is_asked() -> None:
    session = training_session(FEW)
    assert isinstance(session, Session)
    list(session.turn())
    with pytest.raises(Refusal, match="no second run"):
        list(session.command({"do": "compare", "run": 1}))
