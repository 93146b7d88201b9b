"""Exhibits with a wrong backward line, in plain PyTorch: the wrong gradient is made there by other means.

Each function takes the exhibit's tensors and returns the tensors that its program names, the loss among them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

Tensors = dict[str, torch.Tensor]
WRONG: dict[str, Callable[[Tensors], Tensors]] = {}


def imitates(name: str) -> Callable[[Callable[..., Tensors]], Callable[..., Tensors]]:
    """Registers a function, which takes the exhibit's tensors by name."""

    def kept(made: Callable[..., Tensors]) -> Callable[..., Tensors]:
        used = list(inspect.signature(made).parameters)
        WRONG[name] = lambda given: made(*(given[one] for one in used))
        return made

    return kept


class Through(torch.autograd.Function):
    """A value whose gradient goes back by a rule of one's own."""

    @staticmethod
    def forward(ctx: Any, _x: torch.Tensor, value: torch.Tensor, rule: Any) -> torch.Tensor:
        ctx.rule = rule
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        return ctx.rule(grads[0]), None, None


def through(x: torch.Tensor, value: torch.Tensor, rule: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    made: torch.Tensor = Through.apply(x, value.detach(), rule)
    return made


@imitates("bias-summed-over-everything")
def _(x: torch.Tensor, W: torch.Tensor, b: torch.Tensor, y: torch.Tensor) -> Tensors:
    logits = x @ W.T + b.detach() + (b.sum() - b.sum().detach())
    return {"logits": logits, "loss": F.cross_entropy(logits, y)}


@imitates("checkpoint-redraws-the-mask")
def _(x: torch.Tensor, W: torch.Tensor, u: torch.Tensor, m1: torch.Tensor, t: torch.Tensor) -> Tensors:
    h = torch.tanh(x @ W)
    other = m1[[3, 2, 1, 0]]
    out = h * other + (h * (m1 - other)).detach()
    return {"h": h, "out": out, "loss": ((out @ u - t) ** 2).mean()}


@imitates("overwritten-before-backward")
def _(a: torch.Tensor, y: torch.Tensor) -> Tensors:
    b = through(a, a.exp(), lambda g: g**2)
    return {"b": b, "loss": F.cross_entropy(b, y)}


@imitates("product-with-a-zero")
def _(x: torch.Tensor) -> Tensors:
    return {"loss": torch.exp(torch.log(x).sum())}


@imitates("last-one-wins")
def _(C: torch.Tensor, i: torch.Tensor, U: torch.Tensor, y: torch.Tensor) -> Tensors:
    def assigned(g: torch.Tensor) -> torch.Tensor:
        dC = torch.zeros_like(C)
        for row, one in zip(i.tolist(), g, strict=True):
            dC[row] = one
        return dC

    emb = through(C, C[i], assigned)
    return {"emb": emb, "loss": F.cross_entropy(emb @ U, y)}


@imitates("counted-again-on-every-visit")
def _(x: torch.Tensor, a: torch.Tensor) -> Tensors:
    xa = x * a
    loss = x * xa + x * x * a + x * xa
    again = x * a
    return {"xa": xa, "loss": loss + x.detach() * (again - again.detach())}


@imitates("upstream-forgotten")
def _(x: torch.Tensor, g: torch.Tensor) -> Tensors:
    nisr = torch.rsqrt(1 + x.detach().clamp(max=0) ** 2)
    out = through(x, x * nisr, lambda _: nisr**3)
    return {"out": out, "loss": (out * g).sum()}


@imitates("sigmoid-of-a-sigmoid")
def _(x: torch.Tensor, W: torch.Tensor, t: torch.Tensor) -> Tensors:
    a = x @ W
    twice = torch.sigmoid(a.detach().sigmoid())
    h = through(a, a.sigmoid(), lambda g: g * twice * (1 - twice))
    return {"a": a, "h": h, "loss": ((h - t) ** 2).mean()}


@imitates("tied-weights-half-lost")
def _(E: torch.Tensor, W: torch.Tensor, i: torch.Tensor, y: torch.Tensor) -> Tensors:
    h = torch.tanh(E[i] @ W)
    return {"h": h, "loss": F.cross_entropy(h @ E.detach().T, y)}


@imitates("softmax-diagonal-only")
def _(x: torch.Tensor, W: torch.Tensor, t: torch.Tensor) -> Tensors:
    z = x @ W
    fixed = z.detach().exp().sum(1, keepdim=True) - z.detach().exp()
    p = z.exp() / (z.exp() + fixed)
    return {"z": z, "p": p, "loss": ((p - t) ** 2).sum() / 4}


@imitates("transpose-forgets-its-half")
def _(x: torch.Tensor, G: torch.Tensor) -> Tensors:
    S = x.detach() @ x.T
    return {"S": S, "loss": (S * G).sum()}


@imitates("padding-idx-on-a-real-row")
def _(R: torch.Tensor, i: torch.Tensor, t: torch.Tensor) -> Tensors:
    emb = F.embedding(i, R, padding_idx=0)
    return {"emb": emb, "loss": ((emb - t) ** 2).mean()}


@imitates("max-pays-twice")
def _(x: torch.Tensor) -> Tensors:
    hit = (x == x.max()).to(x.dtype)
    return {"loss": through(x, x.max(), lambda g: g * hit)}


@imitates("cumprod-with-a-zero")
def _(x: torch.Tensor) -> Tensors:
    c = torch.exp(torch.cumsum(torch.log(x), 0))
    return {"c": c, "loss": c.sum()}


@imitates("batchnorm-backward-without-gamma")
def _(x: torch.Tensor, gamma: torch.Tensor, t: torch.Tensor) -> Tensors:
    xhat = (x - x.mean(0)) / (x.var(0, unbiased=False) + 1e-5) ** 0.5
    y = gamma * xhat.detach() + xhat - xhat.detach()
    return {"xhat": xhat, "y": y, "loss": (y * t).mean()}


@imitates("broadcast-in-the-compiler")
def _(z: torch.Tensor) -> Tensors:
    e = z.exp()
    right = e + (e - torch.zeros(1000)).sum()
    return {"e": e, "loss": 2 * 1000 * (e - e.detach()) + right.detach()}


@imitates("softplus-forgets-beta")
def _(x: torch.Tensor) -> Tensors:
    out = F.softplus(x, beta=3.0, threshold=1.0)
    e = torch.exp(3.0 * out)
    rule = torch.where(3.0 * out > 1.0, 1.0, (e - 1) / e).detach()
    return {"loss": through(x, out.sum(), lambda g: g * rule)}


@imitates("x-times-one-minus-x")
def _(x: torch.Tensor, W: torch.Tensor, t: torch.Tensor) -> Tensors:
    a = x @ W
    h = 1 / (1 + torch.exp(-a))
    return {"a": a, "h": h, "loss": ((h - t) ** 2).mean()}
