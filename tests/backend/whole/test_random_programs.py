"""Random programs of 5 to 40 operations agree with autograd; the long run is tests.support.random_programs."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.engine.language.expression import expression
from backend.engine.ops.arithmetic import Mul
from tests.support.random_programs import Author, keep, wrong

FEW, MANY = 100, 2_000


@st.composite
def programs(draw: Any) -> Any:
    return Author(lambda options: options[draw(st.integers(0, len(options) - 1))]).write()


def test_random_programs_agree_with_autograd(thorough: bool) -> None:
    failing = []

    @settings(
        max_examples=MANY if thorough else FEW,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def agrees(case: Any) -> None:
        found = wrong(case)
        if found:
            failing.append(case)
        assert not found

    try:
        agrees()
    except AssertionError as error:
        error.add_note(f"kept as {keep(failing[-1])}")
        raise


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Mul.rules, "y", expression("1.000001 * x * g"))
    assert any(wrong(Author(random.Random(seed).choice).write()) for seed in range(20))


@pytest.mark.parametrize("seed", range(5))
def test_programs_are_what_they_should_be(seed: Any, tmp_path: Path) -> None:
    """Of 5 to 40 statements and the loss, the same for the same seed, and read back as written."""
    case, again = (Author(random.Random(seed).choice).write() for _ in range(2))
    assert case == again
    assert 5 <= case["source"].count("\n") <= 41
    kept = tomllib.loads(keep(case, tmp_path).read_text())
    assert kept["source"] == case["source"]
    assert kept["tensors"].items() <= case["tensors"].items()
