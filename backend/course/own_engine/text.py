"""The text of the engine in pieces, each with at most one blank: what stands between « and » is the right answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from backend.engine.language.errors import Refusal
from backend.engine.language.suggest import nearest
from backend.program.chapters.chapter import Block

HEAD = re.compile(r"^#: (\w+)\n", re.MULTILINE)
BLANK = re.compile("«(.*)»")
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Piece:
    """A few lines of the engine: what stands before its blank, the right answer there, and what stands after it."""

    name: str
    before: str
    answer: str
    after: str

    def filled(self, answer: str | None = None) -> str:
        """Its lines with an answer in the blank, the right one unless another is given."""
        return self.before + (self.answer if answer is None else answer) + self.after


def _read() -> dict[str, Piece]:
    """Every piece by its name, in the order of the text."""
    _, *parts = HEAD.split((Path(__file__).parent / "engine.txt").read_text(encoding="utf-8"))
    return {name: _piece(name, lines) for name, lines in zip(parts[::2], parts[1::2], strict=True)}


def _piece(name: str, lines: str) -> Piece:
    before, answer, after = (*BLANK.split(lines), "", "")[:3]
    return Piece(name, before, answer, after)


# Read when a process begins: later a worker opens no file.
PIECES = _read()


def engine(answers: Mapping[str, str] = NOTHING) -> str:
    """The whole engine, with these answers in their blanks and the right ones in all others."""
    return "".join(one.filled(answers.get(name)) for name, one in PIECES.items())


def piece_of(name: str) -> Piece:
    """The piece of that name; raises Refusal where the engine has none."""
    if name not in PIECES:
        raise Refusal("chapter-piece", found=name, known=nearest(name, PIECES) or ", ".join(PIECES))
    return PIECES[name]


def mistakes_of(block: Block) -> list[tuple[str, str]]:
    """The mistakes that the chapter lists for a blank, each with what is said of it."""
    found = list[tuple[str, str]]()
    for part in block.listed("wrong"):
        code, colon, told = part.removeprefix("`").partition("`: ")
        if not colon:
            raise Refusal("chapter-answer", found=part)
        found.append((code, told))
    return found
