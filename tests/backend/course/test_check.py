"""A folder of chapters is checked as a whole: each fault once, with its file and line."""

from __future__ import annotations

from pathlib import Path

import backend
from backend.course.check import faults_of
from backend.program.lessons import SHELF
from tests.support.chapter_texts import FIRST, FRONT, put

THREE = "Here {value}`nope`.\n\n:::{tensor} nothing\n:::\n\n:::{predict} w\nchoices: a | b\nanswer: c\nwhy: d\n:::\n"


def told(folder: Path) -> list[tuple[str, int]]:
    return [(fault["file"], fault["line"]) for fault in backend.check_chapters(folder)[1]]


def test_a_folder_without_faults(folder: Path) -> None:
    put(folder, "70-right.md", "Here {value}`w[0, 1]`.\n")
    assert backend.check_chapters(folder) == (1, [])


def test_every_fault_of_every_file_is_told(folder: Path) -> None:
    put(folder, "70-three.md", THREE)
    put(folder, "71-front.md", "Text.\n", FRONT.replace("title", "titel"))
    put(folder, "72-right.md", "Text.\n")
    assert told(folder) == [("70-three.md", FIRST), ("70-three.md", FIRST + 2), ("70-three.md", FIRST + 5),
                            ("71-front.md", 2)]  # fmt: skip


def test_a_program_that_cannot_run_is_one_fault(folder: Path) -> None:
    put(folder, "70-program.md", "{value}`w`\n\n{value}`b`\n", FRONT.replace("X * w", "X @ w"))
    assert len(told(folder)) == 1


def test_our_own_chapters_have_none() -> None:
    assert [fault for chapter in list(SHELF.chapters.values())[:4] for fault in faults_of(chapter)] == []
