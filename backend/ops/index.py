"""Picking cells: what was picked gets the gradient, what was not gets zero, what was picked twice gets it twice."""

from __future__ import annotations

from typing import Any

from backend.ops.base import Call, Op, register


def picks_once(index: Any) -> bool:
    """Whether an index can't pick the same cell twice: slices, numbers, or a range in one place."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, range) for part in parts) or all(
        part is None or part is ... or isinstance(part, int | slice) for part in parts
    )


@register
class Index(Op):
    """The cells, rows or slices of x that an index picks, x[index]."""

    written = ("x[index]",)
    backward = {"x": "placed"}
    because = {"x": "reason"}
    cells = {"x": "sum of g over the places that picked this cell"}
    samples = "(4,3) index=[0,2,2]", "(4,3) index=range(3),[0,2,1]", "(4,3) index=1", "(4,3) index=:,1"

    @classmethod
    def accepts(cls, bound: Any, is_tensor: Any) -> bool:
        return is_tensor(bound["x"])

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        if picks_once(call.parameters["index"]):
            reason = "Only the cells that were picked matter to {out}: they receive its gradient, all others stay zero."
            return {"placed": "torch.zeros_like(x).put(index, g)", "reason": reason}
        reason = "Each row of {out} was copied out of {x}. A row that was picked several times feels every one of its uses: they add up."
        return {"placed": "torch.zeros_like(x).index_put((index,), g, accumulate=True)", "reason": reason}

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        index = call.parameters["index"]
        if isinstance(index, tuple):
            arrays = [part for part in index if not isinstance(part, int | slice | None | type(...))]
            if arrays and len(arrays) == len(index) == len(call.shapes["x"]):
                named = dims.get("index 0") or []
                return named if len(named) == len(call.out) else dims["x"][: len(call.out)]
            return None
        named = dims.get("index 0")
        return [*named, *dims["x"][1:]] if named is not None else None
