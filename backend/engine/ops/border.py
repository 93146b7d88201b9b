"""Cells put around a tensor."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.ops.base import Call, Op, register

# A border of one cell by the modes that copy cells of the tensor.
BORDERS = {
    "reflect": "torch.cat([x[..., 1:2], x, x[..., -2:-1]], -1)",
    "replicate": "torch.cat([x[..., :1], x, x[..., -1:]], -1)",
    "circular": "torch.cat([x[..., -1:], x, x[..., :1]], -1)",
}


@register
class Pad(Op):
    """A tensor with a border of cells of one value."""

    written = ("F.pad(x, pad, mode='constant', value=None)",)
    backward = {"x": "inner"}
    because = {"x": "Only the inside of {out} came from {x}: its gradient is the part that lies inside."}
    does = "{it} puts a border of constant cells around {x}."
    samples = "(2,3) pad=(1,2)", "(2,3) pad=(0,1,2,0)", "(2,3) pad=(1,1) value=2.0", "(3,3) pad=(-1,2,1,-1)"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        pad = bound["pad"]
        whole = isinstance(pad, tuple | list) and all(type(cells) is int for cells in pad)
        return super().accepts(bound, is_tensor) and whole and bound["mode"] in ("constant", *BORDERS)

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Refuse a border of copies of the tensor's own cells."""
        if bound["mode"] != "constant":
            raise Refusal("pad-mode", name=name, found=bound["mode"], instead=BORDERS[bound["mode"]], at=at)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape, pad = call.shapes["x"], call.parameters["pad"]
        if min(pad, default=0) < 0:
            return {"inner": f"F.pad(g, {tuple(-cells for cells in pad)})"}
        starts = {len(shape) - 1 - axis: before for axis, before in enumerate(pad[::2])}
        places = [f"{starts[a]}:{starts[a] + n}" if a in starts else ":" for a, n in enumerate(shape)]
        return {"inner": f"g[{', '.join(places)}]"}
