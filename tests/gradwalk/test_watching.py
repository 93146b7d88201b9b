"""A loop that is watched: the step, the line and the cell are found, and until then little is done."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import gradwalk
from gradwalk.watching import Watch


class Net(nn.Module):
    """A network with places in which something may go wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(4, 6)
        self.outer = nn.Linear(6, 2)

    def forward(self, x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        h = torch.tanh(self.inner(x))
        inverse = 1.0 / scale[:, 0]  # inverse
        norm = torch.sqrt((h * scale[:, 1:2]).square().sum(1))  # root
        wide = h * inverse[:, None] + norm[:, None]
        kept = torch.relu(wide + scale[:, 2:])  # kept
        return self.outer(kept)


def line_of(comment: str) -> int:
    lines, first = inspect.getsourcelines(Net.forward)
    return next(first + i for i, line in enumerate(lines) if line.rstrip().endswith(f"# {comment}"))


def trained(folder: Path, seed: int, step: int, column: int, cell: int | slice, value: float) -> Watch:
    """A loop in which one number of one step is another one."""
    torch.manual_seed(seed)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    with gradwalk.watch(model, folder) as watched:
        for number in range(14):
            scale = torch.rand(5, 3) + 1.0
            if number == step:
                scale[cell, column] = value
            out = model(torch.randn(5, 4), scale)
            optimizer.zero_grad()
            out.square().mean().backward()
            optimizer.step()
    return watched


every = slice(None)
# The step, what is planted there, and where it is to be found: the user's line by its comment, and the cell.
RUNS = [
    (9, (0, 3, 0.0), "inverse", (3,)), (7, (1, 2, 0.0), "root", (2, 0)), (11, (2, every, -60.0), "kept", (0, 0)),
    (8, (0, 4, 1e-5), "inverse", (4,)), (2, (0, 0, 0.0), "inverse", (0,)), (12, (1, 4, 0.0), "root", (4, 0)),
    (6, (2, every, -60.0), "kept", (0, 0)), (13, (0, 1, 1e-6), "inverse", (1,)), (10, (0, 2, 0.0), "inverse", (2,)),
    (5, (1, 0, 0.0), "root", (0, 0)),
]  # fmt: skip
SOME = [RUNS[0], *(pytest.param(*run, marks=pytest.mark.exhaustive) for run in RUNS[1:])]


@pytest.mark.parametrize(("step", "planted", "comment", "cell"), SOME)
def test_the_step_the_line_and_the_cell_are_found(
    step: int, planted: tuple[int, Any, float], comment: str, cell: tuple[int, ...], tmp_path: Path
) -> None:
    with pytest.warns(gradwalk.GradientWarning, match=f"Step {step}: the gradient of ") as told:
        found = trained(tmp_path, step, step, *planted).found
    assert found is not None
    assert found.began is not None
    assert (found.step, found.began.origin.number, found.began.cell) == (step, line_of(comment), cell)
    assert Path(found.began.origin.file) == Path(__file__)
    assert found.file == tmp_path / f"gradwalk-step-{step}.html"
    assert found.file.read_text().startswith("<!DOCTYPE html>")
    assert [one.category for one in told].count(gradwalk.GradientWarning) == 1


def test_nothing_is_told_of_steps_as_usual_and_the_training_is_the_same(tmp_path: Path) -> None:
    torch.manual_seed(4)
    model = Net()
    watched = trained(tmp_path, 4, -1, 0, 0, 1.5)
    assert watched.found is None
    assert watched.steps == 14
    assert list(tmp_path.iterdir()) == []
    draws = torch.get_rng_state()
    torch.manual_seed(4)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    Net()
    for _ in range(14):
        scale = torch.rand(5, 3) + 1.0
        out = model(torch.randn(5, 4), scale)
        optimizer.zero_grad()
        out.square().mean().backward()
        optimizer.step()
    assert torch.equal(draws, torch.get_rng_state())
    for one, other in zip(model.parameters(), watched.model.parameters(), strict=True):
        assert torch.equal(one, other)
    assert not watched.model._forward_hooks
    assert not watched.model._forward_pre_hooks


def test_a_loss_that_begins_behind_the_model_is_told_from_where_it_arrives(tmp_path: Path) -> None:
    model = nn.Linear(2, 2)
    with gradwalk.watch(model, tmp_path) as watched, pytest.warns(gradwalk.GradientWarning):
        (model(torch.ones(3, 2)) * torch.tensor([1.0, torch.inf])).sum().backward()
    assert watched.found is not None
    assert watched.found.step == 0
    assert "arrives" in str(watched.found)


def test_a_loop_that_takes_its_gradients_itself_is_left_alone(tmp_path: Path) -> None:
    model = nn.Linear(3, 2)
    with gradwalk.watch(model, tmp_path) as watched:
        gradients = torch.autograd.grad(model(torch.ones(1, 3)).sum(), [*model.parameters()])
    assert [one.shape for one in gradients] == [(2, 3), (2,)]
    assert watched.found is None


@pytest.mark.filterwarnings("ignore:Sparse invariant checks")
def test_a_table_with_sparse_gradients_and_very_small_ones_are_watched(tmp_path: Path) -> None:
    table, small = nn.Embedding(5, 2, sparse=True), nn.Linear(2, 1)
    for model, given, size in ((table, torch.tensor([1, 1]), 1.0), (small, torch.ones(3, 2), 1e-28)):
        with gradwalk.watch(model, tmp_path) as watched:
            for _ in range(8):
                model.zero_grad()
                (model(given) * size).sum().backward()
        assert watched.steps == 8
        assert watched.found is None


def test_a_copy_of_a_watched_model_is_not_watched(tmp_path: Path) -> None:
    """Nor one that went through a file: what is kept of a step doesn't go along."""
    model = Net()
    with gradwalk.watch(model, tmp_path) as watched:
        copies = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
        for one in copies:
            one(torch.randn(5, 4), torch.zeros(5, 3)).sum().backward()
        assert watched.steps == 0
        assert watched.found is None
        model(torch.randn(5, 4), torch.rand(5, 3) + 1).sum().backward()
        assert watched.steps == 1
    assert all(kept.__class__.__module__ != "gradwalk.watching" for one in copies for kept in vars(one).values())
