"""Pictures among what is missing: their axes, sides and channels, by what a refusal says of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from backend.engine.filling.asked import MOST_CELLS, Asked, pairs, shapes_told, sizes_in
from backend.engine.filling.slots import State

ROWS = re.compile(r"(?:view|reshape)\(\s*[^()]*,\s*(\d+(?:\s*\*\s*\d+)*)\s*\)")
MATRICES = re.compile(r"\b(\w+)\.(?:view|reshape)\(\s*-1,\s*(\d+),\s*(\d+)\s*\)")
POOLS = ("F.max_pool", "F.avg_pool", "F.adaptive_", "F.interpolate", "F.lp_pool")
OF_PICTURE = 4  # axes: example, channel, height, width
# Heights and widths of images: the small ones first, enough where nothing behind the convolutions counts them.
SIDES = (8, 12, 16, 28, 32, 64, 84, 7, 5, 224)
STRIDES, LONGEST = (4, 2, 8, 16, 1, 32), 256  # of all convolutions and pools together; a side
LARGE, FEW = 20_000, 2  # cells of a picture beyond which there are few examples


def of_patches(asked: Asked) -> Iterator[State]:
    """A picture whose places, and those that are put before them, are as many as it meets: 64 and 1 where 65 are."""
    state = asked.state
    for (met, wanted), name in product(pairs(asked.refusal), asked.near):
        *_, height, width = (0, 0, *state.slots[name].axes)
        more = met - math.prod(state.shape(name)[-2:])
        side = math.isqrt(max(wanted - more, 0))
        if len(state.slots[name].axes) > 2 and 0 <= more <= 2 and side > 1 and side * side == wanted - more:
            yield state.resized(height, side).resized(width, side).because([name], asked.refusal.quote)


def sides(asked: Asked, times: float = 1.0) -> Iterator[State]:
    """Pictures, rows and volumes with other sides, so many `times` as long first."""
    pictures = [name for name in asked.near if len(asked.state.slots[name].axes) > 2]
    pictures = [name for name in pictures if asked.state.slots[name].kind == "decimals"]
    shortest = min((min(asked.state.shape(name)[2:]) for name in pictures), default=0)
    wanted = {side: shortest < side < shortest * (times + 1) for side in SIDES} if times > 1 else {}
    for side, name in product(sorted(SIDES, key=lambda one: not wanted.get(one)), pictures):
        yield from _with_side(asked, name, side)


def _with_side(asked: Asked, name: str, side: int) -> Iterator[State]:
    """The same with so many cells along each side of a picture."""
    first = _first_place(asked, name)
    state = asked.state.apart(name, first)
    if side > 1 and side not in asked.state.shape(name)[first:]:
        for axis in state.slots[name].axes[first:]:
            state = state.resized(axis, side)
        few = {state.slots[name].axes[0]: FEW} if math.prod(state.shape(name)) > LARGE else {}
        yield replace(state, lengths={**state.lengths, **few}).because([name], asked.refusal.quote)


def _first_place(asked: Asked, name: str) -> int:
    """Where the places of a picture begin: behind its channels, which are the first of one that is in no batch."""
    axes = len(asked.state.slots[name].axes)
    is_alone = axes == OF_PICTURE - 1 and "2d" in str(asked.refusal.facts.get("name", ""))
    return (1 if is_alone else 2) - axes


def _strided(asked: Asked, met: int, wanted: int) -> Iterator[State]:
    """Pictures of which so many places are left as are wanted: each place more takes a whole stride of cells."""
    for name, stride in product(_with_pictures(asked).near, STRIDES):
        side = asked.state.shape(name)[-1] + stride * (wanted - met)
        usual = [one for one in SIDES if abs(one - side) < stride]
        for one in [*usual, side] if side <= LONGEST else ():
            yield from _with_side(asked, name, one)


def as_pictures(asked: Asked) -> Iterator[State]:
    """What a kernel is laid on has as many axes as the kernel: all that is near and has too few, alike."""
    told = shapes_told(asked.refusal)
    if not str(asked.refusal.facts.get("name", "")).startswith("F.conv") or len(told) < 2 or len(told[1]) < 2:
        return
    axes, kernel = len(told[0]), told[1]
    slots = asked.state.slots
    few = [one for one in asked.near if len(slots[one].axes) == axes and slots[one].kind == "decimals"]
    channels = kernel[0 if "transpose" in str(asked.refusal.facts["name"]) else 1]
    for alike in dict.fromkeys([tuple(few[:1]), tuple(few)]) if axes < len(kernel) and few else ():
        state = asked.state.with_axes(few[0], len(kernel))
        picture = state.slots[few[0]]
        state = state.resized(picture.axes[1], max(channels // len(alike), 1))
        made = replace(state, slots={**state.slots, **dict.fromkeys(alike, picture)})
        yield made.because(alike, asked.refusal.quote)


def with_channels(asked: Asked) -> Iterator[State]:
    """A picture with as many channels as a kernel wants of it, in all its groups."""
    told, wanted = shapes_told(asked.refusal), asked.refusal.facts.get("n")
    if not str(asked.refusal.facts.get("name", "")).startswith("F.conv") or not isinstance(wanted, int) or not told:
        return
    for name in asked.near:
        shape = asked.state.shape(name)
        if shape == told[0] and len(shape) == len(told[-1]):
            made = asked.state.placed(name, asked.state.slots[name].kind, [shape[0], wanted, *shape[2:]])
            yield made.because([name], asked.refusal.quote)


def larger_than_the_kernel(asked: Asked) -> Iterator[State]:
    """Other sides at once, where what is left of a picture is smaller than the kernel: nothing else is wrong there."""
    told = shapes_told(asked.refusal)
    if str(asked.refusal.facts.get("name", "")).startswith("F.conv") and len(told) > 1:
        picture, kernel = told[:2]
        times = max((b / max(a, 1) for a, b in zip(picture[2:], kernel[2:], strict=False)), default=0)
        if picture[1:2] == kernel[1:2] and times > 1:
            yield from sides(asked, times)
            if len(kernel) == OF_PICTURE:
                yield from _strided(asked, picture[-1], kernel[-1])


def as_pooled(asked: Asked) -> Iterator[State]:
    """Pictures where one is made smaller or larger: with all their axes, then with sides that are large enough."""
    name, shape = str(asked.refusal.facts.get("name", "")), sizes_in(str(asked.refusal.facts.get("shapes", "")))
    if not name.startswith(POOLS) or not shape:
        return
    for one in asked.near if len(shape) < OF_PICTURE - 1 and name[-2:-1] != "1" else ():
        if asked.state.shape(one) == shape:
            yield asked.state.with_axes(one, OF_PICTURE).because([one], asked.refusal.quote)
    yield from sides(_with_pictures(asked))


def counted_behind(asked: Asked) -> Iterator[State]:
    """Other sides, where a layer behind a picture counts the cells of what is left of it."""
    told = shapes_told(asked.refusal)
    if asked.refusal.facts.get("name") != "F.linear" or len(told) < 2:
        return
    met, wanted = told[0][-1], told[1][-1]
    pooled = [
        name for name in asked.near if asked.state.shape(name)[1:2] == (met,) and len(asked.state.shape(name)) > 2
    ]
    for name in pooled:  # a channel is one number there, however large the picture
        yield from (one.because([name], asked.refusal.quote) for one in asked.state.agreed(met, wanted))
    for name in asked.near:
        yield from _of_cells(asked, name, wanted)
    if len(told[0]) < OF_PICTURE:  # a picture that is given to it as it is has been made no row
        pictures, times = _with_pictures(asked), math.sqrt(wanted / max(met, 1))
        yield from _strided(asked, *_of_side(met, wanted))
        for name in pictures.near:  # as many times as long, where convolutions leave pictures as large as they are
            yield from _with_side(asked, name, round(times * asked.state.shape(name)[-1]))
        yield from sides(pictures, times)


def _of_side(met: int, wanted: int) -> tuple[int, int]:
    """The sides of two square pictures that have so many cells together with the same channels; 0 where none have."""
    for side in range(1, math.isqrt(met) + 1):
        channels, left = divmod(met, side * side)
        other = math.isqrt(wanted // max(channels, 1))
        if left == 0 and other * other * channels == wanted:
            return side, other
    return 0, 0


def _of_cells(asked: Asked, name: str, cells: int) -> Iterator[State]:
    """A picture of so many cells: square, in grey or in colour, or with the channels that it has."""
    state = asked.state.apart(name)
    axes = state.slots[name].axes
    if len(axes) != OF_PICTURE:
        return
    _, channels, height, width = axes
    for count in dict.fromkeys([1, 3, state.lengths[channels]]):
        side = math.isqrt(cells // count)
        if count * side * side == cells and side > 1:
            made = state.resized(height, side).resized(width, side).resized(channels, count)
            yield made.because([name], asked.refusal.quote)


def _with_pictures(asked: Asked) -> Asked:
    return replace(asked, near=[name for name in asked.near if len(asked.state.slots[name].axes) == OF_PICTURE])


def of_matrices(asked: Asked) -> Iterator[State]:
    """What is viewed as so many matrices has them in its last axes: `x.view(-1, 2, 3)`."""
    found = MATRICES.search(asked.refusal.quote)
    for name in asked.near if found else ():
        shape = asked.state.shape(name)
        wanted = [int(size) for size in (found[2], found[3])] if found else []
        if found and name.rpartition(".")[2] == found[1] and len(shape) > 2 and list(shape[-2:]) != wanted:
            made = asked.state.placed(name, asked.state.slots[name].kind, [*shape[:-2], *wanted])
            yield made.because([name], asked.refusal.quote)


def viewed(asked: Asked) -> Iterator[State]:
    """What is viewed as rows of so many cells has them: in its last axis, or as a picture."""
    found = ROWS.search(asked.refusal.quote)
    if found is None:
        return
    cells = math.prod(map(int, found[1].split("*")))
    for name in asked.near if 1 < cells <= MOST_CELLS else ():
        slot = asked.state.slots[name]
        yield from _of_cells(asked, name, cells)
        if slot.axes and slot.axes[-1] not in asked.state.bound and len(slot.axes) < 3:
            yield asked.state.resized(slot.axes[-1], cells).because([name], asked.refusal.quote)
    yield from sides(_with_pictures(asked))
