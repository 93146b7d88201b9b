"""The numbers of what can be chosen for training, an optimiser or a schedule, each with what it may be."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, Literal

# A number that is not negative; a share, below 1; one above 0; a count, from 1; a number of steps, from 0.
Kind = Literal["rate", "share", "above", "count", "steps"]


def number(kind: Kind, usual: float) -> Any:
    """A field of a block: a number that a person may set."""
    return field(default=usual, metadata={"kind": kind})


def numbers(block: Any) -> dict[str, Kind]:
    """What each number of a block may be, by name."""
    return {one.name: one.metadata["kind"] for one in fields(block) if "kind" in one.metadata}
