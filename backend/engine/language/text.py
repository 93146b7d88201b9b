"""Refuses invisible and direction-changing characters in a program's text."""

from __future__ import annotations

import ast
import re
import unicodedata

from backend.engine.language.errors import Refusal

# Python ends a line at a line feed only; notebooks, editors and str.splitlines end it at these too, so that a comment's
# rest would be code to some of them. Marks of direction make code look other than it is. Neither is any use in a
# program, and what stands there unseen can't be judged by the person who shares it: refused, never repaired in silence.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but for tab and line feed
    "\u2028\u2029"  # ends of lines and paragraphs
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks of direction
    "\ud800-\udfff]"  # halves of characters
)


def refuse_unseen(text: str) -> None:
    """Raise Refusal, with its place, at a character that ends a line for some, changes direction, or is a control."""
    if found := _UNSEEN.search(text):
        raise _refusal(text, found.start())


def _refusal(text: str, place: int) -> Refusal:
    character = text[place]
    line = text.count("\n", 0, place) + 1
    start = len(text[text.rfind("\n", 0, place) + 1 : place].encode())
    end = start + len(character.encode(errors="replace"))
    spot = ast.Pass(lineno=line, end_lineno=line, col_offset=start, end_col_offset=end)
    half = unicodedata.category(character) == "Cs"
    name = "half of a character" if half else unicodedata.name(character, "a control").lower()
    return Refusal("character-unseen", found=f"U+{ord(character):04X}", name=name, at=spot).locate(spot, text)
