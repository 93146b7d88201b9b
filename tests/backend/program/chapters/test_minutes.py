"""Minutes are counted: words, figures and questions, each of them longer by what is added."""

from __future__ import annotations

import backend
from backend.program.chapters.chapter import Chapter
from backend.program.chapters.reader import read_chapter
from backend.program.lessons import SHELF
from tests.support.chapter_texts import FRONT, chapter_text

UNTIMED = FRONT.replace("minutes: 3\n", "")


def read(body: str, front: str = UNTIMED) -> Chapter:
    return read_chapter("05-trial.md", chapter_text(body, front))


def test_words_figures_and_questions_take_their_time() -> None:
    assert read("A word.\n").minutes == 1
    assert read("word " * 1_800 + "\n").minutes == 10
    assert read(":::{graph}\n:::\n\n" * 20).minutes == 9
    assert read(":::{axis} w\n:::\n\n" * 10).minutes == 8
    assert read(":::{answer}\n" + "word " * 900 + "\n:::\n").minutes == 5


def test_minutes_that_somebody_has_timed_stay() -> None:
    assert read("word " * 1_800 + "\n", FRONT).minutes == 3


def test_no_minutes_of_ours_are_typed() -> None:
    """A chapter takes half an hour at most: a teacher's hour holds two."""
    assert not any("\nminutes:" in one.source for one in SHELF.chapters.values())
    assert all(10 <= one["minutes"] <= 30 for one in backend.chapters())
