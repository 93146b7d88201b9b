"""A function walked, and its gradients held against a run that nobody recorded."""

from __future__ import annotations

from collections.abc import Callable

import torch

import gradwalk


def walked(function: Callable[..., torch.Tensor], *given: torch.Tensor) -> gradwalk.Walk:
    """The walk of a function, whose gradients by plain autograd are the same; pairs stand for complex ones."""
    state = torch.get_rng_state()
    walk = gradwalk.walk(function, *given)
    assert walk.right, walk
    torch.set_rng_state(state)
    leaves = [one.clone().requires_grad_() for one in given]
    found = torch.autograd.grad(function(*leaves), leaves)
    for ours, theirs in zip(walk.by_label.values(), found, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-5)
    return walk
