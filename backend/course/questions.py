"""The questions of a chapter: their choices, each with what is said of it."""

from __future__ import annotations

from collections.abc import Mapping

from backend.chapters.chapter import Block
from backend.course.page_types import ChapterChoice
from backend.course.prose import Role, html_of_line
from backend.course.runs import Walked
from backend.language.errors import Refusal

Roles = Mapping[str, Role]


def choices_of(block: Block, _walked: Walked, roles: Roles) -> list[ChapterChoice]:
    """What can be chosen in a block; nothing where it asks nothing, or for something to be written."""
    if "choices" in block.options:
        return _given(block, roles)
    return []


def _given(block: Block, roles: Roles) -> list[ChapterChoice]:
    """Choices that the chapter lists; the answer may be computed, and has to be one of them."""
    line = block.lines["choices"]
    texts = [html_of_line(text.strip(), roles, line) for text in block.options["choices"].split(" | ")]
    answer = html_of_line(block.options["answer"], roles, block.lines["answer"])
    if texts.count(answer) != 1:
        raise Refusal("chapter-answer", found=block.options["answer"])
    why = html_of_line(block.options.get("why", ""), roles, block.lines.get("why", block.line))
    return [
        {"html": text, "shape": None, "fits": text == answer, "right": text == answer, "why": why} for text in texts
    ]
