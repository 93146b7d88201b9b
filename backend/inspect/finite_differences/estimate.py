"""Compares an analytic directional derivative with central differences over several steps and stencils."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations

from backend.inspect.finite_differences.kinks import Kink, find_kink
from backend.inspect.finite_differences.line_function import Line

Stencil = tuple[int, float]
STANDARD: tuple[Stencil, ...] = ((2, 1e-5), (4, 1e-3))
# Where the standard steps disagree: narrow ones, beside a kink or for a steep function; wide ones where rounding is
# too large for the others, and only there, for they see a kink nearby as a slope between.
NARROW: tuple[Stencil, ...] = (
    (4, 1e-4), (2, 1e-6), (4, 1e-5), (2, 1e-7), (4, 1e-6), (2, 1e-8), (2, 1e-9), (2, 1e-10), (2, 1e-12),
)  # fmt: skip
BROAD: tuple[Stencil, ...] = ((4, 1e-2), (4, 1e-1))
# What grows without end down to 1e-12 may be steep only: a norm kept from zero by 1e-12 is.
FINEST: tuple[Stencil, ...] = ((2, 1e-13), (2, 1e-14), (2, 1e-15))
# A right slope may be off by this part of itself, and by this part of max(1, slope), beside what rounding explains.
RELATIVE, SCALED = 1e-6, 1e-7
# Rounding that hides a larger part of the slope than this only counts where the step is wide.
RESOLVED, WIDE = 1e-4, 1e-3


@dataclass(frozen=True)
class Slope:
    """The central difference, over all steps and stencils, that is nearest to the analytic slope.

    `settled` means that it agrees, or that two stencils agree with each other; `kink` has both one-sided slopes.
    """

    step: float
    stencil: int
    numeric: float
    agrees: bool
    settled: bool = True
    kink: Kink | None = None


def measure(line: Line, analytic: float) -> Slope:
    """Judge an analytic slope by central differences.

    The better of two points at 1e-5 and four points at 1e-3 decides; where both disagree further steps are tried, and
    the scatter of the values is measured. Agreement needs a scaled error of at most 1e-7 and a relative one of at most
    1e-6, beside what rounding of the values explains. At a kink the slopes on both sides and those between count.
    """
    slope = best(line, analytic, STANDARD)
    kink = find_kink(line)
    if kink is not None and kink.left == kink.right and math.isinf(kink.left):
        steep = best(line, analytic, FINEST)
        return steep if steep.agrees else at_kink(line, analytic, slope, kink)
    if kink is not None:
        return at_kink(line, analytic, slope, kink)
    if slope.agrees:
        return slope
    line.measure_scatter()
    found = best(line, analytic, STANDARD + NARROW + FINEST)
    if not found.agrees and line.rounding(WIDE) > RESOLVED * abs(found.numeric):
        found = best(line, analytic, STANDARD + NARROW + FINEST + BROAD)
    if found.agrees:
        return found
    if _flat(line, analytic):
        return replace(slope, agrees=True)
    # Of a wrong slope the nearest step is no measure: among the finest ones some are off by as much.
    return slope if slope.settled else found


def best(line: Line, analytic: float, stencils: tuple[Stencil, ...]) -> Slope:
    """The stencil whose slope comes nearest to the analytic one, first those that agree."""
    found = [(step, stencil, line.slope(stencil, step)) for stencil, step in stencils]
    agreeing = [one for one in found if slopes_agree(analytic, one[2], line.rounding(one[0]), one[0])]
    near = min(agreeing or found, key=lambda one: _distance(one[2], analytic))
    settled = not math.isfinite(analytic) or any(_same(line, one, other) for one, other in combinations(found, 2))
    return Slope(*near, agrees=bool(agreeing), settled=settled)


def _flat(line: Line, analytic: float) -> bool:
    """Whether a slope is within rounding error, and the wide step meets a kink nearby."""
    (_, narrow), (_, wide) = STANDARD
    numeric, rounding = line.slope(2, narrow), line.rounding(narrow)
    return abs(analytic - numeric) <= rounding < abs(line.slope(4, wide) - numeric)


def _same(line: Line, one: tuple[float, int, float], other: tuple[float, int, float]) -> bool:
    size, rounding = max(abs(one[2]), abs(other[2])), line.rounding(min(one[0], other[0]))
    return abs(one[2] - other[2]) <= RESOLVED * size + rounding and rounding <= 0.1 * size


def slopes_agree(analytic: float, numeric: float, rounding: float, step: float) -> bool:
    """Whether two slopes agree up to `rounding`, which must be small relative to them unless the step is wide.

    Otherwise a narrow step, whose rounding error is large, would let any small slope pass.
    """
    if not (math.isfinite(analytic) and math.isfinite(numeric)):
        return analytic == numeric
    size = max(abs(analytic), abs(numeric))
    counts = rounding <= RESOLVED * size or step >= WIDE
    return counts and abs(analytic - numeric) <= min(RELATIVE * size, SCALED * max(1.0, size)) + rounding


def _distance(numeric: float, analytic: float) -> float:
    distance = 0.0 if numeric == analytic else abs(numeric - analytic)
    return math.inf if math.isnan(distance) else distance


def at_kink(line: Line, analytic: float, slope: Slope, kink: Kink) -> Slope:
    """The verdict at a kink: any subgradient, from the left slope to the right one, agrees."""
    candidates = (slope.numeric, kink.left, kink.right, (kink.left + kink.right) / 2)
    near = min(candidates, key=lambda numeric: _distance(numeric, analytic))
    between = min(kink.left, kink.right) <= analytic <= max(kink.left, kink.right)
    right = between or any(slopes_agree(analytic, one, line.rounding(1e-5), WIDE) for one in candidates)
    return Slope(slope.step, slope.stencil, near, right, kink=kink)
