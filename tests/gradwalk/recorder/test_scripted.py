"""What TorchScript runs, walked by what the dispatcher sees of it."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import gradwalk
from gradwalk.recorder import scripted
from tests.support.walked import walked

Tensor = torch.Tensor
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of TorchScript as a whole


class Bounded(nn.Module):
    """A layer, and a bound that bends."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.layer(x) / 2.0) * 2.0


@pytest.fixture
def layer() -> Bounded:
    torch.manual_seed(4)
    return Bounded()


def test_a_traced_function_is_walked_inside_a_model() -> None:
    soft = torch.jit.trace(lambda x: torch.tanh(x / 5.0) * 5.0, torch.ones(2, 3))
    walk = walked(lambda x, w: soft(x * w).pow(2).sum(), torch.randn(2, 3), torch.randn(3))
    assert "torch.tanh" in walk.forward or ".tanh()" in walk.forward


def test_a_module_is_walked_with_its_parameters(layer: Bounded) -> None:
    x = torch.randn(4, 3)
    model = torch.jit.trace(layer, x)
    calls = [getattr(kind, scripted.CALL) for kind in scripted.KINDS]
    walk = gradwalk.walk(model, x, loss=lambda out: out.pow(3).sum())
    assert walk.right, walk
    assert [getattr(kind, scripted.CALL) for kind in scripted.KINDS] == calls
    parameters = {f"layer.{name}": one for name, one in layer.layer.named_parameters()}
    expected = torch.autograd.grad(layer(x).pow(3).sum(), [*parameters.values()])
    for name, gradient in zip(parameters, expected, strict=True):
        torch.testing.assert_close(walk.by_label[name], gradient, rtol=1e-4, atol=1e-6)


def test_unwatched_it_would_be_refused(layer: Bounded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripted, "KINDS", ())
    with pytest.raises(gradwalk.WalkError, match="out of sight"):
        gradwalk.walk(torch.jit.trace(layer, torch.ones(4, 3)), torch.randn(4, 3))


def test_statistics_that_a_scripted_module_keeps_are_given_back() -> None:
    layer = torch.jit.script(nn.BatchNorm1d(3))
    model = nn.Sequential(nn.Linear(3, 3), layer)
    with pytest.raises(gradwalk.WalkError, match="forward, in TorchScript"):
        gradwalk.walk(model, torch.randn(4, 3))
    assert layer.running_mean.tolist() == [0.0, 0.0, 0.0]
    assert int(layer.num_batches_tracked) == 0
