"""The reference of lessons and operations, from their own definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import cast

from backend.engine.execute.run import run_forward
from backend.engine.language.expression import expression
from backend.engine.language.tree import names_in
from backend.engine.language.wording import spelled
from backend.engine.ops import OPS, Op
from backend.engine.ops.groups import group_of, place_of
from backend.pipeline import traced
from backend.program.chapters.chapter import Chapter
from backend.program.lessons import SHELF, Lesson, listed
from backend.program.request import find_lesson, read
from backend.services.answer_types import LessonEntry, LessonSeed, LessonTensor, Operation, WholeLesson
from backend.services.live_example import has_live_example
from backend.services.op_example import example

ARRIVING = "dout"  # what a reader sees for `g`, in rules as in examples
PHRASES = {"over": "over these axes", "along": "along these axes", "row": "row"}
PHRASES |= {"columns": "every cell", "rows": "each row", "by_column": "sums over them", "by_row": "sums over them"}
MEANT = {"g", "out", "torch", "F", "math", "range"}


def lessons() -> list[LessonEntry]:
    """Name, title and subject of every lesson, in teaching order, and by which other names its programs are walked."""
    return [
        {
            "name": one.name,
            "title": one.title,
            "about": one.about,
            "seed": _seed(one),
            "chapter": chapter is not None,
            "also": _also(chapter) if chapter else [],
            "trained_on": one.trained_on,
        }
        for one, chapter in listed()
    ]


def _also(chapter: Chapter) -> list[str]:
    taken = [name for name in (chapter.programs[""].lesson,) if name not in (None, *SHELF.chapters)]
    further = [f"{chapter.name}.{name}" for name in chapter.programs if name]
    return [name for name in dict.fromkeys([*chapter.starts, *map(str, taken), *further]) if name != chapter.name]


def _seed(lesson: Lesson) -> LessonSeed | None:
    """What a lesson's seed is to its reader; None where it has none."""
    if lesson.seed is None:
        return None
    return {
        "default": lesson.seed,
        "means": lesson.seed_means,
        "noun": lesson.seed_noun,
        "drawn": lesson.seed_drawn,
        "words": lesson.with_word is not None,
    }


def lesson(name: str) -> WholeLesson:
    """One lesson: what its seed means, its program, tensors, axis names and narration; or a Refusal (404)."""
    one = find_lesson(name)
    made = read({"lesson": name})
    tensors: dict[str, LessonTensor] = {
        key: {"role": made.inputs[key].role, "shape": list(tensor.shape), "dims": list(made.dims.get(key, ()))}
        for key, tensor in made.tensors.items()
    }
    return {
        "name": one.name,
        "title": one.title,
        "about": one.about,
        "seed": _seed(one),
        "source": made.source,
        "constants": cast("dict[str, int | float]", dict(made.constants)),
        "tensors": tensors,
        "narration": _narrated(one.name),
        "questions": [],
    }


@cache
def _narrated(name: str) -> dict[str, str]:
    """What a lesson tells of each step, with the numbers of its own seed."""
    lesson, material = find_lesson(name), read({"lesson": name})
    values = run_forward(traced(material), material.tensors, material.dtype).tensors
    facts = lesson.known(values, material.labels)
    return {step: text.format_map(facts) for step, text in lesson.narration.items()}


@cache
def operations() -> list[Operation]:
    """Every operation, by groups: what it computes, its spellings, its rules as text (of several cases the usual
    one first), and where those depend on the call an example that is worked out; `live` if it has a walk."""
    known = sorted(OPS, key=place_of)
    return [
        {
            "name": op.name(),
            "group": group_of(op),
            "about": _about(op),
            "written": list(op.written),
            "backward": _for_a_reader(op.cases[0][1] if op.cases else op.backward),
            "cases": [{"when": list(conditions), "backward": _for_a_reader(rules)} for conditions, rules in op.cases],
            "words": (words := _words_of_the_call(op)),
            "example": example(op) if words else None,
            "live": has_live_example(op),
            "exact": _for_a_reader(op.exact),
            "why_not_exact": op.why_not_exact,
            "because": {name: _reason(text, bool(op.variadic)) for name, text in op.because.items()},
            "cell": op.cell,
            "differentiable": op.differentiable,
            "stops": op.stops,
        }
        for op in known
    ]


def _about(op: type[Op]) -> str:
    """Its sentence, and what it is short for where one expression says so."""
    steps = getattr(op, "steps", "")
    return (op.__doc__ or "").strip() + (f" Short for `{steps}`." if steps else "")


def _for_a_reader(rules: Mapping[str, str]) -> dict[str, str]:
    """Rules in which the upstream gradient has the name that it has in a program."""
    return {name: re.sub(r"\bg\b", ARRIVING, text) for name, text in rules.items()}


def _reason(template: str, of_any: bool) -> str:
    """A reason in the words of the rule; `of_any` of several tensors, none of which is called x."""
    text = spelled(template, PHRASES)
    text = re.sub("^`x`", "Each tensor", text) if of_any else text
    return re.sub(r"`[^`]+`", lambda code: re.sub(r"\bg\b", ARRIVING, code[0]), text)


def _words_of_the_call(op: type[Op]) -> list[str]:
    """Words of its rules that stand for a text which depends on the shapes and arguments of each call."""
    own = MEANT.union(*(signature.parameters for signature in op.signatures))
    texts = [expression(text) for _, rules in op.cases for text in rules.values()] or op.rules.values()
    used = set[str]().union(*map(names_in, (*texts, *op.exact_rules.values())))
    return sorted(used - own)
