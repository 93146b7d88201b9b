"""Slopes of functions whose derivative is known: smooth, bent, rough, torn, and all of them tampered with."""

from __future__ import annotations

import math
from typing import Any

import pytest

from backend.inspect.finite_differences.estimate import measure
from backend.inspect.finite_differences.line_function import Line

SMOOTH = {
    "line": (lambda t: 3.0 * t + 1.0, 3.0),
    "parabola": (lambda t: t * t + 1.0, 0.0),
    "sine": (lambda t: math.sin(t + 0.3), math.cos(0.3)),
    "exponential": (lambda t: math.exp(40 * t), 40.0),
    "steep": (lambda t: math.tanh(1e4 * t + 0.5), 1e4 * (1 - math.tanh(0.5) ** 2)),
    "steeper": (lambda t: math.tanh(1e7 * t + 0.5), 1e7 * (1 - math.tanh(0.5) ** 2)),
    "logarithm of little": (lambda t: math.log(t + 1e-7) if t > -1e-7 else math.nan, 1e7),
    "root of little": (lambda t: math.sqrt(t + 3e-8) if t > -3e-8 else math.nan, 0.5 / math.sqrt(3e-8)),
    "nothing by its norm": (lambda t: 0.3 * t / max(abs(t), 1e-12) + 0.2, 0.3e12),
    "smooth modulus": (lambda t: math.sqrt(t * t + 1e-12), 0.0),
    "small": (lambda t: 1e-6 * math.sin(t + 0.3), 1e-6 * math.cos(0.3)),
    "small beside one": (lambda t: 1.0 + 1e-6 * math.sin(t + 0.3), 1e-6 * math.cos(0.3)),
    "large": (lambda t: 1e9 * math.sin(t + 0.3), 1e9 * math.cos(0.3)),
    "cancelled": (lambda t: (math.sin(t + 0.3) + 1e6) - 1e6, math.cos(0.3)),
    "kink a thousandth away": (lambda t: abs(t - 1e-3) + 2 * t, 1.0),
    "kink a millionth away": (lambda t: abs(t - 1e-6) + 2 * t, 1.0),
    "kink very near": (lambda t: abs(t - 3e-9) + 2 * t, 1.0),
    "step nearby": (lambda t: float(t > 1e-6) + 2 * t, 2.0),
}
KINKS = {
    "modulus": (lambda t: abs(t) + 2 * t, 1.0, 3.0),
    "ramp": (lambda t: max(t, 0.0), 0.0, 1.0),
    "ramp on a hill": (lambda t: math.cos(t + 1) + 1e-3 * max(t, 0.0), -math.sin(1), -math.sin(1) + 1e-3),
    "root": (lambda t: math.sqrt(t) if t >= 0 else math.nan, math.nan, math.inf),
    "step": (lambda t: float(t >= 0) + 2 * t, math.inf, 2.0),
    "power": (lambda t: t**1.5 if t >= 0 else math.nan, math.nan, 0.0),
    "cusp": (lambda t: abs(t) ** 0.5, -math.inf, math.inf),
}
WRONG = {
    "a thousandth too large": lambda slope: slope * 1.001,
    "a thousandth too small": lambda slope: slope * 0.999,
    "twice": lambda slope: slope * 2,
    "the other sign": lambda slope: -slope,
    "zero": lambda _: 0.0,
    "NaN": lambda _: math.nan,
    "infinite": lambda _: math.inf,
}


def line(function: Any) -> Any:
    return Line(function, function(0.0))


@pytest.mark.parametrize("name", SMOOTH)
def test_a_right_slope_agrees_and_has_no_kink(name: Any) -> None:
    function, slope = SMOOTH[name]
    found = measure(line(function), slope)
    assert found.agrees
    assert found.kink is None
    assert abs(found.numeric - slope) <= 1e-6 * max(1.0, abs(slope))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", SMOOTH)
def test_a_wrong_slope_does_not(name: Any, wrong: Any) -> None:
    function, slope = SMOOTH[name]
    claimed = WRONG[wrong](slope)
    if claimed == slope:
        pytest.skip("the slope is zero")
    found = measure(line(function), claimed)
    assert not found.agrees
    assert found.settled
    assert found.kink is None


@pytest.mark.parametrize("wrong", [1e-3, 1e-6, 1e-8, -1e-8])
def test_a_small_slope_where_there_is_none(wrong: Any) -> None:
    assert not measure(line(lambda t: t * t + 1.0), wrong).agrees


@pytest.mark.parametrize("name", KINKS)
def test_a_kink_says_so_with_both_slopes(name: Any) -> None:
    function, left, right = KINKS[name]
    found = measure(line(function), right)
    assert found.agrees
    assert found.kink is not None
    assert found.kink.left == pytest.approx(left, abs=1e-6, nan_ok=True)
    assert found.kink.right == pytest.approx(right, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("part", [0.0, 0.25, 0.5, 1.0])
def test_what_lies_between_two_slopes_is_right(part: Any) -> None:
    assert measure(line(lambda t: abs(t) + 2 * t), 1.0 + 2 * part).agrees


@pytest.mark.parametrize("slope", [0.999, 3.001, -3.0, math.nan, math.inf])
def test_what_lies_outside_is_not(slope: Any) -> None:
    found = measure(line(lambda t: abs(t) + 2 * t), slope)
    assert not found.agrees
    assert found.kink is not None


def test_rounding_excuses_no_more_than_it_must() -> None:
    """The slope is a billionth beside a function of size one: rounding hides it, but not one a hundred times as big."""
    function = line(lambda t: 1.0 + 1e-9 * t)
    assert measure(function, 1e-9).agrees
    assert not measure(function, 1e-7).agrees
    assert not measure(function, -1e-7).agrees


def test_most_slopes_take_six_values() -> None:
    looked = line(lambda t: math.sin(t + 0.3))
    measure(looked, math.cos(0.3))
    assert looked.spent == 6


def test_a_function_that_fails_everywhere_else() -> None:
    found = measure(line(lambda t: 1.0 if t == 0 else math.nan), 1.0)
    assert not found.agrees
