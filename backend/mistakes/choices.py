"""Which mistakes can be planted at a backward line: one of each kind, with a plain label, the commonest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.differentiate.lines import Line
from backend.equations.names import Names
from backend.mistakes.library import Mutant, mutants_of

# In the order in which they are offered.
LABELS = {
    "missing-sum": "forget the sum",
    "wrong-axis": "sum the other axis",
    "keepdim": "drop keepdim",
    "missing-local": "drop the local derivative",
    "missing-upstream": "forget the upstream gradient",
    "transposed": "turn a matrix the wrong way",
    "overwritten-path": "`=` instead of `+=`",
    "sign": "flip the sign",
    "scale": "drop the constant factor",
    "bessel": "mix up n and n − 1",
}
AVERAGED, KEPT, REPEATS = "average instead of adding", "keep the summed axis", "let repeats overwrite each other"


@dataclass(frozen=True)
class Choice:
    """One mistake that can be planted: its label, and the mutant."""

    label: str
    mutant: Mutant


def choices_of(line: Line, names: Names, lines: Sequence[Line]) -> list[Choice]:
    """The mistakes that can be planted at a line: of each kind, the one that comes nearest to a line that runs."""
    found: dict[str, Mutant] = {}
    for mutant in mutants_of(line, names, lines):
        other = found.get(mutant.code)
        if mutant.code in LABELS and (other is None or _runs(mutant) > _runs(other)):
            found[mutant.code] = mutant
    return [Choice(_label(found[code], line), found[code]) for code in LABELS if code in found]


def _runs(mutant: Mutant) -> int:
    """2 for a line that fits, 1 for one that makes another shape, 0 for one that torch refuses."""
    return 2 if mutant.fits else int(mutant.shape is not None)


def _label(mutant: Mutant, line: Line) -> str:
    if mutant.code == "keepdim" and "keepdim" not in line.code:
        return KEPT
    if mutant.code == "scale" and ".mean(" in mutant.source and ".mean(" not in line.code:
        return AVERAGED
    if mutant.code == "overwritten-path" and "accumulate" in mutant.source:
        return REPEATS
    return LABELS[mutant.code]
