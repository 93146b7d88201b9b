"""Learning rates, step by step."""

from __future__ import annotations

import math

import pytest
import torch

from backend.training.schedules import Constant, StepDecay, WarmupCosine


def test_constant() -> None:
    assert [Constant(0.3).rate(step) for step in (0, 10**6)] == [0.3, 0.3]


def test_the_lectures_step_decay_drops_at_100_000() -> None:
    rates = [StepDecay().rate(step) for step in (0, 99_999, 100_000, 199_999)]
    assert rates == pytest.approx([0.1, 0.1, 0.01, 0.01])


def test_step_decay_is_torchs() -> None:
    weights = [torch.zeros(1, requires_grad=True)]
    optimiser = torch.optim.SGD(weights, lr=0.5)
    theirs = torch.optim.lr_scheduler.StepLR(optimiser, step_size=7, gamma=0.3)
    for step in range(30):
        assert StepDecay(0.5, 0.3, 7).rate(step) == pytest.approx(optimiser.param_groups[0]["lr"], rel=1e-12)
        optimiser.step()
        theirs.step()


def test_warmup_rises_and_the_cosine_falls_to_its_floor() -> None:
    schedule = WarmupCosine(lr=1.0, warmup=4, total=104, floor=0.1)
    assert [schedule.rate(step) for step in range(4)] == [0.25, 0.5, 0.75, 1.0]
    assert schedule.rate(54) == pytest.approx(0.55)
    assert schedule.rate(104) == schedule.rate(500) == pytest.approx(0.1)
    falling = [schedule.rate(step) for step in range(4, 105)]
    assert falling == sorted(falling, reverse=True)


def test_a_rate_that_grows_without_end_is_infinite_and_no_error() -> None:
    assert StepDecay(0.1, 1e30, 1).rate(5) == pytest.approx(1e149)
    assert StepDecay(0.1, 1e30, 1).rate(400) == math.inf
