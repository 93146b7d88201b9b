"""Every chapter: each number of its text is the engine's, each gradient is autograd's, and it reads as plain English."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from typing import Any

import pytest

import backend
from app.rendering import templates
from backend.inspect.axis_choices import broadcast_tensors
from backend.pipeline import run_of
from backend.program.chapters.chapter import Prose
from backend.program.chapters.directives import DIRECTIVES
from backend.program.chapters.reader import read_chapter
from backend.program.lessons import ROOM, SHELF
from tests.support import chapter_lint
from tests.support.chapter_texts import chapter_text

CHAPTERS = list(SHELF.chapters)
PROGRAMS = [program["lesson"] for one in backend.chapters() for program in one["programs"]]


@cache
def glossary() -> set[str]:
    page = templates.get_template("parts/glossary.html").render()
    return {html.unescape(form) for forms in re.findall(r'data-forms="([^"]+)"', page) for form in forms.split("|")}


@cache
def page(name: str) -> Any:
    return backend.chapter(name)


def test_no_file_of_ours_has_a_fault() -> None:
    assert backend.chapter_faults() == []
    assert CHAPTERS


@pytest.mark.parametrize("name", CHAPTERS)
def test_everything_in_a_chapter_can_be_computed(name: str) -> None:
    made = page(name)
    places = [part["id"] for part in made["parts"] if part["id"]]
    assert len(places) == len(set(places))
    for part in made["parts"]:
        assert not re.search(r"\{\w+\}<|\{\w+\}`|:::", part["html"] + part["fallback"]), part["html"]
        if part["choices"]:
            assert sum(one["right"] for one in part["choices"]) == 1, part["id"]
            assert all(one["why"] for one in part["choices"]), part["id"]
        assert bool(part["asks"]) == (DIRECTIVES[part["kind"]].family == "question" if part["id"] else False)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_figure_has_the_names_of_the_lines(name: str) -> None:
    """`h_5`, where the program assigns `h` four times: the lines have no `h@5`."""
    for part in page(name)["parts"]:
        said = re.sub(r"<[^>]+>", " ", part["html"] + part["fallback"])
        assert not re.findall(r"\w+@\d+", " ".join([part["argument"], part["label"], said])), part["id"]


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_wrong_choice_says_what_is_wrong_with_it(name: str) -> None:
    for part in page(name)["parts"]:
        right = [one["why"] for one in part["choices"] if one["right"]]
        assert not [one["html"] for one in part["choices"] if not one["right"] and one["why"] in right], part["id"]


@pytest.mark.parametrize("lesson", PROGRAMS)
def test_every_gradient_of_a_chapter_is_autograd_s(lesson: str) -> None:
    summary = json.loads(backend.walk({"lesson": lesson}))["summary"]
    assert summary["gradients"] > 0
    assert (summary["wrong"], summary["approximate"]) == (0, summary["gradients"] - summary["not_finite"])


@pytest.mark.parametrize("lesson", PROGRAMS)
def test_every_axis_that_can_be_asked_has_one_right_answer(lesson: str) -> None:
    run = run_of({"lesson": lesson})
    for tensor in broadcast_tensors(run.plan):
        choices = backend.axis_choices({"walk": {"lesson": lesson}, "tensor": tensor})["choices"]
        assert sum(one["right"] for one in choices) == 1
        assert all(one["why"] for one in choices)


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_result_is_typed(name: str) -> None:
    found = list(chapter_lint.typed_results(SHELF.chapters[name]))
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_words_that_a_chapter_marks_are_explained(name: str) -> None:
    assert list(chapter_lint.unexplained(SHELF.chapters[name], glossary())) == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_in_plain_english(name: str) -> None:
    found = [f"{name}:{line}: {fault}" for line, text in _sentences(name) for fault in chapter_lint.faults(text)]
    assert found == [], "\n".join(found)


def test_an_exhibit_leads_back_to_the_chapters_that_lead_to_it() -> None:
    leading = [(name, one) for name in CHAPTERS for one in chapter_lint.roles(SHELF.chapters[name], "exhibit")]
    assert len(leading) > 30
    assert not [(name, one) for name, one in leading if name not in getattr(ROOM.exhibits.get(one), "lessons", (name,))]


def _sentences(name: str) -> list[tuple[int, str]]:
    """Paragraphs; a heading, a cell of a table and an item of a list need not be sentences."""
    chapter = SHELF.chapters[name]
    lines = chapter.source.split("\n")
    return [
        (line, text) for line, text in chapter_lint.prose_of(chapter) if line > 3 and lines[line - 1][:1] not in "#|-*1"
    ]


def test_the_numbers_of_the_softmax_chapter_are_computed() -> None:
    """For the logits 2.0, 1.0 and 0.1, and class 0."""
    text = " ".join(re.sub(r"<[^>]+>", "", part["html"]) for part in page("softmax-cross-entropy")["parts"])
    for number in ("−0.341", "0.242", "0.099"):
        assert number in text
        assert number not in SHELF.chapters["softmax-cross-entropy"].source


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is -0.341 then.", 1),
        ("It is −0.341 then.", 1),
        ("About 0.1 of it, or 12 %.", 2),
        ("The sum is −3.", 1),
        ("Near 6·10⁻⁹.", 1),
        ("So 1e-9 is left, 3.5e-7 at most.", 1),
        ("It has 12 cells in 3 rows, (4, 3), in step 2 of n − 1.", 0),
        ("The rate is `0.1`, and {value}`dw[0,1]` comes out.", 0),
        ("In axis 0 the 32 examples, see chapter 5.", 0),
    ],
)
def test_a_typed_result_is_found(text: str, found: int) -> None:
    chapter = read_chapter("05-trial.md", chapter_text(f"{text}\n"))
    assert len(list(chapter_lint.typed_results(chapter))) == found


def test_a_typed_answer_a_word_that_nobody_explains_and_a_bad_sentence_are_found() -> None:
    body = ":::{quiz}\nWhat?\nanswer: -0.341\n:::\n\nA {word}`flibbet`, and {word}`Broadcast`.\n\nit begins small.\n"
    chapter = read_chapter("05-trial.md", chapter_text(body))
    assert len(list(chapter_lint.typed_results(chapter))) == 1
    assert list(chapter_lint.unexplained(chapter, glossary())) == ["flibbet"]
    (last,) = [part for part in chapter.parts if isinstance(part, Prose)]
    assert last.tokens
    assert [
        fault for _, text in chapter_lint.prose_of(chapter) for fault in chapter_lint.faults(text) if "small" in fault
    ]
