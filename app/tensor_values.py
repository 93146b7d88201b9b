"""The cells that a request gives for a tensor: nested lists, or a typed array as answers have it."""

import re
from base64 import b64decode
from collections.abc import Mapping
from math import prod
from struct import calcsize
from typing import Any, Literal

from pydantic_core import PydanticCustomError

LARGEST_INTEGER = 2**53
MOST_CELLS = 2**20
MOST_AXES = 8
INFINITIES = ("Infinity", "-Infinity")
TYPED = 'Write {"dtype": "f4", "shape": "2, 3", "bdata": "…"}, as answers have it: little-endian cells in base64.'
KINDS: dict[str, Literal["f", "d", "i", "B"]] = {"f4": "f", "f8": "d", "i4": "i", "u1": "B"}  # for `memoryview`
SHAPE = re.compile(r"(?:\d{1,7}(?:, \d{1,7})*)?", re.ASCII)


def wrong(message: str, hint: str) -> PydanticCustomError:
    """What is wrong, and what to write instead."""
    return PydanticCustomError("value", "{message}", {"message": message, "hint": hint})


def cells_given(values: object) -> object:
    """Either of the two; a dictionary is meant as a typed array."""
    return typed_array(values) if isinstance(values, dict) else rectangular(values)


def rectangular(values: object) -> object:
    """Nested lists of numbers or infinities, or of truth values, all rows of one depth equally long.

    They are looked through level by level, so that depth costs no stack.
    """
    level, cells = [values], 1
    for _ in range(MOST_AXES + 1):
        if not isinstance(level[0], list):
            if not all(isinstance(cell, bool) for cell in level):
                for cell in level:
                    if cell not in INFINITIES:
                        finite(cell)
            return values
        lengths = {len(row) if isinstance(row, list) else -1 for row in level}
        if len(lengths) > 1:
            raise wrong(
                "the rows of nested lists must be equally long", "Write a regular array, such as [[1, 2], [3, 4]]."
            )
        cells *= lengths.pop()
        check_count(cells)
        if cells == 0:
            return values
        level = [cell for row in level if isinstance(row, list) for cell in row]
    raise wrong(f"a tensor has at most {MOST_AXES} axes", "Nest the lists less deep.")


def check_count(cells: int) -> None:
    """Raise for more cells than a tensor may have."""
    if cells > MOST_CELLS:
        raise wrong(f"a tensor has at most {MOST_CELLS:,} cells", "Use fewer examples or fewer features.")


def finite(cell: object) -> object:
    """A finite number, and no truth value passing for one."""
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise wrong("must be a number", "Write digits, such as 1.5: no quotes, no null; true and false in masks only.")
    if isinstance(cell, int) and abs(cell) > LARGEST_INTEGER:
        raise wrong("must lie within ±2^53", "Use a smaller number, or a decimal such as 1e20.")
    if isinstance(cell, float) and not abs(cell) < float("inf"):
        raise wrong("must be finite", 'Use a finite number; a tensor may hold "Infinity" and "-Infinity", in quotes.')
    return cell


def typed_array(given: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """A typed array whose fields agree: as many bytes as its shape has cells, no NaN, truth values 0 or 1."""
    kind, shape, text = (given.get(name) for name in ("dtype", "shape", "bdata"))
    if given.keys() != {"dtype", "shape", "bdata"}:
        raise wrong("a typed array has `dtype`, `shape` and `bdata`, and nothing else", TYPED)
    if not isinstance(kind, str) or kind not in KINDS:
        raise wrong("`dtype` must be f4, f8, i4 or u1", TYPED)
    if not isinstance(shape, str) or not SHAPE.fullmatch(shape):
        raise wrong('`shape` must be a text of sizes, such as "2, 3"', TYPED)
    sizes = [int(size) for size in shape.split(", ") if size]
    if len(sizes) > MOST_AXES:
        raise wrong(f"a tensor has at most {MOST_AXES} axes", TYPED)
    check_count(prod(sizes))
    letter = KINDS[kind]
    cells = memoryview(_bytes(text, prod(sizes) * calcsize(letter))).cast(letter)
    if letter in "fd" and any(cell != cell for cell in cells):
        raise wrong("`bdata` holds NaN", "NaN can be computed, not given.")
    if letter == "B" and any(cell > 1 for cell in cells):
        raise wrong("cells of u1 are truth values: 0 or 1", TYPED)
    return given


def _bytes(text: object, count: int) -> bytes:
    try:
        found = b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        raise wrong("`bdata` must be base64", TYPED) from None
    if not isinstance(text, str) or len(found) != count:
        raise wrong(f"`bdata` must hold the {count:,} bytes that `dtype` and `shape` tell of", TYPED)
    return found
