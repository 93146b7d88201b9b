"""Losses over classes, each with the closed form of its gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from backend.engine.language.values import Parameters
from backend.engine.ops.base import Call, widened
from backend.engine.ops.losses import Loss

if TYPE_CHECKING:
    import torch


class Classes(Loss):
    """What losses over class numbers share: `hot` has a one at each target, `row_weight` says what each row counts."""

    others = frozenset({"target", "weight"})
    aids = {"keep": "target != ignore_index", "row_share": "kept_share"}

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> Parameters:
        """Whether some target is one to ignore: only then does the rule speak of it."""
        return {"ignores": bool((numbers(bound["target"]) == bound["ignore_index"]).any())}

    @classmethod
    def cell_for(cls, call: Call) -> str:
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
        if not isinstance(bound["ignore_index"], int):
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


class CrossEntropy(Classes):
    """Cross-entropy: minus the log-probability of each target class under a softmax, averaged."""

    written = ("F.cross_entropy(x, target, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0)",)
    backward = {"x": "towards * share"}
    why_not_exact = "autograd goes back through log_softmax, while this line takes `F.softmax` anew"
    cell = "log(sum(exp(x), B)) - at(x, B, target)"
    because = {
        "x": "Everything inside collapses to softmax minus one-hot, over {count}. The right class is pulled up, every other is pushed down by its probability."
    }
    does = "{it} is minus the log-probability of each row's target class under a softmax{reduced}."
    samples = (
        "(4,3) target=ints(4)<3", "(3,) target=ints()<3", "(4,3) target=ints(4)<3 reduction='sum'",
        "(4,3) target=ints(4)<3 reduction='none'", "(4,3) target=ints(4)<3 label_smoothing=0.1",
        "(4,3) target=ints(4)<3 ignore_index=1", "(4,3) target=ints(4)<3 ignore_index=1 reduction='sum' label_smoothing=0.2",
        "(4,3,2) target=ints(4,2)<3", "(4,3) target=ints(4)<3 weight=torch.tensor([0.5,1.0,2.0])",
        "(4,3) target=ints(4)<3 weight=torch.tensor([0.5,1.0,2.0]) label_smoothing=0.1",
        "(4,3,2) target=ints(4,2)<3 weight=torch.tensor([0.5,1.0,2.0]) reduction='none'",
    )  # fmt: skip

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        given = call.parameters
        if given["label_smoothing"] or given["weight"] is not None or given.get("ignores"):
            return "Everything inside collapses to the softmax minus the wanted probabilities, row by row, weighted."
        return cls.because[name] if given["reduction"] == "mean" else cls.because[name].replace(", over {count}", "")

    @classmethod
    def facts(cls, call: Call) -> dict[str, str]:
        return {"count": super().derive(call)["count"]}

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


class SoftCrossEntropy(Loss):
    """Cross-entropy for targets that are probabilities."""

    written = ("F.cross_entropy(x, target, reduction='mean', label_smoothing=0.0)",)
    backward = {"x": "towards * share", "target": "-F.log_softmax(x, axis) * (1 - label_smoothing) * share"}
    why_not_exact = "autograd goes back through log_softmax, while this line takes `F.softmax` anew"
    because = {
        "x": "Everything inside collapses to the softmax, times the sum of the wanted probabilities, minus these.",
        "target": "The loss is linear in {target}: its slope is minus the log-probability.",
    }
    does = "{it} compares the softmax of {x} with the wanted probabilities."
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


class NllLoss(Classes):
    """Minus the log-probability of each target class, averaged."""

    written = ("F.nll_loss(x, target, weight=None, ignore_index=-100, reduction='mean')",)
    backward = {"x": "-towards * share"}
    cell = "-at(x, B, target)"
    because = {"x": "Only each row's target class is in the loss: only that cell gets a gradient."}
    does = "{it} is minus the log-probability of each row's target class{reduced}."
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
