"""A walk in the terminal: every gradient beside the model's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradwalk.walking import Held, Walk

WORDS = {"approximate": "equal up to rounding", "exact": "exact", "zero": "true zero", "no path": "no path",
         "not-finite": "not finite", "wrong": "WRONG", "shape": "WRONG SHAPE"}  # fmt: skip


def table(walk: Walk) -> str:
    """The table of verdicts, below a sentence that says how it came out."""
    rows = [("gradient", "shape", "norm", "against autograd", "against your model's backward")]
    rows += [row_of(one) for one in walk.verdicts]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join([headline(walk), "", *lines, *(["", *(f"· {note}" for note in walk.notes)] if walk.notes else [])])


def headline(walk: Walk) -> str:
    """How it came out."""
    count, wrong = len(walk.verdicts), [one.name for one in walk.verdicts if not one.right]
    lines = len(walk.backward.strip().split("\n"))
    if wrong:
        return (
            f"loss {walk.loss:.6g} · {len(wrong)} of {count} gradients DIFFER from your model's own: {', '.join(wrong)}"
        )
    if not walk.right:
        return f"loss {walk.loss:.6g} · a printed line is wrong: please report this model"
    noun = "gradient is" if count == 1 else f"{count} gradients are"
    return f"loss {walk.loss:.6g} · {noun} your model's own, by {lines} backward lines"


def row_of(one: Held) -> tuple[str, str, str, str, str]:
    """One gradient."""
    shape = " × ".join(map(str, one.shape)) or "number"
    own = f"{one.difference:.1e}" if one.difference else "the same"
    return one.name, shape, f"{one.norm:.4g}", WORDS[one.level], own if one.right else f"DIFFERS by {own}"
