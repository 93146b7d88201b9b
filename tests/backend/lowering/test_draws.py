"""Tensors that code as found draws: what role they have in the table."""

from __future__ import annotations

import pytest
import torch

from backend.lowering.lower import lower


@pytest.mark.parametrize(("asked", "role"), [("requires_grad=False", "constant"), ("requires_grad=True", "parameter")])
def test_whether_a_gradient_is_asked_for_is_the_role_of_what_is_drawn(asked: str, role: str) -> None:
    source = f"for _ in [0]:\n    x = torch.randn(3, 4, {asked})\nloss = (x * torch.randn(4)).sum()"
    assert lower(source, dict[str, torch.Tensor](), {}).lifted["x"]["role"] == role
