"""Some thousands of uses of operations with arguments of every kind, the same in every run."""

from __future__ import annotations

import pytest

from tests.fuzz.operations import Fuzz

PROGRAMS = 1_000
DAILY = 250


@pytest.mark.filterwarnings("ignore")  # torch warns of what it is asked here
@pytest.mark.parametrize("seed", [100, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(101, 106))])
def test_every_use_is_answered_or_refused(seed: int, thorough: bool) -> None:
    fuzz, programs = Fuzz(seed), PROGRAMS if thorough else DAILY
    for number in range(programs):
        fuzz.try_one(number)
    assert fuzz.findings == []
    assert fuzz.outcomes["walked"] > programs / 10
    assert len(fuzz.outcomes) > 15
