"""A verdict for scripts, the lines of one path with their reasons, and what a test says of a wrong gradient."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import gradwalk
from gradwalk import testing
from gradwalk.recorder import recording


def energy(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return (torch.tanh(x @ w) ** 2).sum()


def given() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    return torch.randn(3, 2), torch.randn(2, 4)


def test_a_check_is_true_where_all_is_right() -> None:
    found = gradwalk.check(energy, *given())
    assert found
    assert found.code == 0
    assert [one.name for one in found.verdicts] == ["x", "w"]


def test_a_test_names_what_differs_and_keeps_the_walk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    testing.assert_gradients(energy, *given())
    right = recording.own_gradients

    def wrong(*args: Any) -> tuple[dict[str, torch.Tensor], list[str]]:
        own, unused = right(*args)
        return own | {"w": own["w"].T.reshape(2, 4)}, unused

    monkeypatch.setattr(recording, "own_gradients", wrong)
    with pytest.raises(AssertionError, match="1 of 2 gradients DIFFER from your model's own: w") as caught:
        testing.assert_gradients(energy, *given(), save=tmp_path / "walk.html")
    assert str(tmp_path / "walk.html") in str(caught.value)
    assert (tmp_path / "walk.html").read_text().startswith("<!DOCTYPE html>")
    assert "The first to differ is w: `dw = x.T @ " in str(caught.value)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(AssertionError, match=rf"The walk is in {tmp_path}/gradwalk-\w+/walk\.html\.$") as caught:
        gradwalk.assert_gradients(energy, *given())


def test_a_path_is_explained_line_by_line() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    told = gradwalk.explain(model, given()[0], name="0.weight")
    lines = [line for line in told.splitlines() if not line.startswith(" ")]
    assert lines[-1].startswith("dlayer0_weight = ")
    assert len(told.splitlines()) > len(lines)
