"""Sets of shapes as patterns, in which an axis of any length is None."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Pattern = tuple[int | None, ...]
LETTERS = "nmk"  # for axes of any length


def patterns(shapes: Iterable[Sequence[int]], unused: Sequence[int]) -> list[Pattern]:
    """The fewest patterns that cover the shapes; a length of `unused` stands for any, its axis being free."""
    general = [tuple(None if size == unused[axis] else size for axis, size in enumerate(one)) for one in shapes]
    kept: list[Pattern] = []
    for one in sorted(general, key=lambda pattern: -pattern.count(None)):  # the widest first: most are covered by it
        if not any(covers(other, one) for other in kept):
            kept.append(one)
    return sorted(kept, key=general.index)


def covers(pattern: Pattern, other: Pattern) -> bool:
    """Whether every shape of the other pattern is one of this."""
    return len(pattern) == len(other) and all(mine in (None, its) for mine, its in zip(pattern, other, strict=True))


def broadcasts(shape: Pattern, wide: Pattern) -> bool:
    """Whether a shape can be copied along axes to become the wide one."""
    return len(shape) <= len(wide) and all(
        size == 1 or full in (None, size) for size, full in zip(reversed(shape), reversed(wide), strict=False)
    )


def pattern_text(pattern: Pattern) -> str:
    """A pattern as a shape is written, with letters for axes of any length."""
    letters = iter(LETTERS)
    sizes = [next(letters, "…") if size is None else str(size) for size in pattern]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
