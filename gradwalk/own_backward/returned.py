"""What a function's own backward pass returns, before PyTorch looks at it, for upstream gradients of our choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import torch

from gradwalk.recorder.function import Function
from gradwalk.recorder.recording import WalkError
from gradwalk.recorder.values import tensors_in


@contextmanager
def same_draws() -> Iterator[None]:
    """Leave the random numbers as they were: every run of a function draws the same."""
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(state)


def in_precision(args: Sequence[Any], dtype: torch.dtype | None) -> list[Any]:
    """The arguments as new tensors, those of decimals in one precision, or each in its own."""
    return [
        one.detach().to(dtype if dtype is not None and one.is_floating_point() else one.dtype).clone()
        if isinstance(one, torch.Tensor)
        else one
        for one in args
    ]


def decimals_in(args: Sequence[Any]) -> list[int]:
    """The places of the arguments that may have a gradient: those that ask for one, or where none does, all."""
    places = [i for i, one in enumerate(args) if isinstance(one, torch.Tensor) and one.is_floating_point()]
    return [i for i in places if args[i].requires_grad] or places


@dataclass(frozen=True)
class Returned:
    """What came back: for each upstream gradient one tensor, or None, for each of `places`."""

    upstreams: list[list[torch.Tensor]]
    gradients: list[list[torch.Tensor | None]]
    outs: list[torch.Tensor]
    places: list[int]


def returned(cls: Function, args: Sequence[Any], places: list[int], upstreams: int) -> Returned:
    """Run a function, and its backward pass on random upstream gradients; raises WalkError where that can't be done."""
    generator = torch.Generator().manual_seed(0)
    drawn, found = [], []
    for _ in range(upstreams):  # a run of its own for each: what it has saved may be gone once it went back
        given, every = run(cls, args, places)
        outs = [one for one in every if one.grad_fn is not None]
        if not outs:
            raise WalkError(f"{cls.__name__} makes nothing that has a gradient.")
        several = [torch.randn(one.shape, generator=generator).to(one) for one in every]
        node: Any = outs[0].grad_fn
        with torch.no_grad():  # as in a backward pass
            back = node.apply(*(one.clone() for one in several))
        back = back if isinstance(back, tuple) else (back,)
        if len(back) < len(args) or any(one is not None for one in back[len(args) :]):
            raise WalkError(f"{cls.__name__}.backward returns {len(back)} gradients, and forward takes {len(args)}.")
        drawn.append(several)
        found.append([None if back[i] is None else taken(back[i].detach(), given[i]) for i in places])
    return Returned(drawn, found, [one.detach() for one in every], places)


def run(cls: Function, args: Sequence[Any], places: Sequence[int]) -> tuple[list[Any], list[torch.Tensor]]:
    """New arguments, some of which ask for a gradient, and what is made of them."""
    given = in_precision(args, None)
    for place in places:
        given[place].requires_grad_()
    with same_draws(), torch.enable_grad():
        apply: Any = cls.apply
        return given, tensors_in(apply(*(one.clone() if i in places else one for i, one in enumerate(given))))


def taken(gradient: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    """A gradient as PyTorch takes it: axes that its tensor was stretched along are summed for whoever forgot to."""
    gradient = gradient.to(of.dtype)
    with suppress(RuntimeError):
        return gradient.sum_to_size(of.shape)
    return gradient
