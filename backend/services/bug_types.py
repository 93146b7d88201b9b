"""What POST /api/bug and the looks below it answer with: a network with one wrong line, and what is seen of it."""

from __future__ import annotations

from typing import Annotated, TypedDict

from backend.inspect.answer_types import FormulaNumbers
from backend.present.picture_types import JsonNumber, Whole


class BugLine(TypedDict):
    """A backward line as it is printed, the wrong one like all others."""

    line: Annotated[int, "counted from 0"]
    code: str
    name: Annotated[str, "the gradient that it makes, or adds to"]
    shape: list[int]
    named: Annotated[bool, "the gradient is that of a named tensor, which can be nudged"]


class Bug(TypedDict):
    """The answer of POST /api/bug: the program, its backward lines, and two short runs; nothing says which is wrong."""

    network: str
    seed: int
    title: str
    forward: str
    lines: list[BugLine]
    loss: Annotated[str, "how the program calls it"]
    rate: float
    right: Annotated[list[JsonNumber], "the loss before each step and at the end, on the right lines"]
    wrong: Annotated[list[JsonNumber], "the same on these lines"]


class BugGradient(TypedDict):
    """The answer of POST /api/bug/gradient: what the gradient of a line holds once the line has run."""

    line: int
    name: str
    gradient: Whole


class BugNudge(TypedDict):
    """The answer of POST /api/bug/nudge: one cell of a gradient as printed, and by central differences."""

    line: int
    cell: list[int]
    name: str
    printed: Annotated[JsonNumber, "in float64, after all lines"]
    numeric: JsonNumber
    step: Annotated[float, "by how much the tensor's cell was moved to either side"]
    agrees: bool


class BugLens(TypedDict):
    """The answer of POST /api/bug/lens: what a line as printed computes for one cell."""

    line: int
    cell: list[int]
    formula: Annotated[str, "in index letters; empty where they can't say it"]
    numbers: FormulaNumbers | None
    value: JsonNumber


class BugRun(TypedDict):
    """The answer of POST /api/bug/run: training with one line put right, if it isn't right already."""

    line: int
    losses: list[JsonNumber]


class BugHint(TypedDict):
    """The answer of POST /api/bug/hint."""

    grade: Annotated[int, "1 tells half of the lines, 2 the mistake, 3 the gradient"]
    text: str


class BugMistake(TypedDict):
    """What may be wrong with a line."""

    mistake: str
    label: str


class Accused(TypedDict):
    """The answer of POST /api/bug/accuse: whether it is that line, and whether that mistake."""

    line: int
    right: bool
    named: Annotated[bool | None, "null where no mistake was named, or the line is another"]
    mistakes: Annotated[list[BugMistake], "from which to choose once the line is found"]


class Reveal(TypedDict):
    """The answer of POST /api/bug/reveal: the wrong line, the right one, and what is wrong."""

    found: Annotated[bool, "by who asks; false where it was given up"]
    line: int
    wrong: str
    right: str
    mistake: str
    label: str
    why: str
