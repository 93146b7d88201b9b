"""No question stands beside its own answer: a figure that shows it waits, and no text above it says it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from backend.course.page import Page, find_chapter
from backend.course.waiting import ABOUT_A_LINE, begins_section, line_asked, line_shown, waits
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block, Prose
from backend.program.chapters.reader import read_chapter
from backend.program.lessons import SHELF
from tests.support.chapter_texts import chapter_text

PREDICT = ":::{predict} w[0,1]\nchoices: 1 | 4\nanswer: 4\nwhy: So.\nHow many?\n:::\n\n"
AXIS, WRITE = ":::{axis} b\nWhich?\n:::\n\n", ":::{write} db\nWrite it.\n:::\n\n"
STEP_B, STEP_W = ":::{step} backward b\nA sum.\n:::\n\n", ":::{step} backward w\nA sum.\n:::\n\n"
DAILY = ("why-by-hand", "first-steps")
CHAPTERS = [one if one in DAILY else pytest.param(one, marks=pytest.mark.exhaustive) for one in SHELF.chapters]


def parts_of(body: str) -> list[Block | Prose]:
    return [*read_chapter("70-trial.md", chapter_text(body)).parts]


def early(parts: list[Block | Prose]) -> Iterator[tuple[Block, Block]]:
    """Each figure that shows a line which a question below it, in the same section, asks for."""
    section: list[Block] = []
    for part in parts:
        if begins_section(part):
            section = []
        if not isinstance(part, Block):
            continue
        section.append(part)
        for figure in section if line_asked(part) else []:
            if line_shown(figure) == line_asked(part) and figure.program == part.program:
                yield figure, part


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PREDICT + STEP_W + STEP_B, [[], [0], [0]]),  # whatever stands directly below a prediction
        (PREDICT + "So it is.\n\n" + STEP_W, [[], [], []]),
        (AXIS + STEP_W + STEP_B, [[], [], [0]]),  # of lines only the one that is asked for
        (AXIS + "Sum.\n\n" + STEP_W + "Then.\n\n" + STEP_B, [[], [], [], [], [0]]),
        (AXIS + WRITE + STEP_B, [[], [], [0, 1]]),
        (AXIS + "## Another\n\n" + STEP_B, [[], [], []]),
        (STEP_B + PREDICT, [[], []]),
        (PREDICT + ":::{drag} w[0,1]\nDrag.\n:::\n", [[], [0]]),
    ],
)
def test_a_figure_waits_for_the_question_that_it_answers(body: str, expected: list[list[int]]) -> None:
    assert waits(parts_of(body)) == expected


def test_a_figure_above_its_question_would_be_found() -> None:
    assert [(figure.kind, asked.kind) for figure, asked in early(parts_of(STEP_B + WRITE))] == [("step", "write")]
    assert [*early(parts_of(STEP_B + "## Another\n\n" + WRITE))] == []


@pytest.mark.parametrize("name", SHELF.chapters)
def test_no_figure_above_a_question_shows_the_line_that_it_asks_for(name: str) -> None:
    """In the same section; the chapter's next figure of that line waits."""
    found = [f"line {figure.line} above line {asked.line}" for figure, asked in early([*SHELF.chapters[name].parts])]
    assert found == []


@pytest.mark.parametrize("name", SHELF.chapters)
def test_no_figure_stands_open_directly_below_its_question(name: str) -> None:
    parts = SHELF.chapters[name].parts
    held = waits(parts)
    for at, part in enumerate(parts[:-1]):
        following = parts[at + 1]
        if not isinstance(part, Block) or part.kind in ABOUT_A_LINE or not is_question(part):
            continue
        if isinstance(following, Block) and following.kind in ("step", "tensor", "cell", "drag", "order", "derivation"):
            assert at in held[at + 1], f"line {following.line}"


def is_question(block: Block) -> bool:
    return block.kind in ("predict", "quiz", "fill")


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_text_above_a_question_says_the_line_that_it_asks_for(name: str) -> None:
    """Nor does the caption of a figure that doesn't wait; what is said after it is read after it."""
    page = Page(find_chapter(name), None)
    made, told = page.parts(), page.chapter.parts
    said: list[str] = []
    for part, block in zip(made, told, strict=True):
        if begins_section(block):
            said = [part["html"]]
        elif not part["props"].get("waits") and part["family"] != "question":
            said.append(part["html"])
        if isinstance(block, Block) and block.kind == "write":
            for line in lines_of(page, block):
                assert not [text for text in said if line in bare(text)], f"line {block.line}: {line}"


def lines_of(page: Page, question: Block) -> list[str]:
    """The right-hand sides of the lines that make a gradient, as far as they compute something."""
    plan = page.runs[question.program].run.plan
    codes = [step["code"] for step in steps_of(plan).backward if step["node"] == line_asked(question)]
    sides = [bare(code.partition("#")[0].partition("= ")[2]) for code in codes]
    return [side for side in sides if re.search(r"\w\W+\w", side)]


def bare(text: str) -> str:
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]+>", "", text)))
