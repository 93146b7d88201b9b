"""Hints for a gradient in closed form, over a whole block at once: what is left of it, along which axis, the line."""

from __future__ import annotations

from backend.engine.trace.graph import Node
from backend.inspect.closed_forms.derivation import aids_of
from backend.inspect.closed_forms.find import Occurrence
from backend.practice.hints import shape_of


def closed_hints(found: Occurrence) -> list[str]:
    """Three hints for the closed form that was found: the rule, the axis and the shape, the line itself."""
    node, pattern = found.x, found.pattern
    where = " and ".join(_axis(node, place) for place in found.axes or (len(node.shape) - 1,))
    words = found.words | {"where": where}
    return [
        pattern.rule.format_map(words),
        f"{pattern.axis.format_map(words)} {shape_of(node)}",
        line_of(found),
    ]


def line_of(found: Occurrence) -> str:
    """The closed form as a line, with lines in front of it for what the program has no name for."""
    text, _ = found.texts()[-1]
    aids = [f"{name} = {found.aids[name]}" for name in aids_of(text, found)]
    return "\n".join([*aids, f"d{found.x.variable} = {text}"])


def _axis(node: Node, axis: int) -> str:
    """An axis by its number and its name."""
    place = axis % len(node.shape)
    name = node.dims[place] if node.dims else ""
    return f"axis {place}" + (f" ({name})" if name and not name.startswith("axis ") else "")
