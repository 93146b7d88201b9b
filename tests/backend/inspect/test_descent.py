"""One step of gradient descent: the losses are those of plain PyTorch, and the promise is the first-order one."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.engine.language.errors import Refusal

RATES = [0.0, 1e-6, 0.1, 3.0]
PROGRAM: dict[str, Any] = {
    "source": "h = torch.tanh(x @ W + b)\nloss = F.cross_entropy(h, y)",
    "tensors": {
        "x": {"role": "data", "shape": [6, 4], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 2},
        "b": {"role": "parameter", "shape": [3], "init": "randn", "seed": 3},
        "y": {"role": "target", "values": [0, 1, 2, 0, 1, 2]},
    },
}


def drawn(shape: tuple[int, ...], seed: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).double().requires_grad_()


def plain(rate: float) -> float:
    """The loss after `torch.optim.SGD` has made one step."""
    x, w, b, y = drawn((6, 4), 1).detach(), drawn((4, 3), 2), drawn((3,), 3), torch.tensor([0, 1, 2, 0, 1, 2])

    def loss() -> torch.Tensor:
        return F.cross_entropy(torch.tanh(x @ w + b), y)

    optimiser = torch.optim.SGD([w, b], lr=rate)
    loss().backward()
    optimiser.step()
    return float(loss().detach())


def test_the_losses_are_those_after_a_step_of_torch_s_own_optimiser() -> None:
    told = backend.descent({"walk": PROGRAM, "rates": RATES})
    assert told["parameters"] == ["W", "b"]
    for step in told["steps"]:
        assert step["loss"] == pytest.approx(plain(step["rate"]), rel=1e-6), step


def test_the_promise_is_the_straight_line_that_a_small_step_keeps() -> None:
    told = backend.descent({"walk": {"lesson": "makemore-mlp"}, "rates": [0.0, 1e-4, 0.1]})
    start, small, large = told["steps"]
    assert start["loss"] == start["promised"] == told["loss"]
    assert small["promised"] == pytest.approx(told["loss"] - 1e-4 * told["squared_gradient"], rel=1e-12)
    assert small["loss"] - told["loss"] == pytest.approx(small["promised"] - told["loss"], rel=1e-2)
    assert large["loss"] < told["loss"]


def test_a_step_too_far_is_a_word_and_not_a_failure() -> None:
    walk = {"source": "loss = (x**4).sum()", "tensors": {"x": {"role": "parameter", "values": [1e100]}}}
    (step,) = backend.descent({"walk": walk | {"dtype": "float64"}, "rates": [1e10]})["steps"]
    assert step["loss"] in ("Infinity", "NaN")
    assert not math.isfinite(float(step["promised"]))


def test_without_a_parameter_there_is_nothing_to_step_along() -> None:
    walk = {"source": "loss = x.sum()", "tensors": {"x": {"role": "data", "values": [1.0]}}}
    with pytest.raises(Refusal) as refusal:
        backend.descent({"walk": walk, "rates": [0.1]})
    assert refusal.value.code == "descent-no-parameter"
