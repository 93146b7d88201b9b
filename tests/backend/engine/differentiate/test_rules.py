"""Rules at places where a slope is infinite."""

import pytest
import torch
from torch.nn import functional as F

from backend.pipeline import run_of

ROWS = [[1.5, 0.0, -0.5], [-1.0, 0.25, 2.0]]
PLACES = [[0, 1], [0, 2]]
WAYS = {
    "picked.log().mean()": lambda cut, at: cut.gather(1, at).log().mean(),
    "(cut * 3.0 / 2.0).sqrt().sum()": lambda cut, _: (cut * 3.0 / 2.0).sqrt().sum(),
    "(-cut).square().pow(0.5).sum()": lambda cut, _: (-cut).square().pow(0.5).sum(),
    "torch.cat([cut[:, 1:].T.reshape(-1), cut[0].clone()]).sqrt().sum()": lambda cut, _: (
        torch.cat([cut[:, 1:].T.reshape(-1), cut[0].clone()]).sqrt().sum()
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_cut_stays_cut_on_its_way_to_a_pole(way: str) -> None:
    """PyTorch selects where a number was cut, so that 0 · ∞ is 0 there; so does the printed rule."""
    tensors = {"x": {"role": "parameter", "values": ROWS}, "at": {"role": "data", "values": PLACES}}
    run = run_of({"source": f"cut = F.relu(x)\npicked = cut.gather(1, at)\nloss = {way}", "tensors": tensors})
    x = torch.tensor(ROWS, requires_grad=True)
    WAYS[way](F.relu(x), torch.tensor(PLACES)).backward()
    assert x.grad is not None
    assert x.grad.isfinite().all()
    torch.testing.assert_close(run.gradients["dx"], x.grad)
