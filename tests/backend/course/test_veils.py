"""The program beside a chapter keeps the lines to itself that a question asks for."""

from __future__ import annotations

import ast

import pytest

from backend.course.page import Page, find_chapter
from backend.course.veils import tells, veiled
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block


@pytest.mark.parametrize(
    ("line", "answer", "expected"),
    [
        ("dh_sum = (1.0 - h**2) * dh", "gh * (1 - h**2)", True),
        ("dh_sum = (1.0 - h**2) * dh", "gh * (1 - h)**2", False),
        ("dx = 2 * dy.sum(1) + dz", "dz + 2 * dy.sum(1)", True),
        ("dx = dy.sum(1)", "dy.sum(0)", False),
        ("dx = dy.mean(0)", "dy.sum(0)", False),
        ("dx = a - b", "b - a", False),
        ("dx = dy * w", "dy * v", True),  # one name may be another
        ("dx = dy * w", "u * v", False),
        ("dx = dy * dy", "dy * w", True),
        ("dx = p * q", "w * w", False),
    ],
)
def test_a_line_tells_an_answer_that_it_computes(line: str, answer: str, expected: bool) -> None:
    assert tells(line, ast.parse(answer, mode="eval").body) == expected


def test_the_line_that_is_to_be_found_and_written_is_veiled_in_both_programs() -> None:
    """“Is my gradient right?” asks what the wrong line should be, with names of its own for the gradients."""
    page = Page(find_chapter("is-my-gradient-right"), None)
    (asked,) = (
        one for one in page.chapter.parts if isinstance(one, Block) and one.options.get("answer", "").startswith("gh")
    )
    veils = veiled(asked, page.runs)
    lines = {
        (name, step["line"]): step["code"]
        for name in ("", "theirs")
        for step in steps_of(page.runs[name].run.plan).backward
    }
    shown = [lines[name, int(line)] for name, _, line in (one.partition(":") for one in veils)]
    assert shown == ["dh_sum = (1.0 - h**2) * dh"] * 2


def test_a_question_about_a_gradient_veils_the_lines_of_that_gradient() -> None:
    page = Page(find_chapter("broadcasting"), None)
    asked = next(one for one in page.chapter.parts if isinstance(one, Block) and one.kind == "write")
    assert veiled(asked, page.runs) == [f"{asked.program}:{asked.argument.removeprefix('d')}"]
