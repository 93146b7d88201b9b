"""Another number of axes for what is missing, by what a refusal says of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from backend.engine.filling.asked import MOST_AXES, Asked, sizes_in
from backend.engine.filling.slots import State

MOST_IN_PATTERN = 6


def as_the_pattern(asked: Asked) -> Iterator[State]:
    """As many axes as a pattern of einops has on its left."""
    wanted = asked.refusal.facts.get("wanted")
    if not isinstance(wanted, int) or wanted > MOST_IN_PATTERN:
        return
    for name in asked.near:
        if len(asked.state.slots[name].axes) == asked.refusal.facts.get("found"):
            yield asked.state.with_axes(name, wanted).because([name], asked.refusal.quote)


def through_a_layer(asked: Asked) -> Iterator[State]:
    """An axis more before the last, where a layer has changed that one and a view names more: that of words."""
    facts = asked.refusal.facts
    shape, wanted = sizes_in(str(facts.get("shape", ""))), sizes_in(str(facts.get("wanted", "")))
    for name in asked.near if len(wanted) > len(shape) + 1 else ():
        if asked.state.shape(name)[:-1] == shape[:-1] and len(shape) > 1:
            state, (more,) = asked.state.fresh(1)
            slot = state.slots[name]
            axes = (*slot.axes[:-1], more, slot.axes[-1])
            slots = {**state.slots, name: replace(slot, axes=axes)}
            yield replace(state, slots=slots).because([name], asked.refusal.quote)


def other_axes(asked: Asked) -> Iterator[State]:
    """More axes, then fewer: of a tensor and those of the very same shape together, then of each alone."""
    ways = asked.state.with_axes_together, asked.state.with_axes
    for way, step, name in product(ways, (1, -1, 2, -2), asked.near):
        axes = len(asked.state.slots[name].axes) + step
        if 0 <= axes <= MOST_AXES:
            yield way(name, axes).because([name], asked.refusal.quote)


def counted_axes(asked: Asked) -> Iterator[State]:
    """One axis, where a text stops for a length that is that of several in one: labels, one for each row."""
    for name in asked.near:
        shape = asked.state.shape(name)
        if len(shape) > 1 and math.prod(shape) == asked.refusal.facts.get("m"):
            yield asked.state.with_axes(name, 1).because([name], asked.refusal.quote)
