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


MORE = """more:
  second:
    program: |
      h = X @ v
      loss = torch.foo(h).sum()
    tensors:
      X: {role: data, shape: [4, 3], init: randn}
  third:
    program: loss = X.sum() + nothing
    tensors:
      X: {role: data, shape: [4, 3], init: randn}
---
"""


def test_every_fault_of_every_program_is_told_at_once(folder: Path) -> None:
    """Of programs that no part of the chapter asks for, too; each in its line, and none that follows from another."""
    claims = 'narration:\n  Y: {says: "Large.", holds: ["Y > 90", "Y == Y", "Y < -90"]}\n'
    front = FRONT.removesuffix("---\n") + claims + MORE
    asks = ":::{predict} X\nin: second\nchoices: a | b\nanswer: c\nwhy: d\n:::\n"
    path = put(folder, "70-programs.md", asks, front)
    lines = path.read_text().split("\n")
    wrong = ("says: ", "says: ", "h = X @ v", "torch.foo", "nothing", ":::{predict}")
    places = [next(n for n, line in enumerate(lines, 1) if text in line) for text in wrong]
    assert told(folder) == [("70-programs.md", line) for line in places]


def test_every_fault_of_the_front_matter_and_the_text_is_told_at_once(folder: Path) -> None:
    front = FRONT.replace("title", "titel").replace("role: data", "role: dat").replace("init: randn", "init: rand_n")
    body = "A {valu}`w`, {shap}`w`.\n\n:::{stp} forward Y\n:::\n\nText, [out](http://x).\n\n:::{quiz}\nanser: 3\n:::\n"
    put(folder, "70-many.md", body, front)
    assert front.split("\n")[8].startswith("  X: {role: dat,")
    assert told(folder) == [("70-many.md", line) for line in [2, 9, 11, 12] + [FIRST + n for n in (0, 0, 2, 5, 8)]]


def test_a_program_that_cannot_run_is_one_fault(folder: Path) -> None:
    put(folder, "70-program.md", "{value}`w`\n\n{value}`b`\n", FRONT.replace("X * w", "X @ w"))
    assert len(told(folder)) == 1


def test_our_own_chapters_have_none() -> None:
    assert [fault for chapter in list(SHELF.chapters.values())[:4] for fault in faults_of(chapter)] == []
