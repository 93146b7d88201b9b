"""What can be chosen for training: where gradients come from, and the numbers of an optimiser or a schedule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal

# A number that is not negative; a share, below 1; one above 0; a count, from 1; a number of steps, from 0.
Kind = Literal["rate", "share", "above", "count", "steps"]
Lines = Literal["printed", "autograd"]
# What gradients a run takes, by the name of it, the usual one first: those of the backward lines as they are printed,
# or autograd's, with which they can be compared.
LINES: Mapping[str, str] = {"printed": "printed lines", "autograd": "autograd"}
USUAL_LINES: Lines = "printed"


def number(kind: Kind, usual: float) -> Any:
    """A field of a block: a number that a person may set."""
    return field(default=usual, metadata={"kind": kind})


def numbers(block: Any) -> dict[str, Kind]:
    """What each number of a block may be, by name."""
    return {one.name: one.metadata["kind"] for one in fields(block) if "kind" in one.metadata}
