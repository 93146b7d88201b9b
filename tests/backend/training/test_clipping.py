"""Clipping by norm is torch's; clipping the loss silences a minibatch."""

from __future__ import annotations

import pytest
import torch

from backend.training.clipping import clip_loss, clip_norm


@pytest.mark.parametrize("limit", [0.01, 1.0, 100.0])
def test_clipping_by_norm_is_torchs(limit: float) -> None:
    gradient = torch.randn(30, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    weight = torch.zeros(30, dtype=torch.float64, requires_grad=True)
    weight.grad = gradient.clone()
    before = torch.nn.utils.clip_grad_norm_([weight], limit)
    clipped = clip_norm(gradient, limit)
    assert torch.allclose(gradient, weight.grad, rtol=1e-12)
    assert clipped.before == pytest.approx(float(before))
    assert clipped.after == pytest.approx(float(gradient.norm()), rel=1e-9)
    assert clipped.after <= limit * (1 + 1e-9)


@pytest.mark.parametrize(("loss", "silenced"), [(1.9, False), (2.1, True)])
def test_clipping_the_loss_leaves_nothing_to_learn_from_what_is_worst(loss: float, silenced: bool) -> None:
    x = torch.tensor(loss, requires_grad=True)
    (slope,) = torch.autograd.grad(x.clamp(max=2.0), x)
    gradient = torch.ones(3)
    clipped = clip_loss(gradient, loss, 2.0)
    assert clipped.silenced is silenced
    assert torch.equal(gradient, torch.ones(3) * slope)
