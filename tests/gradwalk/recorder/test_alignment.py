"""The CTC loss, step by step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

import gradwalk
from gradwalk.recorder import lowerings
from tests.support.walked import walked

Tensor = torch.Tensor
ROWS, JOINED = torch.tensor([[1, 2, 1], [3, 3, 0]]), torch.tensor([1, 2, 1, 3, 3])
CASES: dict[str, Callable[[Tensor], Tensor]] = {
    "mean": lambda x: F.ctc_loss(x.log_softmax(2), ROWS, torch.tensor([7, 5]), torch.tensor([3, 2])),
    "sum": lambda x: F.ctc_loss(x.log_softmax(2), JOINED, torch.tensor([7, 6]), torch.tensor([3, 2]), reduction="sum"),
    "each": lambda x: torch.nn.CTCLoss(blank=2, reduction="none")(x, ROWS * 0 + 1, (7, 7), (3, 1)).sin().sum(),
}


@pytest.mark.parametrize("name", CASES)
def test_a_loss_over_alignments(name: str) -> None:
    torch.manual_seed(8)
    walk = walked(CASES[name], torch.randn(7, 2, 4))
    assert "slopes" not in "".join(walk.notes)


def test_alignments_weighed_otherwise_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    right = lowerings.LOWERED["ctc_loss"]
    monkeypatch.setitem(lowerings.LOWERED, "ctc_loss", lambda *args, **kwargs: right(*args, **kwargs) * 1.01)
    with pytest.raises(gradwalk.WalkError, match="ctc_loss"):
        gradwalk.walk(CASES["mean"], torch.randn(7, 2, 4))
