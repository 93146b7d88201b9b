"""What is written into a tensor must fit its place: on outlines torch takes any shape, on numbers it refuses."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.pipeline import run_of

UNFIT = {
    "x.slice_scatter(src, start=-2)": "slot-mismatch",
    "x.slice_scatter(src[:1], start=-2)": "slot-mismatch",
    "x.slice_scatter(src[0], start=-2)": "slot-mismatch",
    "x.slice_scatter(src, 0, 2, 1)": "slot-mismatch",
    "torch.slice_scatter(x, src, -1, 0, 2, 2)": "slot-mismatch",
    "x.select_scatter(src, 0, 1)": "slot-mismatch",
    "x.select_scatter(src[0], 1, 1)": "slot-mismatch",
    "x.slice_scatter(src, 2)": "axis-missing",
    "x.sum().slice_scatter(src.sum())": "axis-missing",
    "x.slice_scatter(src, 0, 0.5)": "slice-ends",
    "x.slice_scatter(src, 0, 0, 3, 0)": "operation-fails",
    "x.index_put((torch.tensor([2, 0]),), src)": "shapes-do-not-fit",
    "torch.index_put(x, (torch.tensor([2, 0]), torch.tensor([1, 1])), src[:, 0])": "shapes-do-not-fit",
}
FIT = (
    "x.slice_scatter(src, 0, 1)", "x.slice_scatter(src, -2, -3, 9)", "x.slice_scatter(src[:2], step=2)",
    "x.slice_scatter(src[:0], 0, 3, 1)", "x.select_scatter(src[0], 0, -1)",
    "x.index_put((torch.tensor([2, 0, 1]),), src)", "x.index_put((torch.tensor([2, 0]),), src[0])",
    "x.index_put((torch.tensor([[2], [0]]), torch.tensor([1, 1, 0])), src[:, 0])",
    "x.index_put((x[:, 0] > 0,), torch.tensor(0.0)) + src.sum()", "x.index_put((x > 1,), src[0, 0])",
)  # fmt: skip
X, SRC = torch.arange(8.0).view(4, 2) - 3, torch.arange(6.0).view(3, 2)


def program(use: str) -> dict[str, Any]:
    tensors = {"x": {"role": "parameter", "values": X.tolist()}, "src": {"role": "parameter", "values": SRC.tolist()}}
    return {"source": f"out = {use}\nloss = (out * out).sum()", "tensors": tensors}


def torchs(use: str) -> torch.Tensor:
    """What torch itself makes of it; the uses are those of this file."""
    made: torch.Tensor = eval(use, {"torch": torch, "x": X, "src": SRC})
    return made


@pytest.mark.parametrize("use", UNFIT)
def test_what_does_not_fit_is_refused_in_words_as_torch_refuses_it(use: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(Refusal) as caught:
        run_of(program(use))
    assert caught.value.code == UNFIT[use]
    assert caught.value.where is not None
    assert caught.value.where["text"] == use
    assert not caplog.records
    with pytest.raises((RuntimeError, IndexError, TypeError)):
        torchs(use)


@pytest.mark.parametrize("use", FIT)
def test_what_fits_is_as_torch_makes_it(use: str) -> None:
    assert torch.equal(run_of(program(use)).forward.tensors["out"], torchs(use))


@pytest.mark.parametrize("use", ["x.index_put((x[:, 0] > 0,), src[:2])", "x.index_put((x > 2,), src[0])"])
def test_values_put_where_a_mask_says_have_no_rule(use: str) -> None:
    with pytest.raises(Refusal) as caught:
        run_of(program(use))
    assert caught.value.entry == "no-backward-rule/mask"
    assert caught.value.where is not None
