"""Names mistaken: a value for a gradient, the input of a function for its output, the tensor beside."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from backend.engine.ops.base import Shape
from backend.lines.mistakes import wording
from backend.lines.mistakes.edits import Edit, Setting

# A name is confused with no more others than this.
MOST = 8


def mistaken_names(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """Another tensor in the place of one."""
    if isinstance(part, ast.Name):
        for other in setting.others.get(part.id, ()):
            if other in setting.gradients and other in setting.steps.get(part.id, ()):
                yield Edit("missing-local", part, ast.Name(other, ast.Load()), wording.TAKEN.format(other))
            else:
                told = f"`{other}` stands where `{part.id}` belongs."
                yield Edit("wrong-tensor", part, ast.Name(other, ast.Load()), told)


def confusable(shapes: Mapping[str, Shape], near: Iterable[str], most: int = MOST) -> dict[str, list[str]]:
    """For each name, those of the same shape that it may be confused with.

    Its own value or gradient comes first, then the names that are `near`, then all others.
    """
    order = {name: place for place, name in enumerate(near)}
    found: dict[str, list[str]] = {}
    for name, shape in shapes.items():
        pair = name.removeprefix("d") if name.removeprefix("d") in shapes and name[:1] == "d" else f"d{name}"
        alike = [other for other, its in shapes.items() if its == shape and other != name]
        alike.sort(key=lambda other: (other != pair, order.get(other, len(order))))
        found[name] = alike[:most]
    return found
