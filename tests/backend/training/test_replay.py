"""Any step taken again: the same minibatch, the same weights, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.training import session as sessions
from backend.training.session import Session
from backend.training.trainer import Moment

LAST = 160
SMALL: Mapping[str, Any] = {
    "walk": {"lesson": "makemore-mlp"}, "sizes": {"embedding": 4, "hidden": 16}, "batch": 16, "steps": LAST,
}  # fmt: skip
DIGITS: Mapping[str, Any] = {"walk": {"lesson": "relu-classifier"}, "steps": LAST}


def recorded(
    request: Mapping[str, Any], wanted: set[int], changes: Mapping[int, dict[str, Any]]
) -> tuple[Session, dict[int, Moment]]:
    """A run in which so many steps are watched, with settings that change on the way."""
    session, seen = Session({**request, "paused": True}), {}
    for step in sorted({*wanted, *changes, LAST}):
        list(session.command({"do": "run-to", "step": step}))
        while session.status == "running":
            list(session.turn(0.01))
        if step in changes:
            list(session.command({"do": "set", **changes[step]}))
        if step in wanted:
            seen[step] = session.trainer.watched()
    return session, seen


def again(session: Session, step: int) -> None:
    """Take a step again, however long that takes."""
    list(session.command({"do": "replay", "step": step}))
    while session.replay is not None:
        list(session.turn())


def same(one: Moment, other: Moment) -> bool:
    tensors = (one.weights, other.weights), (one.gradient, other.gradient)
    inputs = ((tensor, other.inputs[name]) for name, tensor in one.inputs.items())
    return one.loss == other.loss and all(torch.equal(*pair) for pair in (*tensors, *inputs))


def test_however_many_steps_were_taken_again_the_one_asked_for_is_there() -> None:
    """Also an earlier one than all that are kept."""
    session, _ = recorded(SMALL, set(), {})
    steps = [step for step in range(100, 0, -7) if step not in session.trainer.moments]
    assert len(steps) > sessions.MOST_AGAIN + 1
    for step in steps:
        again(session, step)
        (told,) = session.command({"do": "walk", "step": step})
        assert told["step"] == step
    assert len(session.again) == sessions.MOST_AGAIN


@pytest.mark.parametrize(
    ("request_", "changes"),
    [
        (SMALL, {}),
        ({**SMALL, "optimiser": {"name": "adam"}, "lines": "autograd"}, {}),
        (
            {**DIGITS, "optimiser": {"name": "momentum"}},
            {
                50: {"schedule": {"name": "constant", "lr": 0.02}},
                51: {"optimiser": {"momentum": 0.5}},
                72: {"clip": {"by": "loss", "limit": 1.5}},
                120: {"clip": {"by": "norm", "limit": 0.5}},
            },
        ),
    ],
)
def test_a_step_taken_again_is_the_step_that_was_recorded(
    request_: Mapping[str, Any], changes: Mapping[int, dict[str, Any]]
) -> None:
    wanted = {0, 50, 73, 120, 159}
    session, seen = recorded(request_, wanted, changes)
    session.trainer.moments.clear()
    for few in (False, True):
        if few:  # from the very first state as well as from the nearest
            first = session.trainer.checkpoints[0]
            session.trainer.checkpoints.clear()
            session.trainer.checkpoints.add(0, first)
        before = session.trainer.parameters.flat.clone()
        for step in sorted(wanted - {50} if few else wanted, reverse=True):
            session.again.clear()
            again(session, step)
            assert same(session.again[step], seen[step]), step
        assert torch.equal(session.trainer.parameters.flat, before)


def test_a_changed_setting_that_was_forgotten_would_be_seen() -> None:
    session, seen = recorded(SMALL, {120}, {100: {"schedule": {"name": "constant", "lr": 0.09}}})
    session.trainer.moments.clear()
    del session.trainer.changes[100]
    first = session.trainer.checkpoints[0]
    session.trainer.checkpoints.clear()
    session.trainer.checkpoints.add(0, first)
    again(session, 120)
    assert not same(session.again[120], seen[120])


def test_a_step_before_a_crash_is_taken_again_from_the_first() -> None:
    session, seen = recorded(SMALL, {90, 150}, {100: {"clip": {"by": "norm", "limit": 0.5}}})
    later = Session(SMALL, saved=session.save())
    assert list(later.trainer.checkpoints) == [0, session.trainer.number]
    for step in (90, 150):
        again(later, step)
        assert same(later.again[step], seen[step])


def test_a_long_way_is_told_can_be_called_off_and_disturbs_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "AT_ONCE", 0.0)
    monkeypatch.setattr(sessions, "TELL_EVERY", 0.0)
    session, _ = recorded(SMALL, {159}, {})
    session.trainer.checkpoints.clear()
    session.trainer.checkpoints.add(0, session.trainer.first)
    (told,) = session.command({"do": "replay", "step": 150})
    assert (told["state"], told["begun"], told["at"]) == ("under way", 0, 0)
    with pytest.raises(Refusal, match=r"taken again: \d+ of 150"):
        list(session.command({"do": "walk", "step": 150}))
    assert session.busy
    (cancelled,) = session.command({"do": "cancel-replay"})
    assert (cancelled["state"], session.busy) == ("cancelled", False)
    assert list(session.command({"do": "cancel-replay"})) == []
    list(session.command({"do": "replay", "step": 140}))
    first, told = session.command({"do": "replay", "step": 150})  # another step takes the place of the first
    assert (first["step"], first["state"], told["step"]) == (140, "cancelled", 150)
    events = []
    while session.busy:
        events += list(session.turn(0.001))
    assert [event["state"] for event in events][-1] == "ready"
    places = [event["at"] for event in events if event["state"] == "under way"]
    assert places == sorted(places)
    assert len(places) > 1
    assert next(iter(session.command({"do": "walk", "step": 150})))["step"] == 150


def test_a_run_goes_on_while_a_step_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "AT_ONCE", 0.0)
    undisturbed, _ = recorded(SMALL, set(), {})
    session = Session(SMALL)
    list(session.command({"do": "run-to", "step": 100}))
    while session.status == "running":
        list(session.turn())
    session.trainer.moments.clear()
    list(session.command({"do": "replay", "step": 97}))
    list(session.command({"do": "resume"}))
    kinds = set()
    while session.busy:
        kinds |= {event["kind"] for event in session.turn(0.005)}
    assert {"replay", "report"} <= kinds
    assert torch.equal(session.trainer.parameters.flat, undisturbed.trainer.parameters.flat)


def test_a_step_that_is_not_taken_yet_is_refused_and_so_is_one_whose_settings_are_forgotten() -> None:
    session, _ = recorded(SMALL, set(), {})
    with pytest.raises(Refusal, match="Step 160 isn't taken yet: the run has taken 160"):
        list(session.command({"do": "walk", "step": LAST}))
    with pytest.raises(Refusal, match="Step 0 isn't taken yet"):
        list(Session(SMALL).command({"do": "walk"}))
    session.trainer.moments.clear()
    session.trainer.changes = {50: session.trainer.settings}
    with pytest.raises(Refusal, match="Step 20 can't be taken again"):
        list(session.command({"do": "replay", "step": 20}))
    list(session.command({"do": "restart"}))
    list(session.command({"do": "run-to", "step": 30}))
    while session.status == "running":
        list(session.turn())
    again(session, 20)
