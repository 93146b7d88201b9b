"""Probabilities and losses: fused operations, each with the closed form of its gradient."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from backend.ops.base import Call, Op, register

REDUCTIONS = ("mean", "sum", "none")


@register
class Softmax(Op):
    """exp(x) divided by its sum along dim: positive numbers that add up to 1."""

    written = "F.softmax(x, dim)", "torch.softmax(x, dim)", "x.softmax(dim)"
    backward = {"x": "out * (g - (out * g).sum(dim, keepdim=True))"}
    because = {
        "x": "Raising one logit raises its own share and lowers all others of its line: "
        "each cell gets what arrives, minus the average of what arrives, weighted by its share."
    }
    samples = "(2,3) dim=1", "(2,3) dim=0", "(2,2,3) dim=-1"

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        return [
            "maxes = x.max(dim, keepdim=True).values",
            "counts = (x - maxes).exp()",
            "counts_sum = counts.sum(dim, keepdim=True)",
            "out = counts / counts_sum",
        ]


@register
class LogSoftmax(Op):
    """The logarithm of the softmax along dim."""

    written = "F.log_softmax(x, dim)", "torch.log_softmax(x, dim)", "x.log_softmax(dim)"
    backward = {"x": "g - torch.exp(out) * g.sum(dim, keepdim=True)"}
    because = {
        "x": "A logit raises its own log-probability one for one, and the normaliser by its share: "
        "what arrives, minus the share of all that arrives on its line."
    }
    samples = "(2,3) dim=1", "(2,3) dim=0", "(2,2,3) dim=-1"

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        return [
            "maxes = x.max(dim, keepdim=True).values",
            "norm = x - maxes",
            "counts_sum = norm.exp().sum(dim, keepdim=True)",
            "out = norm - counts_sum.log()",
        ]


class Loss(Op):
    """What losses share: a mean or a sum over examples, or one number an example."""

    others = frozenset({"target"})

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and bound.get("reduction", "mean") in (*REDUCTIONS, "batchmean")

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape = next(iter(call.shapes.values()))
        reduction = call.parameters.get("reduction", "mean")
        share = {"mean": "g / count", "batchmean": f"g / {shape[0] if shape else 1}"}.get(reduction, "g")
        return {"share": share, "count": str(max(math.prod(shape), 1))}


@register
class CrossEntropy(Loss):
    """Mean of -log softmax(x) at each row's target class."""

    written: ClassVar[tuple[str, ...]] = (
        "F.cross_entropy(x, target, ignore_index=-100, reduction='mean', label_smoothing=0.0)",
    )
    backward = {"x": "(F.softmax(x, -1) - wanted) * share"}
    because = {
        "x": "All the steps inside collapse to one: the probabilities minus the wanted ones. "
        "The right class is pulled up, every other pushed down by its probability."
    }
    samples: ClassVar[tuple[str, ...]] = (
        "(4,3) target=ints(4)<3", "(3,) target=ints()<3", "(4,3) target=ints(4)<3 reduction='sum'",
        "(4,3) target=ints(4)<3 reduction='none'", "(4,3) target=ints(4)<3 label_smoothing=0.1",
        "(4,3) target=ints(4)<3 ignore_index=1", "(4,3) target=ints(4)<3 ignore_index=1 reduction='sum' label_smoothing=0.2",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        if not super().accepts(bound, is_tensor) or not is_tensor(bound["target"]):
            return False
        return len(bound["target"].shape) == len(bound["x"].shape) - 1 <= 1

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        classes, ignored = call.shapes["x"][-1], call.parameters["ignore_index"]
        rows, batched = math.prod(call.shapes["x"][:-1]), len(call.shapes["x"]) > 1
        smoothing = call.parameters.get("label_smoothing", 0.0)
        wanted = "F.one_hot(target, classes)"
        per_row = {"mean": "g / count", "sum": "g", "none": "g"}[call.parameters["reduction"]]
        share = per_row + (".unsqueeze(-1)" if call.parameters["reduction"] == "none" and batched else "")
        if ignored != -100:
            wanted = "F.one_hot(target.clamp(0, classes - 1), classes)"
            per_row = per_row.replace("count", "(target != ignore_index).sum()")
            share = f"torch.where(target != ignore_index, {per_row}, 0.0)" + (".unsqueeze(-1)" if batched else "")
        if smoothing:
            wanted = f"((1 - label_smoothing) * {wanted} + label_smoothing / classes)"
        return {"wanted": wanted, "share": f"({share})", "classes": str(classes), "count": str(max(rows, 1))}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        plain = call.parameters["reduction"] == "mean" and not call.parameters["label_smoothing"]
        if len(call.shapes["x"]) != 2 or not plain or call.parameters["ignore_index"] != -100:
            return []
        return [
            "maxes = x.max(1, keepdim=True).values",
            "norm = x - maxes",
            "counts = norm.exp()",
            "counts_sum = counts.sum(1, keepdim=True)",
            "counts_sum_inv = counts_sum**-1",
            "probs = counts * counts_sum_inv",
            "logprobs = probs.log()",
            f"out = -logprobs[range({call.shapes['x'][0]}), target].mean()",
        ]


@register
class NllLoss(CrossEntropy):
    """Mean of -x at each row's target class, for log-probabilities x."""

    written = ("F.nll_loss(x, target, ignore_index=-100, reduction='mean')",)
    backward = {"x": "-wanted * share"}
    because = {"x": "The loss looks at one cell a row, the target's log-probability: only that cell gets a gradient."}
    samples = (
        "(4,3) target=ints(4)<3", "(4,3) target=ints(4)<3 reduction='sum'", "(4,3) target=ints(4)<3 reduction='none'",
        "(4,3) target=ints(4)<3 ignore_index=2",
    )  # fmt: skip

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if (
            len(call.shapes["x"]) != 2
            or call.parameters["reduction"] != "mean"
            or call.parameters["ignore_index"] != -100
        ):
            return []
        return [f"out = -x[range({call.shapes['x'][0]}), target].mean()"]


class Paired(Loss):
    """What losses between two tensors of one shape share."""

    samples: ClassVar[tuple[str, ...]] = (
        "(2,3) (2,3)",
        "(2,3) (2,3) reduction='sum'",
        "(2,3) (2,3) reduction='none'",
        "(4,) (4,)",
    )
    others = frozenset()
    broadcasts = True


@register
class MseLoss(Paired):
    """Mean of squared differences."""

    written = ("F.mse_loss(x, y, reduction='mean')",)
    backward = {"x": "2 * (x - y) * (share)", "y": "-2 * (x - y) * (share)"}
    because = {
        "x": "The square's slope is twice the difference: the further off, the harder the pull.",
        "y": "The same pull as on {x}, the other way round.",
    }

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        ending = {"mean": ".mean()", "sum": ".sum()"}.get(call.parameters["reduction"], "")
        return ["diff = x - y", f"out = (diff**2){ending}"]


@register
class L1Loss(Paired):
    """Mean of absolute differences."""

    written = ("F.l1_loss(x, y, reduction='mean')",)
    backward = {"x": "torch.sign(x - y) * (share)", "y": "-torch.sign(x - y) * (share)"}
    because = {
        "x": "The slope of a distance is its sign: every cell is pulled equally hard.",
        "y": "The same pull as on {x}, the other way round.",
    }


@register
class SmoothL1Loss(Paired):
    """Mean of differences, squared where they are small and absolute where they are large."""

    written = ("F.smooth_l1_loss(x, y, reduction='mean', beta=1.0)",)
    backward = {"x": "slope * (share)", "y": "-slope * (share)"}
    because = {
        "x": "Near the target the pull shrinks with the difference, far from it the pull stays the same.",
        "y": "The same pull as on {x}, the other way round.",
    }

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        slope = "torch.where(torch.abs(x - y) < beta, (x - y) / beta, torch.sign(x - y))"
        return super().derive(call) | {"slope": slope}


@register
class BinaryCrossEntropy(Paired):
    """Mean of -y log x - (1 - y) log(1 - x), for probabilities x."""

    written = ("F.binary_cross_entropy(x, y, reduction='mean')",)
    backward = {"x": "(x - y) / (x * (1 - x)) * (share)", "y": "(torch.log(1 - x) - torch.log(x)) * (share)"}
    because = {
        "x": "How far the probability is off, divided by its variance x(1 - x): a confident mistake pulls hardest.",
        "y": "The loss is linear in the target: its slope is the logarithm of the odds, turned round.",
    }
    samples = "(2,3)01 (2,3)01", "(2,3)01 (2,3)01 reduction='sum'", "(4,)01 (4,)01 reduction='none'"

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        ending = {"mean": ".mean()", "sum": ".sum()"}.get(call.parameters["reduction"], "")
        return ["terms = y * x.log() + (1 - y) * (1 - x).log()", f"out = -terms{ending}"]


@register
class BinaryCrossEntropyWithLogits(Paired):
    """Mean of the binary cross-entropy of sigmoid(x)."""

    written = ("F.binary_cross_entropy_with_logits(x, y, reduction='mean')",)
    backward = {"x": "(torch.sigmoid(x) - y) * (share)", "y": "-x * (share)"}
    because = {
        "x": "Sigmoid and logarithm collapse: the probability minus the target.",
        "y": "The loss is linear in the target: its slope is minus the logit.",
    }
    samples = "(2,3) (2,3)01", "(2,3) (2,3)01 reduction='sum'", "(4,) (4,)01 reduction='none'"

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        ending = {"mean": ".mean()", "sum": ".sum()"}.get(call.parameters["reduction"], "")
        return ["p = torch.sigmoid(x)", "terms = y * p.log() + (1 - y) * (1 - p).log()", f"out = -terms{ending}"]


@register
class KlDiv(Paired):
    """Mean of y (log y - x), for log-probabilities x and probabilities y."""

    written = ("F.kl_div(x, y, reduction='mean', log_target=False)",)
    backward = {"x": "-weight * (share)", "y": "slope * (share)"}
    because = {
        "x": "The divergence is linear in {x}: its slope is minus the target's probability.",
        "y": "A product of the target and a logarithm of it: both factors have their say.",
    }
    samples = (
        "(2,3) (2,3)01", "(2,3) (2,3)01 reduction='batchmean'", "(2,3) (2,3)01 reduction='sum'",
        "(2,3) (2,3)01 reduction='none'", "(2,3) (2,3) reduction='batchmean' log_target=True",
    )  # fmt: skip

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        if call.parameters["log_target"]:
            return super().derive(call) | {"weight": "torch.exp(y)", "slope": "torch.exp(y) * (y - x + 1)"}
        return super().derive(call) | {"weight": "y", "slope": "(torch.log(y) - x + 1)"}
