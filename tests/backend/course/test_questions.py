"""Questions of a chapter: what can be chosen, which choice is right, and what is said of the others."""

from __future__ import annotations

import html
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import backend
from backend.course.page_types import ChapterAnswer, ChapterPart
from backend.engine.language.errors import Refusal
from tests.support.chapter_texts import put

BODY = """
:::{predict} w[0,1]
choices: once | 3 times | {value}`X.shape[0]` times
answer: {value}`X.shape[0]` times
why: Row 0 of `w` is copied.
wrong: once: It is copied first.
:::

:::{axis} w
:::

:::{axis} b
:::

:::{quiz}
How large is it?
answer: {value}`dw[0,1]`
why: By the sum.
:::

:::{quiz}
What shape has it?
answer: {shape}`w`
:::

:::{quiz}
`g` is a number, `M` has shape (5, 7), `Z = g * M`. What is `dg`?
answer: (M * dZ).sum()
with: g (), M (5, 7), dZ (5, 7)
:::

:::{quiz}
What is `dY`?
answer: G
:::

:::{quiz}
How many?
answer: 12
:::

:::{quiz}
`s = torch.sigmoid(u)` and `l = s.log()`. What is `du`?
answer: (1 - s) * dl
with: u: (4,), s: torch.sigmoid(u), dl (4,)
:::

:::{quiz}
`q = p * p + p`. What is `dp`?
answer: 2 * p + 1
with: p ()
:::

:::{quiz}
What is left?
answer: 0
:::

:::{write} dw
:::
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ChapterPart]]:
    folder = tmp_path_factory.mktemp("lessons")
    put(Path(folder), "70-trial.md", BODY)
    backend.serve_chapters(Path(folder))
    yield {part["id"]: part for part in backend.chapter("trial")["parts"]}
    backend.serve_chapters()


def answered(block: str, answer: str) -> ChapterAnswer:
    return backend.chapter_answer({"chapter": "trial", "block": block, "answer": answer})


def test_a_question_says_how_it_is_answered(parts: dict[str, ChapterPart]) -> None:
    asked = {name: part["asks"] for name, part in parts.items()}
    assert list(asked.values()) == [
        "choice", "choice", "choice", "number", "shape", "expression", "expression", "number",
        "expression", "expression", "number", "line",
    ]  # fmt: skip


def test_a_computed_answer_is_one_of_the_choices(parts: dict[str, ChapterPart]) -> None:
    choices = parts["predict-w-0-1"]["choices"]
    assert [re.sub(r"<[^>]+>", "", one["html"]) for one in choices] == ["once", "3 times", "4 times"]
    assert [one["right"] for one in choices] == [False, False, True]
    assert [one["why"] for one in choices] == ["It is copied first.", *["Row 0 of <code>w</code> is copied."] * 2]


def test_the_axis_of_each_broadcast(parts: dict[str, ChapterPart]) -> None:
    (w,) = [one for one in parts["axis-w"]["choices"] if one["right"]]
    (b,) = [one for one in parts["axis-b"]["choices"] if one["right"]]
    assert (w["axes"], w["keepdim"], w["shape"]) == ([0], True, [1, 3])
    assert (b["axes"], b["keepdim"], b["shape"]) == ([1], True, [4, 1])
    assert all(one["why"] for one in parts["axis-w"]["choices"])


@pytest.mark.exhaustive
def test_the_orders_and_transposes_of_a_product_are_tried_and_told_apart() -> None:
    wide = {
        "source": "Y = A @ B\nloss = (Y * Y).sum()",
        "tensors": {name: {"role": "parameter", "shape": [3, 3], "init": "randn"} for name in "AB"},
    }
    assert backend.walk(wide)
    found = [part for one in backend.chapters() for part in backend.chapter(one["name"])["parts"]
             if part["kind"] == "shapes"]  # fmt: skip
    assert found
    for part in found:
        assert len(part["choices"]) == 8
        assert sum(one["right"] for one in part["choices"]) == 1
        fitting = [one["why"] for one in part["choices"] if one["fits"]]
        assert len(set(fitting)) == len(fitting)


@pytest.fixture(scope="module")
def true(parts: dict[str, ChapterPart]) -> float:
    """The gradient that is asked for."""
    assert parts
    cell = backend.cell({"walk": {"lesson": "trial"}, "tensor": "w", "which": "gradient", "index": [0, 1]})
    return float(cell["shown"])


@pytest.mark.parametrize("form", ["{:.2f}", "{:.3f}", "{:.6f}", "{:.3e}", " {:.3f} "])
def test_a_number_is_right_as_it_was_rounded(true: float, form: str) -> None:
    told = answered("quiz", form.format(true))
    assert told["right"], told
    assert "By the sum." in told["message"]
    assert 'class="value"' in told["answer"]
    assert answered("quiz", form.format(true).replace("-", "−"))["right"]


@pytest.mark.usefixtures("parts")
def test_the_answer_is_shown_to_who_asks_for_it() -> None:
    told = backend.chapter_answer({"chapter": "trial", "block": "quiz", "show": True})
    assert (told["right"], told["message"]) == (False, "By the sum.")
    shown = re.sub(r"<[^>]+>", "", told["answer"])
    assert answered("quiz", shown)["right"], shown


def test_a_wrong_number_is_told_how_it_is_wrong(true: float) -> None:
    for wrong, said in {
        f"{-true}": "The size is right, the sign is not.",
        f"{true * 3}": "too large",
        f"{true / 3}": "too small",
        f"{-true * 3}": "and it has the other sign",
        "0": "It is not zero.",
        "many": "`many`",
        "": "",
        "dw": "one number",
        "1e999": "It is a finite number.",
        "9" * 30: "too large",
    }.items():
        told = answered("quiz", wrong)
        assert not told["right"], wrong
        assert told["answer"] == ""
        assert told["message"], wrong
        assert said.replace("`many`", "<code>many</code>") in told["message"], (wrong, told)
    assert answered("quiz", "(X * dY).sum(0)[1]")["right"]
    assert answered("quiz-5", "12")["right"]
    assert not answered("quiz-5", "12.4")["right"]


@pytest.mark.parametrize("said", ["(1, 3)", "(1,3)", "[1, 3]", "1, 3", "1 x 3", "1 × 3", "torch.Size([1, 3])"])
def test_a_shape_is_read_in_every_way_it_is_written(true: float, said: str) -> None:
    assert true
    assert answered("quiz-2", said)["right"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("(3, 1)", "their order is not"),
        ("(3,)", "Only an axis of length 1"),
        ("(1, 4)", "Axis 1 shouldn't have length 4."),
        ("()", "It has 2 axes, and yours has 0."),
        ("three", "Write a shape as Python does"),
        ("(1, -3)", "Write a shape as Python does"),
    ],
)
def test_a_wrong_shape_is_told_how_it_is_wrong(true: float, wrong: str, said: str) -> None:
    assert true
    told = answered("quiz-2", wrong)
    assert not told["right"]
    assert said in html.unescape(told["message"])


@pytest.mark.parametrize(
    "said",
    [
        "(M * dZ).sum()",
        "torch.sum(dZ * M)",
        "dg = (dZ * M).sum((0, 1))",
        "(M.T @ dZ).trace()",
        "M.view(-1) @ dZ.view(-1)",
    ],
)
def test_an_expression_is_right_however_it_is_written(true: float, said: str) -> None:
    assert true
    assert answered("quiz-3", said)["right"], answered("quiz-3", said)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("M * dZ", "</code> was copied going forward, so its gradients add up: the sum is missing."),
        ("M", "<code>dg</code> has the shape of <code>g</code>, a single number; this gives (5, 7)."),
        ("-(M * dZ).sum()", "The sign is wrong."),
        ("(M * dZ).mean()", "This is 1/(5*7) times the gradient."),
        ("(M * dZ).sum(0)", "was copied along more axes than are summed here."),
        ("(M * dZ).sum() + 1e-3", "Close, but not the same: the numbers differ by up to 0.001."),
        (
            "(M * dY).sum()",
            "There is no <code>dY</code> in this question. You can use <code>g</code>, <code>M</code> and <code>dZ</code>.",
        ),
        ("(M * ", "read"),
        ("import os", ""),
        ("g.__class__", ""),
        ("", ""),
    ],
)
def test_a_wrong_expression_is_told_what_comes_of_it(true: float, wrong: str, said: str) -> None:
    assert true
    told = answered("quiz-3", wrong)
    assert not told["right"]
    assert said in told["message"], told
    assert told["message"]


def test_an_expression_over_the_walk_holds_for_other_numbers_too(true: float) -> None:
    assert true
    assert answered("quiz-4", "G")["right"]
    assert answered("quiz-4", "dloss * G")["right"] is False  # in a further draw `dloss` is no 1
    assert not answered("quiz-4", "G * (1 + 1e-6)")["right"]


def test_what_is_computed_has_the_values_that_it_can_have(true: float) -> None:
    assert true
    assert answered("quiz-6", "dl - dl * s")["right"]
    assert answered("quiz-6", "dl * torch.sigmoid(-u)")["right"]
    assert "sign" not in answered("quiz-6", "dl / s")["message"]  # both slopes are positive


def test_a_number_drawn_by_chance_isn_t_wrong_by_a_factor(true: float) -> None:
    assert true
    assert answered("quiz-7", "p + 1")["message"] == "The factor <code>2</code> is missing."
    told = answered("quiz-7", "p + 7")["message"]
    put_in, found, right = map(float, re.findall(r"[\d.]*\d", told))
    assert [found, right] == pytest.approx([put_in + 7, 2 * put_in + 1], abs=0.01), told
    assert "1/2 times" in answered("quiz-7", "p + 1/2")["message"]
    assert answered("quiz-8", "-3")["message"] == "It is nearer to zero."


def test_what_is_asked_of_no_question_is_refused(true: float) -> None:
    assert true
    for block in ("nothing", "axis-w", "write-dw", "predict-w-0-1"):
        with pytest.raises(Refusal, match="no question"):
            answered(block, "1")
    with pytest.raises(Refusal):
        backend.chapter_answer({"chapter": "nowhere", "block": "quiz", "answer": "1"})


@pytest.fixture(scope="module")
def asked() -> dict[str, list[ChapterPart]]:
    """All questions with choices, by chapter."""
    pages = {one["name"]: backend.chapter(one["name"]) for one in backend.chapters()}
    return {name: [part for part in page["parts"] if part["choices"]] for name, page in pages.items()}


def place_of(part: ChapterPart) -> int:
    return [one["right"] for one in part["choices"]].index(True)


def test_no_place_tells_which_choice_is_right(asked: dict[str, list[ChapterPart]]) -> None:
    """Of computed choices every place is right about as often as by chance: within three standard deviations."""
    for kind in ("axis", "shapes"):
        found = [part for parts in asked.values() for part in parts if part["kind"] == kind]
        (choices,) = {len(part["choices"]) for part in found}
        expected = len(found) / choices
        most = expected + 3 * math.sqrt(expected * (1 - 1 / choices))
        counts = Counter(map(place_of, found))
        assert max(counts.values()) <= most, (kind, counts)


def test_no_place_is_right_three_times_running(asked: dict[str, list[ChapterPart]]) -> None:
    for name, parts in asked.items():
        places = [place_of(part) for part in parts]
        assert not any(len(set(places[at : at + 3])) == 1 for at in range(len(places) - 2)), (name, places)


def test_choices_come_in_the_same_order_every_time(asked: dict[str, list[ChapterPart]]) -> None:
    again = [part for part in backend.chapter("broadcasting")["parts"] if part["choices"]]
    assert [part["choices"] for part in again] == [part["choices"] for part in asked["broadcasting"]]


def test_a_question_its_picture_and_its_words_are_about_the_same_line(asked: dict[str, list[ChapterPart]]) -> None:
    """A tensor that was used four times has four lines, and an axis to be asked of each."""
    found = [(name, part) for name, parts in asked.items() for part in parts if part["kind"] == "axis"]
    for name, part in found:
        lesson = f"{name}.{part['program']}" if part["program"] else name
        step = json.loads(backend.walk({"lesson": lesson}))["steps"][part["props"]["step"]]
        right = part["choices"][place_of(part)]["html"]
        assert html.unescape(re.sub(r"<[^>]+>", "", right)) in step["code"], part["id"]
