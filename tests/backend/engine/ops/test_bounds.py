"""What is said of a clamp: who gets the gradient between its bounds, beyond them and exactly on one."""

from __future__ import annotations

import pytest
import torch

from backend.engine.ops.bounds import HELD_AT_BOUNDS, Clamp


@pytest.mark.parametrize(
    ("bounds", "said", "passes"),
    [
        ({"min": -1.0, "max": 2.0}, Clamp.because["x"], [0, 1, 1, 1, 0]),
        ({"min": -1.0}, Clamp.one_bound["min"], [0, 1, 1, 1, 1]),
        ({"max": 2.0}, Clamp.one_bound["max"], [1, 1, 1, 1, 0]),
    ],
)
def test_a_cell_beyond_a_bound_gets_nothing_and_one_on_it_may(
    bounds: dict[str, float], said: str, passes: list[int]
) -> None:
    """A sentence that calls a cell on its bound held there would be false until PyTorch 2.14."""
    x = torch.tensor([-3.0, -1.0, 0.5, 2.0, 7.0], requires_grad=True)
    held = torch.clamp(x, bounds.get("min"), bounds.get("max"))
    (slope,) = torch.autograd.grad(held.sum(), x)
    if not HELD_AT_BOUNDS:
        assert slope.tolist() == passes
    beyond = {"between": "beyond one", "min": "below it", "max": "above it"}
    assert beyond["between" if len(bounds) == 2 else next(iter(bounds))] in said
    assert "at it" not in said
    assert "at a bound" not in said
