"""A state to go on from, and what was told after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from backend.training.session import Session, Told

SMALL: Mapping[str, Any] = {"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 8}, "batch": 16, "steps": 60}


def step_by_step(session: Session, steps: int = SMALL["steps"]) -> list[Told]:
    """The events of so many steps, each reported by itself."""
    return [event for _ in range(steps) for event in session.turn(0)]


def losses(events: list[Told]) -> list[tuple[int, object, object]]:
    """What was told of every step."""
    return [told for event in events if event["kind"] == "report" for told in event["losses"]]


def test_what_was_told_since_a_state_is_trained_again_and_not_told_again() -> None:
    session, undisturbed = Session(SMALL), Session(SMALL)
    told = step_by_step(session, 5)
    saved = session.save()
    told += step_by_step(session, 5)
    rest = Session(SMALL, saved=saved)
    rest.go_on((session.trainer.number, 0))
    told += step_by_step(rest)
    assert losses(told) == losses(step_by_step(undisturbed))
    assert torch.equal(rest.trainer.parameters.flat, undisturbed.trainer.parameters.flat)
