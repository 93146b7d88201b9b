"""The program that a question is about, read off its own text, so that Practise can name the mistake in an answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path

from backend.course.runs import Walked
from backend.engine.language.errors import Refusal
from backend.engine.language.parse import parse_answer
from backend.engine.language.tree import loaded_in, stored_in
from backend.lines.mistakes.wording import TAKEN
from backend.practice.answer import read_answer
from backend.practice.diagnose import diagnosis_of
from backend.practice.exercise import exercise_of
from backend.practice.judge import Judged, judged
from backend.practice.reply import Diagnosis
from backend.practice.trial import Case
from backend.program.chapters.chapter import Block, Chapter, Prose
from backend.program.request import Request

CODE = re.compile(r"`([^`]+)`")
ASKED = re.compile(r"[Ww]hat is `d(\w+)`")
UPSTREAM = "upstream_gradient"
UNREAD = frozenset({"unknown-name", "not-allowed", "syntax"})
# Numbers of both signs, and positive ones for what only takes those.
INITS = ("randn", "rand")
INSTEAD = re.compile(r"`(d\w+)` stands where `(d\w+)` belongs\.")
# Questions before one that it may speak of.
MOST_BEFORE = 2
Given = Sequence[tuple[str, str, str]]


def mistake_in(text: str, block: Block, given: Given, walked: Walked) -> Diagnosis | None:
    """The mistake in an expression that answers a question, as Practise names it; None where it can't tell.

    Of the program only so much is believed as gives the question's own answer.
    """
    asked = ASKED.search(block.prose)
    with suppress(Refusal):
        walk = _walk_of(block, asked[1], given, walked) if asked else None
        if asked is None or walk is None:
            return None
        found = _judged(text, asked[1], walk, walked.names)
        told = None if found.everywhere else diagnosis_of(found, None)
        if told is not None and told["code"] not in UNREAD:
            return _in_its_names(told, {name for name, _, _ in given})
    return None


def _walk_of(block: Block, target: str, given: Given, walked: Walked) -> Request | None:
    """The program that a question is about; None where none gives its answer."""
    for init in INITS:
        walk = program_of(block, given, walked.chapter, init) or walked.request
        with suppress(Refusal):
            if _judged(block.options["answer"], target, walk, walked.names).everywhere:
                return walk
    return None


def _in_its_names(told: Diagnosis, names: Collection[str]) -> Diagnosis:
    """A diagnosis that speaks of no gradient which the question has no name for."""
    instead = INSTEAD.fullmatch(told["message"])
    if instead is None or instead[2] in names:
        return told
    return {**told, "message": TAKEN.format(instead[1])}


def _judged(text: str, target: str, walk: Request, names: Path | None) -> Judged:
    exercise = exercise_of(walk, names)
    variable = f"d{exercise.target(target).variable}"
    return judged(read_answer(text, variable), [_without_upstream(case) for case in exercise.of(variable)])


def _without_upstream(case: Case) -> Case:
    """A case without the tensor that takes the place of the rest of a network: nobody has typed its name."""
    made = copy(case)
    made.scope = {name: value for name, value in case.scope.items() if name != UPSTREAM}
    return made


def program_of(block: Block, given: Given, chapter: Chapter, init: str) -> Request | None:
    """The statements in a question's text, over the names that it is given; None where there are none.

    A question may leave them to one just before it.
    """
    shapes = {name: shape for name, shape, computed in given if not computed}
    for one in _questions_up_to(block, chapter):
        lines = [code for code in CODE.findall(one.prose) if _assigns(code)]
        read = {name for line in lines for name in loaded_in(*parse_answer(line).statements)} & shapes.keys()
        if lines and read:
            return _request(lines, read, shapes, init)
    return None


def _request(lines: list[str], read: set[str], shapes: Mapping[str, str], init: str) -> Request:
    """A program of these lines; what it begins with is read and not made by them."""
    made = [name for line in lines for name in stored_in(*parse_answer(line).statements)]
    tensors = {name: _tensor(shapes[name], init, place) for place, name in enumerate(sorted(read - set(made)))}
    arriving = shapes.get(f"d{made[-1]}")
    if arriving is None:
        return {"source": "\n".join(lines), "tensors": tensors}
    upstream = {UPSTREAM: _tensor(arriving, "randn", len(tensors))}
    return {"source": "\n".join([*lines, f"loss = ({made[-1]} * {UPSTREAM}).sum()"]), "tensors": tensors | upstream}


def _questions_up_to(block: Block, chapter: Chapter) -> Iterator[Block]:
    """A question, and the few before it, the nearest first."""
    blocks = [part for part in chapter.parts if not isinstance(part, Prose)]
    place = blocks.index(block)
    yield from (one for one in blocks[max(0, place - MOST_BEFORE) : place + 1][::-1] if one.kind == block.kind)


def _assigns(code: str) -> bool:
    with suppress(Refusal):
        statements = parse_answer(code).statements
        return len(statements) == 1 and isinstance(statements[0], ast.Assign)
    return False


def _tensor(shape: str, init: str, place: int) -> dict[str, object]:
    sizes = [int(size) for size in re.findall(r"\d+", shape)]
    return {"role": "parameter", "shape": sizes, "init": init, "seed": place + 1}
