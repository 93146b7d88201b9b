"""What the endpoints answer with that need no walk, or make something of one: check, export, lessons, reference …"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from backend.engine.language.errors import Where
from backend.engine.trace.inputs import InputRole
from backend.present.found_types import Found, Need


class CheckedLine(TypedDict):
    """What a line makes."""

    line: int
    name: str
    shape: list[int]
    opens: Annotated[bool, "an operation in it can be opened by POST /api/open"]


class CheckReport(TypedDict):
    """The answer of POST /api/check for a program that can be walked."""

    chunks: list[CheckedLine]
    loss: Annotated[str | None, "null while tensors are missing"]
    gradients: int
    needs: list[Need]
    found: NotRequired[Annotated[Found, "of code as found: what is walked, to whose lines `chunks` belong"]]


class Edit(TypedDict):
    """Text that takes the place of what stands there; columns count from 1, `end_column` is the one after it."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fix(TypedDict):
    """What to write instead."""

    label: str
    edits: list[Edit]
    sure: Annotated[bool, "it is what is meant: it can be done without asking"]


class Fault(TypedDict):
    """One thing that is wrong: the shape of every error's `error`."""

    code: str
    message: str
    hint: str
    where: NotRequired[Annotated[Where, "its place in the program: line, column, end_column, text"]]
    others: NotRequired[Annotated[list[Fault], "further faults of the same program"]]
    needs: NotRequired[Annotated[list[Need], "of a check: what is known of missing tensors"]]
    fix: NotRequired[Annotated[Fix, "of a check: what to write instead, where that is known"]]


class Accepted(TypedDict):
    """With `refusals=answer`: a program that can be walked."""

    ok: Literal[True]
    report: CheckReport


class Refused(TypedDict):
    """With `refusals=answer`: one that can't."""

    ok: Literal[False]
    error: Fault


CheckAnswer = CheckReport | Accepted | Refused


class ExportedFile(TypedDict):
    """The answer of POST /api/export."""

    filename: str
    media_type: str
    text: str


class OpenedProgram(TypedDict):
    """The answer of POST /api/open: the program with that line written in small steps."""

    source: str


class PlantableMistake(TypedDict):
    """A mistake that can be planted at a step."""

    mistake: Annotated[str, "its code"]
    label: str
    code: Annotated[str, "the line with it"]
    why: str


class Mistakes(TypedDict):
    """The answer of POST /api/mistakes."""

    step: int
    code: Annotated[str, "the right line"]
    mistakes: list[PlantableMistake]


class StartingPoint(TypedDict):
    """A program to begin from; also the answer of POST /api/program."""

    name: str
    title: str
    about: str
    request: Annotated[dict[str, object], "the body of POST /api/walk"]


class Starts(TypedDict):
    """The answer of GET /api/starts."""

    starts: list[StartingPoint]


class LessonSeed(TypedDict):
    """What a lesson's seed is to its reader."""

    default: int
    means: str
    noun: str
    drawn: Annotated[bool, "any seed is as good as another"]
    words: Annotated[bool, "a `word` can take the place of its first examples"]


class LessonEntry(TypedDict):
    """A lesson in the list of all of them."""

    name: str
    title: str
    about: str
    seed: LessonSeed | None
    chapter: Annotated[bool, "it is a chapter of the course"]
    also: Annotated[list[str], "other names under which its programs are walked"]
    trained_on: Annotated[Literal["own", "names", "digits"], "what a run of it usually draws minibatches from"]


class Lessons(TypedDict):
    """The answer of GET /api/lessons."""

    lessons: list[LessonEntry]


class LessonTensor(TypedDict):
    """A tensor that a lesson gives its program."""

    role: InputRole
    shape: list[int]
    dims: list[str]


class WholeLesson(TypedDict):
    """The answer of GET /api/lessons/{name}."""

    name: str
    title: str
    about: str
    seed: LessonSeed | None
    source: str
    constants: dict[str, int | float]
    tensors: dict[str, LessonTensor]
    narration: Annotated[dict[str, str], "what is told of steps, by the name of a tensor or of its gradient"]
    questions: list[str]


class OperationCase(TypedDict):
    """An operation's rule in one of several cases."""

    when: list[str]
    backward: dict[str, str]


class OperationExample(TypedDict):
    """A line that uses an operation, and the backward lines that the engine writes."""

    line: str
    shapes: dict[str, list[int]]
    backward: list[str]


class Operation(TypedDict):
    """One operation: what it computes, its spellings, its rules as text."""

    name: str
    group: str
    about: str
    written: list[str]
    backward: Annotated[dict[str, str], "by input; `dout` is the upstream gradient, `out` the result"]
    cases: list[OperationCase]
    words: Annotated[list[str], "words of its rules that stand for what depends on the call"]
    example: OperationExample | None
    exact: Annotated[dict[str, str], "rules equal to autograd's bit for bit"]
    why_not_exact: str
    because: dict[str, str]
    cell: Annotated[str, "one cell of the result in index letters"]
    differentiable: bool
    stops: Annotated[bool, "no gradient goes back through it"]
    live: Annotated[bool, "its steps can be walked on one of its samples"]


class Operations(TypedDict):
    """The answer of GET /api/ops."""

    operations: list[Operation]


class OperationWalk(TypedDict):
    """The answer of GET /api/ops/{name}/walk: a program of two lines that uses the operation."""

    walk: Annotated[dict[str, object], "the body of POST /api/walk"]
    steps: Annotated[list[str], "those about the operation, such as `backward a`"]
