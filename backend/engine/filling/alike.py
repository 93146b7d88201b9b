"""What is likely of missing tensors as a whole: as many axes or the same shape as others, sizes that the code wants."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from backend.engine.filling.asked import MOST_CELLS, Asked, pairs, shapes_told, sizes_in
from backend.engine.filling.slots import State

# Of matrices that have as many rows as columns.
SQUARE = re.compile(r"slogdet|logdet|det$|inv|cholesky|eigvals|matrix_power|trace$")
GATHERING = frozenset({"gather", "take_along_dim", "scatter", "scatter_add"})


def filling_a_view(asked: Asked) -> Iterator[State]:
    """A length that a view names is what its other lengths leave: 8 for `C`, where `view(B, T, C)` has 8·B·T cells."""
    cells = math.prod(sizes_in(str(asked.refusal.facts.get("shape", ""))))
    wanted = [int(size) for size in re.findall(r"-?\d+", str(asked.refusal.facts.get("wanted", "")))]
    for place, size in reversed([*enumerate(wanted)]):
        others = math.prod(wanted[:place] + wanted[place + 1 :])
        if size > 0 and others > 1 and cells % others == 0 and size in asked.state.lengths.values():
            yield from asked.reasoned(asked.state.agreed(size, cells // others))


def cut_by_a_view(asked: Asked) -> Iterator[State]:
    """An axis that a view cuts into several is as long as they are: `x.view(B, H, W, C)` of what was (B, L, C)."""
    shape = list(sizes_in(str(asked.refusal.facts.get("shape", ""))))
    wanted = [int(size) for size in re.findall(r"-?\d+", str(asked.refusal.facts.get("wanted", "")))]
    while shape and wanted and shape[0] == wanted[0]:
        del shape[0], wanted[0]
    while shape and wanted and shape[-1] == wanted[-1]:
        del shape[-1], wanted[-1]
    if len(shape) == 1 and len(wanted) > 1 and 0 < math.prod(wanted) <= MOST_CELLS and min(wanted) > 0:
        for axis in asked.state.having(shape[0]):
            yield from asked.reasoned([asked.state.resized(axis, math.prod(wanted))])


def parted(asked: Asked) -> Iterator[State]:
    """A length of which a view names a part that comes to nothing, as `C // block**2`: as many times what is left."""
    shape = list(sizes_in(str(asked.refusal.facts.get("shape", ""))))
    wanted = [int(size) for size in re.findall(r"-?\d+", str(asked.refusal.facts.get("wanted", "")))]
    if wanted.count(0) != 1 or -1 in wanted:
        return
    wanted.remove(0)
    for size in list(shape):
        if size in wanted:
            wanted.remove(size)
            shape.remove(size)
    for axis in asked.lengths if len(shape) == 1 else ():
        if asked.state.lengths[axis] == shape[0]:
            yield from asked.reasoned([asked.state.resized(axis, math.prod(wanted))])


def of_vectors(asked: Asked) -> Iterator[State]:
    """One axis for all that a product of two vectors is made of: with the first of their lengths."""
    state = asked.state
    if str(asked.refusal.facts.get("name", "")).rpartition(".")[2] not in ("dot", "vdot"):
        return
    for axis in dict.fromkeys(state.slots[name].axes[0] for name in asked.near if state.slots[name].axes):
        slots = {name: replace(state.slots[name], axes=(axis,)) for name in asked.near if state.slots[name].axes}
        yield replace(state, slots={**state.slots, **slots}).because([*slots], asked.refusal.quote)


def square(asked: Asked) -> Iterator[State]:
    """A matrix with as many rows as columns, where only such a one has an inverse or a determinant."""
    shape = sizes_in(str(asked.refusal.facts.get("shapes", "")))
    if SQUARE.search(str(asked.refusal.facts.get("name", ""))) and len(shape) > 1:
        yield from asked.reasoned(asked.state.agreed(shape[-2], shape[-1]))


def gathered(asked: Asked) -> Iterator[State]:
    """An index with as many axes as what it picks from, and as long along the first of them."""
    told, state = shapes_told(asked.refusal), asked.state
    if str(asked.refusal.facts.get("name", "")).rpartition(".")[2] not in GATHERING or len(told) < 2:
        return
    more = len(told[0]) - len(told[1])
    indices = [name for name in asked.near if state.slots[name].kind == "whole"]
    wholes = [name for name in asked.near if state.slots[name].kind == "decimals"]
    for other in wholes if more > 0 else ():  # a table of steps, picked from by a row of them
        yield state.with_axes(other, len(told[1])).because([other], asked.refusal.quote)
    for name, other in product(indices, wholes):
        axes = state.slots[other].axes[: len(state.slots[name].axes) + more]
        if axes:
            slots = {**state.slots, name: replace(state.slots[name], axes=axes)}
            yield replace(state, slots=slots).because([name], asked.refusal.quote)
    for name, other in product(indices, wholes if more < 0 else ()):  # scores for each place of several rows
        axes = (*state.slots[name].axes, *state.slots[other].axes[-1:])
        if len(axes) == len(state.slots[other].axes) - more:
            slots = {**state.slots, other: replace(state.slots[other], axes=axes)}
            yield replace(state, slots=slots).because([other], asked.refusal.quote)


def all_alike(asked: Asked) -> Iterator[State]:
    """All decimals that are near and have as many axes, of the same shape: queries and keys, two views of one thing."""
    state = asked.state
    slots = {name: slot for name, slot in state.slots.items() if name in asked.near and slot.kind == "decimals"}
    first = {len(slot.axes): slot for slot in reversed(slots.values())}
    alike = {name: first[len(slot.axes)] for name, slot in slots.items() if slot != first[len(slot.axes)]}
    if alike:
        yield replace(state, slots={**state.slots, **alike}).because(alike, asked.refusal.quote)


def all_decimals(asked: Asked) -> Iterator[State]:
    """Decimals for all that is near, where nothing but whole numbers is left: tokens that are embedded already."""
    wholes = [name for name in asked.near if asked.state.slots[name].kind == "whole"]
    state = asked.state
    for name in wholes:
        state = state.with_kind(name, "decimals")
    if len(wholes) > 1:
        yield state.because(wholes, asked.refusal.quote)


def halves(asked: Asked) -> Iterator[State]:
    """A length of two parts that should be as long as each other: the corners of a box, `x[:, :2]` and `x[:, 2:]`."""
    for m, n in dict.fromkeys(pairs(asked.refusal)):
        for size in (2 * n, 2 * m) if m != n else ():
            yield from (asked.state.enlarged(number, size) for number in asked.state.having(m + n))


def as_wanted(asked: Asked) -> Iterator[State]:
    """Sizes with which the code doesn't stop: equal, or so many times what they are divided by."""
    size, divisor = asked.refusal.facts.get("m"), asked.refusal.facts.get("divisor")
    for m, n in pairs(asked.refusal):
        yield from asked.reasoned(asked.state.agreed(m, n))
    if isinstance(size, int) and isinstance(divisor, int) and divisor > 0:
        for number in asked.state.having(size):
            yield asked.state.enlarged(number, math.lcm(asked.state.lengths[number], divisor))
