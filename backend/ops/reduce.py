"""Reductions: many cells become one, so one gradient goes back to many cells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from backend.ops.base import Call, Op, Shape, folding, register, widened

FORMS = "(2,3)", "(2,3) dim=0", "(2,3) dim=1 keepdim=True", "(2,3,2) dim=(0,2)", "(2,3,2) dim=-1", "()"
SINGLE = "(2,3) dim=0", "(2,3) dim=1 keepdim=True", "(2,3,2) dim=-1"


def reduced_axes(shape: Shape, dim: Any) -> tuple[int, ...]:
    """The axes a reduction runs over, counted from the front; all of them where `dim` is None."""
    if dim is None or dim in ((), []):
        return tuple(range(len(shape)))
    axes = dim if isinstance(dim, tuple | list) else (dim,)
    return tuple(sorted(axis % len(shape) if shape else 0 for axis in axes))


def unsqueezed(word: str, call: Call) -> str:
    """`word` with the reduced axes put back as length 1, so that it broadcasts against the input.

    Those in front need not be: broadcasting puts them in.
    """
    axes = reduced_axes(call.shapes["x"], call.parameters.get("dim"))
    if call.parameters.get("keepdim") or axes == tuple(range(len(axes))):
        return word
    return widened(word, axes)


class Reduction(Op):
    """What sums, means and maxima share: `kept` is `g`, and `kept_out` the result, with the reduced axes put back."""

    samples: ClassVar[tuple[str, ...]] = FORMS

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape = call.shapes["x"]
        axes = reduced_axes(shape, call.parameters.get("dim"))
        count = call.count("x", axes if shape else ())
        over = str(axes[0] if len(axes) == 1 else axes)
        along = f"{over}, keepdim=True" if shape and len(axes) < len(shape) else ""
        return {
            "kept": unsqueezed("g", call), "kept_out": unsqueezed("out", call), "count": f"({count})" if " " in count else count,
            "matches": f"(x == kept_out).sum({along})", "average": f"x.mean({along})",
        }  # fmt: skip

    @classmethod
    def subscripts(cls, call: Call) -> str:
        shape, parameters = call.shapes["x"], call.parameters
        return folding(shape, reduced_axes(shape, parameters.get("dim")), bool(parameters.get("keepdim")))

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
    rates = {
        "ones": "every cell counts the same, 1.",
        "sums": "every cell counts the same, 1, in the one sum it belongs to.",
    }
    because = {
        "x": "Every cell of {x} went into its sum with weight 1, so each receives the sum's gradient: it is copied back."
    }
    cell = "sum(x)"


@register
class Mean(Reduction):
    """Mean over all axes, or over `dim`."""

    written = "x.mean(dim=None, keepdim=False)", "torch.mean(x, dim=None, keepdim=False)"
    backward = {"x": "torch.ones_like(x) * (kept / count)"}
    rates = {"constant": "every cell counts the same, {rate}: one over their number."}
    because = {"x": "A mean gives each of its cells the same weight, 1 over their number, so each receives that share."}
    cell = "1 / count * sum(x)"


@register
class Var(Reduction):
    """Variance over all axes, or over `dim`, with n - 1 (Bessel's correction) unless `unbiased=False`."""

    written: ClassVar[tuple[str, ...]] = (
        "x.var(dim=None, unbiased=True, keepdim=False)", "torch.var(x, dim=None, unbiased=True, keepdim=False)",
        "x.var(dim=None, correction=1, keepdim=False)", "torch.var(x, dim=None, correction=1, keepdim=False)",
        "x.var(unbiased)", "torch.var(x, unbiased)",
    )  # fmt: skip
    backward = {"x": "twice * kept * (x - average)"}
    because = {
        "x": "The variance averages squared distances from the mean: each cell feels twice its own distance. "
        "The path through the mean itself adds nothing, because distances from the mean sum to zero."
    }
    cell = "sum((x - 1 / count * sum(x)) ** 2) / freedom"
    samples = (
        *FORMS[:5],
        "(2,3) dim=1 unbiased=False",
        "(2,3) unbiased=False",
        "(2,4) dim=0 unbiased=False keepdim=True",
        "(2,4) dim=1 correction=0",
    )

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        # `x.var(True)` means unbiased, `x.var(1)` an axis.
        unbiased = isinstance(bound.get("unbiased", True), bool) and not isinstance(bound.get("dim"), bool)
        return super().accepts(bound, is_tensor) and unbiased

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        words = super().derive(call)
        correction = call.parameters.get("correction", int(bool(call.parameters.get("unbiased", True))))
        correction = 1 if correction is None else correction
        cells = math.prod(call.shapes["x"][axis] for axis in reduced_axes(call.shapes["x"], call.parameters.get("dim")))
        freedom = f"({words['count']} - {correction})" if correction else words["count"]
        # Python does not divide by zero, and torch does.
        return words | {"freedom": freedom, "twice": "2 / freedom" if cells != correction else "math.inf"}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        words = cls.derive(call)
        kept = words["average"].removeprefix("x.mean(").removesuffix(")")
        bare = kept.removesuffix(", keepdim=True")
        total = kept if call.parameters.get("keepdim") else bare
        return [f"mean = x.mean({kept})", "diff = x - mean", f"out = (diff**2).sum({total}) / {words['freedom']}"]


@register
class Std(Var):
    """Standard deviation over all axes, or over `dim`, with n - 1 unless `unbiased=False`."""

    written = (
        "x.std(dim=None, unbiased=True, keepdim=False)", "torch.std(x, dim=None, unbiased=True, keepdim=False)",
        "x.std(dim=None, correction=1, keepdim=False)", "torch.std(x, dim=None, correction=1, keepdim=False)",
        "x.std(unbiased)", "torch.std(x, unbiased)",
    )  # fmt: skip
    backward = {"x": "(kept / (kept_out * freedom)).masked_fill(kept_out == 0, 0.0) * (x - average)"}
    why_not_exact = "autograd goes back through the variance, whose factor 2 / (n - 1) is rounded beforehand"
    because = {
        "x": "The root of the variance: its slope divides by twice the deviation, which cancels the variance's 2."
    }
    cell = "sqrt(sum((x - 1 / count * sum(x)) ** 2) / freedom)"


@register
class Norm(Reduction):
    """Euclidean length over all axes, or over `dim`."""

    written: ClassVar[tuple[str, ...]] = (
        "x.norm(p=2, dim=None, keepdim=False)", "torch.norm(x, p=2, dim=None, keepdim=False)",
        "torch.linalg.vector_norm(x, ord=2, dim=None, keepdim=False)",
    )  # fmt: skip
    backward = {"x": "slope"}
    why_not_exact = "autograd divides the tensor by its length first, and multiplies by what arrives then"
    because = {"x": "The length grows fastest along {x} itself: the slope is {x} divided by its length."}
    samples: ClassVar[tuple[str, ...]] = "(2,3)", "(2,3) dim=1 keepdim=True", "(2,3) dim=0 p=2", "(2,3) dim=1 p=1"

    @classmethod
    def power(cls, parameters: Mapping[str, Any]) -> Any:
        """Which length is meant: 2 unless said otherwise."""
        power = parameters.get("p", parameters.get("ord", 2))
        return 2 if power in (None, "fro") else power

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and isinstance(cls.power(bound), int | float)

    @classmethod
    def says(cls, call: Call) -> str:
        lengths = {1: "sum(abs(x))", 2: "sqrt(sum(x ** 2))", math.inf: "max(abs(x))"}
        return lengths.get(cls.power(call.parameters), "")

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        words, power = super().derive(call), cls.power(call.parameters)
        slopes = {
            0: "torch.zeros_like(x)",
            1: "torch.sign(x) * kept",
            2: "x * (kept / kept_out).masked_fill(kept_out == 0, 0.0)",
        }
        if power in slopes:
            return words | {"slope": slopes[power]}
        if math.isinf(power):
            hits = words["matches"].replace("x ==", "torch.abs(x) ==")
            return words | {"slope": f"torch.sign(x) * (torch.abs(x) == kept_out) * (kept / {hits})"}
        ratio = "(torch.abs(x) / kept_out).masked_fill(kept_out == 0, 0.0)"
        return words | {"slope": f"torch.sign(x) * {ratio}**({power} - 1) * kept"}


@register
class LinalgNorm(Norm):
    """Length of a vector, or along one axis; without an order that of all cells together."""

    written = ("torch.linalg.norm(x, ord=None, dim=None, keepdim=False)",)
    samples = "(2,3)", "(3,)", "(2,3) dim=1 keepdim=True", "(2,3) dim=0 ord=1", "(3,) ord=3", "(2,3,2) dim=(0,1)"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        # With an order two axes are a matrix, whose norm is another thing.
        vector = isinstance(bound["dim"], int) or (bound["dim"] is None and len(bound["x"].shape) == 1)
        return super().accepts(bound, is_tensor) and (bound["ord"] is None or vector)


@register
class Prod(Reduction):
    """Product over all axes, or over `dim`."""

    written = "x.prod()", "torch.prod(x)", "x.prod(dim, keepdim=False)", "torch.prod(x, dim, keepdim=False)"
    backward = {"x": "others * kept"}
    because = {"x": "The slope of a product is the product of the other factors; a single zero leaves only its own."}
    cell = "prod(x)"
    samples = "(2,3)", *SINGLE, "(2,3) zero", "(2,3) dim=1 zero"
    aids = {"nonzero": "torch.where(x == 0, 1.0, x)"}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        words = super().derive(call)
        along = f"{call.parameters['dim']}, keepdim=True" if call.parameters.get("dim") is not None else ""
        alone = f"((x == 0).sum({along}) == 1) * nonzero.prod({along})"
        return words | {"others": f"torch.where(x == 0, {alone}, kept_out / nonzero)"}


class Extreme(Reduction):
    """What maxima and minima along one axis share: values and indices, and the first of equal cells counts."""

    because = {"x": "Only the cell that was chosen moves the result: it receives all of the gradient, the others none."}
    samples: ClassVar[tuple[str, ...]] = SINGLE
    which = "max"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape, dim = call.shapes["x"], call.parameters["dim"]
        axis = dim % len(shape) if shape else 0
        if shape and axis == len(shape) - 1:
            chosen = f"F.one_hot(x.{cls.which}({axis}).indices, {shape[-1]})"
        else:
            indices = f"x.{cls.which}({axis}, keepdim=True).indices"
            chosen = f"torch.zeros_like(x).scatter({axis}, {indices}, 1.0)"
        return super().derive(call) | {"chosen": chosen}


@register
class Max(Extreme):
    """Largest value along `dim`, with `.values` and `.indices`; of equal ones the first counts."""

    written = "x.max(dim, keepdim=False)", "torch.max(x, dim, keepdim=False)"
    rates = {"one-hot": "only the largest cell counts, and it counts 1."}
    backward = {"x": "chosen * kept"}
    cell = "max(x)"


@register
class Min(Extreme):
    """Smallest value along `dim`, with `.values` and `.indices`; of equal ones the first counts."""

    written = "x.min(dim, keepdim=False)", "torch.min(x, dim, keepdim=False)"
    rates = {"one-hot": "only the smallest cell counts, and it counts 1."}
    backward = {"x": "chosen * kept"}
    cell = "min(x)"
    which = "min"


class Shared(Reduction):
    """What extremes without indices share: equal cells divide the gradient evenly."""

    backward = {"x": "(x == kept_out) * (kept / matches)"}
    because = {"x": "Only cells equal to the result move it: they share its gradient evenly, the others get none."}


@register
class AMax(Shared):
    """Largest value over all axes, or over `dim`; equal ones share the gradient."""

    written = "x.max()", "torch.max(x)", "x.amax(dim=(), keepdim=False)", "torch.amax(x, dim=(), keepdim=False)"
    cell = "max(x)"


@register
class AMin(Shared):
    """Smallest value over all axes, or over `dim`; equal ones share the gradient."""

    written = "x.min()", "torch.min(x)", "x.amin(dim=(), keepdim=False)", "torch.amin(x, dim=(), keepdim=False)"
    cell = "min(x)"


@register
class LogSumExp(Reduction):
    """Logarithm of the sum of exponentials over `dim`."""

    written = "x.logsumexp(dim, keepdim=False)", "torch.logsumexp(x, dim, keepdim=False)"
    backward = {"x": "torch.exp(x - kept_out) * kept"}
    because = {"x": "A smooth maximum: its slope is the softmax, each cell's share of the sum."}
    cell = "log(sum(exp(x)))"
    samples = *SINGLE, "(2,3,2) dim=(0,2)"
