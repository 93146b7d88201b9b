"""Complex tensors, walked as pairs of real ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn

import gradwalk
from tests.support.walked import walked

Tensor = torch.Tensor


def made(x: Tensor, y: Tensor) -> Tensor:
    """A complex tensor of two parts."""
    return torch.complex(x, y)


def written(x: Tensor, y: Tensor) -> Tensor:
    """Into a part of a tensor of zeros."""
    out = torch.zeros(3, 4, dtype=torch.complex64)
    out[1:, :3] = made(x, y)[:2] * 2
    return out.abs().pow(2).sum()


CASES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "arithmetic": lambda x, y: (((made(x, y) + x - 2) * y / made(y, x) - 1 / made(x, y)) ** 3).abs().sum(),
    "functions": lambda x, y: (made(x, y).exp().sqrt().log().angle() + made(x, y).square().imag).sum(),
    "powers": lambda x, y: (made(x, y) ** 0.5).real.sum() + (made(x, y) ** -1.5).imag.sum(),
    "products": lambda x, y: (
        torch.einsum("ij,kj->ik", made(x, y), made(y, x)).real.sin() + (made(x, y) @ y.T.to(torch.complex64)).imag
    ).sum(),
    "cells": lambda x, y: torch.cat([made(x, y)[1:].mT, made(y, x).T.flip(0)], 1).sum(1)[1:].conj().imag.pow(2).sum(),
    "several": lambda x, y: sum((one.abs().sum() for one in made(x, y).unbind(1)[:2]), torch.zeros(())),
    "adjoint": lambda x, y: (made(x, y).mH @ made(y, x)).imag.pow(2).sum(),
    "written": written,
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_on_complex_numbers(name: str) -> None:
    torch.manual_seed(7)
    walked(CASES[name], torch.randn(3, 3), torch.randn(3, 3))


def test_a_complex_parameter_has_the_gradient_of_its_pairs() -> None:
    torch.manual_seed(7)
    weight = nn.Parameter(torch.randn(3, dtype=torch.complex64))

    def loss(x: Tensor) -> Tensor:
        return (weight * x).abs().pow(2).sum() + (weight * weight).imag.sum()

    walk = gradwalk.walk(loss, torch.randn(3))
    assert walk.right, walk
    loss(torch.as_tensor(walk.recording.program.inputs["x"].kept.detach())).backward()
    assert weight.grad is not None
    torch.testing.assert_close(walk.by_label["weight"], torch.view_as_real(weight.grad))
