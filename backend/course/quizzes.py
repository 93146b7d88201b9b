"""Judges what somebody writes as the answer of a quiz: a number, a shape, or an expression run on random numbers."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from backend.chapters.chapter import Block
from backend.course.numbers import value_of
from backend.course.page import Page, find_chapter
from backend.course.page_types import ChapterAnswer
from backend.course.prose import sentence
from backend.course.questions import NUMBER, SHAPE, asks
from backend.course.runs import Walked
from backend.execute.lookup import node_of
from backend.execute.session import Run
from backend.language.errors import Refusal
from backend.language.guard import guarded
from backend.language.parse import parse_answer
from backend.language.values import Values
from backend.language.wording import number_text
from backend.practice.answer import AnswerEvaluator
from backend.present.questions import consequence, shape_text
from backend.program.request import Request

LONGEST, DRAWS, DIGITS = 400, 3, 3
# A number is right within this share, or where it is the true one rounded to the digits that were written.
SHARE, SAME, CLOSE = 5e-3, 1e-7, 1e-2
# `s (4,)` has random numbers; `s: torch.sigmoid(u)` is computed from the names before it.
GIVEN = re.compile(r"([A-Za-z]\w*)(?::?\s*(\([\d,\s]*\))|:\s*([A-Za-z][\w.]*\([^()]*\)))")


@dataclass(frozen=True)
class Judged:
    """Whether an answer is right, and what is said of it."""

    right: bool
    message: str


@guarded
def chapter_answer(request: Request, names: Path | None = None) -> ChapterAnswer:
    """Whether a text answers a question of a chapter; `request` names the chapter and the block.

    With `show` it is the right answer and why. Raises Refusal for a chapter or a block that isn't there, or that takes
    no text.
    """
    page = Page(find_chapter(request["chapter"]), names)
    block = page.find(request["block"])
    wanted = asks(block, [])
    if "choices" in block.options or wanted in ("", "line", "choice"):
        raise Refusal("chapter-block", found=request["block"])
    if request.get("show"):
        return {"right": False, "message": page.line(block, "why"), "answer": page.line(block, "answer")}
    walked, text = page.runs[block.program], request["answer"].strip()[:LONGEST]
    judge = {"number": _number, "shape": _shape, "expression": _expression}[wanted]
    try:
        judged = judge(block, walked, text)
    except Refusal as refusal:
        judged = Judged(False, f"{refusal.message} {refusal.hint}")
    why = page.line(block, "why") if judged.right else ""
    told = " ".join(filter(None, [sentence(judged.message), why]))
    return {"right": judged.right, "message": told, "answer": page.line(block, "answer") if judged.right else ""}


def _number(block: Block, walked: Walked, text: str) -> Judged:
    true = _true_number(block.options["answer"], walked.run)
    written = text.replace("−", "-").replace(",", "")
    found = re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", written)
    value = float(written) if found else _as_number(value_of(walked.run, text))
    if value is None or not math.isfinite(value):
        return Judged(False, "Write one number, such as 0.25 or −3.")
    return _compared(value, true, _rounding(written) if found else 0.0)


def _true_number(answer: str, run: Run) -> float:
    form = NUMBER.fullmatch(answer)
    asked = form[1].partition("|")[0] if form and form[1] else answer.replace("−", "-")
    true = _as_number(value_of(run, asked))
    if true is None:
        raise Refusal("chapter-expression", found=asked)
    return true


def _as_number(value: Any) -> float | None:
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        return float(value)
    return float(value) if isinstance(value, int | float) else None


def _rounding(written: str) -> float:
    """Half of the last place that was written, where that is behind the point: 0.24 stands for 0.235 to 0.245."""
    _, point, behind = written.partition("e")[0].partition(".")
    return 0.5 * 10.0 ** -len(behind) if point and len(behind) >= 2 else 0.0


def _compared(value: float, true: float, rounding: float) -> Judged:
    if abs(value - true) <= max(SHARE * abs(true), rounding, 1e-12):
        return Judged(True, "Right.")
    if true and abs(value + true) <= max(SHARE * abs(true), rounding):
        return Judged(False, "The size is right, the sign is not.")
    if not value or not true:
        return Judged(False, "It is not zero." if true else "It is nearer to zero.")
    side = "large" if abs(value) > abs(true) else "small"
    sign = "" if value * true > 0 else ", and it has the other sign"
    return Judged(False, f"That is too {side}{sign}.")


def _shape(block: Block, walked: Walked, text: str) -> Judged:
    form = SHAPE.fullmatch(block.options["answer"])
    named = form and form[1]
    true = node_of(walked.run.plan, named).shape if named else shape_of(block.options["answer"])
    found = shape_of(text)
    if found is None or true is None:
        return Judged(False, "Write a shape as Python does, such as `(3, 2)`, `(4,)` or `()`.")
    if found == true:
        return Judged(True, "Right.")
    if sorted(found) == sorted(true):
        return Judged(False, "The sizes are right, their order is not.")
    if [n for n in found if n != 1] == [n for n in true if n != 1]:
        return Judged(False, "Only an axis of length 1 is too many, or missing.")
    if math.prod(found) == math.prod(true):
        return Judged(False, "The number of cells is right, the axes are not.")
    if len(found) != len(true):
        axes = f"{len(true)} {'axis' if len(true) == 1 else 'axes'}" if true else "no axes"
        return Judged(False, f"It has {axes}, and yours has {len(found)}.")
    wrong = next(axis for axis, (a, b) in enumerate(zip(found, true, strict=True)) if a != b)
    return Judged(False, f"Axis {wrong} has another length than {found[wrong]}.")


def shape_of(text: str) -> tuple[int, ...] | None:
    """The shape that a text is: `(3, 2)`, `[3, 2]`, `3, 2`, `3 x 2`; None for none."""
    bare = re.sub(r"[()\[\]]|torch\.Size", " ", text).replace("×", ",").replace("x", ",").strip(" ,")
    if not bare:
        return () if text.strip() else None
    parts = [part.strip() for part in bare.split(",")]
    return (
        tuple(map(int, parts)) if all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts) else None
    )


def _expression(block: Block, walked: Walked, text: str) -> Judged:
    """Run on several draws of random numbers, beside the chapter's own answer."""
    scopes = [_scope(block, walked, draw) for draw in range(DRAWS)]
    pairs = [(_tensor_of(block.options["answer"], scope), _tensor_of(text, scope)) for scope in scopes]
    for true, found in pairs:
        if found.shape != true.shape:
            return Judged(False, f"That gives {shape_text(found)}; it must be {shape_text(true)}.")
        floor = SAME * float(true.abs().max()) if true.numel() else 0.0
        if not bool(((found - true).abs() <= floor).all()):
            gap = float((found - true).abs().max())
            if gap <= CLOSE * float(true.abs().max()):
                return Judged(
                    False, f"Close, but not the same: the numbers differ by up to {number_text(gap, DIGITS)}."
                )
            if true.numel() == 1 and not _one_factor(pairs):
                shown = (number_text(float(one), DIGITS) for one in (found, true))
                return Judged(False, "With numbers put in, that gives {} instead of {}.".format(*shown))
            return Judged(False, consequence(found.double(), true.double(), floor))
    return Judged(True, "Right.")


def _one_factor(pairs: list[tuple[torch.Tensor, torch.Tensor]]) -> bool:
    """Whether single numbers are wrong by the same factor in every draw."""
    first, *others = (float((found / true).sum()) for true, found in pairs)
    return all(math.isclose(first, other, rel_tol=SHARE) for other in others)


def _tensor_of(text: str, scope: Values) -> torch.Tensor:
    """What an expression gives, where a plain number counts as a scalar; raises Refusal for anything else."""
    value = _run(text, scope)
    if isinstance(value, int | float):
        return torch.tensor(float(value), dtype=torch.float64)
    if not isinstance(value, torch.Tensor):
        raise Refusal("chapter-expression", found=text)
    return value


def _scope(block: Block, walked: Walked, draw: int) -> Values:
    """The names of `with:`, random or computed from those; else the values and gradients of the walk, in float64."""
    given = GIVEN.findall(block.options.get("with", ""))
    if not given:
        held = {**walked.run.forward.values, **walked.run.gradients}
        return {name: _double(value, draw) for name, value in held.items()}
    g = torch.Generator().manual_seed(7 + draw)
    made: Values = {}
    for name, shape, computed in given:
        drawn = torch.randn(shape_of(shape) or (), generator=g, dtype=torch.float64).abs() + 0.5
        made[name] = _tensor_of(computed, made) if computed else drawn
    return made


def _double(value: Any, draw: int) -> Any:
    """A tensor of the walk; in later draws with other numbers in its place."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return value
    if draw == 0:
        return value.double()
    g = torch.Generator().manual_seed(value.numel() + draw)
    return torch.randn(value.shape, generator=g, dtype=torch.float64)


def _run(text: str, scope: Values) -> Any:
    statements = parse_answer(text).statements
    last = statements[-1]
    if len(statements) != 1 or not isinstance(last, ast.Expr | ast.Assign):
        raise Refusal("chapter-expression", found=text)
    with torch.no_grad():
        return AnswerEvaluator(dict(scope), weighed=True).value(last.value)
