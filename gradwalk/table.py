"""A walk in the terminal: every gradient beside the model's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

WORDS = {"approximate": "equal up to rounding", "exact": "exact", "zero": "true zero", "no path": "no path",
         "not-finite": "not finite", "wrong": "WRONG", "shape": "WRONG SHAPE"}  # fmt: skip


@dataclass(frozen=True)
class Held:
    """A gradient of the walk beside the model's own.

    `level` is how the printed lines compare with autograd on the walk's program; `difference` is how far they are from
    what the model's own backward pass gives, and `right` whether that is rounding.
    """

    name: str
    shape: tuple[int, ...]
    norm: float
    level: str
    difference: float
    right: bool


class Told(Protocol):
    """Something of which is told how it came out."""

    @property
    def right(self) -> bool:
        """Whether nothing is held against it."""


class Walked(Protocol):
    """What is shown of a walk."""

    @property
    def verdicts(self) -> Sequence[Held]:
        """Every gradient beside the model's own."""

    @property
    def notes(self) -> Sequence[str]:
        """What is not as it was in the model."""

    @property
    def loss(self) -> float:
        """The loss."""

    @property
    def right(self) -> bool:
        """Whether all is right."""

    @property
    def backward(self) -> str:
        """The backward pass."""

    @property
    def functions(self) -> Sequence[Told]:
        """The functions with a backward pass of their own, each told as it came out."""


def table(walk: Walked) -> str:
    """The table of verdicts, below a sentence that says how it came out."""
    rows = [("gradient", "shape", "norm", "against autograd", "against your model's backward")]
    rows += [row_of(one) for one in walk.verdicts]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("─" * width for width in widths))
    notes = [*(f"· {note}" for note in walk.notes), *(f"· {one!r}" for one in walk.functions)]
    return "\n".join([headline(walk), "", *lines, *(["", *notes] if notes else [])])


def headline(walk: Walked) -> str:
    """How it came out."""
    count, wrong = len(walk.verdicts), [one.name for one in walk.verdicts if not one.right]
    lines = len(walk.backward.strip().split("\n"))
    if wrong:
        return (
            f"loss {walk.loss:.6g} · {len(wrong)} of {count} gradients DIFFER from your model's own: {', '.join(wrong)}"
        )
    if not all(one.right for one in walk.functions):
        return f"loss {walk.loss:.6g} · a backward pass of your own is WRONG"
    if not walk.right:
        return f"loss {walk.loss:.6g} · a printed line is wrong: please report this model"
    noun = "gradient is" if count == 1 else f"{count} gradients are"
    return f"loss {walk.loss:.6g} · {noun} your model's own, by {lines} backward lines"


def row_of(one: Held) -> tuple[str, str, str, str, str]:
    """One gradient."""
    shape = " × ".join(map(str, one.shape)) or "number"
    own = f"{one.difference:.1e}" if one.difference else "the same"
    return one.name, shape, f"{one.norm:.4g}", WORDS[one.level], own if one.right else f"DIFFERS by {own}"
