"""Reductions: many cells become one, so one gradient goes back to many cells."""

from __future__ import annotations

from typing import Any

from backend.ops.base import Call, Op, Shape, register

FORMS = "(2,3)", "(2,3) dim=0", "(2,3) dim=1 keepdim=True", "(2,3,2) dim=(0,2)", "(2,3,2) dim=-1", "()"


def reduced_axes(shape: Shape, dim: Any) -> tuple[int, ...]:
    """The axes a reduction runs over, counted from the front; all of them where `dim` is None."""
    if dim is None or dim == ():
        return tuple(range(len(shape)))
    axes = dim if isinstance(dim, tuple | list) else (dim,)
    return tuple(sorted(axis % len(shape) if shape else 0 for axis in axes))


def unsqueezed(word: str, call: Call) -> str:
    """`word` with the reduced axes put back as length 1, so that it broadcasts against the input."""
    shape, dim = call.shapes["x"], call.parameters.get("dim")
    if call.parameters.get("keepdim") or not call.out:
        return word
    for axis in reduced_axes(shape, dim):
        word += f".unsqueeze({axis})"
    return word


class Reduction(Op):
    """What sums, means and maxima share."""

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        axes = reduced_axes(call.shapes["x"], call.parameters.get("dim"))
        count = 1
        for axis in axes:
            count *= call.shapes["x"][axis] if call.shapes["x"] else 1
        return {"kept": unsqueezed("g", call), "kept_out": unsqueezed("out", call), "count": str(count)}

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        gone = reduced_axes(call.shapes["x"], call.parameters.get("dim"))
        keep = call.parameters.get("keepdim")
        return [name for axis, name in enumerate(dims["x"]) if keep or axis not in gone]


@register
class Sum(Reduction):
    """Sum over all axes, or over `dim`."""

    written = "x.sum(dim=None, keepdim=False)", "torch.sum(x, dim=None, keepdim=False)"
    backward = {"x": "torch.ones_like(x) * kept"}
    because = {
        "x": "Every cell of {x} went into its sum with weight 1, so each receives the sum's gradient: it is copied back."
    }
    cells = {"x": "g[kept axes of c]"}
    samples = FORMS


@register
class Mean(Reduction):
    """Mean over all axes, or over `dim`."""

    written = "x.mean(dim=None, keepdim=False)", "torch.mean(x, dim=None, keepdim=False)"
    backward = {"x": "torch.ones_like(x) * (kept / count)"}
    because = {"x": "A mean gives each of its cells the same weight, 1 over their number, so each receives that share."}
    cells = {"x": "g[kept axes of c] / count"}
    samples = FORMS


@register
class Max(Reduction):
    """Largest value along `dim`, with `.values` and `.indices`; of equal ones the first counts."""

    written = "x.max(dim, keepdim=False)", "torch.max(x, dim, keepdim=False)"
    backward = {"x": "chosen * kept"}
    because = {
        "x": "Only the cell that was the maximum moves the result: it receives all of the gradient, the others none."
    }
    samples = "(2,3) dim=0", "(2,3) dim=1 keepdim=True", "(2,3,2) dim=-1"
    pair = True

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        rank, dim = len(call.shapes["x"]), call.parameters["dim"]
        axis = dim % rank
        if axis == rank - 1:
            chosen = f"F.one_hot(x.max({axis}).indices, {call.shapes['x'][-1]})"
        else:
            chosen = f"torch.zeros_like(x).scatter({axis}, x.max({axis}, keepdim=True).indices, 1.0)"
        return super().derive(call) | {"chosen": chosen}
