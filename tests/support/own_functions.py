"""Custom functions as people write them, with a backward pass that is right, or wrong in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Function = type[torch.autograd.Function]


def function(forward: Callable[..., Any], backward: Callable[..., Any]) -> Function:
    """The function of these two; the backward pass is given the inputs and the upstream gradient."""

    class Mine(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> Any:
            ctx.save_for_backward(x, w, b)
            return forward(x, w, b)

        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> Any:
            return backward(*ctx.saved_tensors, g)

    return Mine


def dense(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x @ w + b)


def by_numpy(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The same, of which PyTorch sees nothing."""
    made = x.detach().double().numpy() @ w.detach().double().numpy()
    return torch.tanh(torch.from_numpy(made) + b.double()).to(x.dtype)


def dense_right(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    h = dense(x, w, b)
    d = g * (1 - h * h)
    return d @ w.T, x.T @ d, d.sum(0)


def slope_forgotten(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    h = dense(x, w, b)
    d = g * (1 - h * h)
    return g @ w.T, x.T @ d, d.sum(0)


def turned(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    dx, dw, db = dense_right(x, w, b, g)
    return dx, dw.T, db


def averaged(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    dx, dw, db = dense_right(x, w, b, g)
    return dx, dw, db / len(x)


def exchanged(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    dx, dw, db = dense_right(x, w, b, g)
    return dw, dx, db


def without_upstream(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, _: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return dense_right(x, w, b, torch.ones(len(x), w.shape[1], dtype=x.dtype))


def negative(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    dx, dw, db = dense_right(x, w, b, g)
    return -dx, dw, db


def forgotten(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    dx, dw, _ = dense_right(x, w, b, g)
    return dx, dw, None


# What is wrong, by the argument and the code that it is told by.
MISTAKES: dict[Callable[..., Any], dict[str, str]] = {
    dense_right: {}, slope_forgotten: {"x": "missing-local"}, turned: {"w": "transposed"}, averaged: {"b": "scale"},
    exchanged: {"x": "wrong-tensor", "w": "wrong-tensor"}, negative: {"x": "sign"}, forgotten: {"b": "missing-path"},
    without_upstream: {"x": "missing-upstream", "w": "missing-upstream", "b": "missing-upstream"},
}  # fmt: skip
