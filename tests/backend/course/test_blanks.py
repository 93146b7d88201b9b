"""Blanks of the engine: the right line is taken however it is spelled, each listed mistake is told by its sentence."""

from __future__ import annotations

import html
import re

import pytest

import backend
from backend.course.blanks import trials
from backend.course.own_engine.text import engine, mistakes_of, piece_of
from backend.course.page import Page, find_chapter
from backend.course.prose import html_of_text
from backend.engine.language.errors import Refusal
from backend.program.chapters.chapter import Block

CHAPTER = "build-the-engine"
PAGE = Page(find_chapter(CHAPTER), None)
BLANKS = {part.argument: part for part in PAGE.chapter.parts if isinstance(part, Block) and part.kind == "fill"}
MISTAKES = [(name, code, told) for name, block in BLANKS.items() for code, told in mistakes_of(block)]


def judged(piece: str, answer: str) -> tuple[bool, str]:
    found = backend.chapter_answer({"chapter": CHAPTER, "block": f"fill-{piece}", "answer": answer})
    return found["right"], plain(found["message"])


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text)).strip()


@pytest.mark.parametrize("piece", BLANKS)
def test_the_right_line_is_right(piece: str) -> None:
    found = backend.chapter_answer({"chapter": CHAPTER, "block": f"fill-{piece}", "answer": piece_of(piece).answer})
    assert found["right"], found["message"]
    assert plain(found["answer"]) == piece_of(piece).answer
    assert all(line["own"] or line["walk"] for line in found["tape"])
    assert found["tape"][0]["walk"] == "dloss = torch.ones_like(loss)"


@pytest.mark.exhaustive
@pytest.mark.parametrize(("piece", "code", "told"), MISTAKES, ids=[f"{name}: {code}" for name, code, _ in MISTAKES])
def test_a_mistake_is_told_by_its_own_sentence(piece: str, code: str, told: str) -> None:
    wanted = plain(html_of_text(told, PAGE.roles(""), 1))
    assert judged(piece, code) == (False, wanted)


def test_a_mistake_that_is_spelled_otherwise_is_told_by_the_same_sentence() -> None:
    """By its numbers, or by the line at which the engine stops."""
    assert judged("multiply", "other.receive(other.data * g)") == judged("multiply", "other.receive(g * other.data)")
    assert judged("order", "ordered(self)[:]") == judged("order", "ordered(self)")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("piece", "answer"),
    [
        ("multiply", "other.receive(self.data * g)"),
        ("accumulate", "self.grad = g if self.grad is None else g + self.grad"),
        ("accumulate", "self.grad = g + (0 if self.grad is None else self.grad)"),
        ("zero", "one.grad = 0"),
        ("saved", "g - g * h * h"),
        ("order", "ordered(self)[::-1]"),
        ("broadcast", "g.sum(dim=axis, keepdim=True)"),
        ("backward", "torch.ones(self.data.shape, dtype=self.data.dtype)"),
        ("cube", "3 * x * x * g"),
    ],
)
def test_what_comes_to_the_same_gradients_is_right(piece: str, answer: str) -> None:
    assert judged(piece, answer) == (True, judged(piece, piece_of(piece).answer)[1])


@pytest.mark.parametrize(
    ("piece", "answer", "said"),
    [
        ("multiply", "other.receive(2 * g * self.data)", "w.grad is −9 with your line; the walk has −6."),
        ("broadcast", "None", "Nothing arrives at c: its .grad is None."),
        ("broadcast", "g.sum(axis, keepdim=True).expand(3, 2)", "c.grad has the shape (3, 2), and c has (3, 1)."),
        ("saved", "g * (1 - k**2)", "Nothing here is called k."),
        ("saved", "g * (1 - h**2).argmin", "The engine stops at"),
        ("matmul", "other.receive(g * other.data)", "The engine stops at"),  # as one without its transpose does
        ("matmul", "other.receive(self.data.T @@ g)", "This can't be read as one expression."),
        ("cube", "pass", "With this in it, Python can't read the line."),
        ("cube", "1\ny = 2", "Write one line."),
    ],
)
def test_any_other_mistake_is_told_by_what_comes_of_it(piece: str, answer: str, said: str) -> None:
    right, message = judged(piece, answer)
    assert not right
    assert said in message


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "answer",
    [
        "__import__('os').system('id')", "open('/etc/passwd')", "visit(visit)", "self.backward()", "return", "break",
        "while True: pass", "[0] * 10**9", "(" * 150, "raise", "import os", "del self", "exec('1')", "self.grad = self",
        "other.receive(g.expand(10**5, 10**5))", "Tensor.receive = None", "\x00", "ö := 1", "«»",
    ],
)  # fmt: skip
def test_hostile_lines_are_told_in_words(answer: str) -> None:
    for piece in ("multiply", "accumulate"):
        right, message = judged(piece, answer)
        assert not right
        assert message.endswith((".", ":"))
        assert "Traceback" not in message


def test_a_piece_that_the_engine_has_not_is_refused_with_its_line() -> None:
    with pytest.raises(Refusal) as caught:
        piece_of("multipy")
    assert "multiply" in caught.value.hint


@pytest.mark.exhaustive
@pytest.mark.parametrize("piece", BLANKS)
def test_the_right_engine_has_the_gradients_of_autograd(piece: str) -> None:
    """On the blank's own programs, beside what the walk has, which is held against autograd elsewhere."""
    for trial in trials(BLANKS[piece], PAGE.runs):
        found = trial.outcome(engine())
        assert found.fault is None
        for name, true in trial.asked.items():
            own = found.gradients[name]
            assert own is not None
            assert (own - true).abs().max() < 1e-12
