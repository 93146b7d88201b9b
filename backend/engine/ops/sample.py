"""Reads the samples of operations, such as `(2,3)+ (3,) dim=0 index=ints(4)<3`; base.py says what their words mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAMED = re.compile(r"([a-z_]\w*)=(.*)")
WHOLE_NUMBERS = re.compile(r"(ints|mask)\(([\d,]*)\)(?:<(\d+))?")


@dataclass(frozen=True)
class Sample:
    """What a sample gives for the inputs, in their order, and the texts of its parameters; `zero` wants a cell of 0."""

    inputs: list[str]
    named: dict[str, str]
    zero: bool


def read(text: str) -> Sample:
    """The sample that a text is."""
    words = _words(text)
    named = {found[1]: found[2] for word in words if (found := NAMED.fullmatch(word))}
    return Sample([word for word in words if not NAMED.fullmatch(word) and word != "zero"], named, "zero" in words)


def is_tensor(word: str) -> bool:
    """Whether an input is given as a shape, and not as a plain number."""
    return word.startswith("(")


def shape_of(word: str) -> tuple[int, ...]:
    """The shape that a word such as `(2,3)+` begins with."""
    return tuple(int(size) for size in re.findall(r"\d+", word.partition(")")[0]))


def _words(text: str) -> list[str]:
    """The parts between spaces, brackets kept whole."""
    parts, depth = [""], 0
    for letter in text.strip():
        depth += (letter in "([{") - (letter in ")]}")
        if letter == " " and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]
