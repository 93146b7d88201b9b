"""A hypothesis of what an answer is, and on how many cases the answer is that, as it stands or up to a factor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch

from backend.engine.language.pytree import largest_finite
from backend.lines.mistakes.codes import DiagnosisCode
from backend.practice.factor import Factor, named, ratio
from backend.practice.judge import SAME, ZERO, Judged, distance, same
from backend.practice.trial import ARRIVING, Case

Values = Callable[[Case], "torch.Tensor | None"]


@dataclass(frozen=True)
class Match:
    """A hypothesis that computes what the answer computes, on so many cases."""

    code: DiagnosisCode
    hypothesis: str
    label: str = ""
    factor: Factor | None = None
    path: str = ""
    word: str = ""
    matched: int = 0
    of: int = 0


def agreeing(found: Judged, values: Values, exactly: bool = False) -> tuple[int, int] | None:
    """On how many cases of how many the answer is what `values` computes; None unless on all that decide.

    `exactly` holds cell against cell: beside one of −10⁹ all others are alike.
    """
    matched = total = 0
    for case, outcome in zip(found.cases, found.outcomes, strict=True):
        other, decides = values(case), case.trial.kind != ARRIVING
        total += 1
        if outcome.value is None:
            if decides:
                return None
            continue
        alike = _cell_by_cell if exactly else partial(equal, case=case)
        if other is not None and alike(outcome.value, other):
            matched += 1
        elif decides:
            return None
    return (matched, total) if matched else None


def equal(a: torch.Tensor, b: torch.Tensor, case: Case) -> bool:
    """Whether two tensors are the same on a case, to rounding."""
    return a.shape == b.shape and (same(a, b) or distance(a, b) <= 1e-3 * ZERO * case.scale)


def _cell_by_cell(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and torch.allclose(a, b, rtol=SAME, atol=0.0, equal_nan=True)


def counted(found: Judged, match: Match, values: Values) -> Iterator[Match]:
    """The match with its counts, where it is one."""
    counts = agreeing(found, values, match.code == "forward-value")
    if counts is not None:
        yield replace(match, matched=counts[0], of=counts[1])


def matched_in(found: Judged, values: Values) -> int:
    """On how many cases the answer is what `values` computes, up to one factor."""
    every = zip(found.cases, found.outcomes, strict=True)
    return sum(o.value is not None and (v := values(c)) is not None and ratio(o.value, v) is not None for c, o in every)


def factor_of(found: Judged, values: Values) -> Factor | None:
    """The factor between the answer and what `values` computes, on all cases that decide."""
    cases = [case for case in found.cases if case.trial.kind != ARRIVING]
    ratios: list[float | None] = []
    for case, outcome in zip(cases, found.outcomes, strict=False):
        other = values(case)
        if outcome.value is None or other is None or largest_finite(other) <= 1e-3 * ZERO * case.scale:
            return None
        ratios.append(ratio(outcome.value, other))
        if ratios[-1] is None:
            return None
    return named(ratios, cases, found.cases[0])


def code_of(factor: Factor) -> DiagnosisCode:
    """The diagnosis of an answer that is the truth times a factor: −1 is a sign, n/(n−1) Bessel's, else a scale."""
    return "sign" if factor.text == "-1" else "bessel" if factor.is_bessel else "scale"


def path_of(found: Judged, place: int) -> str:
    """The tensor through which a line of the gradient comes; empty where there is one path alone."""
    through = found.cases[0].lines[place].through
    return through.node.variable if through and len(found.cases[0].paths) > 1 else ""


def tensor_of(value: Any) -> torch.Tensor | None:
    """A value that may be a gradient."""
    return value if isinstance(value, torch.Tensor) and value.is_floating_point() else None
