"""Cells put around a tensor: constants, which carry no gradient, or copies of its own cells, which do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.engine.ops.base import Call, Op

INSIDE = "Only the inside of {out} came from {x}: its gradient is the part that lies inside."
COPIES = ("reflect", "replicate", "circular")


class Pad(Op):
    """A tensor with a border of cells of one value, or of copies of its own cells."""

    written = ("F.pad(x, pad, mode='constant', value=None)",)
    backward = {"x": "inner"}
    because = {"x": INSIDE}
    why_not_exact = "autograd adds the copies of a cell in another order"
    does = "{it} puts a border of constant cells around {x}."
    samples = (
        "(2,3) pad=(1,2)", "(2,3) pad=(0,1,2,0)", "(2,3) pad=(1,1) value=2.0", "(3,3) pad=(-1,2,1,-1)",
        "(2,4) pad=(2,1) mode='reflect'", "(2,3,3) pad=(1,1,2,0) mode='replicate'", "(1,2,3,3) pad=(1,2,1,0) mode='circular'",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        pad = bound["pad"]
        whole = isinstance(pad, tuple | list) and all(type(cells) is int for cells in pad)
        return super().accepts(bound, is_tensor) and whole and bound["mode"] in ("constant", *COPIES)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape, pad = call.shapes["x"], call.parameters["pad"]
        if call.parameters["mode"] in COPIES:
            cells = math.prod(shape)
            origin = f"F.pad(torch.arange({cells}.0).view(x.shape), pad, mode=mode).long()"
            return {"inner": f"torch.zeros({cells}).index_put(({origin},), g, accumulate=True).view(x.shape)"}
        if min(pad, default=0) < 0:
            return {"inner": f"F.pad(g, {tuple(-cells for cells in pad)})"}
        starts = {len(shape) - 1 - axis: before for axis, before in enumerate(pad[::2])}
        places = [f"{starts[a]}:{starts[a] + n}" if a in starts else ":" for a, n in enumerate(shape)]
        return {"inner": f"g[{', '.join(places)}]"}

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        copies = "The border is made of copies of cells of {x}; the gradients of its copies add up in each cell."
        return copies if call.parameters["mode"] in COPIES else INSIDE

    @classmethod
    def does_for(cls, call: Call) -> str:
        return "{it} puts a border of its own cells around {x}." if call.parameters["mode"] in COPIES else cls.does
