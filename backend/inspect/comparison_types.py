"""What POST /api/comparison answers with: two walks side by side."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from backend.present.picture_types import JsonNumber

LikenessKind = Literal["same", "rounding", "scale", "opposite", "turned", "zero", "broken", "shape", "missing"]


class SideTensor(TypedDict):
    """One of two tensors, by itself."""

    shape: list[int]
    length: Annotated[JsonNumber, "the root of the sum of its squares"]
    cells: int
    zeros: Annotated[int, "cells that are exactly zero"]
    broken: Annotated[int, "cells that are not finite"]


class Likeness(TypedDict):
    """How far two tensors of the same name are alike, in float64."""

    kind: Annotated[LikenessKind, "`zero`: one of them is no more than rounding; `missing`: one is not there"]
    left: SideTensor | None
    right: SideTensor | None
    ratio: Annotated[float | None, "how many times as long the right one is; null where that is no number"]
    cosine: Annotated[float | None, "of the angle between them; null where one has no direction"]
    first: Annotated[list[int] | None, "the first cell in which they differ beyond rounding"]
    differing: Annotated[int, "how many cells do"]


class ComparedTensor(TypedDict):
    """A tensor that one of the walks has, or both."""

    variable: str
    value: Likeness | None
    gradient: Likeness | None


class SideBySide(TypedDict):
    """The answer of POST /api/comparison."""

    left: Annotated[JsonNumber, "the loss of the left walk"]
    right: JsonNumber
    tensors: list[ComparedTensor]
