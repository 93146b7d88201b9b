"""Every operation that a gradient goes back through shows its own steps, on its own samples."""

from __future__ import annotations

import json

import pytest

import backend
from backend import Refusal

LIVE = [op["name"] for op in backend.operations() if op["live"]]
ONE_IN = 12


def test_whatever_a_gradient_goes_back_through_has_steps_of_its_own() -> None:
    # What is short for several steps goes back through those.
    silent = [op["name"] for op in backend.operations() if op["backward"] and not op["live"]]
    assert silent == ["float"]  # decimals are floating point already: it leaves no step
    assert len(LIVE) > 140


@pytest.mark.filterwarnings("ignore:reduction")
def test_its_steps_are_steps_of_its_walk_and_go_back_through_it(thorough: bool) -> None:
    for name in LIVE if thorough else LIVE[::ONE_IN]:
        made = backend.operation_walk(name)
        steps = json.loads(backend.walk(made["walk"]))["steps"]
        back = [step for step in steps if step["direction"] == "backward"]
        assert made["steps"][0] == "forward out"
        assert any(step["direction"] == "forward" and step["node"] == "out" for step in steps), name
        told = {step.removeprefix("backward ") for step in made["steps"][1:]}
        assert told, name
        assert told <= {step["node"] for step in back}, name
        assert any(name in step["rules"] for step in back if step["node"] in told), name


@pytest.mark.parametrize("name", ["float", "zeros", "frobnicate"])
def test_of_any_other_it_says_so(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        backend.operation_walk(name)
    assert refused.value.status == 404
