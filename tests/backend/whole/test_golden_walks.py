"""What a person reads of each lesson and starting point, word for word; `python -m tests.tools.golden` writes it anew."""

import pytest

from tests.tools.golden import FOLDER, golden, requests


@pytest.mark.parametrize("name", requests())
def test_every_word_of_a_walk(name: str) -> None:
    assert golden(requests()[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_other_text_is_kept() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(requests())
