"""What GET /api/drills answers with."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from backend.practice.reply import Given


class DrillGroup(TypedDict):
    """A group of drills."""

    name: str
    title: str


class DrillTensor(TypedDict):
    """One tensor of a drill, as POST /api/walk takes it: with `values`, or drawn from its seed."""

    role: str
    values: NotRequired[Annotated[list[object], "nested lists of truth values, of a mask"]]
    shape: NotRequired[list[int]]
    init: NotRequired[str]
    seed: NotRequired[int]
    scale: NotRequired[float]
    shift: NotRequired[float]
    low: NotRequired[int]
    high: NotRequired[int]


class DrillWalk(TypedDict):
    """The walk of a drill, with which POST /api/practice/check is asked."""

    source: str
    tensors: dict[str, DrillTensor]


class Drill(TypedDict):
    """A program of a line or two with one gradient to be written."""

    id: Annotated[str, "the same from seed to seed for the same rule"]
    group: str
    lines: list[str]
    target: str
    name: Annotated[str, "what the answer assigns, such as dx"]
    shape: list[int]
    given: list[Given]
    walk: DrillWalk


class Drills(TypedDict):
    """The answer of GET /api/drills: which groups there are, and the drills of those asked for."""

    seed: int
    groups: list[DrillGroup]
    drills: list[Drill]
