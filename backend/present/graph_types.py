"""The picture of the graph in a Walk document, typed: where its tensors, edges and headings stand."""

from __future__ import annotations

from typing import Annotated, TypedDict


class Box(TypedDict):
    """A place in the graph's picture; of a node, x and y are its centre."""

    x: float
    y: float
    width: float
    height: float


Edge = TypedDict(
    "Edge",
    {"from": str, "to": str, "path": Annotated[list[list[float]], "Bézier points [x, y]"], "main": bool},
)
Edge.__doc__ = "One tensor read by another's line."


class Group(TypedDict):
    """A heading of the program and the tensors made below it."""

    name: str
    nodes: list[str]
    box: Box


class Size(TypedDict):
    """Of the graph's picture."""

    width: float
    height: float
