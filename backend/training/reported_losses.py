"""Which losses a report tells: those of steps that every other run with the same seed tells, too."""

from __future__ import annotations

from collections.abc import Sequence

from backend.engine.encode import number
from backend.present.picture_types import JsonNumber

Point = tuple[int, JsonNumber, JsonNumber]  # step, loss and smoothed loss
MOST_POINTS = 50  # losses in one report


def points(first: int, losses: Sequence[float], smoothed: Sequence[float]) -> list[Point]:
    """At most `MOST_POINTS` of the losses from step `first` on, each with its step and the smoothed loss there.

    They are every step, every second one, every fourth and so on, counted from step 0: of two runs that are told at
    different speeds, the slower one tells every step that the faster one does.
    """
    every = 1
    while len(losses) > MOST_POINTS * every:
        every *= 2
    steps = range(first + -first % every, first + len(losses), every)
    return [(step, number(losses[step - first]), number(smoothed[step - first])) for step in steps]
