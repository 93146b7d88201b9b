"""With this module a slope is measured from values alone: central differences, the kinks they meet, and a verdict.

Everything here is about one function of one number, `f(t)` near t = 0, in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

Function = Callable[[float], float]
EPSILON = 2.0**-52
TWO, FOUR = ((1, 0.5), (-1, -0.5)), ((1, 2 / 3), (-1, -2 / 3), (2, -1 / 12), (-2, 1 / 12))
STANDARD = ((2, 1e-5), (4, 1e-3))
# Where the standard steps disagree: other scales, from wide ones for flat functions to narrow ones beside a kink.
FURTHER = ((4, 1e-4), (4, 1e-2), (2, 1e-6), (4, 1e-5), (4, 1e-1), (2, 1e-7), (4, 1e-6), (2, 1e-8))
SWEEP = tuple(10.0 ** (-half / 2) for half in range(2, 23))
# A right slope may be off by this part of itself, by this part of max(1, slope), and by ROUNDINGS of the values' noise.
RELATIVE, SCALED, ROUNDINGS = 1e-6, 1e-7, 16.0
# Rounding that hides a larger part of the slope than this only counts where the step is wide.
RESOLVED, WIDE = 1e-4, 1e-3
# Where noise is looked for, how closely, and how many times the rounding of the result it may be.
BESIDE, CLOSE, MOST_SCATTER = 3e-6, 1e-10, 1e6
NARROWING = (1e-5, 1e-6, 1e-7, 1e-8)


@dataclass(frozen=True)
class Kink:
    """The slopes on either side of a point; NaN where the function has no value there."""

    left: float
    right: float


@dataclass(frozen=True)
class Slope:
    """A slope from values alone beside the analytic one, with the step and stencil that came nearest to it."""

    step: float
    stencil: int
    numeric: float
    agrees: bool
    kink: Kink | None = None


class Line:
    """A function remembered at the places where it has been looked at; `spent` counts those."""

    def __init__(self, function: Function, at_zero: float) -> None:
        self.function = function
        self.known = {0.0: at_zero}
        self.scatter = 0.0

    @property
    def spent(self) -> int:
        return len(self.known) - 1

    def __call__(self, t: float) -> float:
        if t not in self.known:
            self.known[t] = self.function(t)
        return self.known[t]

    def slope(self, stencil: int, step: float) -> float:
        """The central difference."""
        return sum(weight * self(place * step) for place, weight in (TWO if stencil == 2 else FOUR)) / step

    def side(self, step: float) -> float:
        """The slope on one side, from three values; the left one for a negative step."""
        return (4 * self(step) - 3 * self(0.0) - self(2 * step)) / (2 * step)

    def gap(self, step: float) -> float:
        """Right slope less left slope, from three values: it shrinks with the step but at a kink."""
        return (self(step) - 2 * self(0.0) + self(-step)) / step

    def noise(self) -> float:
        """The rounding of one value: an ulp of the largest one seen, or the scatter that was measured."""
        size = max((abs(value) for value in self.known.values() if math.isfinite(value)), default=0.0)
        return max(EPSILON * size, self.scatter)

    def measure_noise(self) -> None:
        """Find the values' own scatter from third differences at steps too small for the function to bend in.

        After Moré and Wild, Estimating Computational Noise, SIAM J. Sci. Comput. 33 (2011). It is looked for beside
        zero, where a kink or a jump at zero does not pass for noise.
        """
        for side in (1.0, -1.0):
            values = [self(side * (BESIDE + place * CLOSE)) for place in range(6)]
            third = [values[i + 3] - 3 * values[i + 2] + 3 * values[i + 1] - values[i] for i in range(3)]
            if all(map(math.isfinite, third)):
                self.scatter = min(max(map(abs, third)) / math.sqrt(20), MOST_SCATTER * self.noise())
                return


def measure(line: Line, analytic: float) -> Slope:
    """Judge an analytic slope by central differences.

    The better of two points at 1e-5 and four points at 1e-3 decides; where both disagree further steps are tried, and
    the noise of the values is measured. Agreement needs the scaled error to be at most 1e-7 and the relative one at
    most 1e-6, beside what rounding of the values explains. At a kink the slopes on both sides and those between count.
    """
    if not math.isfinite(line(0.0)):
        return Slope(STANDARD[0][1], 2, line.slope(*STANDARD[0]), math.isnan(analytic))
    slope = best(line, analytic, STANDARD)
    kink = find_kink(line)
    if kink is None and not slope.agrees:
        line.measure_noise()
        slope = best(line, analytic, STANDARD + FURTHER)
    return slope if kink is None else at_kink(line, analytic, slope, kink)


def best(line: Line, analytic: float, stencils: tuple[tuple[int, float], ...]) -> Slope:
    """The stencil whose slope comes nearest to the analytic one, first those that agree."""
    found = [_slope(line, analytic, stencil, step) for stencil, step in stencils]
    return min(found, key=lambda slope: (not slope.agrees, _distance(slope.numeric, analytic)))


def _slope(line: Line, analytic: float, stencil: int, step: float) -> Slope:
    numeric = line.slope(stencil, step)
    return Slope(step, stencil, numeric, agree(analytic, numeric, ROUNDINGS * line.noise() / step, step))


def agree(analytic: float, numeric: float, rounding: float, step: float) -> bool:
    """Whether two slopes are the same but for rounding, which must be small beside them unless the step is wide.

    Without that clause a narrow step would let anything pass for a small slope.
    """
    if not (math.isfinite(analytic) and math.isfinite(numeric)):
        return analytic == numeric
    size = max(abs(analytic), abs(numeric))
    floor = rounding if rounding <= RESOLVED * size or step >= WIDE else 0.0
    return abs(analytic - numeric) <= min(RELATIVE * size, SCALED * max(1.0, size)) + floor


def _distance(numeric: float, analytic: float) -> float:
    distance = abs(numeric - analytic)
    return math.inf if math.isnan(distance) else distance


def find_kink(line: Line) -> Kink | None:
    """The two slopes at a point where they differ however small the step; None where the function is smooth."""
    size = abs(line(1e-5) - line(-1e-5)) / 2e-5
    bend = abs(line.gap(1e-5) - line.gap(1e-3) / 100)
    if bend <= ROUNDINGS * line.noise() / 1e-5 + RELATIVE * size:
        return None
    line.measure_noise()
    return Kink(side(line, -1.0), side(line, 1.0)) if _stays(line) else None


def _stays(line: Line) -> bool:
    """Whether the gap between the two slopes stays as the step shrinks, down to where rounding hides it."""
    before, stayed = line.gap(1e-4), False
    for step in NARROWING:
        if ROUNDINGS * line.noise() / step > 0.3 * abs(before):
            break
        gap = line.gap(step)
        if abs(gap) < 0.7 * abs(before):
            return False
        before, stayed = gap, True
    return stayed


def side(line: Line, sign: float) -> float:
    """The slope on one side: infinite where it grows without end, NaN where the function has no value."""
    found = [line.side(sign * step) for step in (1e-4, *NARROWING)]
    grows = [abs(b) > 2 * abs(a) for a, b in pairwise(found)]
    if all(grows):
        return math.copysign(math.inf, found[-1])
    errors = [
        _distance(b, a) + ROUNDINGS * line.noise() / step
        for a, b, step in zip(found, found[1:], NARROWING, strict=False)
    ]
    return found[1 + errors.index(min(errors))]


def at_kink(line: Line, analytic: float, slope: Slope, kink: Kink) -> Slope:
    """The verdict where left and right differ: either of them is right, and everything between."""
    rounding = ROUNDINGS * line.noise() / NARROWING[0]
    near = min((slope.numeric, kink.left, kink.right), key=lambda numeric: _distance(numeric, analytic))
    between = min(kink.left, kink.right) <= analytic <= max(kink.left, kink.right)
    right = between or slope.agrees or any(agree(analytic, one, rounding, WIDE) for one in (kink.left, kink.right))
    return Slope(slope.step, slope.stencil, near, right, kink)
