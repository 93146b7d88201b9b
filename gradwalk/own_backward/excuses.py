"""Why a gradient that isn't the truth may be no mistake; what has no excuse is for the mistakes library to name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from backend.engine.language.pytree import is_decimal
from backend.engine.language.wording import cell_text, plural
from gradwalk.own_backward.judging import Evidence, Verdict, same_as
from gradwalk.own_backward.kinks import Neighbourhood
from gradwalk.own_backward.returned import same_draws
from gradwalk.own_backward.truth import Lines
from gradwalk.recorder.function import Function, forward_of
from gradwalk.recorder.values import tensors_in

FAR = 10.0  # an input so far away is another one to any function that looks at it
PROBES = 8  # inputs far away, in all of which a function that changes nothing hands on the same one


@dataclass(frozen=True)
class Excuses:
    """A custom function with what came back for inputs beside the given ones: for each of them, that of every input."""

    cls: Function
    args: Sequence[Any]
    lines: Lines | None
    beside: Sequence[Sequence[Evidence]]

    def of(self, found: Evidence, number: int) -> Verdict | None:
        """The verdict on a gradient that has an excuse."""
        there = Neighbourhood(found, [several[number] for several in self.beside])
        if not there.told:
            return None
        if there.at_kinks:
            return verdict(found, "kink", kink(found, there))
        if there.value_alone:
            return None
        if self.passes_on:
            told = "The forward pass changes nothing, so the backward pass is there to change the gradient."
            return verdict(found, "meant", told)
        if there.without_upstream:
            return None
        if there.flat_everywhere:
            return verdict(found, "straight-through", step(found)) if self.reads(found.place) else None
        steps = self.lines.steps if self.lines is not None else ""
        if steps and bool((there.flat | ~there.apart).all()):
            told = (
                f"Where `{steps}` is flat a gradient passes straight through; if that isn't meant, a mask is missing."
            )
            return verdict(found, "straight-through", told)
        return None

    @cached_property
    def passes_on(self) -> bool:
        """Whether all that is made is what was given, as where a gradient is reversed, scaled or added to."""
        same = handed_on(self.args, made(self.cls, self.args))
        for seed in range(PROBES):
            other = self.elsewhere(range(len(self.args)), seed)
            if not all(same) or (outs := made(self.cls, other)) is None:
                return False
            same = [one & more for one, more in zip(same, handed_on(other, outs), strict=True)]
        return bool(same) and all(same)

    def reads(self, place: int) -> bool:
        """Whether anything at all comes of an argument, somewhere."""
        here, there = made(self.cls, self.args), made(self.cls, self.elsewhere([place], 0))
        return here is None or there is None or not all(map(torch.equal, here, there))

    def elsewhere(self, places: Collection[int], seed: int) -> list[Any]:
        """The arguments, some of them far from where they are."""
        generator = torch.Generator().manual_seed(seed)
        return [
            one + FAR * torch.randn(one.shape, generator=generator).to(one) if i in places and is_decimal(one) else one
            for i, one in enumerate(self.args)
        ]


def made(cls: Function, args: Sequence[Any]) -> list[torch.Tensor] | None:
    """What the forward pass makes; None where it refuses."""
    with suppress(RuntimeError, ValueError, IndexError), same_draws(), torch.no_grad():
        return [*tensors_in(forward_of(cls)(*(one.detach().clone() if is_decimal(one) else one for one in args)))]
    return None


def handed_on(args: Sequence[Any], outs: Sequence[torch.Tensor] | None) -> list[set[int]]:
    """For each tensor that is made, the tensors among the arguments that it is the same as."""
    return [{i for i, one in enumerate(tensors_in(args)) if torch.equal(out, one)} for out in outs or ()]


def verdict(found: Evidence, level: str, told: str) -> Verdict:
    """A verdict that accuses nobody."""
    return Verdict(found.name, tuple(found.precise[0].shape), level, found.off, found.rounding, told=told)


def kink(found: Evidence, there: Neighbourhood) -> str:
    """What is said of another slope at a kink."""
    cells = there.apart.any(0)
    place = f"{found.name}{cell_text(tuple(cells.nonzero()[0].tolist()))}"
    others = int(cells.sum()) - 1
    where = f"{place} and {plural('other cell', others)}" if others else place
    return f"At {where} the forward pass has a kink, where PyTorch takes another slope; both are right."


def step(found: Evidence) -> str:
    """What is said of a gradient where the forward pass has none."""
    passes = (
        "the gradient passes straight through" if same_as(found.came, found.upstreams) else "another slope stands in"
    )
    return f"The forward pass is flat, and {passes}: meant so, it seems."
