"""Softmax and its logarithm: fused operations, each with the closed form of its gradient."""

from __future__ import annotations

from backend.engine.ops.base import Call, Op, folding


class Normaliser(Op):
    """What softmax and its logarithm share: one axis whose cells are weighed against each other."""

    keeps_axes = True

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return folding(call.out, (call.parameters["dim"] % max(len(call.out), 1),))


class Softmax(Normaliser):
    """Exponentials divided by their sum along an axis: positive numbers that add up to 1."""

    written = "F.softmax(x, dim)", "torch.softmax(x, dim)", "x.softmax(dim)"
    backward = {"x": "out * (g - (out * g).sum(dim, keepdim=True))"}
    why_not_exact = "autograd's own kernel for softmax takes a row in one pass, in another order"
    rates = {
        "softmax": "Softmax: diag(s) − s sᵀ. Each cell of {node} rises with its own cell of {input}, at the expense of the others."
    }
    because = {
        "x": "Nudge one logit up and its own share grows, at the expense of the others in its {row}. Each cell gets its share times the difference between its gradient and their share-weighted average."
    }
    does = "{it} turns {x} into shares, none below 0, that add up to 1 {over}."
    symbol = "softmax"
    briefly = {
        "x": "Each cell gets its share times the difference between its gradient and their share-weighted average."
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


class LogSoftmax(Normaliser):
    """The logarithm of the softmax along an axis."""

    written = "F.log_softmax(x, dim)", "torch.log_softmax(x, dim)", "x.log_softmax(dim)"
    backward = {"x": "g - torch.exp(out) * g.sum(dim, keepdim=True)"}
    why_not_exact = "autograd's own kernel for log_softmax takes a row in one pass, in another order"
    rates = {
        "log-softmax": "Log-softmax: I − 1 sᵀ. Each cell of {node} rises with its own cell of {input} and falls with each cell's share.",
    }
    because = {
        "x": "Nudge one logit up: its own log-probability rises by ε, and all in its {row} fall by its share of ε."
    }
    does = "{it} is the logarithm of the softmax of {x}."
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
