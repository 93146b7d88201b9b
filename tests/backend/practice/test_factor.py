"""How a factor is written by which two gradients differ."""

import math

import pytest

from backend.practice.factor import _number


@pytest.mark.parametrize(
    ("value", "told"),
    [
        *((32.0, "32"), (-0.5, "-1/2"), (1 / 32, "1/32"), (-1 / 64, "-1/64")),
        *((1 / math.sqrt(5), "1/math.sqrt(5)"), (-math.sqrt(1023), "-math.sqrt(1023)"), (1 / 65, "0.0154")),
    ],
)
def test_a_factor_is_said_as_plainly_as_it_can_be(value: float, told: str) -> None:
    assert _number(value) == told
