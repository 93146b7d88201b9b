"""What POST /api/practice/check and /api/practice/tasks answer with."""

from __future__ import annotations

from typing import Annotated, TypedDict

from backend.lines.mistakes.codes import DiagnosisCode
from backend.present.picture_types import JsonNumber, Wire
from backend.present.schema import Verdict


class Evidence(TypedDict):
    """What the answer was found to be, and on how many instances of the program."""

    hypothesis: Annotated[str, "what computes the same as the answer, or what would mend it"]
    factor: Annotated[str | None, "the number by which it differs from that, such as n or 1/2"]
    matched: int
    of: Annotated[int, "instances: the one shown, others with other numbers and sizes, one with random upstream"]


class Marked(TypedDict):
    """Characters of an answer, counted from 1."""

    line: int
    column: int
    end_column: int
    text: str


class Diagnosis(TypedDict):
    """What is wrong with an answer."""

    code: DiagnosisCode
    message: str
    where: Marked | None
    evidence: Evidence | None


class Worst(TypedDict):
    """The cell that is furthest off."""

    index: list[int]
    answer: JsonNumber
    true: JsonNumber
    difference: JsonNumber


class Shown(TypedDict):
    """The answer's gradient beside the true one, on the minibatch that is shown."""

    answer: Wire
    true: Wire
    difference: Annotated[Wire | None, "null where the shapes differ"]
    worst: Worst | None


class Checked(TypedDict):
    """The answer of POST /api/practice/check."""

    correct: bool
    verdict: Verdict | None
    diagnosis: Annotated[Diagnosis | None, "of a right answer the mistake in it that makes no difference here"]
    hints: Annotated[list[str], "as many as were asked for: the rule, the axis or shape, the line"]
    zero: Annotated[str | None, "why the true gradient is zero, where it is"]
    gradient: Shown | None


class Given(TypedDict):
    """A name that an answer may use."""

    name: str
    shape: Annotated[list[int] | None, "null for a plain number, or a list"]
    gradient: bool


class Task(TypedDict):
    """One gradient to write; `given` is what is in scope by then."""

    target: str
    name: Annotated[str, "what the answer assigns, such as dprobs"]
    shape: list[int]
    steps: Annotated[list[int], "the walk's steps that write it, each of which can be asked for alone"]
    closed: Annotated[bool, "there is a closed form worth finding: a whole block at once"]
    closed_hints: Annotated[bool, "hints for that one can be asked for, with `closed`"]
    given: list[Given]


class Tasks(TypedDict):
    """The answer of POST /api/practice/tasks: the gradients of a program but the loss's own, in backward order."""

    tasks: list[Task]
