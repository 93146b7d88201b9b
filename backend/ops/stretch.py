"""Shape without arithmetic: copies going forward are sums going back, rearrangements are undone."""

from __future__ import annotations

from backend.ops.base import Call, Op, Shape, register


def stretched_axes(small: Shape, large: Shape) -> list[tuple[int, bool]]:
    """Axes of `large` along which `small` is copied, each with whether it must stay as length 1."""
    lead = len(large) - len(small)
    new = [(axis, False) for axis in range(lead)]
    return new + [(lead + i, True) for i, size in enumerate(small) if size == 1 and large[lead + i] != 1]


@register
class Expand(Op):
    """A tensor copied along the axes where a larger shape needs it: what broadcasting does, made visible."""

    written = ("x.expand(*shape)",)
    backward = {"x": "collapsed"}
    because = {"x": "{x} was copied, and every copy sends a gradient back: they add up."}
    cells = {"x": "sum over copies of g"}
    samples = "(3,) shape=(2,3)", "(2,1) shape=(2,3)", "() shape=(2,3)", "(1,3) shape=(4,2,3)"
    costly = False

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"collapsed": collapse("g", call.shapes["x"], call.out)}


def collapse(word: str, small: Shape, large: Shape) -> str:
    """`word` of shape `large`, summed over the axes along which `small` was copied to fill it."""
    axes = stretched_axes(small, large)
    if not axes:
        return word
    if not small:
        return f"{word}.sum()"
    numbers = tuple(axis for axis, _ in axes)
    dim = str(numbers[0]) if len(numbers) == 1 else str(numbers)
    keeps = [keep for _, keep in axes]
    if not any(keeps):
        return f"{word}.sum({dim})"
    dropped = keeps.count(False)
    return f"{word}.sum({dim}, keepdim=True)" + "".join("[0]" for _ in range(dropped))


@register
class View(Op):
    """The same cells in the same order under another shape."""

    written = "x.view(*shape)", "x.reshape(*shape)", "torch.reshape(x, shape)"
    backward = {"x": "g.view(x.shape)"}
    because = {"x": "Only the shape changed, not one number: the gradient is given its old shape back."}
    cells = {"x": "g[same cell]"}
    samples = "(2,3) shape=(3,2)", "(2,3) shape=(-1,)", "(4,) shape=(2,2)"
    costly = False

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return merged_names(dims["x"], call.shapes["x"], call.out)


def merged_names(names: list[str], old: Shape, new: Shape) -> list[str]:
    """Axis names after a view: axes that were laid end to end carry all their names."""
    result, i = [], 0
    for size in new:
        taken, product = [], 1
        while i < len(old) and product < size:
            product *= old[i]
            taken.append(names[i])
            i += 1
        if product != size:
            return [""] * len(new)
        result.append(" · ".join(taken))
    return result
