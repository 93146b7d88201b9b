"""What the chapter "Ways to step" claims of its valley is true: torch.optim walks it, and second derivatives measure it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.optim import Optimizer

from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "ways-to-step"
Make = Callable[[list[torch.Tensor]], Optimizer]
OPTIMISERS: dict[str, Make] = {
    "": lambda p: torch.optim.SGD(p, 0.09),
    "momentum": lambda p: torch.optim.SGD(p, 0.09, momentum=0.5),
    "rmsprop": lambda p: torch.optim.RMSprop(p, 0.3, alpha=0.9),
    "adam": lambda p: torch.optim.Adam(p, 0.3, betas=(0.9, 0.99)),
}


def path(make: Make, steps: int = 12) -> torch.Tensor:
    """Where an optimiser has been in the valley."""
    p, a = torch.tensor([4.0, 1.0], requires_grad=True), torch.tensor([1.0, 20.0])
    optimiser, been = make([p]), [p.detach().clone()]
    for _ in range(steps):
        optimiser.zero_grad()
        (0.5 * (a * p**2).sum()).backward()
        optimiser.step()
        been.append(p.detach().clone())
    return torch.stack(been)


@claims(HERE, "You will see four optimisers walk down the same valley")
def as_torch_has_them() -> bool:
    return all(
        near(walked(f"{HERE}.{name}" if name else HERE)["path_13"], path(make), 1e-4)
        for name, make in OPTIMISERS.items()
    )


@claims(HERE, "The zigzag is damped, and along the valley it goes faster.")
def damped() -> bool:
    plain, with_momentum = path(OPTIMISERS[""]), path(OPTIMISERS["momentum"])
    sides = [float(one[4:, 1].abs().sum()) for one in (plain, with_momentum)]
    return sides[1] < 0.5 * sides[0] and bool((with_momentum[2:, 0] < plain[2:, 0]).all())


@claims(HERE, "It sets out equally fast in both numbers, though the second has less far to go.")
def equally_fast() -> bool:
    been = path(OPTIMISERS["rmsprop"])
    moved = been.diff(dim=0).abs()
    assert bool(moved[1, 1] < 0.1 * moved[1, 0])  # only the first step: the second number is there by then
    return near(moved[0, 0], float(moved[0, 1]), 1e-4) and float(been[0, 1]) < float(been[0, 0])


@claims(HERE, "The largest rate is 2 over the largest eigenvalue.")
def largest_rate() -> bool:
    turned = torch.tensor([[3.0, 1.0], [1.0, 2.0]], dtype=torch.float64)
    limit = 2 / float(torch.linalg.eigvalsh(turned)[-1])

    def end(rate: float) -> float:
        p = torch.tensor([1.0, 1.0], dtype=torch.float64)
        for _ in range(400):
            p = p - rate * (turned @ p)
        return float(p.norm())

    return end(0.98 * limit) < 1e-3 and end(1.02 * limit) > 1e3


@claims(HERE, "Along a constant gradient, `v` grows towards {value}`1 / (1 - 0.5)` times that gradient.")
def running_sum() -> bool:
    v = 0.0
    for _ in range(60):
        v = 0.5 * v + 1
    return v == pytest.approx(2)


@claims(HERE, "But where the gradients are themselves near `1e-8`, it doubles what they are divided by.")
def small_constant() -> bool:
    p = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    p.grad = torch.tensor(1e-8, dtype=torch.float64)
    torch.optim.Adam([p], 0.1).step()
    return near(p.detach(), 1 - 0.05, 1e-9)


@claims(HERE, "A thousand steps later, steps are still a twentieth as long as before.")
def long_memory() -> bool:
    p, steps = torch.zeros((), dtype=torch.float64, requires_grad=True), []
    optimiser = torch.optim.Adam([p], 0.1)
    for t in range(3001):
        before = float(p.detach())
        p.grad = torch.tensor(1e3 if t == 2000 else 1.0, dtype=torch.float64)
        optimiser.step()
        steps.append((before - float(p.detach())) / 0.1)
    return steps[1999] == pytest.approx(1) and 1 / 21 < steps[3000] < 1 / 19


@claims(HERE, "In plain descent it doesn't matter where you put it")
def plain_decay() -> bool:
    p, grad, lr, wd = 1.5, -0.4, 0.1, 0.3
    return p - lr * (grad + wd * p) == pytest.approx(p - lr * grad - lr * wd * p)


@claims(HERE, "The weight with large gradients hardly decays at all.")
def decay() -> bool:
    known = walked(f"{HERE}.decay")
    ends = []
    for kind in (torch.optim.Adam, torch.optim.AdamW):
        p = torch.ones(2, requires_grad=True)
        optimiser = kind([p], 0.1, betas=(0.9, 0.99), weight_decay=0.1)
        for sign in known["noise"]:
            p.grad = sign * known["size"]
            optimiser.step()
        ends.append(p.detach())
    assert near(known["p_17"], ends[0], 1e-4)
    assert near(known["q_17"], ends[1], 0.01)
    undecayed = float(ends[1][0]) / (1 - 0.01) ** 16
    return float(ends[0][1]) < 0.2 < 0.9 * undecayed < float(ends[0][0]) and near(ends[1][0], ends[1][1], 1e-3)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_steps_is_true(claim: Claim) -> None:
    claim.verify()
