"""What the endpoints answer with that look inside a walk: cell, jacobian, numeric, curve, descent, tensor."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from backend.present.picture_types import JsonNumber, Whole, Wire


class Factor(TypedDict):
    """One cell of a tensor of the walk."""

    tensor: str
    of: Literal["value", "gradient"]
    cell: list[int]


class Term(TypedDict):
    """One term of a sum: a local derivative times what arrives there."""

    through: str
    cell: list[int]
    local: Annotated[JsonNumber, "the derivative of the cell it goes through"]
    arriving: Annotated[JsonNumber, "that cell's gradient; of a value, what stands in the cell that is read"]
    product: Annotated[JsonNumber | None, "null where the value is no sum of products"]
    factor: Annotated[Factor | None, "the cell that `local` is; null where it is no single one"]


class Rest(TypedDict):
    """The terms that are not listed."""

    count: int
    sum: JsonNumber | None


class Along(TypedDict):
    """An axis along which the terms take more than one place."""

    axis: int
    name: str
    size: int


class TermPath(TypedDict):
    """The terms that come by one path."""

    through: str
    step: Annotated[int | None, "null for an input, and where the pass begins"]
    line: int | None
    code: str
    formula: str
    count: int
    sum: JsonNumber | None
    over: list[Along]
    broadcast: Annotated[bool, "the sum is over copies that broadcasting made"]


class FormulaTerm(TypedDict):
    """A term of a formula with its numbers: `⟨0⟩` in its text stands for the first of its values."""

    text: str
    values: list[JsonNumber]


class FormulaNumbers(TypedDict):
    """A formula's right-hand side with its numbers, the largest terms first."""

    count: int
    terms: list[FormulaTerm]


class OpenedCell(TypedDict):
    """The answer of POST /api/cell: the terms that one number is the sum of."""

    tensor: str
    which: Literal["value", "gradient", "contribution"]
    index: list[int]
    formula: Annotated[str, "in index letters; empty where they can't say it"]
    numbers: FormulaNumbers | None
    shown: Annotated[JsonNumber, "the number as the walk has it"]
    sum: JsonNumber
    agrees: Annotated[bool, "rounding explains the difference"]
    cancels: Annotated[bool, "the terms cancel, so that the sum's digits mean nothing"]
    adds: Annotated[bool, "the number is the sum of its terms"]
    count: int
    terms: list[Term]
    rest: Rest
    paths: list[TermPath]
    because: Annotated[str, "of a gradient that is not finite where that begins; else empty"]


class MatrixSide(TypedDict):
    """The axes that run along one side of a matrix, flattened."""

    shape: list[int]
    dims: list[str]
    fixed: Annotated[list[int | None], "for each axis the entry it is held at; null where it runs"]


class LocalJacobian(TypedDict):
    """The answer of POST /api/jacobian: a matrix, the gradient that arrives, and their product."""

    node: str
    input: str
    examples: Annotated[int | None, "the length of the leading axis that both share"]
    example: NotRequired[Annotated[int | None, "which of them the block is of; missing where a cell was asked for"]]
    along: Annotated[list[tuple[int, int]], "pairs of axes along which the block is cut out"]
    at: Annotated[list[int], "its place along each"]
    ways: Annotated[list[tuple[int, int]], "pairs of axes along which it could be cut"]
    small: Annotated[bool, "the whole could be drawn"]
    rows: MatrixSide
    columns: MatrixSide
    jacobian: Whole
    arriving: Whole
    result: Annotated[Whole, "arriving @ jacobian"]
    shown: Annotated[Whole | None, "what the walk's own lines bring; null where they combine several tensors"]
    agrees: bool
    across: Annotated[bool, "the block is not all that the input moves"]
    apart: Annotated[bool, "all other blocks along these axes are zero"]
    itself: Annotated[str | None, "the tensor of the line that the matrix equals, such as `W`"]
    structure: Annotated[str, "the matrix's pattern, such as diagonal"]
    words: str


class TooLargeJacobian(TypedDict):
    """The same where no block is small enough to be drawn."""

    node: str
    input: str
    examples: int | None
    jacobian: None
    along: list[tuple[int, int]]
    at: list[int]
    words: str


JacobianAnswer = LocalJacobian | TooLargeJacobian


class Kink(TypedDict):
    """The slopes on both sides of a kink."""

    left: JsonNumber
    right: JsonNumber


class Nudge(TypedDict):
    """Central differences beside a gradient, in float64."""

    step: float
    stencil: Annotated[Literal[2, 4], "how many points"]
    analytic: Annotated[JsonNumber, "what the gradient says"]
    autograd: JsonNumber | None
    numeric: JsonNumber
    relative_error: Annotated[JsonNumber, "|a − b| / max(1, |a|, |b|)"]
    relative: Annotated[JsonNumber | None, "|a − b| / max(|a|, |b|); null where both are zero"]
    agrees: bool
    kink: Kink | None
    evaluations: Annotated[int, "of the loss"]


class NudgeOfNode(Nudge):
    """One tensor along one direction."""

    node: str
    mode: Literal["direction"]


class NudgeAlong(NudgeOfNode):
    """The same with the error at each step's size."""

    sweep: list[tuple[float, JsonNumber]]


class NudgeOfCell(Nudge):
    """One cell of a tensor."""

    cell: list[int]
    mode: Literal["direction"]


class NudgeOfCells(Nudge):
    """Some cells of a tensor; the worst one stands for all."""

    node: str
    cell: list[int]
    mode: Literal["cells"]
    sweep: list[tuple[float, JsonNumber]]
    cells: list[NudgeOfCell]
    skipped: Annotated[list[list[int]], "cells that there was no time for"]


class NudgeOfAll(TypedDict):
    """Every tensor along a direction of its own."""

    mode: Literal["direction"]
    results: list[NudgeOfNode]
    worst: str
    relative_error: Annotated[JsonNumber, "the largest of those without a kink"]
    agrees: bool
    skipped: Annotated[list[str], "tensors that there was no time for"]


Differences = NudgeAlong | NudgeOfCells | NudgeOfAll


class Within(TypedDict):
    """From where to where a number is moved."""

    least: float
    greatest: float
    log: Annotated[bool, "in steps of equal ratio"]


class Curve(TypedDict):
    """The answer of POST /api/curve: the loss as one number moves, in float64."""

    tensor: str
    index: list[int]
    value: JsonNumber
    loss: JsonNumber
    slope: Annotated[JsonNumber, "the gradient that the walk shows"]
    kink: Kink | None
    own_slope: Annotated[JsonNumber | None, "of the loss, where `.detach()` hides a part of it from the gradient"]
    span: Annotated[JsonNumber, "how far it moves to either side"]
    within: Annotated[Within | None, "as it was asked for; null where it moves by `span` to either side"]
    points: Annotated[list[tuple[JsonNumber, JsonNumber]], "the number, and the loss there"]


class Chances(TypedDict):
    """The probabilities that the network gives the classes of one example, and how far each moves."""

    tensor: Annotated[str, "the scores whose softmax they are"]
    row: Annotated[int, "the example: the one in focus, else the first"]
    target: Annotated[int, "the right class"]
    shares: list[float]
    moves: list[JsonNumber]


class Tangents(TypedDict):
    """The answer of POST /api/tangents: what moves when one number is nudged, in float64, by forward mode."""

    tensor: str
    index: list[int]
    slope: Annotated[JsonNumber, "by how much the loss moves for each unit; 0 where no path leads there"]
    gradient: Annotated[JsonNumber | None, "what the walk shows of the cell; null where it shows none"]
    moved: Annotated[
        dict[str, JsonNumber], "how far each tensor moves at most, in the order of the program; not what stands still"
    ]
    chances: Annotated[Chances | None, "of the example in focus; null where no scores of classes move"]


class DescentStep(TypedDict):
    """One step at one learning rate."""

    rate: float
    loss: JsonNumber
    promised: Annotated[JsonNumber, "what the loss would be if it were a straight line"]


class DescentPath(TypedDict):
    """Steps one after the other at one learning rate."""

    rate: float
    losses: list[JsonNumber]
    right: Annotated[list[JsonNumber] | None, "those of the right gradients, where a mistake is planted"]
    stopped: Annotated[str, "why not a single step can be made; empty else"]


class Descent(TypedDict):
    """The answer of POST /api/descent: the loss after one step of gradient descent, at each learning rate."""

    parameters: list[str]
    loss: JsonNumber
    squared_gradient: JsonNumber
    steps: list[DescentStep]
    paths: NotRequired[Annotated[list[DescentPath], "where `path` asked for them"]]


class Window(TypedDict):
    """The answer of POST /api/tensor: a rectangle of a tensor's sheet."""

    window: Annotated[list[int], "row0, row1, column0, column1, clipped to the sheet"]
    sheet: Annotated[list[int], "rows and columns of the whole"]
    tensor: Wire


class LineCost(TypedDict):
    """What one line costs."""

    code: str
    direction: Annotated[Literal["forward", "again", "backward"], "again: computed once more"]
    multiply_adds: Annotated[int, "of the products that it sums"]
    kept: Annotated[int, "bytes of the tensor that it makes, if a backward line reads its numbers"]
    freed_by: Annotated[str, "the last backward line that does; empty where none does"]
    made: Annotated[str, "the tensor that it makes; empty for a backward line"]
    held: Annotated[int, "bytes kept for the way back when it is done"]


class LineCosts(TypedDict):
    """The answer of POST /api/costs: every line in its order."""

    again: list[str]
    lines: list[LineCost]
