"""Steps downhill with a wrong gradient beside the right one: both are what plain PyTorch computes."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import backend
from backend.pipeline import material_of, planned
from tests.support.asking import program

X = [[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]]
SOURCE = "h = x @ W\ny = torch.tanh(h + b)\nloss = (y * y).mean()"
REQUEST = program(
    SOURCE, "float64", x={"role": "data", "values": X}, W=[[0.2, -0.4], [0.1, 0.3], [-0.6, 0.5]], b=[0.1, 0.2]
)


def step_of(code: str) -> int:
    plan = planned(material_of(REQUEST))
    return plan.first_backward + next(i for i, line in enumerate(plan.lines) if line.code.startswith(code))


def asked(mistake: str, code: str = "dW =", path: int = 5, rate: float = 0.5) -> Any:
    walk = REQUEST | {"plant": {"step": step_of(code), "mistake": mistake}}
    return backend.descent({"walk": walk, "rates": [rate], "path": path})["paths"][0]


def plain(turn: float, steps: int, rate: float) -> list[float]:
    """The losses in plain PyTorch, where the gradient of W is taken `turn` times."""
    x = torch.tensor(X, dtype=torch.float64)
    W, b = (torch.tensor(REQUEST["tensors"][name]["values"], dtype=torch.float64) for name in ("W", "b"))
    losses = []
    for _ in range(steps + 1):
        W, b = W.detach().requires_grad_(), b.detach().requires_grad_()
        loss = torch.tanh(x @ W + b).square().mean()
        losses.append(float(loss.detach()))
        dW, db = torch.autograd.grad(loss, (W, b))
        W, b = W - rate * turn * dW, b - rate * db
    return losses


def test_both_ways_are_those_of_plain_pytorch() -> None:
    told = asked("sign")
    assert told["stopped"] == ""
    assert told["losses"] == pytest.approx(plain(-1.0, 5, 0.5), rel=1e-9)
    assert told["right"] == pytest.approx(plain(1.0, 5, 0.5), rel=1e-9)
    assert told["losses"][-1] > told["right"][-1]


def test_without_a_mistake_there_is_one_way() -> None:
    told = backend.descent({"walk": REQUEST, "rates": [0.5, 1.0], "path": 3})["paths"]
    assert [one["right"] for one in told] == [None, None]
    assert told[0]["losses"] == pytest.approx(plain(1.0, 3, 0.5), rel=1e-9)


def test_a_gradient_that_can_t_be_taken_from_its_parameter_makes_no_step() -> None:
    told = asked("missing-sum", "db =")
    assert told["stopped"] == "No step can be made: `db` is (2, 2) and `b` is (2,)."
    assert len(told["losses"]) == 1
    assert told["right"] == pytest.approx(plain(1.0, 5, 0.5), rel=1e-9)


def test_one_that_torch_broadcasts_does() -> None:
    """`b -= rate * db` runs where db has fewer axes, and all the same numbers; more axes than b it can't have."""
    assert asked("keepdim", "db =")["stopped"]
    walk = REQUEST | {"plant": {"step": step_of("db ="), "code": "db = (1.0 - y**2).sum() * 0.1"}}
    assert backend.descent({"walk": walk, "rates": [0.5], "path": 2})["paths"][0]["stopped"] == ""


def test_a_loss_that_bursts_is_told_as_it_is() -> None:
    told = asked("sign", path=20, rate=1e6)
    assert len(told["losses"]) == len(told["right"]) == 21
