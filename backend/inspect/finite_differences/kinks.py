"""Kink detection: whether left and right slopes still differ as the step shrinks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from backend.inspect.finite_differences.line_function import Line

NARROWING = tuple(10.0**-power for power in range(4, 13))
# A gap above this fraction of the slope is examined.
NOTED = 1e-6
# How many slopes must grow, and how fast, to grow without end; the ratio of steadily shrinking moves.
FEWEST, GROWING, STEADY = 4, 1.2, (0.15, 0.85)


@dataclass(frozen=True)
class Kink:
    """The one-sided slopes: infinite if they diverge, NaN if the function is undefined there."""

    left: float
    right: float


def find_kink(line: Line) -> Kink | None:
    """The one-sided slopes at zero if they differ; None if the function is smooth at zero, even with a kink nearby."""
    size = abs(line(1e-5) - line(-1e-5)) / 2e-5
    # For a smooth function the gap is proportional to the step.
    unexplained = abs(line.gap(1e-5) - line.gap(1e-3) / 100)
    if unexplained <= line.rounding(1e-5) + NOTED * size:
        return None
    line.measure_scatter()
    return Kink(side(line, -1.0), side(line, 1.0)) if _stays(line) else None


def _stays(line: Line) -> bool:
    """Whether the gap between the one-sided slopes persists as the step shrinks, until rounding hides it."""
    before, stayed = line.gap(NARROWING[0]), False
    for step in NARROWING[1:]:
        if line.rounding(step) > 0.3 * abs(before):
            break
        gap = line.gap(step)
        if abs(gap) < 0.7 * abs(before):
            return False
        before, stayed = gap, True
    return stayed


def side(line: Line, sign: float) -> float:
    """The one-sided slope: infinite if it diverges, else extrapolated from the step where it has converged best."""
    slopes = [line.side(sign * step) for step in NARROWING]
    floors = [line.rounding(step) for step in NARROWING]
    clear = [slope for slope, floor in zip(slopes, floors, strict=True) if abs(slope) > 4 * floor]
    if len(clear) >= FEWEST and all(abs(b) > GROWING * abs(a) for a, b in pairwise(clear)):
        return math.copysign(math.inf, clear[-1])
    moves = [b - a for a, b in pairwise(slopes)]
    doubts = [abs(move) + floor for move, floor in zip(moves, floors[1:], strict=True)]
    finite = [doubt if math.isfinite(doubt) else math.inf for doubt in doubts]
    best = finite.index(min(finite))
    return slopes[best + 1] + _rest(moves, best, floors[best + 1])


def _rest(moves: list[float], last: int, floor: float) -> float:
    """The remaining distance to the limit of a sequence that converges linearly (Aitken's delta-squared)."""
    if last == 0 or abs(moves[last]) < floor or moves[last - 1] == 0:
        return 0.0
    ratio = moves[last] / moves[last - 1]
    return moves[last] * ratio / (1 - ratio) if STEADY[0] < ratio < STEADY[1] else 0.0
