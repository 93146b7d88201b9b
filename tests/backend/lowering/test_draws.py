"""Tensors that code as found draws: what role they have in the table."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.lowering.lower import lower
from backend.pipeline import run_of


@pytest.mark.parametrize(("asked", "role"), [("requires_grad=False", "constant"), ("requires_grad=True", "parameter")])
def test_whether_a_gradient_is_asked_for_is_the_role_of_what_is_drawn(asked: str, role: str) -> None:
    source = f"for _ in [0]:\n    x = torch.randn(3, 4, {asked})\nloss = (x * torch.randn(4)).sum()"
    assert lower(source, dict[str, torch.Tensor](), {}).lifted["x"]["role"] == role


FROZEN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4), requires_grad=False)
        self.inner = nn.Linear(4, 4)
        self.outer = nn.Linear(4, 2)
        for p in self.inner.parameters():
            p.requires_grad = False
        self.inner.bias.requires_grad = True
        self.outer.bias.requires_grad_(False)

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x * self.scale))).sum()
"""


def test_a_frozen_weight_gets_no_gradient_as_in_pytorch() -> None:
    """Held against the class itself, made by PyTorch."""
    scope: dict[str, Any] = {"torch": torch, "nn": torch.nn}
    exec(FROZEN, scope)
    trained = {name.replace(".", "_") for name, one in scope["Net"]().named_parameters() if one.requires_grad}
    inputs = run_of({"source": FROZEN, "tensors": {}}).material.inputs
    assert {name for name, one in inputs.items() if one.role == "parameter"} == trained
    assert inputs["scale"].role == inputs["inner_weight"].role == "constant"
