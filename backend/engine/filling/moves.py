"""What a refusal says of the shapes and kinds that were supposed: which others to try, the likeliest first."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product

from backend.engine.filling.alike import (
    all_alike,
    all_decimals,
    as_wanted,
    cut_by_a_view,
    filling_a_view,
    gathered,
    halves,
    of_vectors,
    parted,
    square,
)
from backend.engine.filling.asked import (
    JOINING,
    LARGEST,
    MOST_AXES,
    MOST_CELLS,
    Asked,
    joined_along,
    pairs,
    shapes_told,
    sizes_in,
    told_sizes,
)
from backend.engine.filling.axes import as_the_pattern, counted_axes, other_axes, through_a_layer
from backend.engine.filling.by_name import WIDTH
from backend.engine.filling.pictures import (
    as_pictures,
    as_pooled,
    counted_behind,
    larger_than_the_kernel,
    of_matrices,
    of_patches,
    sides,
    viewed,
    with_channels,
)
from backend.engine.filling.slots import Kind, State

OF_KINDS: dict[str, tuple[Kind, ...]] = {
    "whole-numbers-wanted": ("whole",),
    "index-kind": ("whole", "mask"),
    "whole-numbers": ("decimals", "whole"),
    "bitwise-decimals": ("mask", "whole"),
    "class-out-of-range": ("whole",),
    "operation-fails": ("mask", "whole", "decimals"),
    "shapes-do-not-fit": ("mask", "whole"),
    "no-backward-rule": ("decimals",),
}
OF_AXES = frozenset({"operation-fails/axis", "operation-fails/sizes", "too-many-indices", "axis-missing"})
# What a layer is made with, whatever it is given.
OF_LAYERS = frozenset({"shapes-do-not-fit/groups", "shapes-do-not-fit/empty"})
# What other shapes may help against; a class that isn't in the code is missing whatever they are.
OF_SHAPES = frozenset({
    "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "operation-fails", "axis-missing",
    "reshape-mismatch", "view-apart", "unpack-count", "too-many-indices", "index-kind", "index-out-of-range",
    "place-out-of-range", "class-out-of-range", "whole-numbers", "whole-numbers-wanted", "loss-not-scalar",
    "found-einops", "found-condition", "found-shape", "subscript-kind", "no-tensor-assigned", "operand-kind",
    "no-backward-rule", "bitwise-decimals", "pad-mode", "list-shared",
})  # fmt: skip
CLASSIFYING = frozenset({"F.cross_entropy", "F.nll_loss"})
MULTIPLES = (2, 4, 3, 6, 8)
EQUATION = re.compile(r"['\"]([^'\"]*)->")


Moves = Callable[[Asked], Iterator[State]]


def moves(asked: Asked) -> Iterator[State]:
    """States to try after a refusal, the likeliest first."""
    if asked.refusal.entry in OF_LAYERS:
        yield from as_wanted(asked)
        return
    if asked.refusal.entry in OF_AXES:  # nothing but the number of axes is wrong there
        yield from other_axes(asked)
    for codes, ways in WAYS:
        if asked.refusal.code in codes:
            yield from ways(asked)


def _agreeing(asked: Asked) -> Iterator[State]:
    """Lengths that met and don't agree become one."""
    for m, n in pairs(asked.refusal):
        yield from asked.reasoned(asked.state.agreed(m, n))


def _joined_alike(asked: Asked) -> Iterator[State]:
    """What is joined has the axes of the first tensor, but for the one along which it is joined."""
    told = shapes_told(asked.refusal)
    if asked.refusal.facts.get("name") not in JOINING or len({len(one) for one in told}) < 2:
        return
    state, most = asked.state, max(map(len, told))
    alike = next((state.slots[name].axes for name in asked.near if len(state.shape(name)) == most), None)
    few = [name for name in asked.near if state.shape(name) in told and 0 < len(state.shape(name)) < most]
    for name in few if alike else ():
        slot, place = state.slots[name], joined_along(asked.refusal) % most
        axes = tuple(slot.axes[-1] if at == place else axis for at, axis in enumerate(alike or ()))
        state = replace(state, slots={**state.slots, name: replace(slot, axes=axes)})
    yield state.because(few, asked.refusal.quote)


def _squeezed(asked: Asked) -> Iterator[State]:
    """An axis that was to be taken away has length 1, where what is joined has one axis more: `context.squeeze(1)`."""
    told = shapes_told(asked.refusal)
    if asked.refusal.facts.get("name") not in JOINING or len({len(one) for one in told}) != 2:
        return
    most, least = (end(map(len, told)) for end in (max, min))
    for size in next(one for one in told if len(one) == most)[: most - least + 1]:
        if size > 1:
            yield from asked.reasoned(asked.state.agreed(size, 1))


def _as_many(asked: Asked) -> Iterator[State]:
    """As many targets as there are predictions: what is read as one row has the first axes of what these come from."""
    told, state = shapes_told(asked.refusal), asked.state
    if asked.refusal.facts.get("name") not in CLASSIFYING or len(told) < 2 or len(told[1]) != 1:
        return
    for name, other in product(asked.near, state.slots):
        for most in range(2, len(state.slots[other].axes) + 1):
            axes = state.slots[other].axes[:most]
            wanted = math.prod(state.lengths[axis] for axis in axes) == told[0][0]
            if wanted and math.prod(state.shape(name)) == told[1][0]:
                slots = {**state.slots, name: replace(state.slots[name], axes=axes)}
                yield replace(state, slots=slots).because([name], asked.refusal.quote)


def _by_letters(asked: Asked) -> Iterator[State]:
    """The lengths that go by one letter of an equation become one, all at once."""
    found = EQUATION.search(asked.refusal.quote)
    if asked.refusal.facts.get("name") != "torch.einsum" or found is None:
        return
    shapes = shapes_told(asked.refusal)
    terms = [term.split() if " " in term.strip() else [*term.strip()] for term in found[1].split(",")]
    sizes: dict[str, int] = {}
    state = asked.state
    for letters, shape in zip(terms, shapes, strict=False):
        for letter, size in zip(letters, shape, strict=False):
            first = sizes.setdefault(letter, size)
            state = next(state.agreed(first, size), state)
    yield from asked.reasoned([state])


def _joined(asked: Asked) -> Iterator[State]:
    """A length that is the sum of two free ones, as of what is joined: both of them half of what is wanted, or one."""
    state = asked.state
    free = [number for number in state.lengths if number not in state.bound]
    for met, wanted in pairs(asked.refusal):
        for a, b in combinations(free, 2):
            m, n = state.lengths[a], state.lengths[b]
            if m + n == met and m != n:
                if wanted % 2 == 0:
                    yield from asked.reasoned([state.resized(a, wanted // 2).resized(b, wanted // 2)])
                yield from asked.reasoned([state.resized(b, wanted - m)] if wanted > m else [])
                yield from asked.reasoned([state.resized(a, wanted - n)] if wanted > n else [])
        for axis in free:  # joined with something of a length that stays
            rest = met - state.lengths[axis]
            if 0 < rest < wanted:
                yield from asked.reasoned([state.resized(axis, wanted - rest)])


def _ones(asked: Asked) -> Iterator[State]:
    """One of what is laid in one row by mistake: `view(1, 1, -1)` of a word's vector leaves room for one word."""
    state = asked.state
    free = [axis for axis in asked.lengths if axis not in state.bound and state.lengths[axis] > 1]
    for met, wanted in pairs(asked.refusal):
        many, few = max(met, wanted), max(min(met, wanted), 1)
        for some in (*combinations(free, 1), *combinations(free, 2)) if many % few == 0 else ():
            if math.prod(state.lengths[axis] for axis in some) == many // few:
                made = state
                for axis in some:
                    made = made.resized(axis, 1)
                yield from asked.reasoned([made])


def _alike(asked: Asked) -> Iterator[State]:
    """A tensor of the shape of another one that it met."""
    told = shapes_told(asked.refusal)
    for name, shape in product(asked.near, dict.fromkeys(told)):
        if asked.state.shape(name) != shape:
            yield asked.state.placed(name, asked.state.slots[name].kind, shape).because([name], asked.refusal.quote)


def _single(asked: Asked) -> Iterator[State]:
    """Of what the loss has several of, one."""
    for size in sizes_in(str(asked.refusal.facts.get("shape", ""))):
        yield from asked.reasoned(asked.state.agreed(size, 1))


def _of_kind(asked: Asked) -> Iterator[State]:
    for kind, name in product(OF_KINDS[asked.refusal.code], asked.near):
        if asked.state.slots[name].kind != kind:
            yield asked.state.with_kind(name, kind).because([name], asked.refusal.quote)


def _unpacked(asked: Asked) -> Iterator[State]:
    """A shape or a tensor is unpacked into so many names."""
    state, names, found = asked.state, asked.refusal.facts.get("names"), asked.refusal.facts.get("found")
    if not isinstance(names, int) or not isinstance(found, int):
        return
    for name in asked.near:
        if len(state.slots[name].axes) == found and names <= MOST_AXES:
            yield state.with_axes(name, names).because([name], asked.refusal.quote)
    for number in state.having(found):
        yield state.resized(number, names)
    # What is cut into equal parts has so many times the length of one.
    numerals = [(-1, size) for size in asked.numerals if 0 < size <= LARGEST]
    parts = [*((axis, state.lengths[axis]) for axis in asked.lengths), *numerals]
    wholes = dict.fromkeys(axis for name in reversed(asked.near) for axis in state.slots[name].axes)
    for axis, (part, size) in product(wholes, parts):
        if axis != part and axis not in state.bound:
            yield from asked.reasoned([state.resized(axis, names * size)])


def _divided(asked: Asked) -> Iterator[State]:
    """Lengths that can be divided, then those that the program names; of those that the refused shapes are made of."""
    state, lengths = asked.state, _met(asked)
    for times in dict.fromkeys([*(number for number in asked.numerals if 1 < number <= 16), *MULTIPLES]):
        for axis in lengths:
            if axis not in state.bound and state.lengths[axis] % times:
                yield state.enlarged(axis, state.lengths[axis] * times)
    for axis, size in product(lengths, asked.numerals):
        if 1 <= size <= LARGEST and size != state.lengths[axis]:
            yield state.resized(axis, size)


def _met(asked: Asked) -> list[int]:
    """The lengths near a refusal that its sizes are made of: the same, so many times it, or a part of it."""
    told = {size for size in told_sizes(asked.refusal) if size > 1}
    lengths = ((axis, asked.state.lengths[axis]) for axis in asked.lengths)
    return [axis for axis, length in lengths if length < 2 or any(_is_made(size, length) for size in told)]


def _is_made(size: int, length: int) -> bool:
    """Whether a size comes of a length that is multiplied or divided."""
    return size % length == 0 or any(length // part == size for part in (2, 3, 4, 8))


def _longer(asked: Asked) -> Iterator[State]:
    """Lengths beyond the places that are picked by number."""
    state, least = asked.state, max([WIDTH, *(number for number in asked.numerals if number <= LARGEST)])
    for axis in asked.lengths:
        if state.lengths[axis] <= least and axis not in state.bound:
            yield state.enlarged(axis, state.unused(least + 1))


def _longer_than_none(asked: Asked) -> Iterator[State]:
    """Lengths of which something is left, where none of an axis is: behind `x[:, size:]`."""
    if 0 in told_sizes(asked.refusal):
        yield from _longer(asked)


def _laid_out(asked: Asked) -> Iterator[State]:
    """What is viewed in several axes as long as they are: the last of them as one, or each of them an axis."""
    facts = asked.refusal.facts
    shape, wanted = (
        sizes_in(str(facts["shape"])),
        [int(size) for size in re.findall(r"-?\d+", str(facts.get("wanted", "")))],
    )
    sizes = [None if size == -1 else size for size in wanted]
    if 0 in sizes:
        return
    # an axis that is asked for as it is stays one by itself
    kept = [place for place, (has, size) in enumerate(zip(shape, sizes, strict=False)) if place and has == size]
    own = max(kept, default=-1)
    cuts = sorted(range(1, len(sizes) + 1), key=lambda cut: (cut != own + 2, cut != len(shape), cut != 3))
    for name, cut in product([one for one in asked.near if asked.state.shape(one) == shape], cuts):
        head, tail = sizes[: cut - 1], sizes[cut - 1 :]
        cells = None if None in tail else math.prod(size for size in tail if size is not None)
        made = asked.state.placed(name, asked.state.slots[name].kind, [*head, cells])
        if made.shape(name) != shape and cut <= MOST_AXES and (cells or 0) <= MOST_CELLS:
            yield made.because([name], asked.refusal.quote)


def _met_in_a_view(asked: Asked) -> Iterator[State]:
    """A length that a view names and its tensor hasn't, and one that the tensor has and the view doesn't name."""
    has = list(sizes_in(str(asked.refusal.facts.get("shape", ""))))
    wanted = [int(size) for size in re.findall(r"-?\d+", str(asked.refusal.facts.get("wanted", "")))]
    from_right = list(zip(reversed(has), reversed(wanted), strict=False))
    pairs = [*from_right, *zip(has, wanted, strict=False)]
    # in front of a length that is left open nothing has a place of its own
    for ours, theirs in pairs if wanted[:1] == [-1] else [*zip(has, wanted, strict=False), *from_right]:
        if theirs > 0 and ours not in wanted and theirs not in has:
            for one in _made_of(asked, ours):
                yield from asked.reasoned(asked.state.agreed(one, theirs))


def _parted_in_a_view(asked: Asked) -> Iterator[State]:
    """A length of which a view names a part, as `C // heads`, is that of an axis which the view hasn't got."""
    state, facts = asked.state, asked.refusal.facts
    shape, wanted = sizes_in(str(facts.get("shape", ""))), sizes_in(str(facts.get("wanted", "")))
    for axis, size in product(asked.lengths, dict.fromkeys(shape)):
        length = state.lengths[axis]
        is_parted = length not in shape and any(length // part in wanted for part in range(2, length // 2 + 1))
        if is_parted and size not in wanted and size != length:
            yield from asked.reasoned([state.resized(axis, size)])


def _made_of(asked: Asked, size: int) -> list[int]:
    """The lengths that a size is made of, as that of several axes in one is; the size itself where it is a length."""
    if size in asked.state.lengths.values():
        return [size]
    lengths = [length for name in asked.near for length in asked.state.shape(name)]
    return [*dict.fromkeys(length for length in lengths if length > 1 and size % length == 0), size]


def _between(asked: Asked) -> Iterator[State]:
    """Numbers from 0 to 1, for all that the place is made of."""
    state = asked.state
    for name in asked.near:
        if state.slots[name].kind == "decimals":
            state = state.with_kind(name, "unit").because([name], asked.refusal.quote)
    yield state


def _named_size(asked: Asked) -> Iterator[State]:
    """The last axis of a tensor as long as a size that the program names, however large."""
    for size, name in product(asked.numerals, asked.near):
        slot = asked.state.slots[name]
        if LARGEST < size <= MOST_CELLS and slot.axes and slot.axes[-1] not in asked.state.bound:
            yield asked.state.resized(slot.axes[-1], size).because([name], asked.refusal.quote)


# By what was refused.
WAYS: tuple[tuple[frozenset[str], Moves], ...] = (
    (frozenset({"shapes-do-not-fit", "broadcast-mismatch", "operation-fails"}), _longer_than_none),
    (frozenset({"shapes-do-not-fit"}), as_pictures),
    (frozenset({"shapes-do-not-fit"}), with_channels),
    (frozenset({"shapes-do-not-fit"}), larger_than_the_kernel),
    (frozenset({"shapes-do-not-fit"}), counted_behind),
    (frozenset({"operation-fails"}), as_pooled),
    (frozenset({"reshape-mismatch", "shapes-do-not-fit"}), of_matrices),
    (frozenset({"found-einops"}), as_the_pattern),
    (frozenset({"reshape-mismatch"}), as_wanted),
    (frozenset({"view-apart", "reshape-mismatch", "operation-fails"}), viewed),
    (frozenset({"shapes-do-not-fit", "operation-fails"}), gathered),
    (frozenset({"reshape-mismatch"}), parted),
    (frozenset({"reshape-mismatch"}), cut_by_a_view),
    (frozenset({"reshape-mismatch"}), filling_a_view),
    (frozenset({"reshape-mismatch"}), _met_in_a_view),
    (frozenset({"reshape-mismatch"}), _parted_in_a_view),
    (frozenset({"reshape-mismatch"}), _laid_out),
    (frozenset({"reshape-mismatch"}), through_a_layer),
    (frozenset({"shapes-do-not-fit", "operation-fails"}), of_vectors),
    (frozenset({"shapes-do-not-fit"}), _by_letters),
    (frozenset({"shapes-do-not-fit"}), _joined_alike),
    (frozenset({"shapes-do-not-fit"}), _squeezed),
    (frozenset({"whole-numbers", "shapes-do-not-fit"}), _as_many),
    (frozenset({"operation-fails"}), square),
    (frozenset({"shapes-do-not-fit", "broadcast-mismatch"}), of_patches),
    (frozenset({"shapes-do-not-fit", "broadcast-mismatch"}), halves),
    (
        frozenset({
            "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "loss-not-scalar", "whole-numbers",
            "operation-fails",
        }),
        _agreeing,
    ),
    (frozenset({"shapes-do-not-fit", "matmul-mismatch"}), _joined),
    (frozenset({"shapes-do-not-fit"}), _ones),
    (frozenset({"shapes-do-not-fit"}), _alike),
    (
        frozenset({
            "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "reshape-mismatch", "tensor-too-large",
        }),
        all_alike,
    ),
    (frozenset({"found-raise"}), counted_axes),
    (frozenset({"found-raise"}), as_wanted),
    (frozenset({"found-raise"}), _alike),
    (frozenset({"loss-not-scalar"}), _single),
    (frozenset({"no-tensor-assigned"}), all_decimals),
    (frozenset(OF_KINDS), _of_kind),
    (frozenset({"unpack-count"}), _unpacked),
    (
        frozenset({"reshape-mismatch", "view-apart", "operation-fails", "shapes-do-not-fit"}),
        _divided,
    ),
    (frozenset({"outside-zero-and-one"}), _between),
    (frozenset({"view-apart", "reshape-mismatch", "shapes-do-not-fit"}), _named_size),
    (
        frozenset({"shapes-do-not-fit", "operation-fails", "reshape-mismatch", "view-apart", "broadcast-mismatch",
                   "matmul-mismatch"}),
        sides,
    ),
    (frozenset({"index-out-of-range", "place-out-of-range", "operation-fails"}), _longer),
    (OF_SHAPES, other_axes),
)  # fmt: skip
