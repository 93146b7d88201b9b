"""What POST /api/derivation answers with."""

from __future__ import annotations

from typing import Annotated, TypedDict

from backend.engine.verify.compare import Level
from backend.present.picture_types import JsonNumber, Wire


class GradientCheck(TypedDict):
    """How two ways to one gradient compare."""

    level: Level
    maxdiff: Annotated[JsonNumber | None, "largest absolute difference; null where the shapes differ"]
    share: Annotated[JsonNumber | None, "that difference as a share of the largest gradient"]
    share64: Annotated[JsonNumber | None, "the same in float64 (in a walk of float64: in float32)"]
    words: str


class DerivationStage(TypedDict):
    """One stage on the way to a closed form."""

    code: Annotated[str, "the walk's own lines; from the second stage on one line, with what it needs before it"]
    text: Annotated[str, "what was used to get here"]
    value: Wire
    before: Annotated[GradientCheck | None, "against the stage before; null for the first"]
    autograd: GradientCheck


class Derivation(TypedDict):
    """The answer of POST /api/derivation: a closed form, stage by stage, each run as it is printed."""

    tensor: str
    variable: Annotated[str, "the gradient, such as dlogits"]
    kind: Annotated[str, "which pattern collapses, such as `cross-entropy`"]
    shape: list[int]
    dims: list[str]
    scale: Annotated[JsonNumber, "the largest number of the first stage"]
    collapses: Annotated[int, "how many backward lines become one"]
    stages: list[DerivationStage]
    steps: Annotated[list[int], "the steps of the walk that collapse"]
    added: Annotated[list[str], "the lines of other paths, whose contributions are added to the closed form"]
    end: Annotated[str, "how exact the last line is, and why"]
