"""Which figures of a chapter answer a question that stands beside them: they wait until it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from backend.program.chapters.chapter import Block, Prose
from backend.program.chapters.directives import DIRECTIVES

ABOUT_A_LINE = frozenset({"axis", "shapes", "write"})  # of another line a figure tells nothing
DRAWN = frozenset({"figure", "touch"})
OF_A_LINE = frozenset({"derivation", "threeways", "collapse"})


def waits(parts: Sequence[Block | Prose]) -> list[list[int]]:
    """For each part the places of the questions that it waits for.

    A figure waits for a question directly above it, and for every one in its section that asks for the line it shows.
    """
    found: list[list[int]] = []
    section: list[int] = []
    above: list[int] = []
    for place, part in enumerate(parts):
        family = _family(part)
        found.append([at for at in section if family in DRAWN and _answers(part, parts[at], at in above)])
        if family == "question":
            section, above = [*section, place], [*above, place]
        elif family == "prose":
            section, above = ([] if begins_section(part) else section), []
    return found


def begins_section(part: Block | Prose) -> bool:
    """Whether a heading stands in it."""
    return isinstance(part, Prose) and any(token.type == "heading_open" for token in part.tokens)


def line_shown(figure: Block) -> str:
    """The tensor whose gradient a figure shows the line of; empty for other figures."""
    if figure.kind == "step":
        way, _, name = figure.argument.partition(" ")
        return name.partition(".")[0] if way == "backward" else ""
    return figure.argument.removeprefix("d") if figure.kind in OF_A_LINE else ""


def line_asked(question: Block) -> str:
    """The tensor whose gradient's line a question asks for; empty for other questions."""
    if question.kind == "axis":
        return question.argument
    return question.argument.removeprefix("d") if question.kind in ABOUT_A_LINE else ""


def _family(part: Block | Prose) -> str:
    return "prose" if isinstance(part, Prose) else DIRECTIVES[part.kind].family


def _answers(figure: Block | Prose, question: Block | Prose, above: bool) -> bool:
    if isinstance(figure, Prose) or isinstance(question, Prose):
        return False
    line = line_asked(question)
    return above if not line else line == line_shown(figure) and (above or figure.program == question.program)
