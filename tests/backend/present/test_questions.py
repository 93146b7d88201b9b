"""What comes of a wrong answer, in numbers that a reader can check."""

from __future__ import annotations

import pytest

from backend.present.questions import ratio_text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (31.0, "31 times too large"), (1 / 32, "32 times too small"), (-1.0, "with the wrong sign"),
        (384.0**2, "1.47·10⁵ times too large"), (320.0**-2, "1.02·10⁵ times too small"),
        (-(400.0**2), "1.6·10⁵ times too large, and with the wrong sign"),
    ],
)  # fmt: skip
def test_a_factor_is_told_to_a_hundredth_of_itself(ratio: float, text: str) -> None:
    assert ratio_text(ratio) == text
