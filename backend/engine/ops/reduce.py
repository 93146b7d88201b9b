"""Reductions: many cells become one, so one gradient goes back to many cells."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any, ClassVar

from backend.engine.language.tree import nodes_in
from backend.engine.ops.base import Call, Op, Shape, folding, widened

FORMS = "(2,3)", "(2,3) dim=0", "(2,3) dim=1 keepdim=True", "(2,3,2) dim=(0,2)", "(2,3,2) dim=-1", "()"
SINGLE = "(2,3) dim=0", "(2,3) dim=1 keepdim=True", "(2,3,2) dim=-1"


def reduced_axes(shape: Shape, dim: Any) -> tuple[int, ...]:
    """The axes a reduction runs over, counted from the front; all of them where `dim` is None."""
    if dim is None or dim in ((), []) or not shape:
        return tuple(range(len(shape)))
    axes = dim if isinstance(dim, tuple | list) else (dim,)
    return tuple(sorted(axis % len(shape) for axis in axes))


def calls_sum(node: ast.AST) -> bool:
    """Whether a line, or a part of one, adds up cells by `.sum(…)`."""
    return any(isinstance(part, ast.Attribute) and part.attr == "sum" for part in nodes_in(node))


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
    def facts(cls, call: Call) -> dict[str, str]:
        shape = call.shapes["x"]
        axes = reduced_axes(shape, call.parameters.get("dim"))
        return {"count": str(math.prod(shape[axis] for axis in axes) if shape else 1)}

    @classmethod
    def subscripts(cls, call: Call) -> str:
        shape, parameters = call.shapes["x"], call.parameters
        return folding(shape, reduced_axes(shape, parameters.get("dim")), bool(parameters.get("keepdim")))

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        gone = reduced_axes(call.shapes["x"], call.parameters.get("dim"))
        keep = call.parameters.get("keepdim")
        return [name for axis, name in enumerate(dims["x"]) if keep or axis not in gone]


class Sum(Reduction):
    """Sum over all axes, or over those of `dim`."""

    written = "x.sum(dim=None, keepdim=False)", "torch.sum(x, dim=None, keepdim=False)"
    backward = {"x": "torch.ones_like(x) * kept"}
    zeros = frozenset({"x"})
    rates = {
        "ones": "Sum: every cell of {input} counts 1.",
        "sums": "Sum: every cell of {input} counts 1, in the one sum it belongs to.",
    }
    because = {"x": "Each cell of {x} was added once, so each gets its sum's gradient, copied back {along}."}
    does = "{it} adds up {x} {over}."
    drawn = "sum"
    briefly = {"x": "A sum copies its gradient back {along}."}
    cell = "sum(x)"
    folds = "Σ"


class Mean(Reduction):
    """Mean over all axes, or over those of `dim`."""

    written = "x.mean(dim=None, keepdim=False)", "torch.mean(x, dim=None, keepdim=False)"
    backward = {"x": "torch.ones_like(x) * (kept / count)"}
    zeros = frozenset({"x"})
    rates = {"constant": "Mean: every cell of {input} counts {rate}, one over their number."}
    because = {"x": "A mean of {count} cells weighs each by {=1 / count}, so each gets that part of the gradient."}
    does = "{it} is the mean of {x} {over}."
    briefly = {"x": "A mean hands back {=1 / count} of its gradient to each cell."}
    cell = "1 / count * sum(x)"
    folds = "mean"

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        alone = cls.facts(call)["count"] == "1"
        return (
            "The mean of one cell is that cell: the gradient passes unchanged."
            if alone
            else super().because_for(name, call)
        )


class Var(Reduction):
    """Variance over all axes, or over those of `dim`, divided by n − 1 (Bessel's correction) unless `unbiased=False`."""

    written: ClassVar[tuple[str, ...]] = (
        "x.var(dim=None, unbiased=True, keepdim=False)", "torch.var(x, dim=None, unbiased=True, keepdim=False)",
        "x.var(dim=None, correction=1, keepdim=False)", "torch.var(x, dim=None, correction=1, keepdim=False)",
        "x.var(unbiased)", "torch.var(x, unbiased)",
    )  # fmt: skip
    backward = {"x": "twice * kept * (x - average)"}
    because = {
        "x": "The variance averages squared distances from the mean, so each cell counts by twice its own distance. The way through the mean adds nothing, because these distances sum to zero."
    }
    does = "{it} is the variance of {x} {over}."
    briefly = {"x": "In a variance, each cell counts by twice its distance from the mean."}
    cell = "sum((x - 1 / count * sum(x)) ** 2) / freedom"
    folds = "variance"
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


class Std(Var):
    """Standard deviation over all axes, or over those of `dim`, with n − 1 unless `unbiased=False`."""

    written = (
        "x.std(dim=None, unbiased=True, keepdim=False)", "torch.std(x, dim=None, unbiased=True, keepdim=False)",
        "x.std(dim=None, correction=1, keepdim=False)", "torch.std(x, dim=None, correction=1, keepdim=False)",
        "x.std(unbiased)", "torch.std(x, unbiased)",
    )  # fmt: skip
    backward = {"x": "(kept / (kept_out * freedom)).masked_fill(kept_out == 0, 0.0) * (x - average)"}
    why_not_exact = "autograd goes back through the variance, whose factor is rounded beforehand"
    because = {
        "x": "The root of the variance: its slope divides by twice the deviation, which cancels the variance's 2."
    }
    does = "{it} is the standard deviation of {x} {over}."
    briefly = {"x": "In a standard deviation, each cell counts by its distance from the mean over the deviation."}
    cell = "sqrt(sum((x - 1 / count * sum(x)) ** 2) / freedom)"
    folds = "deviation"


class Norm(Reduction):
    """Euclidean length over all axes, or over those of `dim`."""

    written: ClassVar[tuple[str, ...]] = (
        "x.norm(p=2, dim=None, keepdim=False)", "torch.norm(x, p=2, dim=None, keepdim=False)",
        "torch.linalg.vector_norm(x, ord=2, dim=None, keepdim=False)",
    )  # fmt: skip
    backward = {"x": "slope"}
    why_not_exact = "autograd divides the tensor by its length first, and multiplies after that"
    because = {"x": "A length grows fastest along {x} itself: the slope is {x} divided by its length."}
    does = "{it} is the length of {x} {over}."
    samples: ClassVar[tuple[str, ...]] = "(2,3)", "(2,3) dim=1 keepdim=True", "(2,3) dim=0 p=2", "(2,3) dim=1 p=1"

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        power = cls.power(call.parameters)
        usual = {
            2: super().because_for(name, call),
            1: "The slope of each cell's size is its sign: {=torch.sign(x)}.",
            0: "How many cells aren't zero is flat but for its jumps: nothing gets through.",
        }
        if math.isinf(power):
            return "Only cells whose size is the result decided it; they share its gradient evenly."
        return usual.get(power, "A cell counts by its size to a power, and the gradient by one power less of it.")

    @classmethod
    def does_for(cls, call: Call) -> str:
        power = cls.power(call.parameters)
        told = {
            2: cls.does,
            1: "{it} adds up the sizes of the cells of {x} {over}.",
            0: "{it} counts the cells of {x} that aren't zero {over}.",
        }
        if math.isinf(power):
            size = "largest" if power > 0 else "smallest"
            return f"{{it}} is the {size} size of a cell of {{x}} {{over}}."
        return told.get(power, f"{{it}} is the {power}-norm of {{x}} {{over}}.")

    @classmethod
    def power(cls, parameters: Mapping[str, Any]) -> Any:
        """Which length is meant: 2 unless said otherwise."""
        power = parameters.get("p", parameters.get("ord", 2))
        return 2 if power in (None, "fro") else power

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and isinstance(cls.power(bound), int | float)

    @classmethod
    def cell_for(cls, call: Call) -> str:
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


class LinalgNorm(Norm):
    """Length of a vector, or along one axis; without an order that of all cells together."""

    written = ("torch.linalg.norm(x, ord=None, dim=None, keepdim=False)",)
    does = "{it} is the length of {x} {over}."
    samples = "(2,3)", "(3,)", "(2,3) dim=1 keepdim=True", "(2,3) dim=0 ord=1", "(3,) ord=3", "(2,3,2) dim=(0,1)"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        # With an order two axes are a matrix, whose norm is another thing.
        vector = isinstance(bound["dim"], int) or (bound["dim"] is None and len(bound["x"].shape) == 1)
        return super().accepts(bound, is_tensor) and (bound["ord"] is None or vector)


class Prod(Reduction):
    """Product over all axes, or over those of `dim`."""

    written = "x.prod()", "torch.prod(x)", "x.prod(dim, keepdim=False)", "torch.prod(x, dim, keepdim=False)"
    backward = {"x": "others * kept"}
    zeros = frozenset({"x"})
    because = {"x": "In a product, the slope of one factor is the product of all the others."}
    does = "{it} multiplies the cells of {x} {over}."
    cell = "prod(x)"
    folds = "Π"
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

    because = {"x": "Only the chosen cell decided the result; it gets the whole gradient."}
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

    @classmethod
    def does_for_indices(cls, call: Call) -> str:
        return cls.does_for(call).replace("finds the", "finds the place of the")


class Max(Extreme):
    """Largest value along an axis; of equal ones the first counts."""

    written = "x.max(dim, keepdim=False)", "torch.max(x, dim, keepdim=False)"
    rates = {
        "one-hot": "Maximum: each cell of {node} takes the largest of its cells of {input}, at the rate 1.",
    }
    backward = {"x": "chosen * kept"}
    because = {"x": "Only the largest cell decided the result; it gets the whole gradient."}
    does = "{it} finds the largest value of {x} {over}."
    place_cell = "argmax(x)"
    cell = "max(x)"
    folds = "max"


class Min(Extreme):
    """Smallest value along an axis; of equal ones the first counts."""

    written = "x.min(dim, keepdim=False)", "torch.min(x, dim, keepdim=False)"
    rates = {
        "one-hot": "Minimum: each cell of {node} takes the smallest of its cells of {input}, at the rate 1.",
    }
    backward = {"x": "chosen * kept"}
    because = {"x": "Only the smallest cell decided the result; it gets the whole gradient."}
    does = "{it} finds the smallest value of {x} {over}."
    place_cell = "argmin(x)"
    cell = "min(x)"
    folds = "min"
    which = "min"


class Shared(Reduction):
    """What extremes without indices share: equal cells divide the gradient evenly."""

    backward = {"x": "(x == kept_out) * (kept / matches)"}
    because = {"x": "Only cells equal to the result decided it; they share its gradient evenly."}


class AMax(Shared):
    """Largest value over all axes, or over those of `dim`; equal ones share the gradient."""

    written = "x.max()", "torch.max(x)", "x.amax(dim=(), keepdim=False)", "torch.amax(x, dim=(), keepdim=False)"
    does = "{it} is the largest value of {x} {over}."
    cell = "max(x)"
    folds = "max"


class AMin(Shared):
    """Smallest value over all axes, or over those of `dim`; equal ones share the gradient."""

    written = "x.min()", "torch.min(x)", "x.amin(dim=(), keepdim=False)", "torch.amin(x, dim=(), keepdim=False)"
    does = "{it} is the smallest value of {x} {over}."
    cell = "min(x)"
    folds = "min"


class LogSumExp(Reduction):
    """Logarithm of the sum of exponentials over `dim`."""

    written = "x.logsumexp(dim, keepdim=False)", "torch.logsumexp(x, dim, keepdim=False)"
    backward = {"x": "torch.exp(x - kept_out) * kept"}
    because = {"x": "A smooth maximum: its slope is the softmax, each cell's share of the sum."}
    does = "{it} is the logarithm of the sum of exponentials of {x} {over}."
    cell = "log(sum(exp(x)))"
    samples = *SINGLE, "(2,3,2) dim=(0,2)"
