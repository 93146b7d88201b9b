"""Which mistakes can be planted at a backward line: one of each kind, with a plain label, the commonest first."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.engine.differentiate.lines import Line
from backend.engine.ops.compose import cloned
from backend.lines.equations.names import Names
from backend.lines.equations.peel import is_moved_only
from backend.lines.mistakes.codes import PLANTED, DiagnosisCode
from backend.lines.mistakes.library import Mutant, mutants_of

# What stands in a line where something was left out, and which mistakes read like a line without one.
STAND_INS = "ones_like", "zeros_like"
WORDED: dict[DiagnosisCode, str] = PLANTED | {"wrong-tensor": "another tensor stands in a tensor's place"}
AVERAGED, KEPT, REPEATS = "averaged instead of added", "the summed axis is kept", "repeats overwrite each other"


@dataclass(frozen=True)
class Choice:
    """One mistake that can be planted: its label, and the mutant."""

    label: str
    mutant: Mutant


def choices_of(line: Line, names: Names, lines: Sequence[Line]) -> list[Choice]:
    """The mistakes that can be planted at a line: of each kind, the one that comes nearest to a line that runs."""
    found: dict[DiagnosisCode, Mutant] = {}
    for mutant in mutants_of(line, names, lines):
        other = found.get(mutant.code)
        if mutant.code in PLANTED and (other is None or _runs(mutant) > _runs(other)):
            found[mutant.code] = mutant
    return [
        Choice(label_of(found[code], line), _unshared(found[code], line, names, lines))
        for code in PLANTED
        if code in found
    ]


def hidden_in(line: Line, names: Names, lines: Sequence[Line]) -> list[Mutant]:
    """The mutants of a line that read like one: they fit, and no stand-in of ones or zeros marks what was left out."""
    found = [one for one in mutants_of(line, names, lines) if one.fits and one.code in WORDED]
    alike = [one for one in found if all(one.source.count(word) <= line.code.count(word) for word in STAND_INS)]
    return [_unshared(one, line, names, lines) for one in alike]


def _unshared(mutant: Mutant, line: Line, names: Names, lines: Sequence[Line]) -> Mutant:
    """The mutant with `.clone()` where a later `+=` would write into the gradient that it passes on: that is no part of
    the mistake."""
    *before, last = mutant.statements
    later = lines[lines.index(line) + 1 :]
    added = any(other.variable == line.variable and other.mode == "+=" for other in later)
    if not added or line.is_partial or not isinstance(last, ast.Assign) or not is_moved_only(last.value, names):
        return mutant
    return replace(mutant, statements=[*before, ast.Assign(last.targets, cloned(last.value))])


def _runs(mutant: Mutant) -> int:
    """2 for a line that fits, 1 for one that makes another shape, 0 for one that torch refuses."""
    return 2 if mutant.fits else int(mutant.shape is not None)


def label_of(mutant: Mutant, line: Line) -> str:
    """What a mistake is called in a list of them."""
    if mutant.code == "keepdim" and "keepdim" not in line.code:
        return KEPT
    if mutant.code == "scale" and ".mean(" in mutant.source and ".mean(" not in line.code:
        return AVERAGED
    if mutant.code == "overwritten-path" and "accumulate" in mutant.source:
        return REPEATS
    return WORDED[mutant.code]
