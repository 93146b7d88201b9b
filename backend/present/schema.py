"""The Walk document, typed: with backend/present/picture_types.py the one place that says which fields it has.

From these classes come the OpenAPI response and the JavaScript types (static/js/walk/types.js): after a change here
run `python -m tests.tools.documents`; tests hold the files against the classes and every real document,
field by field, against both.

TypedDict rather than msgspec structs or pydantic models: a Walk is built once and encoded once by orjson, which takes
plain dicts as they are (0.2 ms for the makemore walk), and mypy checks every literal where it is written.
A field is `name: type`, or `name: Annotated[type, "what it says"]` where the name alone does not say it.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from backend.engine.verify import compare
from backend.lines.index_notation.cells import CellRead as CellRead
from backend.lines.index_notation.cells import CellReads
from backend.present.found_types import Found
from backend.present.picture_types import ForwardPicture, JsonNumber, Picture, Which, Wire
from backend.present.question_types import Candidate, Question
from backend.present.question_types import Choice as Choice

Level = compare.Level
Mode = Literal["=", "+="]
Role = Literal["parameter", "data", "target", "constant", "intermediate"]


class Origin(TypedDict):
    """Where the first number arose that is not finite."""

    tensor: str
    name: Annotated[str, "the number's tensor in the printed code, such as `p` or `dp`"]
    which: Which
    number: Annotated[str, "NaN, Infinity or -Infinity"]
    cell: list[int]
    line: Annotated[int | None, "in forward_source for a value, in backward_source for a gradient; null for an input"]
    step: Annotated[int | None, "null for an input"]
    code: str


class Verdict(TypedDict):
    """How a gradient compares with autograd's."""

    level: Annotated[
        Level,
        "exact (equal bit for bit), approximate (equal up to rounding), zero (the true value is zero, what is left is "
        "rounding), not-finite (equal to autograd's, but NaN or infinite), wrong, shape (another shape)",
    ]
    kind: Annotated[
        Literal["rule", "residue", "lost"] | None,
        "tells zeros apart: `rule` (every cell exactly zero: an operation passes nothing back), `residue` (truly "
        "zero, with rounding left over); and of wrong shapes `lost` (not computed: a line before it was planted)",
    ]
    shape: Annotated[bool, "the shapes are equal"]
    exact: bool
    approximate: bool
    maxdiff: Annotated[JsonNumber | None, "largest absolute difference"]
    share: Annotated[
        JsonNumber | None,
        "that difference as a share of the largest gradient: of this tensor's, for a true zero of the whole walk's",
    ]
    share64: Annotated[JsonNumber | None, "the same in float64"]
    max_ulp: Annotated[int | None, "largest distance in units in the last place; null where it says nothing"]
    relative_error: Annotated[JsonNumber | None, "share64, but for a true zero the absolute difference in float64"]
    residue: Annotated[JsonNumber | None, "of a true zero: the largest number left in float32"]
    residue64: Annotated[JsonNumber | None, "of a true zero: the largest number left in float64"]
    worst: Annotated[list[int], "the cell that differs most"]
    because: Annotated[str, "why, in a sentence or two"]


class Own(TypedDict):
    """How a gradient compares with the one of the model's own backward pass."""

    right: Annotated[bool, "they differ by rounding at most"]
    maxdiff: Annotated[JsonNumber, "largest absolute difference"]
    share: Annotated[JsonNumber, "that difference as a share of the gradient's largest cell"]


class Size(TypedDict):
    """How large a gradient is."""

    norm: Annotated[JsonNumber, "its Euclidean norm"]
    rms: Annotated[JsonNumber, "root mean square of its cells: what compares tensors of different sizes"]
    largest: Annotated[JsonNumber, "its largest absolute value"]
    at: Annotated[list[int] | None, "of a parameter: the cell of its largest finite number"]
    per_weight: Annotated[
        JsonNumber | None,
        "of a parameter that isn't zero: its norm over the parameter's own, which is how far a step of gradient "
        "descent at learning rate 1 moves it",
    ]


class Gradient(TypedDict):
    """A gradient three times: by the printed lines, by autograd, and their difference.

    As typed arrays what equals is left out, and what a step alone shows: see POST /api/steps.
    """

    manual: NotRequired[Annotated[Wire, "left out as typed arrays: what its last step has `accumulated`"]]
    autograd: NotRequired[Annotated[Wire, "left out as typed arrays where it is `manual`, bit for bit, or not sent"]]
    difference: NotRequired[Annotated[Wire, "left out where `autograd` is"]]
    scale: Annotated[
        JsonNumber | None,
        "what full colour stands for where that is not the tensor's own largest number: a true zero is drawn on the "
        "scale of what arrives, which leaves it blank",
    ]
    not_finite: Annotated[Origin | None, "where its NaN or infinity began"]
    size: Size
    verdict: Verdict
    own: NotRequired[Annotated[Own, "of a model that was recorded as it ran: beside the gradient that it gave itself"]]


class NoGradient(TypedDict):
    """Why a tensor has no gradient."""

    kind: Literal["integers", "target", "no-path", "constant", "unused"]
    line: Annotated[int | None, "the line of forward_source that cuts its path to the loss"]
    text: str


class SentNode(TypedDict):
    """One named tensor."""

    name: Annotated[str, "as the program says it; `h@2` where `h` is assigned a second time"]
    variable: Annotated[str, "its name in the printed code"]
    role: Role
    line: Annotated[int | None, "in forward_source; null for an input"]
    source: str | None
    shape: list[int]
    dims: Annotated[list[str], "names of its axes"]
    inputs: Annotated[list[str], "the named tensors its line reads"]
    value: Wire
    not_finite: Annotated[Origin | None, "where its value's NaN or infinity began"]
    gradient: Gradient | None
    no_gradient: Annotated[NoGradient | None, "null where there is a gradient"]
    group: str | None
    view: Annotated[Literal["tug-of-war"] | None, "a picture of its gradient besides the equation"]
    targets: Annotated[list[int] | None, "of a tug-of-war: the right class of each example"]
    same_as: Annotated[str | None, "the tensor that this is a second name of; its steps are those of that one"]
    values_name: Annotated[str | None, "the labels that its whole numbers stand for, such as letters"]


class Axis(TypedDict):
    """An axis along which a tensor was broadcast, so that its gradient is summed along it."""

    axis: int
    name: str
    size: int
    keepdim: bool
    why: str


class Sentence(TypedDict):
    """A sentence about a step, with `code` and **bold** in it."""

    kind: str
    text: str


class Broadcast(TypedDict):
    """An input that a forward step copies along some axes."""

    input: str
    axes: list[Axis]
    text: str


class Group(TypedDict):
    """A heading of the program and the tensors made below it."""

    name: str
    nodes: list[str]


class PlannedNode(TypedDict):
    """What is known of a node before there are numbers: see SentNode."""

    name: str
    variable: str
    role: Role
    line: int | None
    source: str | None
    shape: list[int]
    dims: list[str]
    inputs: list[str]
    no_gradient: NoGradient | None
    group: str | None


class PlannedForward(TypedDict):
    """A forward step as it is planned, before it has an index."""

    direction: Literal["forward"]
    node: str
    code: str
    line: Annotated[int, "in forward_source"]
    explanation: list[Sentence]
    broadcasts: list[Broadcast]
    opens: Annotated[bool, "POST /api/open can write its operation out in smaller steps"]
    views: Annotated[bool, "it may have further views, which POST /api/pieces tells: a page keeps room for them"]


class ForwardPart(TypedDict):
    """What belongs to one forward step alone."""

    cells: Annotated[list[CellReads], "which cells of its inputs each cell of its result comes from"]
    picture: Annotated[ForwardPicture | None, "null where the line is drawn as what it reads and what it makes"]


class BriefForwardStep(PlannedForward):
    """One line of the program, without its part."""

    index: int
    math: Annotated[str, "empty: a forward line has no formula besides itself"]


class ForwardStep(BriefForwardStep, ForwardPart):
    """One line of the program."""


class PlannedBackward(TypedDict):
    """A backward step as it is planned, before it has numbers."""

    direction: Literal["backward"]
    node: Annotated[str | None, "null for a part of a line that has no name: see `inner`"]
    through: Annotated[str | None, "the tensor whose line this goes back through; null for the loss's own gradient"]
    mode: Mode
    code: str
    line: Annotated[int, "its first line in backward_source"]
    lines: int
    forward_line: Annotated[int | None, "the line of forward_source it goes back through"]
    complete: Annotated[bool, "no later step adds to this gradient"]
    inner: Annotated[str | None, "the variable, where the gradient belongs to a part of a line that has no name"]
    rule: Annotated[str, "the operation that the line is about; `seed` for the loss's own gradient"]
    rules: Annotated[list[str], "every operation whose rule is in the line, as /reference names them"]
    axes: list[Axis]
    explanation: list[Sentence]


class PlannedPart(TypedDict):
    """What is planned for one backward step alone."""

    arrives: Annotated[str | None, "the gradient that the line reads, such as `dprobs`; null where there are several"]
    math: Annotated[str, "MathML; empty where the line has no short formula"]
    cells: Annotated[list[CellReads], "which cells of the picture's operands each cell of the outcome comes from"]
    candidates: Annotated[list[Candidate], "of a matrix product: the other orders and transposes"]


class BackwardPart(PlannedPart):
    """What belongs to one backward step alone."""

    contribution: Annotated[Wire | None, "what this line brings; null as typed arrays where it is all of the gradient"]
    picture: Picture | None


class BriefBackwardStep(PlannedBackward):
    """One backward line, without its part, its question and the gradient after it."""

    index: int
    shape: Annotated[list[int], "of what this line brings"]
    norm: Annotated[JsonNumber, "the Euclidean norm of what this line brings"]
    lost: Annotated[str, "why it could not be computed behind a planted line, and is NaN; empty else"]


class SentBackwardStep(BriefBackwardStep, BackwardPart):
    """One backward line: what it contributes to a gradient."""

    question: Question | None
    accumulated: Annotated[Wire, "the gradient after it"]


class Loss(TypedDict):
    """The tensor every gradient is the derivative of."""

    name: str
    value: JsonNumber


class Milliseconds(TypedDict):
    """The processor time that each part of the run took."""

    forward: float
    backward: float
    verify: float


class Summary(TypedDict):
    """Counts over all gradients but the loss's own, which is 1 by definition."""

    gradients: int
    exact: Annotated[int, "equal to autograd's bit for bit"]
    approximate: Annotated[int, "equal to autograd's up to rounding, the exact ones and true zeros among them"]
    zero: int
    not_finite: int
    wrong: int
    worst: Annotated[str | None, "the variable with the largest relative error"]
    milliseconds: Milliseconds


class Planted(TypedDict):
    """The wrong line in a walk's backward pass, and what comes of it."""

    step: int
    mistake: Annotated[str | None, "its code; null for a line of one's own"]
    label: Annotated[str, "the mistake in a few words; empty for a line of one's own"]
    code: Annotated[str, "the line that runs"]
    right: Annotated[str, "the line that it took the place of"]
    why: Annotated[str, "what is wrong with the line; empty for a line of one's own"]
    outcome: Annotated[str, "what comes of it in this walk's numbers; why nothing does, where nothing is wrong"]
    wrong: Annotated[list[str], "the gradients that are wrong now, or of another shape, by their variables, in order"]
    lost: Annotated[list[str], "those of them that could not be computed"]


class WalkDocument(TypedDict):
    """The answer of POST /api/walk; with `?arrays=lists` every Wire in it is nested lists of numbers instead."""

    schema: Literal[1]
    id: Annotated[str, "hash of the request"]
    lesson: str | None
    title: str
    dtype: Literal["float32", "float64"]
    exact: Annotated[bool, "the bit-exact variants of the rules were run"]
    loss: Loss
    beginning: Annotated[list[str], "sentences before the first step"]
    constants: Annotated[dict[str, JsonNumber], "the plain numbers that have a name in the program, such as n"]
    labels: Annotated[dict[str, list[str]], "names for the places along an axis, by the axis's name"]
    in_focus: Annotated[dict[str, int], "by an axis's name the place that is shown and told of as an example of all"]
    groups: list[Group]
    nodes: list[SentNode]
    steps: Annotated[
        list[BriefForwardStep | BriefBackwardStep] | list[ForwardStep | SentBackwardStep],
        "brief as typed arrays: POST /api/steps answers with the rest, and `?steps=all` sends it along",
    ]
    forward_source: str
    backward_source: str
    planted: Planted | None
    summary: Summary
    found: NotRequired[Annotated[Found, "of code as found: how it became this program"]]


class NodeTensors(TypedDict):
    """One named tensor and its gradients; null where it has none."""

    value: Wire
    manual: Wire | None
    autograd: Wire | None
    difference: Wire | None


class AutogradColumn(TypedDict):
    """A gradient's autograd column."""

    autograd: Wire
    difference: Wire


class StepParts(TypedDict):
    """The answer of POST /api/steps: what a walk as typed arrays leaves out until somebody comes near."""

    parts: Annotated[dict[str, ForwardPart | BackwardPart], "by the step's index"]
    gradients: Annotated[list[Wire] | None, "where asked for: the gradient after each backward step, in their order"]
    judged: Annotated[
        dict[str, AutogradColumn | None],
        "by the tensor's name: autograd's gradient beside ours; null where it is the same, bit for bit",
    ]
    questions: Annotated[list[Question | None] | None, "where asked for: the question before each backward step"]


class StepTensors(TypedDict):
    """The answer of POST /api/step: what one step shows, cell by cell."""

    index: int
    loss: JsonNumber
    contribution: Wire | None
    accumulated: Wire | None
    chosen: Annotated[list[Wire | None], "what the chosen answer to the step's question computes, then the right one"]
    before: Annotated[Wire | None, "the gradient as the step before it on the same gradient left it; null for a first"]
    operands: Annotated[
        list[Wire | None],
        "those of the step's picture, then what a forward one makes on the way; null where the walk's own is named",
    ]
    product: Wire | None
    nodes: Annotated[dict[str, NodeTensors], "by name: the tensors that were asked for"]
    thumbnails: Annotated[
        dict[str, Wire | None],
        "where asked for, by name: on a forward step every value by then, on a backward one every gradient, small; "
        "null for a gradient that `changes` have cut off",
    ]
