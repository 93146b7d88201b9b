"""The larger and the smaller of two numbers, cell by cell: one of them decides the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from torch.torch_version import TorchVersion, __version__

from backend.engine.ops.base import Call, Op

# A cell that is exactly its bound: until 2.13 PyTorch gives it the whole gradient; from 2.14 on none where the bound is
# a number, and where it is a tensor each of the two gets half.
HELD_AT_BOUNDS = TorchVersion(__version__) >= TorchVersion("2.14")


class Clamp(Op):
    """Every cell held between two bounds."""

    written = (
        "x.clamp(min=None, max=None)", "torch.clamp(x, min=None, max=None)", "x.clip(min=None, max=None)",
        "torch.clip(x, min=None, max=None)", "x.clamp_min(min)", "torch.clamp_min(x, min)", "x.clamp_max(max)",
        "torch.clamp_max(x, max)",
    )  # fmt: skip
    backward = {"x": "inside * g", "min": "below * g", "max": "above * g"}
    selects = {"x": "torch.where(passes, share, 0.0)"}
    because = {
        "x": "Between the bounds the gradient passes unchanged; a cell beyond one is held there and gets none.",
        "min": "Where {x} lies below {min}, the bound is the result and gets the gradient.",
        "max": "Where {x} lies above {max}, the bound is the result and gets the gradient.",
    }
    does = "{it} keeps every cell within its bounds."
    keeps_axes = True
    one_bound: ClassVar[dict[str, str]] = {
        "min": "Above the bound the gradient passes unchanged; a cell below it is held there and gets none.",
        "max": "Below the bound the gradient passes unchanged; a cell above it is held there and gets none.",
    }
    samples = "(2,3) min=-0.5 max=0.5", "(2,3) min=0.1", "(2,3) max=0.2", "(2,3) (2,3)", "(2,3) (3,) (2,1)"
    broadcasts = True
    passed_straight = True

    @classmethod
    def given(cls, call: Call) -> list[str]:
        """The bounds that a call has: `clamp_min` has one."""
        return [bound for bound in ("min", "max") if bound in call.shapes or call.parameters.get(bound) is not None]

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        given = cls.given(call)
        return cls.one_bound[given[0]] if name == "x" and len(given) == 1 else super().because_for(name, call)

    @classmethod
    def cuts_at_zero(cls, call: Call) -> bool:
        return any(call.parameters.get(bound, 0) == 0 for bound in cls.given(call))

    @classmethod
    def cell_for(cls, call: Call) -> str:
        given = cls.given(call)
        low = "max(x, min)" if "min" in given else "x"
        return f"min({low}, max)" if "max" in given else low

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        given = cls.given(call)
        passes = " * ".join(cls.within(name, call) for name in given) or "torch.ones_like(x)"
        found = {"inside": passes, "passes": passes, "share": "g", "below": "(x < min)", "above": "(x > max)"}
        if len(given) == 2:
            low = "<=" if cls.halves(call) else "<"
            found |= {"below": f"(x < min) * (min {low} max)", "above": "torch.logical_or(x > max, max < min)"}
        return found | (cls.halved(found, given) if cls.halves(call) else {})

    @classmethod
    def within(cls, bound: str, call: Call) -> str:
        """Where a bound lets the gradient pass."""
        at = "" if HELD_AT_BOUNDS and not cls.halves(call) else "="
        return f"(x {'>' if bound == 'min' else '<'}{at} {bound})"

    @classmethod
    def halves(cls, call: Call) -> bool:
        """Whether a cell that is exactly its bound shares the gradient with it: PyTorch's bounds are of one kind."""
        return HELD_AT_BOUNDS and any(bound in call.shapes for bound in cls.given(call))

    @classmethod
    def halved(cls, found: Mapping[str, str], given: Sequence[str]) -> dict[str, str]:
        """What `derive` has found, with halves where a cell is its bound, unless the bounds are equal too."""
        apart = " * (min < max)" if len(given) == 2 else ""
        equal = " + ".join(f"(x == {bound})" for bound in given)
        kept = f"(1 - ({equal}){apart} / 2.0)"
        return {
            "inside": f"{found['passes']} * {kept}",
            "share": f"{kept} * g",
            "below": f"({found['below']} + (x == min){apart} / 2.0)",
            "above": f"({found['above']} + (x == max){apart} / 2.0)",
        }


class Choice(Op):
    """What maximum and minimum share: both inputs are tensors."""

    broadcasts = True
    passed_straight = True
    samples: ClassVar[tuple[str, ...]] = "(2,3) (2,3)", "(2,1) (3,)"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return bool(is_tensor(bound["x"]) and is_tensor(bound["y"]))


class Maximum(Choice):
    """Cell by cell the larger of two; equal cells share the gradient."""

    written = "torch.maximum(x, y)", "x.maximum(y)", "torch.max(x, y)", "x.max(y)"
    backward = {"x": "((x > y) + (x == y) / 2.0) * g", "y": "((y > x) + (x == y) / 2.0) * g"}
    because = {
        "x": "Only the larger of the two decides the result and gets the gradient; equal cells get half each.",
        "y": "Only the larger of the two decides the result and gets the gradient; equal cells get half each.",
    }
    does = "{it} takes the larger of the two{cellwise}."
    cell = "max(x, y)"


class Minimum(Choice):
    """Cell by cell the smaller of two; equal cells share the gradient."""

    written = "torch.minimum(x, y)", "x.minimum(y)", "torch.min(x, y)", "x.min(y)"
    backward = {"x": "((x < y) + (x == y) / 2.0) * g", "y": "((y < x) + (x == y) / 2.0) * g"}
    because = {
        "x": "Only the smaller of the two decides the result and gets the gradient; equal cells get half each.",
        "y": "Only the smaller of the two decides the result and gets the gradient; equal cells get half each.",
    }
    does = "{it} takes the smaller of the two{cellwise}."
    cell = "min(x, y)"


class LogAddExp(Choice):
    """Cell by cell the logarithm of the sum of two exponentials."""

    written = "torch.logaddexp(x, y)", "x.logaddexp(y)"
    backward = {"x": "g / (1 + torch.exp(y - x))", "y": "g / (1 + torch.exp(x - y))"}
    because = {
        "x": "A smooth maximum: the local derivative is the share of {x} in the sum, {=torch.exp(x - out)}.",
        "y": "A smooth maximum: the local derivative is the share of {y} in the sum, {=torch.exp(y - out)}.",
    }
    does = "{it} adds two exponentials and takes the logarithm{cellwise}."
    cell = "log(exp(x) + exp(y))"
