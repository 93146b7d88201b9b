"""Calls that draw random numbers, as calls on what was drawn: again from the same state of the generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

Tensor = torch.Tensor
_off = torch._C.DisableTorchFunction  # without the modes that watch calls


def dropped(draw: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A call that multiplies by what it draws: ones go through it, and tell what it was."""

    def lowered(x: Tensor, p: float = 0.5, training: bool = True, *_: Any, **given: Any) -> Tensor:
        if not given.get("train", training) or p == 0:
            return x * 1.0
        with _off(), torch.no_grad():
            mask = draw(torch.ones_like(x), p, True)
        return x * mask

    return lowered


def alpha_dropout(x: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """What is dropped takes another value, and all is stretched and moved: the slope is told by two inputs."""
    if not training or p == 0:
        return x * 1.0
    with _off(), torch.no_grad():
        state = torch.get_rng_state()
        shift = F.alpha_dropout(torch.zeros_like(x.detach()), p, True)
        after = torch.get_rng_state()
        torch.set_rng_state(state)
        slope = F.alpha_dropout(torch.ones_like(x.detach()), p, True) - shift
        torch.set_rng_state(after)
    return x * slope + shift


def rrelu(x: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, **_: Any) -> Tensor:
    """Below zero each cell has a slope of its own."""
    if not training:
        return F.leaky_relu(x, (lower + upper) / 2)
    with _off(), torch.no_grad():
        there = x.detach()
        slope = torch.where(there == 0, torch.ones_like(there), torch.rrelu(there, lower, upper, True) / there)
    return x * slope


# In the place of the call: what the language says of it would not hold of what was drawn.
DRAWN: dict[str, Callable[..., Any]] = {
    "dropout": dropped(F.dropout),
    "dropout1d": dropped(F.dropout1d),
    "dropout2d": dropped(F.dropout2d),
    "dropout3d": dropped(F.dropout3d),
    "feature_dropout": dropped(torch.feature_dropout),
    "alpha_dropout": alpha_dropout,
    "rrelu": rrelu,
}
