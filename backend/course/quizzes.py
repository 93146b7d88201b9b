"""Judges what somebody writes as the answer of a quiz: a number, a shape, or an expression run on random numbers."""

from __future__ import annotations

import ast
import math
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch

from backend.course.blanks import filled, right_answer
from backend.course.numbers import value_of
from backend.course.own_engine.text import piece_of
from backend.course.page import Page, find_chapter
from backend.course.page_types import ChapterAnswer
from backend.course.prose import sentence
from backend.course.question_programs import ASKED, mistake_in
from backend.course.question_words import unknown_name, words_of
from backend.course.questions import NUMBER, SHAPE, asks
from backend.course.runs import Walked
from backend.course.slips import slip_in
from backend.course.typed_maths import as_code, number_typed
from backend.engine.execute.lookup import node_of
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.parse import parse_answer
from backend.engine.language.values import Values
from backend.engine.language.wording import listed, number_text, told_apart
from backend.lines.mistakes.codes import DiagnosisCode
from backend.practice.answer import AnswerEvaluator
from backend.present.explain import shape_words
from backend.present.questions import consequence
from backend.program.chapters.chapter import Block
from backend.program.request import Request
from backend.program.runs import Run

Pairs = list[tuple[torch.Tensor, torch.Tensor]]
LONGEST, DRAWS, DIGITS, FEW = 400, 3, 3, 3
DECIMAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
WRITE_NUMBER = "Write one number, such as 0.25 or −3."
# A number that is too large or too small by a whole number, up to this one, is told so.
TIMES, WHOLE = 1_000, 1e-6
# A number is right within this share, or where it is the true one rounded to the digits that were written.
SHARE, SAME, CLOSE = 5e-3, 1e-7, 1e-2
# `s (4,)` has random numbers; `s: torch.sigmoid(u)` is computed from the names before it.
GIVEN = re.compile(r"([A-Za-z]\w*)(?::?\s*(\([\d,\s]*\))|:\s*([A-Za-z][\w.]*\([^()]*\)))")


@dataclass(frozen=True)
class AnswerVerdict:
    """Whether an answer is right, what is said of it, and the kind of mistake where it is one that many make."""

    right: bool
    message: str
    code: DiagnosisCode | Literal[""] = "unknown"


NO_NUMBER = AnswerVerdict(False, WRITE_NUMBER, "syntax")


@guarded
def chapter_answer(request: Request, names: Path | None = None) -> ChapterAnswer:
    """Whether a text answers a question of a chapter; `request` names the chapter and the block.

    With `show` it is the right answer and why. Raises Refusal for a chapter or a block that isn't there, or that takes
    no text.
    """
    page = Page(find_chapter(request["chapter"]), names)
    block = page.find(request["block"])
    wanted = asks(block, [])
    if wanted == "blank":
        return _blank(page, block, request)
    if "choices" in block.options or wanted in ("", "line", "choice"):
        raise Refusal("chapter-block", found=request["block"])
    if request.get("show"):
        return {"right": False, "message": page.line(block, "why"), "answer": page.line(block, "answer"), "tape": []}
    walked, text = page.runs[block.program], request["answer"].strip()[:LONGEST]
    judge = {"number": _number, "shape": _shape, "expression": _expression}[wanted]
    try:
        judged = judge(block, walked, text)
    except Refusal as refusal:
        judged = AnswerVerdict(False, words_of(refusal))
    why = page.line(block, "why") if judged.right else ""
    told = " ".join(filter(None, [sentence(judged.message), why]))
    answer = page.line(block, "answer") if judged.right else ""
    return {"right": judged.right, "message": told, "answer": answer, "tape": []}


def _blank(page: Page, block: Block, request: Request) -> ChapterAnswer:
    """An answer for a blank of the engine."""
    if request.get("show"):
        answer = right_answer(piece_of(block.argument))
        return {"right": False, "message": page.line(block, "why"), "answer": answer, "tape": []}
    return filled(block, page.runs, page.roles(block.program), request["answer"])


def _number(block: Block, walked: Walked, text: str) -> AnswerVerdict:
    asked = _asked(block.options["answer"])
    true = _as_number(value_of(walked.run, asked))
    if true is None:
        raise Refusal("chapter-expression", found=asked)
    written = number_typed(text)
    found = DECIMAL.fullmatch(written)
    value = float(written) if found else _worked_out(written, walked.run)
    if value is not None and math.isnan(value):
        return AnswerVerdict(False, "It is a finite number, not NaN.")
    if value is None:
        return AnswerVerdict(False, WRITE_NUMBER)
    if not math.isfinite(value):
        return AnswerVerdict(False, "It is a finite number.")
    judged = _compared(value, true, _rounding(written) if found else 0.0)
    slip = "" if judged.right else slip_in(asked, value, walked.run)
    return AnswerVerdict(judged.right, slip or judged.message)


def number_judged(text: str, true: float) -> dict[str, object]:
    """What is to be said of a number that somebody wrote, whatever it was asked of: as of a quiz's."""
    written = number_typed(text.strip()[:LONGEST])
    found = DECIMAL.fullmatch(written)
    value = float(written) if found else math.inf
    judged = _compared(value, true, _rounding(written)) if found and math.isfinite(value) else NO_NUMBER
    return {"right": judged.right, "message": judged.message, "code": judged.code}


def _asked(answer: str) -> str:
    """The expression that a question's answer is the value of."""
    form = NUMBER.fullmatch(answer)
    return form[1].partition("|")[0] if form and form[1] else answer.replace("−", "-")


def _worked_out(text: str, run: Run) -> float | None:
    """What a text comes to, which may be maths or code; raises Refusal with words for a question that has no lines."""
    if text.lower() in ("nan", "inf", "-inf"):
        return float(text)
    names = run.forward.values.keys() | run.gradients.keys() | run.material.constants.keys()
    try:
        return _as_number(value_of(run, as_code(text, names)))
    except Refusal as refusal:
        name = unknown_name(refusal)
        if name:
            raise Refusal("question-no-number", found=name) from None
        raise


def _as_number(value: Any) -> float | None:
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        return float(value)
    return float(value) if isinstance(value, int | float) else None


def _rounding(written: str) -> float:
    """Half of the last place that was written, where that is well behind the point: 0.24 stands for 0.235 to 0.245, and
    2.7e-5 for what 0.000027 does."""
    digits, _, power = written.lower().partition("e")
    places = len(digits.partition(".")[2]) - int(power or 0)
    return 0.5 * 10.0 ** -min(places, 400) if places >= 2 else 0.0


def _compared(value: float, true: float, rounding: float) -> AnswerVerdict:
    if abs(value - true) <= max(SHARE * abs(true), rounding, 1e-12):
        return AnswerVerdict(True, "Right.", "")
    if true and abs(value + true) <= max(SHARE * abs(true), rounding):
        return AnswerVerdict(False, "The size is right, the sign is not.", "sign")
    if not value or not true:
        return AnswerVerdict(False, "It is not zero." if true else "It is nearer to zero.")
    side = "large" if abs(value) > abs(true) else "small"
    sign = "" if value * true > 0 else ", and it has the other sign"
    times = max(abs(value / true), abs(true / value))
    is_whole = 1 < round(times) <= TIMES and math.isclose(times, round(times), rel_tol=WHOLE)
    whole = f"{round(times):,} times " if is_whole else ""
    return AnswerVerdict(False, f"That is {whole}too {side}{sign}.", "scale" if whole else "unknown")


def _shape(block: Block, walked: Walked, text: str) -> AnswerVerdict:
    form = SHAPE.fullmatch(block.options["answer"])
    named = form and form[1]
    true = node_of(walked.run.plan, named).shape if named else shape_of(block.options["answer"])
    found = shape_of(text)
    if found is None or true is None:
        return AnswerVerdict(False, "Write a shape as Python does, such as `(3, 2)`, `(4,)` or `()`.")
    if found == true:
        return AnswerVerdict(True, "Right.")
    if sorted(found) == sorted(true):
        return AnswerVerdict(False, "The sizes are right, their order is not.")
    if [n for n in found if n != 1] == [n for n in true if n != 1]:
        return AnswerVerdict(False, "Only an axis of length 1 is too many, or missing.")
    if math.prod(found) == math.prod(true):
        return AnswerVerdict(False, "The number of cells is right, the axes are not.")
    if len(found) != len(true):
        axes = f"{len(true)} {'axis' if len(true) == 1 else 'axes'}" if true else "no axes"
        return AnswerVerdict(False, f"It has {axes}, and yours has {len(found)}.")
    wrong = next(axis for axis, (a, b) in enumerate(zip(found, true, strict=True)) if a != b)
    return AnswerVerdict(False, f"Axis {wrong} shouldn't have length {found[wrong]}.")


def shape_of(text: str) -> tuple[int, ...] | None:
    """The shape that a text is: `(3, 2)`, `[3, 2]`, `3, 2`, `3 x 2`; None for none."""
    bare = re.sub(r"[()\[\]]|torch\.Size", " ", text).replace("×", ",").replace("x", ",").replace("*", ",").strip(" ,")
    if not bare:
        return () if text.strip() else None
    parts = [part.strip() for part in bare.split(",")]
    return (
        tuple(map(int, parts)) if all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts) else None
    )


def _expression(block: Block, walked: Walked, text: str) -> AnswerVerdict:
    """Run on several draws of random numbers, beside the chapter's own answer."""
    scopes = [_scope(block, walked, draw) for draw in range(DRAWS)]
    code = _code_of(text, scopes[0])
    right = [_tensor_of(block.options["answer"], scope) for scope in scopes]
    try:
        pairs = [(true, _tensor_of(code, scope)) for true, scope in zip(right, scopes, strict=True)]
    except Refusal as refusal:
        if unknown_name(refusal):
            names = listed([f"`{name}`" for name in _names_of(block, scopes[0])])
            raise Refusal("question-name", found=unknown_name(refusal), names=names) from None
        told = _told(block, walked, code, scopes[0])
        if told is None:
            raise
        return AnswerVerdict(False, told)
    gaps = (_difference(pairs[i], pairs, block, scope) for i, scope in enumerate(scopes))
    wrong = next(filter(None, gaps), None)
    return (
        AnswerVerdict(False, _told(block, walked, code, scopes[0]) or wrong) if wrong else AnswerVerdict(True, "Right.")
    )


def _code_of(text: str, scope: Values) -> str:
    """What was typed as code: of two matrices side by side the product of matrices, where the other doesn't fit."""
    code = as_code(text, scope)
    try:
        _tensor_of(code, scope)
    except Refusal:
        with suppress(Refusal):
            matrices = as_code(text, scope, "@")
            _tensor_of(matrices, scope)
            return matrices
    return code


def _names_of(block: Block, scope: Values) -> list[str]:
    """The names that a question speaks of and that have a value in it."""
    spoken = dict.fromkeys(re.findall(r"\w+", f"{block.prose} {block.options['answer']}"))
    asked = ASKED.search(block.prose)
    return [name for name in spoken if name in scope and (asked is None or name != f"d{asked[1]}")]


def _told(block: Block, walked: Walked, code: str, scope: Values) -> str | None:
    """The mistake as Practise names it, where it knows it."""
    shapes = {name: str(tuple(value.shape)) for name, value in scope.items() if isinstance(value, torch.Tensor)}
    given = GIVEN.findall(block.options.get("with", "")) or [(name, shape, "") for name, shape in shapes.items()]
    mistake = mistake_in(code, block, given, walked)
    return None if mistake is None or mistake["evidence"] is None else mistake["message"]


def _difference(pair: tuple[torch.Tensor, torch.Tensor], pairs: Pairs, block: Block, scope: Values) -> str:
    """How a wrong result differs from the right one; empty where it doesn't."""
    true, found = pair
    if found.shape != true.shape:
        asked, shape = ASKED.search(block.prose), shape_words(tuple(true.shape))
        what = f"`d{asked[1]}` has the shape of `{asked[1]}`, {shape}" if asked else f"It is {shape}"
        return f"{what}; this gives {shape_words(tuple(found.shape))}."
    floor = SAME * float(true.abs().max()) if true.numel() else 0.0
    if bool(((found - true).abs() <= floor).all()):
        return ""
    gap = float((found - true).abs().max())
    if gap <= CLOSE * float(true.abs().max()):
        return f"Close, but not the same: the numbers differ by up to {number_text(gap, DIGITS)}."
    if true.numel() == 1 and not _one_factor(pairs):
        shown = told_apart([float(found), float(true)], DIGITS)
        return "{}, that gives {} instead of {}.".format(_put_in(block, scope), *shown)
    return consequence(found.double(), true.double(), floor)


def _put_in(block: Block, scope: Values) -> str:
    """The numbers that were put in, where they are few enough to work it out again."""
    named = {name: scope[name] for name in _names_of(block, scope)}
    few = [value for value in named.values() if isinstance(value, torch.Tensor) and value.dim() < 2]
    if not named or len(few) < len(named) or any(value.numel() > FEW for value in few):
        return "With numbers put in"
    return f"With {listed([f'`{name}` = {_written(value)}' for name, value in named.items()])} put in"


def _written(value: torch.Tensor) -> str:
    cells = [number_text(float(one), DIGITS) for one in value.flatten()]
    return f"[{', '.join(cells)}]" if value.dim() else cells[0]


def _one_factor(pairs: Pairs) -> bool:
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
