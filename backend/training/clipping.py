"""Clipping: the gradient's norm held to a limit, and the mistake of holding the loss to one instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

# As torch.nn.utils.clip_grad_norm_ adds it to the norm before it divides.
EPSILON = 1e-6


@dataclass(frozen=True)
class Clipped:
    """The norm of the whole gradient before and after, and whether the minibatch was silenced by a clipped loss."""

    before: float
    after: float
    silenced: bool = False


def clip_norm(gradient: torch.Tensor, limit: float) -> Clipped:
    """Scale the gradient down in place where its norm passes the limit; its direction stays."""
    before = float(torch.linalg.vector_norm(gradient))
    factor = limit / (before + EPSILON)
    if factor < 1:
        gradient.mul_(factor)
    return Clipped(before, before * min(factor, 1.0))


def clip_loss(gradient: torch.Tensor, loss: float, limit: float) -> Clipped:
    """What `loss.clamp(max=limit).backward()` does: beyond the limit the slope is 0, and nothing is learned."""
    before = float(torch.linalg.vector_norm(gradient))
    if loss > limit:
        gradient.zero_()
        return Clipped(before, 0.0, silenced=True)
    return Clipped(before, before)


@dataclass(frozen=True)
class Clipping:
    """What is held to which limit."""

    by: Literal["norm", "loss"]
    limit: float

    def clip(self, gradient: torch.Tensor, loss: float) -> Clipped:
        """Clip a gradient in place."""
        return clip_norm(gradient, self.limit) if self.by == "norm" else clip_loss(gradient, loss, self.limit)
