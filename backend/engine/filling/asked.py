"""A refusal that shapes are changed for: its place, the tensors that it is made of, and the sizes that it tells of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from backend.engine.filling.slots import State
from backend.engine.language.errors import Refusal

PRODUCTS = {"@", "torch.matmul", "torch.mm", "torch.bmm", ".matmul", ".mm", ".bmm", ".mv", "torch.mv"}
JOINING = frozenset({"torch.cat", "torch.concat", "torch.concatenate"})
CELL_BY_CELL = {"+", "-", "*", "/"}
SHAPE = re.compile(r"\((\d+(?:, ?\d+)*),?\)")
JOINED = re.compile(r"[\])],\s*(?:dim\s*=\s*|axis\s*=\s*)?(-?\d+)\s*\)$")
MOST_AXES, LARGEST, MOST_CELLS = 4, 64, 4_096


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


def pairs(refusal: Refusal) -> Iterator[tuple[int, int]]:
    """Lengths that should have been equal, the likeliest first."""
    facts = refusal.facts
    if isinstance(facts.get("m"), int) and isinstance(facts.get("n"), int):
        yield facts["m"], facts["n"]
    told = " ".join(str(facts.get(name, "")) for name in ("a_shape", "b_shape", "shapes"))
    shapes = [sizes_in(found[0]) for found in SHAPE.finditer(told)]
    if len(shapes) < 2:
        return
    if facts.get("name") in JOINING and len({len(one) for one in shapes}) == 1:
        place = joined_along(refusal) % len(shapes[0])
        yield from (two for at, two in enumerate(zip(*shapes[:2], strict=True)) if at != place)
    else:
        yield from _met(facts.get("name"), shapes)


def _met(name: object, shapes: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, int]]:
    """The lengths that an operation puts side by side, then any others of these shapes."""
    a, b, *more = shapes
    if name in PRODUCTS:
        yield a[-1], b[max(len(b) - 2, 0)]
        a, b = a[:-2], b[:-2]
    elif name == "F.linear":
        yield a[-1], b[-1]
        yield from ((one[0], b[0]) for one in more[:1])
    elif name == "torch.addmm" and more:
        yield b[-1], more[0][0]
        yield a[-1], more[0][-1]
    elif name == "an index":  # a mask picks from the first axes on
        yield from (two for two in zip(a, b, strict=False) if two[0] != two[1])
    elif str(name).startswith("F.conv_transpose") and len(a) > 1 and b:
        yield a[1], b[0]
    yield from ((m, n) for m, n in zip(reversed(a), reversed(b), strict=False) if 1 not in (m, n))
    # an axis of length 1 goes with every other, cell by cell
    goes = 1 if name in CELL_BY_CELL else 0
    for one, other in [*zip(a, b, strict=False), *(pair for two in pairwise(shapes) for pair in product(*two))]:
        if goes not in (one, other):
            yield one, other


def joined_along(refusal: Refusal) -> int:
    """The axis along which tensors are joined, as the refused line has it."""
    found = JOINED.search(refusal.quote)
    return int(found[1]) if found else 0


def shapes_told(refusal: Refusal) -> list[tuple[int, ...]]:
    """The shapes of what an operation was given."""
    return [sizes_in(one[0]) for one in SHAPE.finditer(str(refusal.facts.get("shapes", "")))]


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes of a shape as it is written."""
    return tuple(int(size) for size in re.findall(r"\d+", text))


def told_sizes(refusal: Refusal) -> tuple[int, ...]:
    """Every size that a refusal tells of."""
    facts = refusal.facts
    return sizes_in(" ".join(str(facts.get(name, "")) for name in ("shape", "shapes", "a_shape", "b_shape", "wanted")))
