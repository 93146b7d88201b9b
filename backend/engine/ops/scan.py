"""Running results along an axis: a cell counts in its own and in all later ones."""

from __future__ import annotations

from typing import ClassVar

from backend.engine.ops.base import LETTERS, Call, Op


class Running(Op):
    """What running sums and products share."""

    samples: ClassVar[tuple[str, ...]] = "(2,3) dim=0", "(2,3) dim=1", "(3,) dim=-1"

    @classmethod
    def subscripts(cls, call: Call) -> str:
        axis = call.parameters["dim"] % len(call.out) if call.out else 0
        letters = LETTERS[: len(call.out)]
        return f"{letters[:axis]}K{letters[axis + 1 :]}->{letters[:axis]}k{letters[axis + 1 :]}" if letters else ""


class CumSum(Running):
    """Running sum along an axis."""

    written = "x.cumsum(dim)", "torch.cumsum(x, dim)"
    backward = {"x": "g.flip(dim).cumsum(dim).flip(dim)"}
    because = {"x": "A cell is part of its own running sum and of all later ones: their gradients add up."}
    does = "{it} is the running sum of {x} {over}."
    cell = "sum(x if K <= k else 0)"


class CumProd(Running):
    """Running product along an axis."""

    written = "x.cumprod(dim)", "torch.cumprod(x, dim)"
    backward = {"x": "torch.where(first, at_zero.flip(dim).cumsum(dim).flip(dim), elsewhere)"}
    because = {
        "x": "A cell is a factor of its own running product and of all later ones. Each hands back its gradient times the other factors, and they add up."
    }
    does = "{it} is the running product of {x} {over}."
    aids = {
        "first": "(x == 0) & ((x == 0).cumsum(dim) == 1)",
        "at_zero": "torch.where(first, 1.0, x).cumprod(dim) * g",
        "elsewhere": "(out * g).flip(dim).cumsum(dim).flip(dim) / torch.where(x == 0, 1.0, x)",
    }
    samples = *Running.samples, "(2,3) dim=1 zero"
    cell = "prod(x if K <= k else 1)"


class LogCumSumExp(Running):
    """Running logarithm of the sum of exponentials along an axis."""

    written = "x.logcumsumexp(dim)", "torch.logcumsumexp(x, dim)"
    backward = {"x": "torch.exp(x + gains) - torch.exp(x + losses)"}
    because = {
        "x": "A cell has a share, by its exponential, in its own running sum and in all later ones. Each hands back that share of its gradient, and they add up."
    }
    does = "{it} is the logarithm of running sums of exponentials of {x} {over}."
    aids = {
        "gains": "(torch.log(torch.clamp(g, min=0)) - out).flip(dim).logcumsumexp(dim).flip(dim)",
        "losses": "(torch.log(torch.clamp(-g, min=0)) - out).flip(dim).logcumsumexp(dim).flip(dim)",
    }

    cell = "log(sum(exp(x) if K <= k else 0))"
