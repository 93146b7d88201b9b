"""What the endpoints of the pieces answer with; that of a derivation stands beside it, in `closed_forms`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from backend.inspect.closed_forms.derivation_types import GradientCheck
from backend.present.picture_types import JsonNumber, Wire


class Piece(TypedDict):
    """What single steps of a walk have besides their picture; the endpoint of its kind takes its `tensor`."""

    kind: Literal["derivation", "order", "threeways", "saturation", "throughtime"]
    tensor: str
    steps: Annotated[list[int], "where it is offered"]


class Pieces(TypedDict):
    """The answer of POST /api/pieces."""

    pieces: list[Piece]


class SearchEvent(TypedDict):
    """One moment of the search: a call, a call that finds its tensor visited, a tensor appended, or the end."""

    kind: Literal["enter", "known", "append", "reverse"]
    tensor: str
    stack: Annotated[list[str], "the calls under way, by their tensors"]
    visited: Annotated[list[str], "the visited set after it, in the order of visits"]
    order: Annotated[list[str], "the list after it"]
    lines: Annotated[list[int], "lines of the code that run, from 1"]
    text: str


class SearchNode(TypedDict):
    """A tensor and what it is computed from."""

    name: str
    inputs: list[str]


class SearchOrder(TypedDict):
    """The answer of POST /api/order: the depth-first search that orders the backward pass, call by call."""

    tensor: Annotated[str, "where it begins"]
    code: Annotated[list[str], "the search, line by line"]
    nodes: list[SearchNode]
    events: list[SearchEvent]
    order: list[str]
    backward: Annotated[list[str], "the same list reversed"]


class Way(TypedDict):
    """One way to write a gradient, run as it is printed."""

    name: str
    code: str
    text: str
    check: Annotated[GradientCheck, "against what the walk's own line brings"]


class ThreeWays(TypedDict):
    """The answer of POST /api/threeways: a picked table's gradient as a loop, as one call, and as a product."""

    tensor: str
    variable: str
    upstream: Annotated[str, "the gradient of the picked rows, such as demb"]
    index: Annotated[str, "what picks them, as it is printed"]
    ways: list[Way]
    labels: Annotated[list[str], "names of the table's rows, where the data have some"]
    places: Annotated[list[int], "the row of the table that each upstream row is added to"]
    index_shape: list[int]
    rows: Annotated[Wire, "the upstream gradient, one row for each picked one"]
    gradient: Annotated[Wire, "what this pick brings to the table's gradient"]
    scale: JsonNumber
    text: str


class SaturationPoint(TypedDict):
    """An activation with its parameter at one scale."""

    scale: float
    flat: Annotated[Wire, "a mask: cells that let next to nothing through"]
    value: Wire
    share: Annotated[float, "the share of the cells that are flat"]
    dead: Annotated[list[int], "units that are flat for every example"]
    units: int
    norm: Annotated[JsonNumber, "of the gradient in front of the activation"]
    loss: JsonNumber
    text: str


class Saturation(TypedDict):
    """The answer of POST /api/saturation: what an activation lets through, at several scales of a parameter."""

    tensor: str
    parameter: str
    parameters: Annotated[list[str], "all that can be scaled, the nearest first"]
    through: Annotated[str, "the tensor whose gradient's norm is told"]
    shape: list[int]
    dims: list[str]
    scales: list[float]
    usual: Annotated[int, "which of them is the walk as it is, from 0"]
    points: list[SaturationPoint]
    constant: Annotated[str, "why the scale changes nothing, where it doesn't; empty else"]
    rule: Annotated[str, "what counts as flat"]


class ThroughTimePoint(TypedDict):
    """A series with its recurrent weight at one scale."""

    scale: float
    norms: Annotated[list[JsonNumber], "of the loss's gradient at each step of the series"]
    brought: Annotated[list[JsonNumber], "norms of what the steps bring to the weight's gradient, the last step first"]
    total: Annotated[JsonNumber, "the norm of the weight's gradient"]
    text: str


class ThroughTime(TypedDict):
    """The answer of POST /api/throughtime: a gradient's size along a series, at several scales of its weight."""

    tensor: Annotated[str, "the last of the series, as the lines name it"]
    series: Annotated[list[str], "as the lines name them"]
    weight: str
    singular: Annotated[JsonNumber | None, "the weight's largest singular value; null where it bounds nothing"]
    radius: Annotated[JsonNumber | None, "its spectral radius"]
    steps: Annotated[list[int], "the steps of the walk that add to its gradient"]
    scales: list[float]
    usual: Annotated[int, "which of them is the walk as it is, from 0"]
    points: list[ThroughTimePoint]
