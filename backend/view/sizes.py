"""Numbers in prose: two digits are enough to feel a size."""

from __future__ import annotations

import math

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def size_text(value: float) -> str:
    """A size as one reads it: `0.031`, `6·10⁻⁹`, `∞`."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞"
    if value == 0 or 1e-3 <= value < 1e5:
        return f"{value:.2g}" if value < 100 else f"{value:.0f}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"
