"""A scalar function f(t) near t = 0 in float64: difference quotients and an estimate of its rounding error."""

from __future__ import annotations

import math
from collections.abc import Callable

EPSILON = 2.0**-52
# A difference of values is trusted down to this many times the rounding of one value.
ROUNDINGS = 16.0
# What further off than this many steps has no say in how the values round.
FAR = 1e3
# Where noise is looked for, how closely, and how many times the rounding of the result it may be.
BESIDE, CLOSE, MOST_SCATTER = 3e-6, 1e-10, 1e6
STENCILS = {
    2: ((1, 1 / 2), (-1, -1 / 2)),
    4: ((1, 2 / 3), (-1, -2 / 3), (2, -1 / 12), (-2, 1 / 12)),
}


class Line:
    """A function f(t) with cached values; `spent` counts its evaluations."""

    def __init__(self, function: Callable[[float], float], at_zero: float) -> None:
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
        """The central difference with a stencil of two or four points."""
        return sum(weight * self(place * step) for place, weight in STENCILS[stencil]) / step

    def side(self, step: float) -> float:
        """The one-sided slope from three values; the left one for a negative step."""
        return (4 * self(step) - 3 * self(0.0) - self(2 * step)) / (2 * step)

    def gap(self, step: float) -> float:
        """Right slope minus left slope, from three values: it vanishes with the step except at a kink."""
        return (self(step) - 2 * self(0.0) + self(-step)) / step

    def rounding(self, step: float) -> float:
        """A slope's rounding error: an ulp of the largest value nearby, or the measured noise, divided by the step.

        Values a thousand steps away don't count: they may be much larger, as those of exp are.
        """
        near = (value for t, value in self.known.items() if abs(t) <= FAR * abs(step) and math.isfinite(value))
        size = max(map(abs, near), default=0.0)
        return ROUNDINGS * max(EPSILON * size, self.scatter) / abs(step)

    def measure_scatter(self) -> None:
        """Estimate the noise in the values, from third differences at steps so small that the function is linear.

        After Moré and Wild, Estimating Computational Noise, SIAM J. Sci. Comput. 33 (2011). It is measured
        beside zero, where a kink or a jump at zero can't be mistaken for noise.
        """
        most = MOST_SCATTER * EPSILON * max(abs(self(0.0)), abs(self(BESIDE)) if math.isfinite(self(BESIDE)) else 0.0)
        for side in (1.0, -1.0):
            values = [self(side * (BESIDE + place * CLOSE)) for place in range(6)]
            third = [values[i + 3] - 3 * values[i + 2] + 3 * values[i + 1] - values[i] for i in range(3)]
            if all(map(math.isfinite, third)):
                self.scatter = min(max(map(abs, third)) / math.sqrt(20), most)
                return
