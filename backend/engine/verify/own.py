"""Gradients beside those of a model's own backward pass, which its owner's PyTorch has made of the same step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import torch

from backend.engine.language.pytree import largest_finite
from backend.engine.verify.measure import ROUNDING

NOISE = 1e-5  # of the loss: what rounding may leave of a true zero
LEFT = 8.0  # times what the walk's own two passes leave of it: how far the model's own may be from the walk's
CLOSE, TINY, HALF = 1e-4, 1e-6, 2e-2  # of a gradient's largest cell; of the largest of all; in half precision


class OwnVerdict(NamedTuple):
    """How a gradient compares with the model's own; `share` is the largest difference, by its largest cell."""

    right: bool
    maxdiff: float
    share: float


@dataclass
class OwnBackward:
    """The gradients that a model's own backward pass has given, by the variables of its program.

    `carried` is how far rounding carries those of which it was measured; `half` says that the model computes in half
    precision.
    """

    gradients: Mapping[str, torch.Tensor]
    loss: float
    carried: Mapping[str, float] = field(default_factory=dict)
    half: bool = False

    @cached_property
    def largest(self) -> float:
        """The largest cell of all."""
        return max((largest_finite(one) for one in self.gradients.values()), default=0.0)

    def judge(self, variable: str, manual: torch.Tensor | None, residue: float | None = None) -> OwnVerdict:
        """Hold a gradient beside the model's own; without a path there should be nothing of it.

        `residue` is what rounding leaves of it where the true gradient is zero; None of any other.
        """
        theirs = self.gradients[variable].cpu().double()
        ours = torch.zeros_like(theirs) if manual is None else manual.double()
        if ours.shape != theirs.shape:
            return OwnVerdict(False, torch.inf, torch.inf)
        size = largest_finite(theirs)
        allowed = HALF * self.largest if self.half else max(CLOSE * size, TINY * max(self.largest, 1.0))
        allowed = max(allowed, ROUNDING["times_own"] * self.carried.get(variable, 0.0))
        if residue is not None:  # rounding, of numbers as large as the loss, or as those that cancel on the way
            allowed = max(allowed, NOISE * abs(self.loss), LEFT * residue)
        alike = (ours == theirs) | (ours.isnan() & theirs.isnan())
        apart = (ours - theirs).masked_fill(alike, 0)
        difference = largest_finite(apart) if bool(apart.isfinite().all()) else torch.inf
        share = difference / size if size else (torch.inf if difference else 0.0)
        return OwnVerdict(difference <= allowed, difference, share)
