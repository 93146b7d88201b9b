"""The questions of a chapter: their choices, computed or listed, each with what is said of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Literal

from markupsafe import escape

from backend.course.figures import tensor_of
from backend.course.page_types import ChapterChoice
from backend.course.prose import Role, html_of_line, sentence
from backend.course.runs import Walked
from backend.engine.language.errors import Refusal
from backend.inspect.axis_choices import axis_choices_of
from backend.present.question_types import Candidate
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block

Roles = Mapping[str, Role]
Asks = Literal["", "choice", "number", "shape", "expression", "line", "blank"]
BY_KIND: Mapping[str, Asks] = {"write": "line", "fill": "blank"}
SHAPE = re.compile(r"\{shape\}`([^`]+)`|\(\s*(?:\d+\s*,\s*)*(?:\d+\s*,?\s*)?\)")
NUMBER = re.compile(r"\{value\}`([^`]+)`|[-−]?\d+(?:\.\d+)?")


def asks(block: Block, choices: list[ChapterChoice]) -> Asks:
    """How a block is answered."""
    if choices:
        return "choice"
    if block.kind in BY_KIND:
        return BY_KIND[block.kind]
    if block.kind != "quiz":
        return ""
    answer = block.options["answer"]
    if SHAPE.fullmatch(answer):
        return "shape"
    return "number" if NUMBER.fullmatch(answer) or not re.search(r"[A-Za-z_]", answer) else "expression"


def choices_of(block: Block, walked: Walked, roles: Roles, shuffle: Shuffle) -> list[ChapterChoice]:
    """What can be chosen in a block; nothing where it asks nothing, or for something to be written."""
    if block.kind in COMPUTED:
        return shuffle.order(COMPUTED[block.kind](block, walked))
    return shuffle.listed(listed(block, roles)) if "choices" in block.options else []


class Shuffle:
    """The order of a chapter's choices, the same for every reader, in which no place tells which one is right.

    Those that are computed come as if by chance; those that are listed stay in their author's order where they may.
    """

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.places: list[int] = []

    def listed(self, choices: list[ChapterChoice]) -> list[ChapterChoice]:
        """Listed choices: the right one stands at most twice running in the same place."""
        latest = self.places[-2:]
        return self._asked(choices, len(latest) == 2 and {_place(choices)} == set(latest))

    def order(self, choices: list[ChapterChoice]) -> list[ChapterChoice]:
        """Choices in an order that depends on the chapter, on which of its questions it is, and on their texts."""
        asked = f"{self.chapter} {len(self.places)}"
        mixed = sorted(choices, key=lambda one: sha256(f"{asked} {one['html']}".encode()).digest())
        return self._asked(mixed, [_place(mixed)] == self.places[-1:])

    def _asked(self, choices: list[ChapterChoice], again: bool) -> list[ChapterChoice]:
        given = choices[1:] + choices[:1] if again else choices
        self.places.append(_place(given))
        return given


def _place(choices: list[ChapterChoice]) -> int:
    """Where the right one of them stands."""
    return next(place for place, one in enumerate(choices) if one["right"])


def listed(block: Block, roles: Roles) -> list[ChapterChoice]:
    """Choices that the chapter lists; the answer may be computed, and has to be one of them.

    `why` is told of the right one, and of a wrong one that `wrong` has no sentence for.
    """
    texts = [html_of_line(text, roles, block.lines["choices"]) for text in block.listed("choices")]
    answer = html_of_line(block.options["answer"], roles, block.lines["answer"])
    if _bare(answer) not in map(_bare, texts) or len(set(map(_bare, texts))) != len(texts):
        raise Refusal("chapter-answer", found=block.options["answer"])
    why = html_of_line(block.options.get("why", ""), roles, block.lines.get("why", block.line))
    told = _told_of_wrong(block, roles)
    if unknown := set(told) - set(map(_bare, texts)):
        raise Refusal("chapter-answer", found=min(unknown))
    made = []
    for text in texts:
        right = _bare(text) == _bare(answer)
        made.append(choice(text, right, right, why if right else told.get(_bare(text), why)))
    return made


def _told_of_wrong(block: Block, roles: Roles) -> dict[str, str]:
    """What `wrong` says of choices: `wrong: once: … | 3 times: …`."""
    line, told = block.lines.get("wrong", block.line), {}
    for part in block.listed("wrong"):
        name, found, text = part.partition(": ")
        if not found:
            raise Refusal("chapter-answer", found=part)
        told[_bare(html_of_line(name, roles, line))] = html_of_line(text, roles, line)
    return told


def _bare(html: str) -> str:
    """A text without its markup, by which two choices are compared."""
    return re.sub(r"<[^>]+>", "", html).strip()


def choice(
    html: str,
    fits: bool,
    right: bool,
    why: str,
    shape: list[int] | None = None,
    axes: list[int] | None = None,
    keepdim: bool = False,
) -> ChapterChoice:
    """One choice as it is sent."""
    return {"html": html, "shape": shape, "fits": fits, "right": right, "why": why, "axes": axes, "keepdim": keepdim}


def _axes(block: Block, walked: Walked) -> list[ChapterChoice]:
    return [
        choice(
            f"<code>{escape(one['code'])}</code>", one["fits"], one["right"], sentence(one["why"]),
            one["shape"], one["axes"], one["keepdim"],
        )
        for one in axis_choices_of(walked.run, tensor_of(block.argument, walked)[0])["choices"]
    ]  # fmt: skip


def _products(block: Block, walked: Walked) -> list[ChapterChoice]:
    """Every order and transposition of the two matrices of a gradient's product."""
    name, _, _ = tensor_of(block.argument, walked)
    steps = steps_of(walked.run.plan)
    every = zip(steps.backward, steps.parts, strict=True)
    offered = next((part["candidates"] for step, part in every if step["node"] == name and part["candidates"]), None)
    if offered is None:
        raise Refusal("chapter-product", found=block.argument)
    return [
        choice(f"<code>{escape(one['code'])}</code>", one["fits"], one["own"], _reason(one), one["result"])
        for one in offered
    ]


def _reason(one: Candidate) -> str:
    why = one["why"].rstrip(".")
    return sentence(why[0].upper() + why[1:] + "." if not why.startswith("Σ") else why + ".")


# What makes the choices of each kind of block that the engine has choices for.
COMPUTED = {"axis": _axes, "shapes": _products}
