"""Custom functions as repositories have them, right or meant otherwise: nobody may be accused of any.

Each is written anew after the idea it names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

Tensor = torch.Tensor


@dataclass(frozen=True)
class Wild:
    """A forward pass, a backward pass that is given the inputs and the upstream gradient, and what is said of it."""

    name: str
    forward: Callable[..., Any]
    backward: Callable[..., Any]
    level: str = "right"
    inputs: Sequence[str] = ("x",)

    def function(self) -> type[torch.autograd.Function]:
        """The custom function."""
        ours = self

        class Own(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, *args: Tensor) -> Any:
                ctx.save_for_backward(*args)
                return ours.forward(*args)

            @staticmethod
            def backward(ctx: Any, g: Tensor) -> Any:
                return ours.backward(*ctx.saved_tensors, g)

        return Own


def halved(x: Tensor, y: Tensor, g: Tensor) -> Tensor:
    """The gradient of the largest cell of each row, shared by equal ones."""
    mask = (x == y[:, None]).to(x.dtype)
    return mask / mask.sum(1, keepdim=True) * g[:, None]


def first(x: Tensor, g: Tensor) -> Tensor:
    """The same, for the first of equal cells alone."""
    return torch.zeros_like(x).scatter(1, x.argmax(1, keepdim=True), g[:, None])


def fake_quantised(x: Tensor) -> Tensor:
    return (x / 0.25).round().clamp(-4, 3) * 0.25


def slope_at(x: Tensor) -> Tensor:
    return torch.where(x > 0, x.new_tensor(1.0), 0.2)


# Right: another slope at a kink alone, which an input on a grid meets and a drawn one doesn't.
KINKED = [
    Wild("relu, passing at zero", torch.relu, lambda x, g: g * (x >= 0)),
    Wild("relu, half at zero", torch.relu, lambda x, g: g * torch.heaviside(x, x.new_tensor(0.5))),
    Wild("relu of a product", lambda x, w: torch.relu(x @ w.T), inputs=("x", "w"),
         backward=lambda x, w, g: ((g * (x @ w.T >= 0)) @ w, (g * (x @ w.T >= 0)).T @ x)),
    Wild("leaky relu", lambda x: torch.maximum(x, 0.2 * x), lambda x, g: g * slope_at(x)),
    Wild("clamp, open", lambda x: x.clamp(-1, 1), lambda x, g: g * ((x > -1) & (x < 1))),
    Wild("clamp, closed", lambda x: x.clamp(-1, 1), lambda x, g: g * ((x >= -1) & (x <= 1))),
    Wild("clamp, by one bound", lambda x: x.clamp(max=0.5), lambda x, g: g.masked_fill(x >= 0.5, 0)),
    Wild("clamp, out of sight", lambda x: torch.from_numpy(x.double().numpy().clip(-1, 1)).to(x.dtype),
         lambda x, g: g * ((x > -1) & (x < 1))),
    Wild("abs, sign 1 at zero", torch.abs, lambda x, g: torch.where(x >= 0, g, -g)),
    Wild("largest, shared", lambda x: x.amax(1), lambda x, g: halved(x, x.amax(1), g)),
    Wild("largest, first", lambda x: x.amax(1), first),
    Wild("maximum, one takes all", torch.maximum, lambda x, y, g: (g * (x >= y), g * (x < y)), inputs=("x", "y")),
    Wild("hinge", lambda x: (1 - x).clamp(min=0).mean(1), lambda x, g: (x <= 1) * -g[:, None] / x.shape[1]),
    Wild("soft shrinking", lambda x: x - x.clamp(-0.5, 0.5), lambda x, g: g * (x.abs() >= 0.5)),
    Wild("Huber", lambda x: torch.where(x.abs() <= 1, x * x / 2, x.abs() - 0.5), lambda x, g: g * x.clamp(-1, 1)),
    Wild("total variation", lambda x: (x[:, 1:] - x[:, :-1]).abs(),
         lambda x, g: varied(g * torch.where(x[:, 1:] >= x[:, :-1], 1.0, -1.0))),
    Wild("exponential, kept", torch.exp, lambda x, g: g * x.exp()),
    Wild("squared relu", lambda x: torch.relu(x) ** 2, lambda x, g: 2 * g * torch.relu(x)),
    Wild("swish", lambda x: x * torch.sigmoid(x),
         lambda x, g: g * (torch.sigmoid(x) * (1 + x * (1 - torch.sigmoid(x))))),
    Wild("mish", lambda x: x * torch.tanh(torch.nn.functional.softplus(x)), lambda x, g: g * mish_slope(x)),
]  # fmt: skip


def varied(d: Tensor) -> Tensor:
    """Differences taken back: each was added to one cell and taken from the one before."""
    none = d.new_zeros(len(d), 1)
    return torch.cat([none, d], 1) - torch.cat([d, none], 1)


def mish_slope(x: Tensor) -> Tensor:
    soft = torch.tanh(torch.nn.functional.softplus(x))
    return soft + x * torch.sigmoid(x) * (1 - soft * soft)


def spiked(x: Tensor) -> Tensor:
    return (x > 0).to(x.dtype)


# Not the true gradient, on purpose: whoever writes these means it.
MEANT = [
    Wild("rounded, straight through", torch.round, lambda _, g: g, "straight-through"),
    Wild("fake quantisation, masked (Jacob et al., 2018)", fake_quantised, lambda x, g: g * ((x >= -1) & (x <= 0.75)),
         "straight-through"),
    Wild("sign, clipped (Courbariaux et al., 2016)", torch.sign, lambda x, g: g * (x.abs() <= 1), "straight-through"),
    Wild("spike, fast sigmoid (Zenke and Ganguli, 2018)", spiked, lambda x, g: g / (1 + 10 * x.abs()) ** 2,
         "straight-through"),
    Wild("spike, arctangent (Fang et al., 2021)", spiked, lambda x, g: g / (1 + (torch.pi * x) ** 2), "straight-through"),
    Wild("clamp, straight through", lambda x: x.clamp(-0.3, 0.3), lambda _, g: g, "straight-through"),
    Wild("clamp, only back inside (Crowson, 2021)", lambda x: x.clamp(-0.3, 0.3),
         lambda x, g: g * (g * (x - x.clamp(-0.3, 0.3)) >= 0), "straight-through"),
    Wild("lower bound (Ballé et al., 2018)", lambda x: torch.max(x, x.new_tensor(0.1)),
         lambda x, g: g * ((x >= 0.1) | (g < 0)), "straight-through"),
    Wild("exponential, bounded on the way forth alone", lambda x: torch.exp(x.clamp(max=0.2)),
         lambda x, g: g * torch.exp(x.clamp(max=0.2)), "straight-through"),
    Wild("reversed (Ganin and Lempitsky, 2015)", lambda x: x.view_as(x), lambda _, g: -0.3 * g, "meant"),
    Wild("scaled", lambda x: x.clone(), lambda _, g: 0.1 * g, "meant"),
    Wild("clipped on the way back", lambda x: x.clone(), lambda _, g: g.clamp(-0.01, 0.01), "meant"),
]  # fmt: skip


def args_of(wild: Wild, dtype: torch.dtype, seed: int, grid: bool) -> list[Tensor]:
    """Its arguments: drawn, or on a grid of halves, where every bound, tie and zero is met."""
    generator = torch.Generator().manual_seed(seed)
    drawn = [torch.randn(4, 5, generator=generator, dtype=torch.float64) for _ in wild.inputs]
    return [(one.mul(2).round().div(2) if grid else one).to(dtype) for one in drawn]
