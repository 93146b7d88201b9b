"""Every optimiser walks with the one of torch.optim."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from backend.training.optimisers import OPTIMISERS, Optimiser
from tests.support.twins import TWINS, furthest, losses_side_by_side

STEPS = 1_000
LR = {"sgd": 0.05, "momentum": 0.01, "rmsprop": 1e-3, "adam": 1e-3, "adamw": 1e-3}
THEIRS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "sgd": lambda p, lr: torch.optim.SGD(p, lr=lr),
    "momentum": lambda p, lr: torch.optim.SGD(p, lr=lr, momentum=0.9),
    "rmsprop": lambda p, lr: torch.optim.RMSprop(p, lr=lr),
    "adam": lambda p, lr: torch.optim.Adam(p, lr=lr),
    "adamw": lambda p, lr: torch.optim.AdamW(p, lr=lr),
}


def walked(optimiser: Optimiser, other: Callable[..., torch.optim.Optimizer], lr: float, steps: int = STEPS) -> float:
    """How far apart the weights are at most, over steps on gradients that depend on the weights."""
    g = torch.Generator().manual_seed(3)
    target = torch.randn(40, generator=g, dtype=torch.float64)
    ours, theirs = torch.zeros(40, dtype=torch.float64), torch.zeros(40, dtype=torch.float64, requires_grad=True)
    torchs, apart = other([theirs], lr), 0.0
    for _ in range(steps):
        noise = torch.randn(40, generator=g, dtype=torch.float64)
        optimiser.step(ours, ours - target + noise, lr)
        theirs.grad = theirs.detach() - target + noise
        torchs.step()
        apart = max(apart, float((ours - theirs.detach()).abs().max()))
    return apart


@pytest.mark.parametrize("name", OPTIMISERS)
def test_weights_are_those_of_torch_over_a_thousand_steps(name: str) -> None:
    assert walked(OPTIMISERS[name](), THEIRS[name], LR[name]) <= 1e-12


@pytest.mark.parametrize("name", OPTIMISERS)
def test_another_rate_is_seen(name: str) -> None:
    assert walked(OPTIMISERS[name](), lambda p, lr: THEIRS[name](p, lr * 1.0001), LR[name], 50) > 1e-12


@pytest.mark.parametrize("name", OPTIMISERS)
def test_losses_are_those_of_autograd_with_torchs_optimiser(name: str) -> None:
    optimiser = OPTIMISERS[name]()
    told = losses_side_by_side(
        TWINS[1],
        torch.float64,
        150,
        lambda w, g: optimiser.step(w, g, LR[name]),
        lambda parameters: THEIRS[name](parameters, LR[name]),
    )
    assert furthest(told) <= 1e-12


@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_restored_optimiser_goes_on_as_if_nothing_had_been(name: str) -> None:
    g = torch.Generator().manual_seed(1)
    gradients = [torch.randn(5, generator=g) for _ in range(6)]
    one, w = OPTIMISERS[name](), torch.ones(5)
    for gradient in gradients[:3]:
        one.step(w, gradient, 0.1)
    state, at = one.state(), w.clone()
    for gradient in gradients[3:]:
        one.step(w, gradient, 0.1)
    other = OPTIMISERS[name]()
    other.restore(state)
    for gradient in gradients[3:]:
        other.step(at, gradient, 0.1)
    assert torch.equal(w, at)
