"""What a refusal says of the shapes and kinds that were supposed: which others to try, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from backend.engine.language.errors import Refusal
from backend.filling.slots import Kind, State

MISFITS = {
    "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "loss-not-scalar", "whole-numbers",
    "operation-fails",
}  # fmt: skip
PRODUCTS = {"@", "torch.matmul", "torch.mm", "torch.bmm", ".matmul", ".mm", ".bmm", ".mv", "torch.mv"}
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
MULTIPLES = (2, 4, 3, 6, 8)
SHAPE = re.compile(r"\((\d+(?:, ?\d+)*),?\)")
MOST_AXES = 4


def moves(state: State, refusal: Refusal, near: Sequence[str], numerals: Sequence[int]) -> Iterator[State]:
    """States to try after a refusal; `near` are the tensors that what refused is made of, the nearest first."""
    reason = refusal.quote
    if refusal.code in MISFITS:
        for m, n in _pairs(refusal):
            for other in state.agreed(m, n):
                changed = [name for name in state.slots if other.shape(name) != state.shape(name)]
                yield other.because(changed, reason)
    yield from _of_kind(state, refusal, near, reason)
    if refusal.code == "unpack-count":
        yield from _unpacked(state, refusal, near)
    if refusal.code in ("reshape-mismatch", "operation-fails", "unpack-count", "shapes-do-not-fit"):
        yield from _multiples(state, near, numerals)
    if refusal.code in ("index-out-of-range", "place-out-of-range", "operation-fails"):
        yield from _longer(state, near, numerals)
    yield from _other_axes(state, near, reason)


def _pairs(refusal: Refusal) -> Iterator[tuple[int, int]]:
    """Lengths that should have been equal, the likeliest first."""
    facts = refusal.facts
    if isinstance(facts.get("m"), int) and isinstance(facts.get("n"), int):
        yield facts["m"], facts["n"]
    shapes = [sizes_in(found[0]) for name in ("a_shape", "b_shape", "shapes", "shape")
              for found in SHAPE.finditer(str(facts.get(name, "")))]  # fmt: skip
    if len(shapes) < 2:
        return
    a, b, *more = shapes
    if facts.get("name") in PRODUCTS and a and b:
        yield a[-1], b[max(len(b) - 2, 0)]
        a, b = a[:-2], b[:-2]
    elif facts.get("name") == "F.linear" and b:
        yield a[-1], b[-1]
        yield from ((one[0], b[0]) for one in more[:1] if one)
    yield from ((m, n) for m, n in zip(reversed(a), reversed(b), strict=False) if m != n and 1 not in (m, n))
    yield from ((m, n) for m, n in zip(a, b, strict=False) if m != n)
    yield from (
        (m, n) for one, other in zip(shapes, shapes[1:], strict=False) for m, n in product(one, other) if m != n
    )


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes of a shape as it is written."""
    return tuple(int(size) for size in re.findall(r"\d+", text))


def _of_kind(state: State, refusal: Refusal, near: Sequence[str], reason: str) -> Iterator[State]:
    for kind, name in product(OF_KINDS.get(refusal.code, ()), near):
        if state.slots[name].kind != kind:
            yield state.with_kind(name, kind).because([name], reason)


def _unpacked(state: State, refusal: Refusal, near: Sequence[str]) -> Iterator[State]:
    """A shape or a tensor is unpacked into so many names."""
    names, found = refusal.facts.get("names"), refusal.facts.get("found")
    if not isinstance(names, int) or not isinstance(found, int):
        return
    for name in near:
        if len(state.slots[name].axes) == found and names <= MOST_AXES and (other := state.with_axes(name, names)):
            yield other.because([name], refusal.quote)
    for number in state.having(found):
        yield state.resized(number, names)


def _multiples(state: State, near: Sequence[str], numerals: Sequence[int]) -> Iterator[State]:
    """Lengths that can be divided."""
    lengths = dict.fromkeys(axis for name in near for axis in reversed(state.slots[name].axes))
    for times in dict.fromkeys([*(number for number in numerals if 1 < number <= 16), *MULTIPLES]):
        for axis in lengths:
            if axis not in state.bound and state.lengths[axis] % times:
                yield state.resized(axis, state.lengths[axis] * times, bound=False)
    for axis, size in product(lengths, numerals):
        if 1 <= size <= 64 and size != state.lengths[axis]:
            yield state.resized(axis, size)


def _longer(state: State, near: Sequence[str], numerals: Sequence[int]) -> Iterator[State]:
    """Lengths beyond the places that are picked by number."""
    least = max((number for number in numerals if number <= 64), default=0)
    for axis in dict.fromkeys(axis for name in near for axis in state.slots[name].axes):
        if state.lengths[axis] <= least and axis not in state.bound:
            fresh, (more,) = state.fresh(1)
            while fresh.lengths[more] <= least:
                fresh, (more,) = fresh.fresh(1)
            yield state.resized(axis, fresh.lengths[more], bound=False)


def _other_axes(state: State, near: Sequence[str], reason: str) -> Iterator[State]:
    """More axes, then fewer, one after the other."""
    for step in (1, -1, 2, -2):
        for name in near:
            count = len(state.slots[name].axes) + step
            if 0 <= count <= MOST_AXES and (other := state.with_axes(name, count)):
                yield other.because([name], reason)
