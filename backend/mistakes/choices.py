"""Which mistakes can be planted at a backward line: one of each kind, with a plain label, the commonest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.differentiate.lines import Line
from backend.equations.names import Names
from backend.mistakes.library import Mutant, mutants_of

# In the order in which they are offered.
LABELS = {
    "missing-sum": "the sum is left out",
    "wrong-axis": "the other axis is summed",
    "keepdim": "keepdim is left out",
    "missing-local": "the local derivative is left out",
    "missing-upstream": "the upstream gradient is left out",
    "transposed": "a matrix is turned the wrong way",
    "overwritten-path": "`=` instead of `+=`",
    "sign": "the sign is flipped",
    "scale": "the constant factor is left out",
    "bessel": "n and n − 1 are mixed up",
}
AVERAGED, KEPT, REPEATS = "averaged instead of added", "the summed axis is kept", "repeats overwrite each other"


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
