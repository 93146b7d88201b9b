"""Reads code as found into a syntax tree: a cell's magics are left out, and its margin."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass

from backend.engine.language.errors import Refusal
from backend.engine.language.parse import read_tree

MOST_MAGICS = 40
# What a notebook takes for its own, at the beginning of a line.
MAGICS = ("%", "!", "?")
PROMPT = ">>> "


@dataclass(frozen=True)
class Found:
    """Code as it was pasted: its text and its tree; places are those of the text. `magics` are the lines left out."""

    text: str
    tree: ast.Module
    magics: tuple[int, ...]


def read_found(source: str) -> Found:
    """The tree of a pasted text; raises Refusal where Python can't read it, or where it is too large."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    magics: list[int] = []
    while True:
        try:
            _, tree = read_tree("\n".join(lines))
            return Found("\n".join(source.replace("\r\n", "\n").replace("\r", "\n").split("\n")), tree, tuple(magics))
        except Refusal as refusal:
            number = refusal.place[0] if refusal.place else 0
            if len(magics) == MOST_MAGICS or not _without_magic(lines, number):
                raise
            magics.append(number)


def _without_magic(lines: list[str], number: int) -> bool:
    """Turn a line that a notebook takes for its own into a blank one; False where it is none."""
    if not 0 < number <= len(lines):
        return False
    line = lines[number - 1]
    if not line.lstrip().startswith((*MAGICS, PROMPT.strip())):
        return False
    lines[number - 1] = line.replace(PROMPT, "    ", 1) if line.lstrip().startswith(PROMPT) else ""
    return True


def comments_of(text: str) -> dict[int, tuple[str, bool]]:
    """The comments of a text by line, each with whether it has the line for itself."""
    found: dict[int, tuple[str, bool]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                alone = not token.line[: token.start[1]].strip()
                found[token.start[0]] = (token.string.rstrip(), alone)
    except (tokenize.TokenError, SyntaxError):
        pass
    return found
