"""Every optimiser walks with the one of torch.optim."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count, cycle, product

import pytest
import torch

from backend.training.optimisers import OPTIMISERS, Optimiser
from backend.training.schedules import Constant, StepDecay
from tests.support.twins import TWINS, Steps, Twin, furthest, losses_of_moved_weights, losses_side_by_side

STEPS = 1_000
LR = {name: optimiser.usual_rate for name, optimiser in OPTIMISERS.items()} | {"sgd": 0.05}
# Torch's of the same name; what has another name there stands for itself.
THEIRS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    name: getattr(torch.optim, optimiser.title) for name, optimiser in OPTIMISERS.items() if name != "momentum"
} | {"momentum": partial(torch.optim.SGD, momentum=0.9)}


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


class Decaying:
    """Torch's SGD with its own step decay."""

    def __init__(self, parameters: list[torch.Tensor], schedule: StepDecay) -> None:
        self.optimiser = torch.optim.SGD(parameters, lr=schedule.lr)
        self.decay = torch.optim.lr_scheduler.StepLR(self.optimiser, schedule.every, schedule.factor)

    def zero_grad(self) -> None:
        """Forget the gradients."""
        self.optimiser.zero_grad()

    def step(self) -> None:
        """Update, then lower the rate."""
        self.optimiser.step()
        self.decay.step()


# Rounding is what grows; momentum's steps are ten times those of SGD at the same rate.
AGREE = {torch.float64: 1e-12, torch.float32: 1e-5}
CASES = list(product(TWINS, OPTIMISERS, AGREE))
# Every optimiser, every network and both precisions.
DAILY = {(twin.name, name, dtype) for name, twin, dtype in zip(OPTIMISERS, cycle(TWINS), cycle(AGREE), strict=False)}


@pytest.mark.parametrize(
    ("twin", "name", "dtype"),
    [pytest.param(*case, marks=() if (case[0].name, *case[1:]) in DAILY else pytest.mark.exhaustive) for case in CASES],
    ids=lambda part: getattr(part, "name", str(part)),
)
def test_every_loss_of_a_run_is_that_of_autograd_with_torchs_optimiser(
    twin: Twin, name: str, dtype: torch.dtype
) -> None:
    lr = {"sgd": twin.lr, "momentum": twin.lr / 10}.get(name, LR[name])
    optimiser, taken, decay = OPTIMISERS[name](), count(), StepDecay(lr, 0.1, 400)
    schedule = decay if name == "sgd" else Constant(lr)
    theirs = partial(Decaying, schedule=decay) if name == "sgd" else partial(THEIRS[name], lr=lr)
    told = losses_side_by_side(
        twin, dtype, twin.steps, lambda w, g: optimiser.step(w, g, schedule.rate(next(taken))), theirs
    )
    apart, agree = furthest(told), AGREE[dtype]
    if apart > agree and dtype is torch.float32:
        agree += max(furthest_moved(twin, theirs, [loss for _, loss in told], seed) for seed in range(4))
    assert apart <= agree
    assert told[-1][0] < told[0][0]


def furthest_moved(twin: Twin, theirs: Callable[[list[torch.Tensor]], Steps], losses: list[float], seed: int) -> float:
    """How far torch's float32 is from itself where its weights move by their last digit.

    A rectifier's sum, or the root that Adagrad divides by, may be zero but for its rounding, and a last digit decides
    what is learnt: on digits torch's own losses come 0.0011 apart. Nothing can be nearer to torch than torch itself.
    """
    moved = losses_of_moved_weights(twin, torch.float32, theirs, seed)
    return furthest(list(zip(moved, losses, strict=True)))


def test_every_optimiser_and_network_is_held_daily() -> None:
    assert {case[1] for case in DAILY} == set(OPTIMISERS)
    assert {case[0] for case in DAILY} == {twin.name for twin in TWINS}
    assert {case[2] for case in DAILY} == set(AGREE)


def test_a_block_without_a_title_or_a_rate_is_none() -> None:
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'usual_rate'"):
        type("Nameless", (Optimiser,), {}, title="Nameless")
    assert "nameless" not in OPTIMISERS


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
