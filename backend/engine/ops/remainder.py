"""Remainders and rounded quotients: of decimals they move like the dividend, of whole numbers nothing moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.engine.ops.base import Op
from backend.engine.ops.create import Helper, Stop
from backend.engine.ops.pointwise import Pointwise


def has_decimals(value: Any) -> bool:
    """Whether an operand is a number with decimals, or a tensor of such."""
    meta = getattr(value, "meta", None)
    return meta.dtype.is_floating_point if meta is not None else isinstance(value, float)


class WholeNumbers(Stop):
    """What is done with whole numbers alone, through which no gradient flows."""

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return not any(map(has_decimals, bound.values()))


class WholeRemainder(WholeNumbers):
    """The remainder of a division of whole numbers."""

    written = "x % y", "torch.remainder(x, y)", "x.remainder(y)"
    does = "{it} is the remainder{cellwise}."


class Quotient(Helper):
    """The whole part of a division, rounded down; torch has no way back through it."""

    written = "x // y", "torch.floor_divide(x, y)", "x.floor_divide(y)"
    does = "{it} is the quotient, rounded down{cellwise}."


class Rest(Op):
    """What remainders share: within one step of the quotient each moves like its dividend."""

    broadcasts = True
    samples = "(2,3) (2,3)+", "(2,1) (3,)+", "(2,3) 0.7"


class Remainder(Rest):
    """Cell-by-cell remainder of a division, with the sign of the divisor."""

    written = "x % y", "torch.remainder(x, y)", "x.remainder(y)"
    backward = {"x": "g", "y": "-torch.floor(x / y) * g"}
    because = {
        "x": "Between its jumps a remainder moves like {x}: the gradient passes unchanged.",
        "y": "{y} was taken away as often as it fits: the local derivative is {=-torch.floor(x / y)}.",
    }
    does = "{it} is the remainder of {x} by {y}{cellwise}."
    cell = "x - y * floor(x / y)"


class FMod(Rest):
    """Cell-by-cell remainder of a division, with the sign of the dividend."""

    written = "torch.fmod(x, y)", "x.fmod(y)"
    backward = {"x": "g", "y": "-torch.trunc(x / y) * g"}
    because = {"x": Remainder.because["x"], "y": Remainder.because["y"].replace("floor", "trunc")}
    does = "{it} is the remainder of {x} by {y}{cellwise}, with the sign of {x}."
    cell = "x - y * trunc(x / y)"


class Frac(Pointwise):
    """Cell-by-cell part behind the decimal point."""

    written = "torch.frac(x)", "x.frac()"
    backward = {"x": "g"}
    because = {"x": "Between its jumps the rest moves like {x}: the gradient passes unchanged."}
    cell = "x - trunc(x)"
