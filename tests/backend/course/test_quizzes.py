"""The written questions of our chapters, answered as people do: what is right is taken, what is wrong is named."""

from __future__ import annotations

import html
import re
from functools import cache

import pytest

import backend
from backend.course.page import Page, find_chapter
from backend.course.question_words import words_of
from backend.engine.language.errors import Refusal, catalogue
from backend.program.chapters.chapter import Block


@cache
def places(chapter: str) -> dict[str, str]:
    """The written questions of a chapter: their prose, and where they are."""
    page = Page(find_chapter(chapter), None)
    blocks = [(part, page.place(part)) for part in page.chapter.parts if isinstance(part, Block)]
    return {part.prose: place for part, place in blocks if part.kind == "quiz" and "choices" not in part.options}


def answered(chapter: str, question: str, answer: str) -> tuple[bool, str]:
    (place,) = [place for prose, place in places(chapter).items() if question in prose]
    told = backend.chapter_answer({"chapter": chapter, "block": place, "answer": answer})
    return told["right"], html.unescape(re.sub(r"</?(?:code|strong|span)[^>]*>", "`", told["message"]))


@pytest.mark.parametrize(
    ("chapter", "question", "answers"),
    [
        ("first-steps", "`q = p * p`", ["2p+1", "2 p + 1", "p(2)+1", "dp = 2*p + 1"]),
        ("first-steps", "`u = v - 5`", ["4", "four", "= 4", "dv = 4", "4,0"]),
        ("linear-layer", "`S = A @ A.T`", ["(dS + dS.T) A", "dS A + dS^T A", "dS @ A + dS.T @ A"]),
        ("broadcasting", "`g` is a number", ["sum(M*dZ)", "np.sum(M*dZ)"]),
        ("elementwise", "`q = v**3`", ["3v²dq", "3v^2*dq", "3*v*v*dq"]),
        ("elementwise", "square its result", ["2F.relu(u)dr", "2*relu(u)*dr"]),
        ("softmax-cross-entropy", "probability `0.8`", ["-0.02", "−1/50", "-2 %", "-0,02", "(0.8-1)/10"]),
        ("softmax-cross-entropy", "`s = F.softmax(a, 1)`", ["s(ds - sum(s*ds, 1, keepdim=True))"]),
        ("batchnorm", "four equal numbers", ["0", "zero"]),
        ("embedding", "shape of `demb`", ["32x3x10", "[32, 3, 10]", "32*3*10"]),
        ("relu-classifier", "Six gradients", ["1/sqrt(6)", "6^-0.5", "0.41"]),
        ("depth", "twenty such layers", ["0.9^20", "0.122", "12.2%"]),
        ("attention", "`S = Q @ K.T`", ["dS^T Q", "dS.T Q"]),
        ("through-time", "four times", ["4w^3", "4w³"]),
        ("small-numbers", "smallest number above zero", ["6·10⁻⁸", "6e-8", "6 * 10^-8", "0.00000006", "5.96E-8"]),
        ("train-by-hand", "27 letters", ["ln(27)", "log(27)", "ln 27", "-log(1/27)", "3.3", "torch.log(27)"]),
    ],
)
def test_right_thoughts_are_right_as_they_are_typed(chapter: str, question: str, answers: list[str]) -> None:
    assert [one for one in answers if not answered(chapter, question, one)[0]] == []


@pytest.mark.parametrize(
    ("chapter", "question", "answer", "said"),
    [
        ("first-steps", "`q = p * p`", "2p", "A path is missing: `p` reaches the loss through `r` as well."),
        ("first-steps", "`q = p * p`", "p+1", "The factor `2` is missing."),
        ("first-steps", "`q = p * p`", "4*u", "There is no `u` in this question. You can use `p`."),
        ("first-steps", "`q = p * p`", "2p+", "This can't be read as one expression. Check the signs and brackets."),
        ("first-steps", "`u = v - 5`", "20", "That is 5 times too large."),
        ("first-steps", "`u = v - 5`", "nan", "It is a finite number, not NaN."),
        ("small-numbers", "smallest number above zero", "1.00e-8", "That is too small."),
        (
            "first-steps",
            "`u = v - 5`",
            "4*u",
            "`u` has no value here. Write one number, such as 0.25 or −3, or an expression for it, such as `1/3`.",
        ),
        ("linear-layer", "`S = A", "0", "`dA` has the shape of `A`, (3, 2); this gives a single number."),
        ("linear-layer", "`S = A", "dS @ A", "A path is missing: `A` reaches the loss through `S` more than once."),
        ("linear-layer", "`S = A", "A", "This is `A` itself, going forward, and not its gradient."),
        ("broadcasting", "`g` is a number", "(M*dZ).sum(0)", "`g` was copied along more axes than are summed here."),
        ("broadcasting", "`g` is a number", "dZ.sum()", "The local derivative `M` is missing."),
        (
            "broadcasting",
            "`g` is a number",
            "(M*dZ).sum(",
            "This can't be read as one expression. Check the brackets: '(' was never closed.",
        ),
        ("broadcasting", "Same `A`", "dZ.mean(0)", "This is 1/6 times the gradient."),
        ("broadcasting", "Same `A`", "dZ.sum(1)", "`B` was copied along axis 0: that axis is summed, not axis 1."),
        (
            "broadcasting",
            "And what is `dA`",
            "dZ.sum(1)",
            "The numbers are right, but the shape is (6, 4): `A` has (6, 1, 4).",
        ),
        (
            "elementwise",
            "`q = v**3`",
            "3*v**2",
            "This is the local derivative alone: the upstream gradient `dq` is missing.",
        ),
        ("elementwise", "`q = v**3`", "3v^3dq", "The exponent has to drop by one as it comes down in front."),
        (
            "elementwise",
            "`q = v**3`",
            "v^3 dq",
            "The exponent has to drop by one as it comes down in front. "
            "With that mended, it would still be 1/3 times the gradient.",
        ),
        ("elementwise", "`l = s.log()`", "(1-s)", "The upstream gradient `dl` is missing."),
        (
            "elementwise",
            "`l = s.log()`",
            "s(1-s)dl",
            "`dl` is taken as it arrives: a local derivative is missing.",
        ),
        ("elementwise", "square its result", "2(u>0)dr", "The local derivative `F.relu(u)` is missing."),
        ("softmax-cross-entropy", "probability `0.8`", "-0.2", "The factor `1/10` is missing."),
        ("softmax-cross-entropy", "probability `0.8`", "0.02", "The size is right, the sign is not."),
        (
            "softmax-cross-entropy",
            "`l = F.log_softmax",
            "dl - l*dl.sum(1, keepdim=True)",
            "`l` stands where `torch.exp(l)` belongs.",
        ),
        (
            "softmax-cross-entropy",
            "`s = F.softmax",
            "s*(ds-(s*ds).sum(1))",
            "`-` doesn't fit shapes (4, 3) and (4,). The sum has lost its axis: write `(s * ds).sum(1, keepdim=True)`.",
        ),
        (
            "softmax-cross-entropy",
            "`s = F.softmax",
            "ds*s*(1-s)",
            "A sum is missing: each number of `a` moves several others, and their gradients add up.",
        ),
        (
            "softmax-cross-entropy",
            "`s = F.softmax",
            "s*(ds-s*ds.sum(1,keepdim=True))",
            "`.sum` applies to `ds` alone: brackets are missing around `s * ds`.",
        ),
        (
            "batchnorm",
            "`c = a - a.mean",
            "dc - dc.mean(1, keepdim=True)",
            "`dc.mean(1, keepdim=True)` runs along axis 1, and has to run along axis 0.",
        ),
        ("batchnorm", "four equal numbers", "nan", "It is a finite number, not NaN."),
        ("embedding", "three ones", "1", "That is 3 times too small."),
        ("embedding", "shape of `demb`", "(32, 3, 1)", "Axis 2 shouldn't have length 1."),
        ("makemore-mlp", "right letter", "-1", "The factor `1 / n` is missing."),
        (
            "relu-classifier",
            "What is `db2`",
            "dh2.sum(0)",
            "`dh2` is taken as it arrives: a local derivative is missing.",
        ),
        ("relu-classifier", "What is `db2`", "(h2*dh2).sum(0)", "`h2` stands where `h2 > 0` belongs."),
        ("attention", "`S = Q @ K.T`", "Q.T @ dS", "Rows and columns are exchanged: `K` has the shape (7, 8)."),
        ("attention", "`y = x + f(x)`", "0", "`dx` has the shape of `x`, (3, 2); this gives a single number."),
        ("through-time", "four times", "4*h", "There is no `h` in this question. You can use `w`."),
        ("train-by-hand", "27 letters", "1/27", "That is too small."),
    ],
)
def test_a_wrong_answer_is_named_as_practise_names_it(chapter: str, question: str, answer: str, said: str) -> None:
    assert answered(chapter, question, answer) == (False, said)


def test_a_question_speaks_of_no_line_and_no_table() -> None:
    told = {code: words_of(Refusal(code)) for code in catalogue()}
    assert all(told.values())
    assert [words for words in told.values() if re.search(r"\b(?:tables?|lines?|program|walk)\b", words)] == []
