"""What is told by its value and its slopes: right where differences say so, and refused where they don't."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.distributions import Beta, Dirichlet, Gamma, StudentT

import gradwalk
from gradwalk.recorder import tangent
from tests.support.walked import walked

Tensor = torch.Tensor
CASES: dict[str, tuple[Callable[..., Tensor], tuple[int, ...]]] = {
    "gammainc": (lambda x: torch.special.gammainc(torch.tensor(2.0), x).pow(2).sum(), (4,)),
    "frexp": (lambda x: torch.frexp(x)[0].pow(2).sum(), (4,)),
    "householder_product": (lambda x: torch.linalg.householder_product(x, torch.ones(2)).sin().sum(), (4, 2)),
    "lu": (lambda x: torch.linalg.lu(x)[2].sin().sum(), (3, 3)),
    "ihfft": (lambda x: torch.fft.ihfft(x).abs().sum(), (6,)),
    "eigvals": (lambda x: torch.linalg.eigvals(x).abs().sum(), (3, 3)),
    "tanh": (lambda x: torch.tanh(torch.complex(x, x * x)).imag.sum(), (4,)),
    "fractional_max_pool2d": (lambda x: nn.FractionalMaxPool2d(2, 3)(x).pow(2).sum(), (1, 2, 6, 6)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_by_its_slopes(name: str) -> None:
    torch.manual_seed(2)
    function, shape = CASES[name]
    walk = walked(function, torch.rand(shape) + 0.2)
    assert any(name in note and "the slopes that PyTorch gives it" in note for note in walk.notes)


@pytest.mark.parametrize("kind", [Gamma, Beta, Dirichlet, StudentT])
def test_what_is_drawn_has_the_slopes_that_pytorch_gives(kind: Callable[..., Any]) -> None:
    torch.manual_seed(2)
    walk = walked(lambda a: kind(*([a] if kind is Dirichlet else [a, a + 1])).rsample().pow(2).sum(), torch.rand(3) + 2)
    assert "central differences" not in "".join(walk.notes)


def test_the_draws_of_a_second_call_are_those_of_the_model() -> None:
    """Ways to tell the first one draw too: they leave the generator where the model's own draw has left it."""
    one = torch.full((3,), 2.5)
    state = torch.get_rng_state()
    walk = gradwalk.walk(lambda a: (torch._standard_gamma(a) / torch._standard_gamma(a)).sum(), one)
    torch.set_rng_state(state)
    assert walk.loss == float((torch._standard_gamma(one) / torch._standard_gamma(one)).sum())


def test_sparse_tensors_are_refused_by_name() -> None:
    places = torch.tensor([[0, 1, 1], [2, 0, 2]])
    with pytest.raises(gradwalk.WalkError, match=r"torch\.sparse_coo_tensor"):
        gradwalk.walk(
            lambda x: torch.sparse_coo_tensor(places, x, (2, 3), check_invariants=True).to_dense().sum(), torch.ones(3)
        )


def test_slopes_of_a_gamma_draw_are_those_of_its_distribution() -> None:
    """An oracle of our own: a draw moves so that the share of smaller ones stays what it is."""
    torch.manual_seed(2)
    a = torch.full((3,), 2.5, dtype=torch.float64)
    state = torch.get_rng_state()
    walk = gradwalk.walk(lambda a: torch._standard_gamma(a).sum(), a)
    torch.set_rng_state(state)
    x, far = torch._standard_gamma(a), 1e-5
    share = (torch.special.gammainc(a + far, x) - torch.special.gammainc(a - far, x)) / (2 * far)
    density = ((a - 1) * x.log() - x - torch.lgamma(a)).exp()
    torch.testing.assert_close(walk.by_label["a"], -share / density, rtol=1e-4, atol=1e-6)


class Mistaken(torch.autograd.Function):
    """Sends back twice what it should, and not cell by cell; its forward pass can't be looked into."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.tensor(x.detach().numpy().cumsum(0))

    @staticmethod
    def backward(ctx: Any, *sent: Tensor) -> Tensor:  # noqa: ARG004 - as PyTorch calls it
        return 2 * sent[0].flip(0).cumsum(0).flip(0)


def test_slopes_that_differences_contradict_are_not_taken() -> None:
    with pytest.raises(gradwalk.WalkError, match=r"Mistaken\.apply"):
        gradwalk.walk(lambda x: Mistaken.apply(x).sum(), torch.randn(4))


def test_a_table_that_is_too_large_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangent, "MOST_OUTPUTS", 2)
    with pytest.raises(gradwalk.WalkError, match=r"linalg\.lu"):
        gradwalk.walk(lambda x: torch.linalg.lu(x)[2].sum(), torch.randn(3, 3))
