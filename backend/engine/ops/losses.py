"""Losses between two tensors of one shape, each with the closed form of its gradient."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from backend.engine.ops.base import Call, Op, broadcast_shape, folding

if TYPE_CHECKING:
    pass

REDUCTIONS = ("mean", "sum", "none")
POSITIVE = {
    "x": "Sigmoid and logarithm collapse to probability minus target, with positive targets weighted by {pos_weight}.",
    "y": "The loss is linear in {y}: its slope weighs positive targets by {pos_weight}.",
}


class Loss(Op):
    """What losses share: a mean or a sum over examples, or one number an example."""

    others = frozenset({"target"})
    by_name = frozenset({"reduction", "ignore_index", "label_smoothing", "beta", "pos_weight", "log_target"})

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and bound.get("reduction", "mean") in (*REDUCTIONS, "batchmean")

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        name, shape = next(iter(call.shapes.items()))
        reduction = call.parameters.get("reduction", "mean")
        first = call.length(name, 0) if shape else "1"
        share = {"mean": "g / count", "batchmean": f"g / {first}"}.get(reduction, "g")
        weight = " * weight" if call.parameters.get("weight") is not None else ""
        return {"share": share + weight, "count": call.count(name, range(len(shape))) if math.prod(shape) else "1"}


class Paired(Loss):
    """What losses between two tensors of one shape share."""

    called = {"target": "y"}
    samples: ClassVar[tuple[str, ...]] = (
        "(2,3) (2,3)",
        "(2,3) (2,3) reduction='sum'",
        "(2,3) (2,3) reduction='none'",
        "(4,) (4,)",
    )
    others = frozenset()
    broadcasts = True

    @classmethod
    def cell_for(cls, call: Call) -> str:
        weighted = any(call.parameters.get(name) is not None for name in ("weight", "pos_weight"))
        reduction = call.parameters["reduction"]
        if not cls.cell or weighted or len(set(call.shapes.values())) > 1 or reduction == "batchmean":
            return ""
        return {"mean": f"1 / count * sum({cls.cell})", "sum": f"sum({cls.cell})"}.get(reduction, cls.cell)

    @classmethod
    def subscripts(cls, call: Call) -> str:
        shape = call.shapes["x"]
        own = folding(shape, () if call.out else tuple(range(len(shape))), False)
        return f"{own.partition('->')[0]},{own}"


class MseLoss(Paired):
    """Mean of squared differences."""

    written = ("F.mse_loss(x, y, reduction='mean')",)
    backward = {"x": "2 * (x - y) * (share)", "y": "-2 * (x - y) * (share)"}
    why_not_exact = "autograd multiplies by the factor 2 / n, which is rounded beforehand"
    cell = "(x - y) ** 2"
    because = {
        "x": "Each term's slope is twice the difference, {2 * (x - y)}: the further off, the larger the gradient.",
        "y": "As for {x}, with the opposite sign.",
    }
    does = "{it}: squared differences{reduced}."

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        ending = {"mean": ".mean()", "sum": ".sum()"}.get(call.parameters["reduction"], "")
        return ["diff = x - y", f"out = (diff**2){ending}"]


class L1Loss(Paired):
    """Mean of absolute differences."""

    written = ("F.l1_loss(x, y, reduction='mean')",)
    backward = {"x": "torch.sign(x - y) * (share)", "y": "-torch.sign(x - y) * (share)"}
    cell = "abs(x - y)"
    because = {
        "x": "The slope of a distance is a sign: every cell that is off gets a gradient of the same size.",
        "y": "As for {x}, with the opposite sign.",
    }
    does = "{it}: absolute differences{reduced}."


class SmoothL1Loss(Paired):
    """Mean of differences, squared where they are small and absolute where they are large."""

    written = ("F.smooth_l1_loss(x, y, reduction='mean', beta=1.0)",)
    backward = {"x": "slope * (share)", "y": "-slope * (share)"}
    why_not_exact = "autograd multiplies by the factor 1 / n, which is rounded beforehand"
    cell = "(x - y) ** 2 / (2 * beta) if abs(x - y) < beta else abs(x - y) - beta / 2"
    because = {
        "x": "Near the target the gradient shrinks with the difference; further away it keeps one size.",
        "y": "As for {x}, with the opposite sign.",
    }
    does = "{it}: differences, squared where they are small and absolute where they are large{reduced}."

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        slope = "torch.where(torch.abs(x - y) < beta, (x - y) / beta, torch.sign(x - y))"
        return super().derive(call) | {"slope": slope}


class HuberLoss(Paired):
    """Mean of differences, squared up to `delta` and linear beyond it."""

    written = ("F.huber_loss(x, y, reduction='mean', delta=1.0)",)
    by_name = frozenset()
    backward = {"x": "(x - y).clamp(-delta, delta) * (share)", "y": "-(x - y).clamp(-delta, delta) * (share)"}
    why_not_exact = "autograd multiplies by the factor 1 / n, which is rounded beforehand"
    cell = "(x - y) ** 2 / 2 if abs(x - y) < delta else delta * (abs(x - y) - delta / 2)"
    because = {
        "x": "The gradient grows with the difference up to {delta}: outliers count no more than that.",
        "y": "As for {x}, with the opposite sign.",
    }
    does = "{it}: differences, squared where they are small and linear beyond that{reduced}."


class BinaryCrossEntropy(Paired):
    """Mean of the binary cross-entropy, for probabilities."""

    written = ("F.binary_cross_entropy(x, y, weight=None, reduction='mean')",)
    backward = {"x": "(x - y) / (x * (1 - x)) * (share)", "y": "(torch.log(1 - x) - torch.log(x)) * (share)"}
    why_not_exact = "autograd divides by the variance in one piece, and by the count last"
    others = frozenset({"weight"})
    because = {
        "x": "Each term's slope is the error over the variance, {(x - y) / (x * (1 - x))}: a confident mistake counts most.",
        "y": "The loss is linear in {y}: its slope is minus the log-odds of {x}.",
    }
    does = "{it} compares probabilities with what really happened, by their logarithms."
    samples = (
        "(2,3)01 (2,3)01", "(2,3)01 (2,3)01 reduction='sum'", "(4,)01 (4,)01 reduction='none'",
        "(2,3)01 (2,3)01 weight=torch.tensor([1.0,2.0,3.0])",
    )  # fmt: skip

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if call.parameters["weight"] is not None:
            return []
        ending = {"mean": ".mean()", "sum": ".sum()"}.get(call.parameters["reduction"], "")
        return ["terms = y * x.log() + (1 - y) * (1 - x).log()", f"out = -terms{ending}"]


class BinaryCrossEntropyWithLogits(Paired):
    """Mean of the binary cross-entropy, for logits."""

    written = ("F.binary_cross_entropy_with_logits(x, y, weight=None, reduction='mean', pos_weight=None)",)
    backward = {"x": "towards * (share)", "y": "linear * (share)"}
    why_not_exact = "torch computes this from log σ and a product, and autograd adds both gradients"
    others = frozenset({"weight", "pos_weight"})
    because = {
        "x": "Sigmoid and logarithm collapse: the slope is the probability minus the target.",
        "y": "The loss is linear in {y}: its slope is minus the logit.",
    }
    does = "{it} compares the sigmoid of {x} with what really happened, by logarithms."
    samples = (
        "(2,3) (2,3)01", "(2,3) (2,3)01 reduction='sum'", "(4,) (4,)01 reduction='none'",
        "(2,3) (2,3)01 weight=torch.tensor([1.0,2.0,3.0])", "(2,3) (2,3)01 pos_weight=torch.tensor([1.0,2.0,3.0])",
    )  # fmt: skip

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        weighted = call.parameters["pos_weight"] is not None
        return POSITIVE.get(name if weighted else "", super().because_for(name, call))

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        if call.parameters["pos_weight"] is None:
            return super().derive(call) | {"towards": "(torch.sigmoid(x) - y)", "linear": "-x"}
        towards = "((1 + (pos_weight - 1) * y) * torch.sigmoid(x) - pos_weight * y)"
        return super().derive(call) | {"towards": towards, "linear": "(pos_weight * F.softplus(-x) - F.softplus(x))"}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if call.parameters["weight"] is not None or call.parameters["pos_weight"] is not None:
            return []
        ending = {"mean": ".mean()", "sum": ".sum()"}.get(call.parameters["reduction"], "")
        return ["p = torch.sigmoid(x)", "terms = y * p.log() + (1 - y) * (1 - p).log()", f"out = -terms{ending}"]


class KlDiv(Paired):
    """Kullback–Leibler divergence, for log-probabilities and target probabilities."""

    written = ("F.kl_div(x, y, reduction='mean', log_target=False)",)
    backward = {"x": "-weight * (share) * torch.ones_like(x)", "y": "slope * (share)"}
    why_not_exact = "torch computes this in smaller steps, and autograd goes back through each"
    because = {
        "x": "The divergence is linear in {x}: its slope is minus the target's probability.",
        "y": "A product of the target and a logarithm of it: both factors contribute.",
    }
    does = "{it} measures how far log-probabilities are from a target distribution."
    samples = (
        "(2,3) (2,3)01", "(2,3) (2,3)01 reduction='batchmean'", "(2,3) (2,3)01 reduction='sum'",
        "(2,3) (2,3)01 reduction='none'", "(2,3) (2,3) reduction='batchmean' log_target=True",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        # torch divides by the rows of x itself, however far it is stretched.
        x, y = bound["x"].shape, bound["y"].shape
        own = bound["reduction"] != "batchmean" or broadcast_shape(x, y) in (None, tuple(x))
        return super().accepts(bound, is_tensor) and own

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        if call.parameters["log_target"]:
            return super().derive(call) | {"weight": "torch.exp(y)", "slope": "torch.exp(y) * (y - x + 1)"}
        return super().derive(call) | {"weight": "y", "slope": "(torch.log(y) - x + 1)"}
