"""What can be chosen, for training and to be planted: the engine's blocks, in requests and on the page alike."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from app.training_requests import KINDS, TrainingRequest
from backend.training.__main__ import arguments
from backend.training.choice import LINES, USUAL_LINES, Lines
from backend.training.event_types import KINDS as TOLD
from backend.training.optimisers import OPTIMISERS
from backend.training.schedules import SCHEDULES
from tests.support.schema_check import faults
from tests.tools.documents import NAMES
from tests.tools.server import Server

SETTINGS: dict[str, dict[str, Any]] = {name: dict(block().settings) for name, block in OPTIMISERS.items()}


def asked(**choice: dict[str, Any]) -> TrainingRequest:
    return TrainingRequest.model_validate({"walk": {"lesson": "first-steps"}, **choice})


@pytest.mark.parametrize("name", OPTIMISERS)
def test_every_optimiser_can_be_asked_for_with_its_numbers_and_told_of(name: str) -> None:
    chosen = asked(optimiser={"name": name, **SETTINGS[name]}).model_dump(exclude_none=True)["optimiser"]
    assert chosen == {"name": name, **SETTINGS[name]}
    assert faults(chosen, NAMES["ChosenOptimiser"]) == []
    others = {number for numbers in SETTINGS.values() for number in numbers} - SETTINGS[name].keys()
    for other in others:
        with pytest.raises(ValidationError, match=f"`{name}` has no `{other}`"):
            asked(optimiser={"name": name, other: 0.5})


@pytest.mark.parametrize("name", SCHEDULES)
def test_every_schedule_can_be_asked_for_with_its_numbers_and_told_of(name: str) -> None:
    chosen = {"name": name, **vars(SCHEDULES[name]())}
    assert asked(schedule=chosen).model_dump(exclude_none=True)["schedule"] == chosen
    assert faults(chosen | {"name": SCHEDULES[name].__name__.lower()}, NAMES["ChosenSchedule"]) == []


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("adam", {"beta1": 1.0}), ("adam", {"eps": 0.0}), ("adamw", {"weight_decay": -0.1}), ("magic", {})],
)
def test_what_an_optimiser_cannot_have_is_refused(name: str, numbers: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        asked(optimiser={"name": name, **numbers})


def offered(server: Server, field: str) -> list[tuple[str, str]]:
    """What a list of the page has to choose from."""
    (shown,) = re.findall(rf'<select name="{field}">(.*?)</select>', server.get("/train").markup)
    return re.findall(r'<option value="(\w+)">([^<]+)</option>', shown)


def test_the_page_offers_what_the_engine_has(server: Server) -> None:
    optimisers = [(name, block.title) for name, block in OPTIMISERS.items()]
    assert offered(server, "optimiser") == offered(server, "besideOptimiser") == optimisers
    assert offered(server, "schedule") == [(name, block.title) for name, block in SCHEDULES.items()]


def test_what_gradients_come_from_has_one_usual_choice(server: Server) -> None:
    assert (USUAL_LINES, *LINES) == (get_args(Lines)[0], *get_args(Lines))
    assert asked().lines == arguments(["classifier"]).lines == USUAL_LINES
    assert offered(server, "lines") == list(LINES.items())


def test_every_kind_of_number_has_its_range() -> None:
    assert KINDS.keys() == TOLD.keys()
