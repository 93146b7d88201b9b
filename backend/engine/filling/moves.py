"""What a refusal says of the shapes and kinds that were supposed: which others to try, the likeliest first."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product

from backend.engine.filling.slots import Kind, State
from backend.engine.language.errors import Refusal

PRODUCTS = {"@", "torch.matmul", "torch.mm", "torch.bmm", ".matmul", ".mm", ".bmm", ".mv", "torch.mv"}
CELL_BY_CELL = {"+", "-", "*", "/"}
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
MULTIPLES = (2, 4, 3, 6, 8)
EQUATION = re.compile(r"['\"]([^'\"]*)->")
ROWS = re.compile(r"(?:view|reshape)\(\s*[^()]*,\s*(\d+(?:\s*\*\s*\d+)*)\s*\)")
SHAPE = re.compile(r"\((\d+(?:, ?\d+)*),?\)")
OF_PICTURE = 4  # axes: example, channel, height, width
MOST_AXES, LARGEST, MOST_CELLS = 4, 64, 4_096
# Heights and widths of images: the small ones first, enough where nothing behind the convolutions counts them.
SIDES = (8, 12, 16, 28, 32, 64, 84, 7, 5, 224)


@dataclass(frozen=True)
class Asked:
    """What is known when a program was refused: `near` are the tensors that the place is made of, the nearest first."""

    state: State
    refusal: Refusal
    near: Sequence[str]
    numerals: Sequence[int]

    @property
    def lengths(self) -> list[int]:
        """The lengths of the tensors that are near, the last of each first."""
        return list(dict.fromkeys(axis for name in self.near for axis in reversed(self.state.slots[name].axes)))

    def reasoned(self, states: Iterable[State]) -> Iterator[State]:
        """States, with the place that was refused as the reason of what changes."""
        for other in states:
            changed = [name for name in self.state.slots if other.shape(name) != self.state.shape(name)]
            yield other.because(changed, self.refusal.quote)


Moves = Callable[[Asked], Iterator[State]]


def moves(asked: Asked) -> Iterator[State]:
    """States to try after a refusal, the likeliest first."""
    if asked.refusal.entry in OF_AXES:  # nothing but the number of axes is wrong there
        yield from _other_axes(asked)
    for codes, ways in WAYS:
        if not codes or asked.refusal.code in codes:
            yield from ways(asked)


def _agreeing(asked: Asked) -> Iterator[State]:
    """Lengths that met and don't agree become one."""
    for m, n in _pairs(asked.refusal):
        yield from asked.reasoned(asked.state.agreed(m, n))


def _by_letters(asked: Asked) -> Iterator[State]:
    """The lengths that go by one letter of an equation become one, all at once."""
    found = EQUATION.search(asked.refusal.quote)
    if asked.refusal.facts.get("name") != "torch.einsum" or found is None:
        return
    shapes = [sizes_in(one[0]) for one in SHAPE.finditer(str(asked.refusal.facts.get("shapes", "")))]
    terms = [term.split() if " " in term.strip() else [*term.strip()] for term in found[1].split(",")]
    sizes: dict[str, int] = {}
    state = asked.state
    for letters, shape in zip(terms, shapes, strict=False):
        for letter, size in zip(letters, shape, strict=False):
            first = sizes.setdefault(letter, size)
            state = next(state.agreed(first, size), state)
    yield from asked.reasoned([state])


def _of_patches(asked: Asked) -> Iterator[State]:
    """A picture whose places, and those that are put before them, are as many as it meets: 64 and 1 where 65 are."""
    state = asked.state
    for (met, wanted), name in product(_pairs(asked.refusal), asked.near):
        *_, height, width = (0, 0, *state.slots[name].axes)
        more = met - math.prod(state.shape(name)[-2:])
        side = math.isqrt(max(wanted - more, 0))
        if len(state.slots[name].axes) > 2 and 0 <= more <= 2 and side > 1 and side * side == wanted - more:
            yield state.resized(height, side).resized(width, side).because([name], asked.refusal.quote)


def _joined(asked: Asked) -> Iterator[State]:
    """A length that is the sum of two free ones, as of what is joined: both of them half of what is wanted, or one."""
    state = asked.state
    free = [number for number in state.lengths if number not in state.bound]
    for met, wanted in _pairs(asked.refusal):
        for a, b in combinations(free, 2):
            m, n = state.lengths[a], state.lengths[b]
            if m + n == met and m != n:
                if wanted % 2 == 0:
                    yield from asked.reasoned([state.resized(a, wanted // 2).resized(b, wanted // 2)])
                yield from asked.reasoned([state.resized(b, wanted - m)] if wanted > m else [])
                yield from asked.reasoned([state.resized(a, wanted - n)] if wanted > n else [])


def _alike(asked: Asked) -> Iterator[State]:
    """A tensor of the shape of another one that it met."""
    told = [sizes_in(one[0]) for one in SHAPE.finditer(str(asked.refusal.facts.get("shapes", "")))]
    for name, shape in product(asked.near, dict.fromkeys(told)):
        if asked.state.shape(name) != shape:
            yield asked.state.placed(name, asked.state.slots[name].kind, shape).because([name], asked.refusal.quote)


def _single(asked: Asked) -> Iterator[State]:
    """Of what the loss has several of, one."""
    for size in sizes_in(str(asked.refusal.facts.get("shape", ""))):
        yield from asked.reasoned(asked.state.agreed(size, 1))


def _pairs(refusal: Refusal) -> Iterator[tuple[int, int]]:
    """Lengths that should have been equal, the likeliest first."""
    facts = refusal.facts
    if isinstance(facts.get("m"), int) and isinstance(facts.get("n"), int):
        yield facts["m"], facts["n"]
    told = " ".join(str(facts.get(name, "")) for name in ("a_shape", "b_shape", "shapes"))
    shapes = [sizes_in(found[0]) for found in SHAPE.finditer(told)]
    if len(shapes) < 2:
        return
    a, b, *more = shapes
    if facts.get("name") in PRODUCTS:
        yield a[-1], b[max(len(b) - 2, 0)]
        a, b = a[:-2], b[:-2]
    elif facts.get("name") == "F.linear":
        yield a[-1], b[-1]
        yield from ((one[0], b[0]) for one in more[:1])
    elif str(facts.get("name")).startswith("F.conv_transpose") and len(a) > 1 and b:
        yield a[1], b[0]
    yield from ((m, n) for m, n in zip(reversed(a), reversed(b), strict=False) if 1 not in (m, n))
    # an axis of length 1 goes with every other, cell by cell
    goes = 1 if facts.get("name") in CELL_BY_CELL else 0
    for one, other in [*zip(a, b, strict=False), *(pair for two in pairwise(shapes) for pair in product(*two))]:
        if goes not in (one, other):
            yield one, other


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes of a shape as it is written."""
    return tuple(int(size) for size in re.findall(r"\d+", text))


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
    """Lengths that can be divided, then those that the program names."""
    state = asked.state
    for times in dict.fromkeys([*(number for number in asked.numerals if 1 < number <= 16), *MULTIPLES]):
        for axis in asked.lengths:
            if axis not in state.bound and state.lengths[axis] % times:
                yield state.enlarged(axis, state.lengths[axis] * times)
    for axis, size in product(asked.lengths, asked.numerals):
        if 1 <= size <= LARGEST and size != state.lengths[axis]:
            yield state.resized(axis, size)


def _longer(asked: Asked) -> Iterator[State]:
    """Lengths beyond the places that are picked by number."""
    state, least = asked.state, max((number for number in asked.numerals if number <= LARGEST), default=0)
    for axis in asked.lengths:
        if state.lengths[axis] <= least and axis not in state.bound:
            yield state.enlarged(axis, state.unused(least + 1))


def _other_axes(asked: Asked) -> Iterator[State]:
    """More axes, then fewer, one after the other."""
    for step, name in product((1, -1, 2, -2), asked.near):
        axes = len(asked.state.slots[name].axes) + step
        if 0 <= axes <= MOST_AXES:
            yield asked.state.with_axes_together(name, axes).because([name], asked.refusal.quote)
    for step, name in product((1, -1, 2, -2), asked.near):
        axes = len(asked.state.slots[name].axes) + step
        if 0 <= axes <= MOST_AXES:
            yield asked.state.with_axes(name, axes).because([name], asked.refusal.quote)


def _sides(asked: Asked) -> Iterator[State]:
    """Pictures, rows and volumes with other sides."""
    for side, name in product(SIDES, asked.near):
        slot = asked.state.slots[name]
        places = slot.axes[2:] if len(slot.axes) > 2 else ()
        if places and slot.kind == "decimals" and all(asked.state.lengths[axis] != side for axis in places):
            state = asked.state
            for axis in places:
                state = state.resized(axis, side)
            yield state.because([name], asked.refusal.quote)


def _as_pictures(asked: Asked) -> Iterator[State]:
    """What a kernel is laid on has as many axes as the kernel: all that is near and has too few, alike."""
    told = [sizes_in(one[0]) for one in SHAPE.finditer(str(asked.refusal.facts.get("shapes", "")))]
    if not str(asked.refusal.facts.get("name", "")).startswith("F.conv") or len(told) < 2:
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


def _larger_than_the_kernel(asked: Asked) -> Iterator[State]:
    """Other sides at once, where what is left of a picture is smaller than the kernel: nothing else is wrong there."""
    told = [sizes_in(one[0]) for one in SHAPE.finditer(str(asked.refusal.facts.get("shapes", "")))]
    if str(asked.refusal.facts.get("name", "")).startswith("F.conv") and len(told) > 1:
        picture, kernel = told[:2]
        if picture[1] == kernel[1] and any(a < b for a, b in zip(picture[2:], kernel[2:], strict=False)):
            yield from _sides(asked)


def _counted_behind(asked: Asked) -> Iterator[State]:
    """Other sides, where a layer behind a picture counts the cells of what is left of it."""
    told = [sizes_in(one[0]) for one in SHAPE.finditer(str(asked.refusal.facts.get("shapes", "")))]
    if asked.refusal.facts.get("name") != "F.linear" or len(told) < 2:
        return
    for name in asked.near:
        yield from _of_cells(asked, name, told[1][-1])
    if len(told[0]) < OF_PICTURE:  # a picture that is given to it as it is has been made no row
        yield from _sides(_with_pictures(asked))


def _of_cells(asked: Asked, name: str, cells: int) -> Iterator[State]:
    """A picture of so many cells: square, in grey or in colour, or with the channels that it has."""
    state, axes = asked.state, asked.state.slots[name].axes
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


def _viewed(asked: Asked) -> Iterator[State]:
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
    yield from _sides(_with_pictures(asked))


def _laid_out(asked: Asked) -> Iterator[State]:
    """What is viewed in several axes as long as they are: the last of them as one, or each of them an axis."""
    facts = asked.refusal.facts
    shape, wanted = (
        sizes_in(str(facts["shape"])),
        [int(size) for size in re.findall(r"-?\d+", str(facts.get("wanted", "")))],
    )
    sizes = [None if size == -1 else size for size in wanted]
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


# By what was refused; without codes, always.
WAYS: tuple[tuple[frozenset[str], Moves], ...] = (
    (frozenset({"shapes-do-not-fit"}), _as_pictures),
    (frozenset({"shapes-do-not-fit"}), _larger_than_the_kernel),
    (frozenset({"shapes-do-not-fit"}), _counted_behind),
    (frozenset({"view-apart", "reshape-mismatch", "operation-fails"}), _viewed),
    (frozenset({"reshape-mismatch"}), _met_in_a_view),
    (frozenset({"reshape-mismatch"}), _laid_out),
    (frozenset({"shapes-do-not-fit"}), _by_letters),
    (frozenset({"shapes-do-not-fit", "broadcast-mismatch"}), _of_patches),
    (
        frozenset({
            "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "loss-not-scalar", "whole-numbers",
            "operation-fails",
        }),
        _agreeing,
    ),
    (frozenset({"shapes-do-not-fit", "matmul-mismatch"}), _joined),
    (frozenset({"shapes-do-not-fit"}), _alike),
    (frozenset({"loss-not-scalar"}), _single),
    (frozenset(OF_KINDS), _of_kind),
    (frozenset({"unpack-count"}), _unpacked),
    (
        frozenset({"reshape-mismatch", "view-apart", "operation-fails", "unpack-count", "shapes-do-not-fit"}),
        _divided,
    ),
    (frozenset({"outside-zero-and-one"}), _between),
    (frozenset({"view-apart", "reshape-mismatch", "shapes-do-not-fit"}), _named_size),
    (
        frozenset({"shapes-do-not-fit", "operation-fails", "reshape-mismatch", "view-apart", "broadcast-mismatch",
                   "matmul-mismatch"}),
        _sides,
    ),
    (frozenset({"index-out-of-range", "place-out-of-range", "operation-fails"}), _longer),
    (frozenset(), _other_axes),
)  # fmt: skip
