"""Cells off the truth that are no mistake: at a kink another slope is right, too, and a step may be passed on purpose.

At a kink every slope between those of its two sides is right (Clarke, "Generalized gradients and applications", 1975),
and which one a program takes is a convention. Past a step or a bound many pass a gradient on purpose: the
straight-through estimate (Bengio, Léonard and Courville, "Estimating or propagating gradients through stochastic
neurons", 2013). Both are told from mistakes by the same function at inputs a little beside the given ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from backend.engine.language.pytree import is_decimal
from gradwalk.own_backward.judging import Evidence, finite, gaps

FEW, WAYS = 2, 8  # at random, each of which is gone forth and back: every cell is seen from both sides
NUDGE = 1e-3  # of a cell, or the root of what its precision rounds to, where that is more
SPREAD = 4.0  # times the jump at a kink: where many meet in one cell, few of their sides are seen


def around(args: Sequence[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
    """The arguments, each cell of a decimal one moved a little: off the kinks, and no further than to their sides.

    The first few tell whether there is a kink. Only then are the others worth their time, in which a cell that lies
    between two equal ones gets out from between them, and its other sides are seen.
    """
    generator = torch.Generator().manual_seed(0)
    ways = [[nudges(one, generator) if is_decimal(one) else None for one in args] for _ in range(WAYS)]
    every = [[moved(*pair, side) for pair in zip(args, way, strict=True)] for way in ways for side in (1.0, -1.0)]
    return every[: 2 * FEW], every[2 * FEW :]


def nudges(one: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """How far each cell of a tensor is moved."""
    there = one.detach().double()
    typical = min(1.0, float(there.square().mean().sqrt().nan_to_num(1.0))) or 1.0
    share = max(NUDGE, float(torch.finfo(one.dtype).eps) ** 0.5)
    side, size = torch.rand(2, *one.shape, generator=generator, dtype=torch.float64)
    far = share * there.abs().clamp(min=typical) * (size + 0.5)
    return torch.where(side < 0.5, -far, far).where(there.isfinite(), 0.0)


def moved(one: Any, way: torch.Tensor | None, side: float) -> Any:
    """An argument, gone so far."""
    return one if way is None else (one.detach() + side * way).to(one.dtype).requires_grad_(one.requires_grad)


@dataclass(frozen=True)
class Neighbourhood:
    """One input's gradient, beside what it is at inputs `beside` the given ones."""

    found: Evidence
    beside: Sequence[Evidence]

    @property
    def told(self) -> bool:
        """Whether there is something to compare with."""
        have, want = self.found.came[0].shape, self.found.precise[0].shape
        return bool(self.beside) and have == want and finite(self.found.came)

    @property
    def apart(self) -> torch.Tensor:
        """The cells that aren't the truth; the first axis counts upstream gradients, here and below."""
        return off(self.found) > self.found.rounding

    @property
    def flat(self) -> torch.Tensor:
        """The cells that, wherever their gradient isn't the truth, move nothing."""
        either = [(off(one) <= one.rounding) | (true(one) == 0) for one in (self.found, *self.beside)]
        return torch.stack(either).all(0)

    @property
    def flat_everywhere(self) -> bool:
        """Whether nothing moves on either side of any cell: in between there may be a jump, which has no slope."""
        return not any(bool(true(one).any()) for one in self.beside)

    @property
    def without_upstream(self) -> bool:
        """Whether the same came back for every upstream gradient: a value, and no gradient."""
        every = came(self.found)
        return len(every) > 1 and bool((every == every[0]).all())

    @property
    def value_alone(self) -> bool:
        """Whether that is a value, and not nothing at all."""
        return self.without_upstream and bool(came(self.found).any())

    @property
    def at_kinks(self) -> bool:
        """Whether every cell that isn't the truth is at a kink, and takes a slope between its sides."""
        right = torch.stack([off(one) <= one.rounding for one in self.beside]).sum(0)
        sides = torch.stack([true(one) for one in (self.found, *self.beside)])
        room = SPREAD * (sides.amax(0) - sides.amin(0)) + self.found.rounding
        between = (2 * right > len(self.beside)) & (off(self.found) <= room)
        return bool((between | ~self.apart).all()) and self.shared(sides)

    def shared(self, sides: torch.Tensor) -> bool:
        """Whether cells that share a gradient, as equal ones in a maximum do, got it once in all."""
        sums = sides.flatten(2).sum(2)
        count, size = self.apart.flatten(1).sum(1), self.apart[0].numel()
        room = SPREAD * count * (sums.amax(0) - sums.amin(0)) + self.found.rounding * size
        surplus = (came(self.found) - true(self.found)).flatten(1).sum(1)
        return bool((surplus.abs() <= room).all())


def came(one: Evidence) -> torch.Tensor:
    """What came back."""
    return torch.stack([*one.came]).double()


def true(one: Evidence) -> torch.Tensor:
    """What should have."""
    return torch.stack([*one.precise]).double()


def off(one: Evidence) -> torch.Tensor:
    """How far each cell is from the truth."""
    return gaps(came(one), true(one))
