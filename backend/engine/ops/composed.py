"""Operations that are a composition: each is defined by its expansion, and goes back through the steps of that."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from backend.engine.ops.base import Call, Op, Shape

REDUCED = {"mean": "({}).mean()", "sum": "({}).sum()", "none": "{}"}


@dataclass(frozen=True)
class Outline:
    """A tensor of which nothing but the shape is known."""

    shape: Shape


class Composed(Op):
    """What is defined by its expansion, an expression over its own parameters."""

    steps: ClassVar[str] = ""

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return True

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        return cls.steps

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        shapes = {name: Outline(shape) for name, shape in call.shapes.items()}
        return [f"out = {cls.expansion({**call.parameters, **shapes})}"]

    @classmethod
    def opens(cls) -> bool:
        """Its steps are all that there is: what is traced are these."""
        return False


class ReducedLoss(Composed):
    """A loss by the cell, and its mean, its sum or none of both."""

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return bound["reduction"] in REDUCED

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        return REDUCED[bound["reduction"]].format(cls.steps)


class AddCDiv(Composed):
    """A tensor plus a quotient of two, cell by cell."""

    written = "torch.addcdiv(x, a, b, value=1)", "x.addcdiv(a, b, value=1)"
    called = {"tensor1": "a", "tensor2": "b"}
    by_name = frozenset({"value"})
    steps = "x + value * (a / b)"
    samples = "(2,3) (2,3) (2,3)+", "(2,3) (3,) (2,3)+ value=0.5"


class XLogY(Composed):
    """Cell by cell one number times the logarithm of another; 0 where the first is 0."""

    written = "torch.xlogy(x, y)", "x.xlogy(y)", "torch.special.xlogy(x, y)"
    steps = "x * torch.log(torch.where((x == 0) & (y <= 0), 1.0, y))"
    samples = ("(2,3) (2,3)+",)


class Softmin(Composed):
    """Softmax of the negative numbers: small ones count most."""

    written = ("F.softmin(x, dim)",)
    steps = "F.softmax(-x, dim)"
    samples = "(2,3) dim=1", "(2,3) dim=0"


class TanhShrink(Composed):
    """Cell-by-cell distance from the tanh."""

    written = ("F.tanhshrink(x)",)
    steps = "x - torch.tanh(x)"
    samples = ("(2,3)",)


class SoftShrink(Composed):
    """Every cell moved towards zero by a given step, and held there."""

    written = ("F.softshrink(x, lambd=0.5)",)
    steps = "torch.sign(x) * F.relu(torch.abs(x) - lambd)"
    samples = "(2,3)", "(2,3) lambd=0.2"


class HardShrink(Composed):
    """Every cell within a given distance from zero put to zero."""

    written = "F.hardshrink(x, lambd=0.5)", "torch.hardshrink(x, lambd=0.5)"
    steps = "torch.where(torch.abs(x) > lambd, x, 0.0)"
    samples = "(2,3)", "(2,3) lambd=0.2"


class Threshold(Composed):
    """Every cell that is not above a bound put to one number."""

    written = ("F.threshold(x, threshold, value)",)
    steps = "torch.where(x > threshold, x, value)"
    samples = ("(2,3) threshold=0.1 value=2.0",)


class PRelu(Composed):
    """A rectifier whose slope below zero is learned, one for each channel or one for all."""

    written = "F.prelu(x, weight)", "torch.prelu(x, weight)"
    samples = "(2,3) (3,)", "(2,3,2) (3,)", "(2,3) (1,)", "() (1,)"

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        wide = max(len(getattr(bound["x"], "shape", ())) - 2, 0)
        channels = wide and getattr(bound["weight"], "shape", (1,)) != (1,)
        alone = "weight.squeeze()" if getattr(bound["x"], "shape", None) == () else "weight"
        weight = f"weight.view(-1{', 1' * wide})" if channels else alone
        return f"torch.where(x > 0, x, {weight} * x)"


class Dist(Composed):
    """The length of the difference of two tensors."""

    written = "torch.dist(x, y, p=2)", "x.dist(y, p=2)"
    steps = "(x - y).norm(p)"
    samples = "(2,3) (2,3)", "(2,3) (3,) p=1"


class PairwiseDistance(Composed):
    """The lengths of the differences of rows."""

    written = ("F.pairwise_distance(x, y, p=2.0, eps=1e-6, keepdim=False)",)
    called = {"x1": "x", "x2": "y"}
    steps = "(x - y + eps).norm(p=p, dim=-1, keepdim=keepdim)"
    samples = "(2,3) (2,3)", "(2,3) (2,3) keepdim=True"


class BatchedAdd(Composed):
    """A product of each pair of matrices, and a sum, in one."""

    written = "torch.baddbmm(x, a, b, beta=1, alpha=1)", "x.baddbmm(a, b, beta=1, alpha=1)"
    called = {"batch1": "a", "batch2": "b"}
    by_name = frozenset({"beta", "alpha"})
    steps = "beta * x + alpha * (a @ b)"
    samples = ("(2,3,2) (2,3,4) (2,4,2)",)


class Bilinear(Composed):
    """A weighted sum of all products of two rows, plus a bias."""

    written = ("F.bilinear(x, y, weight, bias=None)",)
    called = {"input1": "x", "input2": "y"}
    samples = "(2,3) (2,4) (5,3,4)", "(2,3) (2,4) (5,3,4) bias=torch.ones(5)"

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        total = "torch.einsum('...i,oij,...j->...o', x, weight, y)"
        return total if bound["bias"] is None else f"{total} + bias"


class InstanceNorm(Composed):
    """Each channel of each example minus its mean, over its deviation; then gain and shift."""

    written = (
        "F.instance_norm(x, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, "
        "momentum=0.1, eps=1e-5)",
    )
    samples = "(2,3,4)", "(2,3,2,2) weight=torch.tensor([1.0,2.0,0.5]) bias=torch.tensor([0.1,0.2,0.3])"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        own = bound["running_mean"] is None and bound["running_var"] is None and bound["use_input_stats"] is True
        return own and len(bound["x"].shape) > 2

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        given = "".join(f", {name}={name}" for name in ("weight", "bias") if bound[name] is not None)
        return f"F.group_norm(x, {bound['x'].shape[1]}{given}, eps=eps)"


class LpPool2d(Composed):
    """The length of each window of an image."""

    written = ("F.lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False)",)
    steps = "(F.avg_pool2d(torch.abs(x)**norm_type, kernel_size, stride, 0, ceil_mode) * cells)**(1 / norm_type)"
    samples = ("(1,2,4,4) norm_type=2 kernel_size=2",)

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        size = bound["kernel_size"]
        return all(isinstance(side, int) for side in (size if isinstance(size, list | tuple) else (size,)))

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        size = bound["kernel_size"]
        return cls.steps.replace("cells", str(size * size if isinstance(size, int) else math.prod(size)))


class VarMean(Composed):
    """Variance and mean along an axis, as two tensors."""

    written = (
        "torch.var_mean(x, dim=None, unbiased=True, keepdim=False)",
        "torch.var_mean(x, dim=None, correction=1, keepdim=False)",
    )
    samples = "(2,3) dim=1", "(2,3) dim=0 unbiased=False", "(2,3) dim=1 correction=0 keepdim=True"
    one = "var"

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        said = "".join(f", {name}={name}" for name in ("unbiased", "correction") if name in bound)
        return f"(x.{cls.one}(dim=dim{said}, keepdim=keepdim), x.mean(dim, keepdim=keepdim))"


class StdMean(VarMean):
    """Standard deviation and mean along an axis, as two tensors."""

    written = (
        "torch.std_mean(x, dim=None, unbiased=True, keepdim=False)",
        "torch.std_mean(x, dim=None, correction=1, keepdim=False)",
    )
    one = "std"


class AMinMax(Composed):
    """Smallest and largest value along an axis, as two tensors."""

    written = "torch.aminmax(x, dim=None, keepdim=False)", "x.aminmax(dim=None, keepdim=False)"
    by_name = frozenset({"dim", "keepdim"})
    samples = "(2,3) dim=1", "(2,3)"

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        along = "" if bound["dim"] is None else "dim, keepdim"
        return f"(x.amin({along}), x.amax({along}))"


class Diff(Composed):
    """Differences of neighbours along an axis."""

    written = "torch.diff(x, n=1, dim=-1)", "x.diff(n=1, dim=-1)"
    samples = "(2,4)", "(4,3) dim=0", "(2,5) n=2"

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        made = "x"
        for times in range(bound["n"]):
            length = f"{bound['x'].shape[bound['dim']] - times - 1}"
            made = f"({made}.narrow(dim, 1, {length}) - {made}.narrow(dim, 0, {length}))"
        return made

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return type(bound["n"]) is int and type(bound["dim"]) is int and 0 < bound["n"] <= 3


class PoissonLoss(ReducedLoss):
    """Minus the log-likelihood of counts under Poisson rates."""

    written = ("F.poisson_nll_loss(x, target, log_input=True, full=False, eps=1e-8, reduction='mean')",)
    by_name = frozenset({"eps", "reduction"})
    samples = "(2,3) (2,3)+", "(2,3)+ (2,3)+ log_input=False reduction='sum'"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and bound["full"] is False

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        steps = "torch.exp(x) - target * x" if bound["log_input"] else "x - target * torch.log(x + eps)"
        return REDUCED[bound["reduction"]].format(steps)


class SoftMarginLoss(ReducedLoss):
    """Logistic loss of labels −1 and 1."""

    written = ("F.soft_margin_loss(x, target, reduction='mean')",)
    by_name = frozenset({"reduction"})
    steps = "torch.log(1 + torch.exp(-target * x))"
    samples = (
        "(3,) target=torch.tensor([1.0,-1.0,1.0])",
        "(3,) target=torch.tensor([1.0,-1.0,1.0]) reduction='sum'",
    )


class MarginRankingLoss(ReducedLoss):
    """How far two scores are from being in the wanted order by a margin."""

    written = ("F.margin_ranking_loss(x, y, target, margin=0.0, reduction='mean')",)
    called = {"input1": "x", "input2": "y"}
    by_name = frozenset({"reduction"})
    steps = "F.relu(-target * (x - y) + margin)"
    samples = (
        "(4,) (4,) target=torch.tensor([1.0,-1.0,1.0,-1.0]) margin=0.3",
        "(4,) (4,) target=torch.tensor([1.0,-1.0,1.0,1.0]) reduction='none'",
    )


class HingeEmbeddingLoss(ReducedLoss):
    """A distance where the label is 1, and how far it is from a margin where that is −1."""

    written = ("F.hinge_embedding_loss(x, target, margin=1.0, reduction='mean')",)
    by_name = frozenset({"reduction"})
    steps = "torch.where(target == 1, x, F.relu(margin - x))"
    samples = ("(4,) target=torch.tensor([1.0,-1.0,1.0,-1.0])",)


class GaussianLoss(ReducedLoss):
    """Minus the log-likelihood under normal distributions, each with a variance of its own."""

    written = ("F.gaussian_nll_loss(x, target, var, full=False, eps=1e-6, reduction='mean')",)
    by_name = frozenset({"full", "eps", "reduction"})
    steps = "0.5 * (torch.log(var) + (x - target)**2 / var)"
    samples = "(2,3) (2,3) (2,3)+", "(2,3) (2,3) (2,3)+ reduction='sum'"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and bound["full"] is False


class TripletLoss(ReducedLoss):
    """How much nearer than the wrong example the right one is to an anchor, short of a margin."""

    written = (
        "F.triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction='mean')",
    )
    by_name = frozenset({"reduction"})
    steps = "F.relu((anchor - positive + eps).norm(p=p, dim=-1) - (anchor - negative + eps).norm(p=p, dim=-1) + margin)"
    samples = ("(4,3) (4,3) (4,3)",)

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and bound["swap"] is False


class CosineLoss(ReducedLoss):
    """One less the cosine where the label is 1, and how far that is above a margin where it is −1."""

    written = ("F.cosine_embedding_loss(x, y, target, margin=0.0, reduction='mean')",)
    called = {"input1": "x", "input2": "y"}
    by_name = frozenset({"reduction"})
    steps = "torch.where(target == 1, 1 - F.cosine_similarity(x, y, dim=-1), F.relu(F.cosine_similarity(x, y, dim=-1) - margin))"
    samples = ("(4,3) (4,3) target=torch.tensor([1.0,-1.0,1.0,-1.0])",)
