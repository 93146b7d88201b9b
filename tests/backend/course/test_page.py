"""A chapter as a page: its numbers are computed, every block has its place and its words, mistakes name their line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import backend
from backend.course.page_types import ChapterPage
from backend.engine.language.errors import Refusal
from tests.support.chapter_texts import FIRST, FRONT, put

Shown = Callable[[str], ChapterPage]


@pytest.fixture
def paged(tmp_path: Path) -> Iterator[Shown]:
    """Makes the page of a chapter with this text."""

    def made(body: str) -> ChapterPage:
        put(tmp_path, "70-trial.md", body)
        backend.serve_chapters(tmp_path)
        return backend.chapter("trial")

    yield made
    backend.serve_chapters()


def words(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_roles_are_filled_in_with_what_the_engine_computes(paged: Shown) -> None:
    first = backend.chapters()[0]
    (prose,) = paged(
        "`w` is {shape}`w`, {value}`w[0,1]` and {value}`w[0] | .1`; {verdict}`dw`, {word}`broadcast`, "
        f"see {{lesson}}`{first['name']}`.\n"
    )["parts"]
    assert words(prose["html"]).startswith("w is (1, 3), −1 and [0.5, −1.0, 2.0]; ")
    assert '<span class="value" data-expression="w[0,1]" data-program="">−1</span>' in prose["html"]
    assert f'<a href="/learn/{first["name"]}">' in prose["html"]
    assert re.search(r'class="badge" data-level="(exact|approximate)"', prose["html"])


def test_an_exhibit_and_a_mistake_of_the_loop_are_linked_by_their_names(paged: Shown) -> None:
    (prose,) = paged("See {exhibit}`softmax-twice`, then {exhibit}`never-zeroed`.\n")["parts"]
    exhibit, mistake = re.findall(r'<a href="([^"]+)">([^<]+)</a>', prose["html"])
    assert exhibit == ("/lab/softmax-twice", "Softmax, and then cross-entropy's own softmax".replace("'", "&#39;"))
    assert mistake == ("/lab#never-zeroed", "zero_grad forgotten")
    (section,) = [one for one in backend.sections() if one["chapter"] == "trial"]
    assert section["text"].endswith("See Softmax, and then cross-entropy's own softmax, then zero_grad forgotten.")


def test_each_block_has_a_place_of_its_own(paged: Shown) -> None:
    made = paged(":::{tensor} w\n:::\n\n:::{tensor} w\n:::\n\n:::{graph}\n:::\n\n:::{tensor} dw\n:::\n")
    assert [part["id"] for part in made["parts"]] == ["tensor-w", "tensor-w-2", "graph", "tensor-dw"]
    assert [part["props"].get("which") for part in made["parts"]] == ["value", "value", None, "gradient"]
    assert {part["kind"]: part["family"] for part in made["parts"]} == {"tensor": "figure", "graph": "figure"}


def test_a_step_is_found_by_its_tensor(paged: Shown) -> None:
    made = paged(":::{step} forward Y\n:::\n\n:::{step} backward w\nSee {value}`dw[0,1]`.\n:::\n")
    forward, backward = made["parts"]
    assert (forward["props"]["code"], backward["props"]["code"]) == (
        "Y = X * w + b",
        "dw = (X * dY).sum(0, keepdim=True)",
    )
    assert "<code>dw = (X * dY).sum(0, keepdim=True)</code>" in backward["fallback"]
    assert len(words(backward["fallback"]).split()) > 20
    assert words(backward["html"]).startswith("See −")


BODIES: dict[str, Any] = {
    "a tensor that is not there": ("a\n\n{value}`dq[0]`\n", 2),
    "an expression that is none": ("a\nb {value}`w[0,`\n", 1),
    "more numbers than a sentence takes": ("{value}`X`\n", 0),
    "a cell outside": (":::{cell} dw[0,7]\n:::\n", 0),
    "a step that there is not": ("a\n\n:::{step} backward G\n:::\n", 2),
    "a contribution that there is not": (":::{step} backward w.3\n:::\n", 0),
    "an axis of what was not copied": (":::{axis} X\n:::\n", 0),
    "a product that is none": (":::{shapes} dw\n:::\n", 0),
    "an answer that is no choice": (":::{predict} w\nchoices: a | b\nanswer: c\nwhy: so\n:::\n", 0),
    "a choice twice": (":::{predict} w\nchoices: a | a\nanswer: a\nwhy: so\n:::\n", 0),
    "a reason for what is no choice": (":::{predict} w\nchoices: a | b\nanswer: a\nwhy: so\nwrong: c: no\n:::\n", 0),
    "a chapter that is not there": ("see {lesson}`nowhere`\n", 0),
    "an exhibit that is not there": ("a\n\nsee {exhibit}`nowhere`\n", 2),
    "two programs to compare, which the lab doesn't list": ("see {exhibit}`tanh-or-relu`\n", 0),
    "a number in a block": (":::{graph}\n\ntext {value}`nope`\n:::\n", 2),
}


@pytest.mark.parametrize(("body", "line"), BODIES.values(), ids=BODIES)
def test_what_cannot_be_computed_names_its_line(paged: Shown, body: str, line: int) -> None:
    with pytest.raises(Refusal) as caught:
        paged(body)
    assert caught.value.where is not None
    assert caught.value.where["file"] == "70-trial.md"
    assert caught.value.where["line"] == FIRST + line, caught.value.message
    assert caught.value.message.startswith(f"`70-trial.md`, line {FIRST + line}: ")
    assert caught.value.hint


CLAIMS: dict[str, tuple[str, str | None]] = {
    "true of every cell": ("Y == X * w + b", None),
    "false in some cell": ("Y > 0", "Y > 0"),
    "of what is not there": ("nope > 0", "nope > 0"),
    "no claim at all": ("Y >", "Y >"),
}


@pytest.mark.parametrize(("claim", "false"), CLAIMS.values(), ids=CLAIMS)
def test_a_sentence_rests_on_what_is_true(tmp_path: Path, claim: str, false: str | None) -> None:
    told = f"narration:\n  Y:\n    says: A line.\n    holds:\n      - loss == (Y * G).sum()\n      - {claim}\n---\n"
    put(tmp_path, "70-trial.md", "Text.\n", FRONT.removesuffix("---\n") + told)
    backend.serve_chapters(tmp_path)
    try:
        backend.chapter("trial")
        assert false is None
    except Refusal as refusal:
        assert refusal.where is not None
        assert (line := refusal.where["line"]) == FIRST + told.count("\n") - 3
        assert refusal.where["text"] == f"- {claim}"
        assert refusal.message.startswith(f"`{false}` is not true of this program, in line {line} of `70-trial.md`")
    finally:
        backend.serve_chapters()


def test_a_program_that_is_refused_names_its_line(tmp_path: Path) -> None:
    front = (
        "---\ntitle: T\npromise: P.\nminutes: 3\nprogram: |\n  y = x * 3\n  z = y.nothing()\n"
        "tensors: {x: {role: parameter, values: 2.0}}\n---\n"
    )
    put(tmp_path, "70-trial.md", "{value}`y`\n", front)
    backend.serve_chapters(tmp_path)
    try:
        with pytest.raises(Refusal) as caught:
            backend.chapter("trial")
    finally:
        backend.serve_chapters()
    assert caught.value.where is not None
    assert (caught.value.where["line"], caught.value.where["text"]) == (7, "z = y.nothing()")


def test_what_stands_in_an_answer_is_no_markup(paged: Shown) -> None:
    body = (
        ":::{predict} w\nchoices: <img src=x> | b\nanswer: b\nwhy: <script>\n:::\n\n{word}`<b>`, {value}`w[0,1] > 9`\n"
    )
    made = paged(body)
    html = " ".join([made["parts"][1]["html"], *(c["html"] + c["why"] for c in made["parts"][0]["choices"])])
    assert not re.search(r"<(?:img|script|b)\b", html)
    assert 'data-expression="w[0,1] &gt; 9"' in html
