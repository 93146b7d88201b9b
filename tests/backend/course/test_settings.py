"""A drag begins and ends where the chapter says, and a slider begins at the scale that it names; what can't be is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import backend
from backend.course.settings import settings_of
from backend.engine.language.errors import Refusal
from tests.support.chapter_texts import put


@pytest.mark.parametrize(
    ("options", "value", "made"),
    [
        ({}, 1.0, {}),
        ({"scale": "3"}, None, {"scale": 3.0}),
        ({"from": "−1", "to": "2"}, 1.0, {"from": -1.0, "to": 2.0}),
        ({"from": "0.01", "to": "1", "axis": "log"}, 0.1, {"from": 0.01, "to": 1.0, "axis": "log"}),
    ],
)
def test_settings_are_read(options: dict[str, str], value: float | None, made: dict[str, float | str]) -> None:
    assert settings_of(options, value) == made


@pytest.mark.parametrize(
    "options",
    [
        {"scale": "4"},
        {"scale": "big"},
        {"from": "0", "to": "0.05"},
        {"from": "0.2", "to": "1"},
        {"from": "0"},
        {"to": "1"},
        {"from": "0.1", "to": "0.1"},
        {"from": "nan", "to": "inf"},
        {"from": "0", "to": "1", "axis": "log"},
        {"axis": "log"},
        {"from": "0.01", "to": "1", "axis": "linear"},
    ],
)
def test_settings_that_cannot_be_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(Refusal, match="can't be"):
        settings_of(options, 0.1)


def test_a_wrong_setting_names_the_line_of_its_block(tmp_path: Path) -> None:
    put(tmp_path, "71-trial.md", "Text.\n\n:::{drag} w[0, 0]\nfrom: 0.001\nto: 0.4\n:::\n")
    try:
        backend.serve_chapters(tmp_path)
        with pytest.raises(Refusal, match=r"`71-trial\.md`, line \d+: .*with 0\.5 between them|can't be") as caught:
            backend.chapter("trial")
        assert "between them" in caught.value.hint
    finally:
        backend.serve_chapters()
