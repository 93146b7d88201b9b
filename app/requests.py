"""What a request may say: strict types, nothing unknown, every number finite, everything counted before it is read.

A worker judges bodies with these, and the server's own process only describes them.
"""

from typing import Annotated, Literal, Self, cast

from pydantic import Field, model_validator

from app.fields import (
    MOST_ENTRIES,
    Along,
    AxisNames,
    Counted,
    Index,
    Integer,
    Name,
    Number,
    Position,
    Seed,
    Strict,
    Values,
)
from app.plant_request import Plant
from app.tensor_values import LARGEST_INTEGER, MOST_AXES, wrong

MOST_NUDGED = 64
MOST_KEPT = 200  # places that are not to be rewritten
MOST_RATES = 32  # learning rates of one request
MOST_CHANGES = 64
MOST_PATH = 20  # steps of gradient descent of which each loss is told
MOST_DESCENTS = 100  # steps of gradient descent in one change
MOST_POINTS = 201  # of a curve
LONGEST_ANSWER = 20_000
# Lines that somebody wrote, by the tensors whose gradients they are.
Answers = Annotated[dict[Name, Annotated[str, Field(max_length=LONGEST_ANSWER)]], Counted]
VALUES_OR_INIT = 'Write {"values": [1.0, 2.0]}, or {"shape": [2], "init": "randn", "seed": 1}; `role` beside either.'
RANDINT = 'Write {"shape": [5], "init": "randint", "low": 0, "high": 10}: whole numbers from 0 to 9.'
CHANGE = 'Write {"tensor": "W1", "index": [0, 3], "value": 0.7}, {"tensor": "h", "scale": 2}, or {"descend": 0.1}.'
BESIDE = {"exact", "changes", "plant", "only"}  # what goes with a lesson and with a program
# What goes with each kind of change.
GOES_WITH = {
    "value": {"tensor", "index"},
    "scale": {"tensor", "index"},
    "shift": {"tensor", "index"},
    "saturate": {"tensor", "index"},
    "noise": {"tensor", "index", "seed"},
    "descend": {"steps"},
}
LONGEST_WORD = 64
LESSON_OR_PROGRAM = (
    'Write {"lesson": "first-steps", "seed": 2}, or {"source": "y = x * 3", "tensors": {"x": '
    '{"role": "parameter", "values": 2.0}}}.'
)


class Tensor(Strict):
    """One input of a program: either `values`, or a `shape` with the `init` that fills it.

    A `parameter` is learned and gets a gradient, as does `data` of decimals. A `target` is what is aimed at, a
    `constant` is fixed: a mask, a buffer, drawn noise; neither gets a gradient.
    """

    role: Literal["parameter", "data", "target", "constant"]
    values: Values = None
    shape: list[Position] | None = Field(default=None, max_length=MOST_AXES)
    init: Literal["randn", "rand", "zeros", "ones", "arange", "randint"] | None = None
    seed: Seed | None = None
    scale: Number = 1.0
    shift: Number = 0.0
    low: Integer | None = None
    high: Integer | None = None

    @model_validator(mode="after")
    def _one_way_to_fill(self) -> Self:
        drawn = self.model_fields_set - {"role", "values"}
        if "values" in self.model_fields_set:
            if drawn:
                raise wrong(f"`values` stands alone: leave out {', '.join(sorted(drawn))}", VALUES_OR_INIT)
        elif self.shape is None or self.init is None:
            raise wrong("give `values`, or `shape` and `init`", VALUES_OR_INIT)
        elif (self.init == "randint") != (self.high is not None):
            raise wrong("`high` goes with `init: randint`, and is needed there", RANDINT)
        elif self.high is not None and self.high <= (self.low or 0):
            raise wrong("`high` must be more than `low`, which is 0 unless given", RANDINT)
        return self


class Change(Strict):
    """One change by hand, made before the walk: to a tensor or a part of it, or to all parameters by their gradients.

    `tensor` (of decimals, intermediates included) gets a new `value`, a factor (`scale`), a `shift`, normal `noise` of
    this size from its `seed`, or, each cell with its own sign, the size `saturate`: at `index`, else everywhere. An
    index holds for each axis a place, a range such as [0, 4], or null for the whole axis; axes left out are taken
    whole. `descend` is a rate: so many `steps` of gradient descent.
    """

    tensor: Name | None = None
    index: Annotated[list[Along], Field(max_length=MOST_AXES)] | None = None
    value: Number = None
    scale: Number = None
    shift: Number = None
    saturate: Annotated[Number, Field(ge=0)] = None
    noise: Number = None
    seed: Seed | None = None
    descend: Number = None
    steps: Annotated[int, Field(ge=1, le=MOST_DESCENTS)] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None}
        kinds = given & set(GOES_WITH)
        if len(kinds) != 1:
            raise wrong("give one of `value`, `scale`, `shift`, `noise`, `saturate` and `descend`", CHANGE)
        (kind,) = kinds
        if others := given - {kind} - GOES_WITH[kind]:
            raise wrong(f"`{kind}` goes without {', '.join(sorted(others))}", CHANGE)
        if "tensor" in GOES_WITH[kind] - given:
            raise wrong(f"`{kind}` needs a `tensor`", CHANGE)
        return self


class WalkRequest(Strict):
    """What to walk: a `lesson` or a starting point by its name, or a program (`source`) with its `tensors`.

    A program may be code as found, from which chunks are read; without `tensors` all that is missing is supposed.
    `as_written` are places of code as found, by line and column, that are not to be rewritten.
    `changes` are made to its numbers first; `plant` puts a wrong line into its backward pass. `copy_of` names the
    lesson that a program is a changed copy of: what it tells of its steps is told of this one where it is still true.
    Of a lesson that reads names, and of a copy of it, a `word` takes the place of the first examples, letter by letter.
    """

    lesson: str | None = None
    seed: Seed | None = None
    word: Annotated[str, Field(min_length=1, max_length=LONGEST_WORD)] | None = None
    source: str | None = None
    tensors: Annotated[dict[str, Tensor], Field(max_length=MOST_ENTRIES), Counted] | None = None
    constants: Annotated[dict[str, Number], Field(max_length=MOST_ENTRIES), Counted] | None = None
    loss: str | None = None
    dtype: Literal["float32", "float64"] | None = None
    dims: Annotated[dict[Name, AxisNames], Field(max_length=MOST_ENTRIES), Counted] | None = None
    copy_of: Annotated[str, Field(max_length=64)] | None = None
    as_written: list[Annotated[list[Position], Field(min_length=2, max_length=2)]] | None = Field(
        default=None, max_length=MOST_KEPT
    )
    exact: bool = False
    changes: list[Change] | None = Field(default=None, max_length=MOST_CHANGES)
    plant: Plant | None = None

    @model_validator(mode="after")
    def _lesson_or_program(self) -> Self:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None} - BESIDE
        if self.lesson is not None:
            if others := given - {"lesson", "seed", "word"}:
                raise wrong(
                    f"a lesson brings its own program: leave out {', '.join(sorted(others))}", LESSON_OR_PROGRAM
                )
        elif self.source is None:
            raise wrong("give a `lesson` or a `source`", LESSON_OR_PROGRAM)
        elif self.seed is not None:
            raise wrong("`seed` goes with a lesson; in a program every tensor has its own", LESSON_OR_PROGRAM)
        elif self.word is not None and self.copy_of is None:
            raise wrong("`word` goes with a lesson that reads names, or a copy of one", LESSON_OR_PROGRAM)
        return self


class WalkQuestion(WalkRequest):
    """What to walk, and what is wanted of it: the whole document, or `only` the tensors of these variables."""

    only: list[Name] | None = Field(default=None, min_length=1, max_length=MOST_ENTRIES)


class ComparisonRequest(Strict):
    """Two walks that are held side by side."""

    left: WalkRequest
    right: WalkRequest


class WalkOptions(Strict):
    """How to write the answer."""

    arrays: Literal["typed", "lists"] = "typed"
    steps: Literal["near", "all"] = "near"


class AboutWalk(Strict):
    """Which walk is asked about."""

    walk: WalkRequest


class AboutTensor(AboutWalk):
    """Which tensor of which walk."""

    tensor: Name


class AboutCell(AboutTensor):
    """Which cell of which tensor, given or computed."""

    index: Index


class TangentsRequest(AboutCell):
    """A cell that is nudged, and the example whose probabilities are told of, counted from 0."""

    example: Position | None = None


class CellRequest(AboutWalk):
    """Which cell of which tensor; a contribution is that of one backward step, by its index in the walk."""

    tensor: str
    which: Literal["value", "gradient", "contribution"]
    index: Annotated[list[Position], Field(max_length=MOST_AXES)]
    step: Position | None = None

    @model_validator(mode="after")
    def _step_with_contribution(self) -> Self:
        if (self.which == "contribution") != (self.step is not None):
            raise ValueError("`step` goes with a contribution, and is needed there")
        return self


class CheckRequest(WalkRequest):
    """A program that may still be in the making: `unfinished` names inputs that are not described yet."""

    unfinished: list[Annotated[str, Field(max_length=64)]] | None = Field(default=None, max_length=1000)


class CheckOptions(Strict):
    """What a refusal is: a failed request, or an answer like any other (status 200)."""

    refusals: Literal["status", "answer"] = "status"


class ExportRequest(AboutWalk):
    """What to export, and as which kind of file: `nbgrader` and `otter` are its exercise as a notebook for a course."""

    format: Literal["py", "ipynb", "html", "nbgrader", "otter"]


class CostsRequest(AboutWalk):
    """Which tensors are not kept for the way back, but computed `again` when a line needs them."""

    again: list[Name] = Field(default_factory=list, max_length=MOST_ENTRIES)


class JacobianRequest(AboutWalk):
    """Which tensor by which input; with `example` for one entry of the leading axis that both share.

    With `cell` (of `tensor`, one of the two; else of the input) the answer is what can be drawn of it: the whole, or
    the block that holds this cell, along axes that both share; too large a one is an answer without a matrix.
    `along` chooses the axes: one of the node and one of the input, a pair of those that an answer lists as its `ways`.
    """

    node: Name
    input: Name
    example: Integer | None = None
    tensor: Name | None = None
    cell: Index | None = None
    along: Annotated[list[Integer], Field(min_length=2, max_length=2)] | None = None


class NumericRequest(AboutWalk):
    """Which tensor to nudge (`*`: each in turn), along one direction or cell by cell."""

    node: Name
    mode: Literal["direction", "cells"] = "direction"
    cells: list[Index] | None = Field(default=None, min_length=1, max_length=MOST_NUDGED)
    seed: Seed = 0

    @model_validator(mode="after")
    def _cells_of_one_tensor(self) -> Self:
        if self.node == "*" and self.mode == "cells":
            raise ValueError("`cells` goes with one tensor: name it, or leave `mode` out")
        if self.cells is not None and self.mode != "cells":
            raise ValueError("`cells` goes with `mode: cells`")
        return self


class WithinRequest(Strict):
    """From where to where a number is moved; in steps of equal ratio on a log axis."""

    least: Number
    greatest: Number
    log: bool = False

    @model_validator(mode="after")
    def _ends(self) -> Self:
        least, greatest = cast(float, self.least), cast(float, self.greatest)
        if not least < greatest or (self.log and least <= 0):
            raise ValueError("`least` must be below `greatest`, and on a log axis above zero")
        return self


class CurveRequest(AboutCell):
    """Which number to move, by how much to either side or from where to where, and at how many values."""

    span: Annotated[Number, Field(gt=0)] | None = None
    within: WithinRequest | None = None
    points: Annotated[int, Field(ge=3, le=MOST_POINTS)] | None = None


class DescentRequest(AboutWalk):
    """A step of gradient descent from a walk's parameters at each of these learning rates; `path`: so many of them."""

    rates: list[Number] = Field(min_length=1, max_length=MOST_RATES)
    path: Annotated[int, Field(ge=1, le=MOST_PATH)] | None = None


class MistakesRequest(AboutWalk):
    """Which backward step of which walk, counted as in the walk."""

    step: Position


class PracticeRequest(AboutWalk):
    """An answer for the gradient of `target`, or for one `step` of it; `cascade` holds answers for gradients above."""

    target: Name
    answer: Annotated[str, Field(max_length=LONGEST_ANSWER)]
    hints: Annotated[int, Field(ge=0, le=3)] = 0
    step: Position | None = None
    cascade: Answers | None = None
    closed: bool = False


class SaturationRequest(AboutTensor):
    """Which activation, and which parameter above it is scaled: the nearest one unless another is named."""

    parameter: Name | None = None


class OpenRequest(AboutWalk):
    """Which line of which program to open; lines count from 1."""

    line: Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]


class AnswerRequest(Strict):
    """What somebody writes as the answer of a chapter's question, or `show` for the right one; `block` is its id."""

    block: Name
    answer: Annotated[str, Field(max_length=LONGEST_ANSWER)] | None = None
    show: Literal[True] | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.answer is None) == (self.show is None):
            raise ValueError("give an `answer`, or `show`")
        return self
