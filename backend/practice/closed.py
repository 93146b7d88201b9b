"""Hints for a gradient in closed form, over a whole block at once: what is left of it, along which axis, the line."""

from __future__ import annotations

from backend.closed_forms.derivation import aids_of, texts_of
from backend.closed_forms.find import Found
from backend.practice.hints import shape_of
from backend.trace.graph import Node


def closed_hints(found: Found) -> list[str]:
    """Three hints for the closed form that was found: the rule, the axis and the shape, the line itself."""
    node = found.x
    rule, axis = (_softmax if found.kind == "softmax" else _normalisation)(found)
    return [rule, f"{axis} {shape_of(node)}", line_of(found)]


def line_of(found: Found) -> str:
    """The closed form as a line, with lines in front of it for what the program has no name for."""
    text, _ = texts_of(found)[-1]
    aids = [f"{name} = {found.aids[name]}" for name in aids_of(text, found)]
    return "\n".join([*aids, f"d{found.x.variable} = {text}"])


def _softmax(found: Found) -> tuple[str, str]:
    rule = (
        "Through the logarithm and the softmax at once, every division by a probability cancels. What is left compares "
        "the prediction with the right class, cell by cell."
    )
    return rule, f"The softmax runs along {_axis(node=found.x, axis=int(found.words['axis']))}. Nothing is summed."


def _normalisation(found: Found) -> tuple[str, str]:
    words = found.words
    rule = (
        f"Three paths lead into each cell of `{words['x']}`: directly, through the mean, through the variance. "
        f"Written with `{words['raw']}`, nothing else of the block is left but a factor."
    )
    places = words["sum"].partition(", keepdim")[0].strip("()")
    along = " and ".join(_axis(found.x, int(place)) for place in places.split(","))
    return rule, f"Two of the three terms are sums along {along}; what is summed is stretched back by broadcasting."


def _axis(node: Node, axis: int) -> str:
    """An axis by its number and its name."""
    place = axis % len(node.shape)
    name = node.dims[place] if node.dims else ""
    return f"axis {place}" + (f" ({name})" if name and not name.startswith("axis ") else "")
