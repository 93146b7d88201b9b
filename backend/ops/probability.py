"""Probabilities and losses: fused operations, each with the closed form of its gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from backend.ops.base import Call, Op, folding, register, widened

if TYPE_CHECKING:
    import torch

REDUCTIONS = ("mean", "sum", "none")


class Normaliser(Op):
    """What softmax and its logarithm share: one axis whose cells are weighed against each other."""

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return folding(call.out, (call.parameters["dim"] % max(len(call.out), 1),))


@register
class Softmax(Normaliser):
    """exp(x) divided by its sum along dim: positive numbers that add up to 1."""

    written = "F.softmax(x, dim)", "torch.softmax(x, dim)", "x.softmax(dim)"
    backward = {"x": "out * (g - (out * g).sum(dim, keepdim=True))"}
    why_not_exact = "autograd's own kernel for softmax takes a line in one pass, and adds in another order"
    rates = {"softmax": "diag(s) − s sᵀ: a cell rises with its own cell of {input}, at the expense of all others."}
    because = {
        "x": "Raising one logit raises its own share and lowers all others of its line: "
        "each cell gets what arrives, minus the average of what arrives, weighted by its share."
    }
    cell = "exp(x) / sum(exp(x))"
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
class LogSoftmax(Normaliser):
    """The logarithm of the softmax along dim."""

    written = "F.log_softmax(x, dim)", "torch.log_softmax(x, dim)", "x.log_softmax(dim)"
    backward = {"x": "g - torch.exp(out) * g.sum(dim, keepdim=True)"}
    why_not_exact = (
        "autograd's own kernel for log_softmax takes a row in one pass, with an exponential of its own, "
        "and adds in another order"
    )
    rates = {"log-softmax": "I − 1 sᵀ: a cell rises with its own cell of {input}, and falls by each one's share s."}
    because = {
        "x": "A logit raises its own log-probability one for one, and the normaliser by its share: "
        "what arrives, minus the share of all that arrives on its line."
    }
    cell = "x - log(sum(exp(x)))"
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


class Classes(Loss):
    """What losses over class numbers share: `hot` has a one at each target, `row_weight` says what each row counts."""

    others = frozenset({"target", "weight"})
    aids = {"keep": "target != ignore_index", "row_share": "kept_share"}

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> dict[str, Any]:
        """Whether some target is one to ignore: only then does the rule speak of it."""
        return {"ignores": bool((numbers(bound["target"]) == bound["ignore_index"]).any())}

    @classmethod
    def says(cls, call: Call) -> str:
        given = call.parameters
        usual = given["weight"] is None and not given.get("ignores", True) and not given.get("label_smoothing")
        if not usual or len(call.shapes["x"]) != 2:
            return ""
        return {"mean": f"1 / count * sum({cls.cell}, A)", "sum": f"sum({cls.cell}, A)"}.get(
            given["reduction"], cls.cell
        )

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return "AB,A->" + ("A" if call.out else "")

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        if not super().accepts(bound, is_tensor) or not is_tensor(bound["target"]):
            return False
        x, target = bound["x"].shape, bound["target"].shape
        return len(target) == max(len(x) - 1, 0) and len(x) > 0

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        x, reduction = call.shapes["x"], call.parameters["reduction"]
        axis = 1 if len(x) > 1 else 0
        rows = [other for other in range(len(x)) if other != axis]
        ignored, weighted = call.parameters.get("ignores", False), call.parameters["weight"] is not None
        safe = "(target * keep)" if ignored else "target"
        hot = f"F.one_hot({safe}, {call.length('x', axis)})" + (f".movedim(-1, {axis})" if axis != len(x) - 1 else "")
        counted = " * ".join(["keep"] * ignored + [f"weight[{safe}]"] * weighted)
        total = f"({counted}).sum()" if counted else "count"
        each = {"mean": f"g / {total}", "sum": "g", "none": "g"}[reduction]
        wide = f".unsqueeze({axis})" if len(x) > 1 else ""
        share = f"row_share{wide}" if ignored else f"({each}){wide}" if reduction == "none" else f"({each})"
        own = f"weight[{safe}]{wide}" if weighted else ""
        spread = widened("weight", range(1, len(x) - axis)) if weighted else ""
        return {
            "hot": hot,
            "share": share,
            "kept_share": f"torch.where(keep, {each}, 0.0)",
            "count": call.count("x", rows) if math.prod(x) else "1",
            "own": own,
            "spread": spread or "1",
            "axis": str(axis),
        }


@register
class CrossEntropy(Classes):
    """Mean of -log softmax(x) at each row's target class."""

    written = ("F.cross_entropy(x, target, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0)",)
    backward = {"x": "towards * share"}
    why_not_exact = (
        "autograd goes back through log_softmax: its kernel takes exp of the log-probabilities, where "
        "this line takes F.softmax anew"
    )
    cell = "log(sum(exp(x), B)) - at(x, B, target)"
    because = {
        "x": "All the steps inside collapse to one: the probabilities minus the wanted ones. "
        "The right class is pulled up, every other pushed down by its probability."
    }
    samples = (
        "(4,3) target=ints(4)<3", "(3,) target=ints()<3", "(4,3) target=ints(4)<3 reduction='sum'",
        "(4,3) target=ints(4)<3 reduction='none'", "(4,3) target=ints(4)<3 label_smoothing=0.1",
        "(4,3) target=ints(4)<3 ignore_index=1", "(4,3) target=ints(4)<3 ignore_index=1 reduction='sum' label_smoothing=0.2",
        "(4,3,2) target=ints(4,2)<3", "(4,3) target=ints(4)<3 weight=torch.tensor([0.5,1.0,2.0])",
        "(4,3) target=ints(4)<3 weight=torch.tensor([0.5,1.0,2.0]) label_smoothing=0.1",
        "(4,3,2) target=ints(4,2)<3 weight=torch.tensor([0.5,1.0,2.0]) reduction='none'",
    )  # fmt: skip

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        words = super().derive(call)
        smoothing, classes = call.parameters["label_smoothing"], call.shapes["x"][int(words["axis"])]
        soft = f"F.softmax(x, {words['axis']})"
        if words["own"]:
            # With weights every wanted class is weighted, and each row's probabilities by the sum of its weights.
            hard = f"{words['own']} * ({soft} - {words['hot']})"
            even = f"({soft} * weight.sum() - {words['spread']}) / {classes}"
        else:
            hard, even = f"({soft} - {words['hot']})", f"({soft} - 1 / {classes})"
        towards = f"((1 - label_smoothing) * {hard} + label_smoothing * {even})" if smoothing else hard
        return words | {"towards": towards}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        parameters = call.parameters
        plain = parameters["reduction"] == "mean" and not parameters["label_smoothing"] and parameters["weight"] is None
        if len(call.shapes["x"]) != 2 or not plain or parameters["ignores"]:
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
class SoftCrossEntropy(Loss):
    """Mean over rows of -sum(target * log softmax(x)), for targets that are probabilities."""

    written = ("F.cross_entropy(x, target, reduction='mean', label_smoothing=0.0)",)
    backward = {"x": "towards * share", "target": "-F.log_softmax(x, axis) * (1 - label_smoothing) * share"}
    why_not_exact = (
        "autograd goes back through log_softmax: its kernel takes exp of the log-probabilities, where "
        "this line takes F.softmax anew"
    )
    because = {
        "x": "The probabilities minus the wanted ones: here the wanted ones are spread over several classes.",
        "target": "The loss is linear in the target: its slope is minus the log-probability.",
    }
    others = frozenset()
    samples = (
        "(4,3) (4,3)01",
        "(4,3) (4,3)01 reduction='sum'",
        "(4,3) (4,3)01 reduction='none' label_smoothing=0.1",
        "(3,) (3,)01",
    )

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        if not super().accepts(bound, is_tensor) or not is_tensor(bound["target"]):
            return False
        return bool(bound["x"].shape == bound["target"].shape and bound["target"].meta.dtype.is_floating_point)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        x = next(iter(call.shapes.values()))
        axis = 1 if len(x) > 1 else 0
        rows = math.prod(x) // max(x[axis], 1)
        share = {"mean": f"(g / {max(rows, 1)})", "sum": "g", "none": f"g.unsqueeze({axis})"}[
            call.parameters["reduction"]
        ]
        wanted = "target"
        if call.parameters["label_smoothing"]:
            wanted = f"((1 - label_smoothing) * target + label_smoothing / {x[axis]})"
        towards = f"(F.softmax(x, {axis}) * {wanted}.sum({axis}, keepdim=True) - {wanted})"
        return {"towards": towards, "share": share, "axis": str(axis)}


@register
class NllLoss(Classes):
    """Mean of -x at each row's target class, for log-probabilities x."""

    written = ("F.nll_loss(x, target, weight=None, ignore_index=-100, reduction='mean')",)
    backward = {"x": "-towards * share"}
    cell = "-at(x, B, target)"
    because = {"x": "The loss looks at one cell a row, the target's log-probability: only that cell gets a gradient."}
    samples = (
        "(4,3) target=ints(4)<3", "(4,3) target=ints(4)<3 reduction='sum'", "(4,3) target=ints(4)<3 reduction='none'",
        "(4,3) target=ints(4)<3 ignore_index=2", "(4,3,2) target=ints(4,2)<3",
        "(4,3) target=ints(4)<3 weight=torch.tensor([0.5,1.0,2.0])",
    )  # fmt: skip

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        words = super().derive(call)
        return words | {"towards": f"{words['own']} * {words['hot']}" if words["own"] else words["hot"]}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        parameters = call.parameters
        plain = parameters["reduction"] == "mean" and not parameters["ignores"] and parameters["weight"] is None
        if len(call.shapes["x"]) != 2 or not plain:
            return []
        return [f"out = -x[range({call.shapes['x'][0]}), target].mean()"]


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
    def says(cls, call: Call) -> str:
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


@register
class MseLoss(Paired):
    """Mean of squared differences."""

    written = ("F.mse_loss(x, y, reduction='mean')",)
    backward = {"x": "2 * (x - y) * (share)", "y": "-2 * (x - y) * (share)"}
    why_not_exact = "autograd multiplies by the factor 2 / n, which is rounded beforehand"
    cell = "(x - y) ** 2"
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
    cell = "abs(x - y)"
    because = {
        "x": "The slope of a distance is its sign: every cell is pulled equally hard.",
        "y": "The same pull as on {x}, the other way round.",
    }


@register
class SmoothL1Loss(Paired):
    """Mean of differences, squared where they are small and absolute where they are large."""

    written = ("F.smooth_l1_loss(x, y, reduction='mean', beta=1.0)",)
    backward = {"x": "slope * (share)", "y": "-slope * (share)"}
    why_not_exact = "autograd multiplies by the factor 1 / n, which is rounded beforehand"
    because = {
        "x": "Near the target the pull shrinks with the difference, far from it the pull stays the same.",
        "y": "The same pull as on {x}, the other way round.",
    }

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        slope = "torch.where(torch.abs(x - y) < beta, (x - y) / beta, torch.sign(x - y))"
        return super().derive(call) | {"slope": slope}


@register
class HuberLoss(Paired):
    """Mean of differences, squared up to delta and linear beyond it."""

    written = ("F.huber_loss(x, y, reduction='mean', delta=1.0)",)
    by_name = frozenset()
    backward = {"x": "(x - y).clamp(-delta, delta) * (share)", "y": "-(x - y).clamp(-delta, delta) * (share)"}
    why_not_exact = "autograd multiplies by the factor 1 / n, which is rounded beforehand"
    because = {
        "x": "The pull grows with the difference, but never beyond delta: outliers pull no harder.",
        "y": "The same pull as on {x}, the other way round.",
    }


@register
class BinaryCrossEntropy(Paired):
    """Mean of -y log x - (1 - y) log(1 - x), for probabilities x."""

    written = ("F.binary_cross_entropy(x, y, weight=None, reduction='mean')",)
    backward = {"x": "(x - y) / (x * (1 - x)) * (share)", "y": "(torch.log(1 - x) - torch.log(x)) * (share)"}
    why_not_exact = "autograd divides by x (1 - x) in one piece, and by the number of cells last"
    others = frozenset({"weight"})
    because = {
        "x": "How far the probability is off, divided by its variance x(1 - x): a confident mistake pulls hardest.",
        "y": "The loss is linear in the target: its slope is the logarithm of the odds, turned round.",
    }
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


@register
class BinaryCrossEntropyWithLogits(Paired):
    """Mean of the binary cross-entropy of sigmoid(x)."""

    written = ("F.binary_cross_entropy_with_logits(x, y, weight=None, reduction='mean', pos_weight=None)",)
    backward = {"x": "towards * (share)", "y": "linear * (share)"}
    why_not_exact = "torch computes this loss from log σ and a product, and autograd goes back through both and adds"
    others = frozenset({"weight", "pos_weight"})
    because = {
        "x": "Sigmoid and logarithm collapse: the probability minus the target.",
        "y": "The loss is linear in the target: its slope is minus the logit.",
    }
    samples = (
        "(2,3) (2,3)01", "(2,3) (2,3)01 reduction='sum'", "(4,) (4,)01 reduction='none'",
        "(2,3) (2,3)01 weight=torch.tensor([1.0,2.0,3.0])", "(2,3) (2,3)01 pos_weight=torch.tensor([1.0,2.0,3.0])",
    )  # fmt: skip

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


@register
class KlDiv(Paired):
    """Mean of y (log y - x), for log-probabilities x and probabilities y."""

    written = ("F.kl_div(x, y, reduction='mean', log_target=False)",)
    backward = {"x": "-weight * (share)", "y": "slope * (share)"}
    why_not_exact = "torch computes this loss in smaller steps, and autograd goes back through each of them"
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
