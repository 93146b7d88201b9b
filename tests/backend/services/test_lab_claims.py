"""What exhibits say would happen with other numbers happens, in plain PyTorch."""

from __future__ import annotations

import math

import pytest
import torch

import backend
from backend.pipeline import run_of
from backend.program.lessons import ROOM
from tests.support.exhibit_runs import known, trained
from tests.support.torch_reference import tensors
from tests.tools.server import ROOT


def test_another_reference_changes_no_gradient() -> None:
    other = {"ref": torch.randn(5, 4, generator=torch.Generator().manual_seed(9), dtype=torch.float64)}
    name = "kl-that-pulls-nowhere"
    assert "stays the same to the bit" in ROOM.exhibits[name].sees
    assert torch.equal(known(name, 1)["dz"], known(name, 1, other)["dz"])
    assert not torch.allclose(known(name, 0)["dz"], known(name, 0, other)["dz"])


def test_another_class_weight_changes_no_gradient() -> None:
    other = {"cw": torch.tensor([1.0, 1.0, 3.0], dtype=torch.float64)}
    name = "class-weight-in-a-batch-of-one"
    assert "no gradient moves" in ROOM.exhibits[name].sees
    assert torch.allclose(known(name, 1)["dW"], known(name, 1, other)["dW"])
    assert not torch.allclose(known(name, 0)["dW"], known(name, 0, other)["dW"])


def test_twice_the_input_is_the_same_norm_and_an_eighth_of_the_wrong_one() -> None:
    name = "std-is-the-square-of-the-variance"
    assert "shrinks to an eighth" in ROOM.exhibits[name].sees
    x = known(name, 0)["x"]
    assert torch.allclose(known(name, 0, {"x": 2 * x})["out"], known(name, 0)["out"], atol=1e-6)
    assert torch.allclose(known(name, 1, {"x": 2 * x})["out"], known(name, 1)["out"] / 8)
    assert "variances are below 1" in ROOM.exhibits[name].reveal
    begun, ended = known(name, 1), known(name, 1, trained(name, 1)[1])
    assert (begun["variance"] < 1).all()
    assert (ended["variance"] > begun["variance"]).all()
    for shrinks in ("out", "dx"):
        assert 3 * ended[shrinks].norm() < begun[shrinks].norm()


def test_row_1_is_picked_once_and_row_2_again() -> None:
    assert "Row 1 is picked once" in ROOM.exhibits["last-one-wins"].sees
    picked = tensors(dict(ROOM.exhibits["last-one-wins"].sides[0].program or {}))["i"].tolist()
    assert [picked.count(row) for row in range(3)] == [2, 1, 3]


def of_runs(name: str) -> dict[str, list[float]]:
    """The losses of an exhibit's card."""
    runs = backend.exhibit(name)["runs"]
    assert runs is not None
    sides = {"meant": runs["meant"], "written": runs["written"], "judged": runs["judged"] or []}
    return {side: [float(loss) for loss in losses] for side, losses in sides.items()}


def test_a_row_of_nan_is_not_seen_in_the_loss() -> None:
    assert "The loss shows nothing" in ROOM.exhibits["where-trap"].in_training
    (right, _), (wrong, weights) = (trained("where-trap", side) for side in (0, 1))
    assert wrong == pytest.approx(right)
    assert weights["x"].isnan().any(1).tolist() == [False, False, True]


@pytest.mark.parametrize(
    "name", ["advantage-square", pytest.param("maximum-of-the-wrong-row", marks=pytest.mark.exhaustive)]
)
def test_by_the_loss_that_was_meant_it_ends_as_low(name: str) -> None:
    assert "it ends as low" in ROOM.exhibits[name].in_training
    runs = of_runs(name)
    assert runs["judged"][-1] == pytest.approx(runs["meant"][-1], rel=0.01)


def test_with_all_examples_of_one_class_the_factor_ends_lower() -> None:
    name = "focal-times-gamma"
    assert "it even ends lower. All examples have one class" in ROOM.exhibits[name].in_training
    assert set(tensors(dict(ROOM.exhibits[name].sides[0].program or {}))["y"].tolist()) == {1.0}
    assert of_runs(name)["judged"][-1] < 0.5 * of_runs(name)["meant"][-1]


def test_the_loss_falls_for_the_target_that_moves_along() -> None:
    assert "As written the loss falls" in ROOM.exhibits["target-not-detached"].in_training
    (right, _), (wrong, _) = (trained("target-not-detached", side) for side in (0, 1))
    assert right[-1] > 0.9 * right[0]
    assert wrong[-1] < 0.5 * wrong[0]


@pytest.mark.parametrize(
    ("name", "longer"), [("counted-again-on-every-visit", 7 / 6), ("max-pays-twice", 2), ("broadcast-in-the-compiler", 2000 / 1001)]
)  # fmt: skip
def test_a_longer_step_and_no_more(name: str, longer: float) -> None:
    exhibit = ROOM.exhibits[name]
    assert "a longer step, and no more" in exhibit.in_training
    assert exhibit.training is not None
    losses, _ = trained(name, 0, longer * exhibit.training.rate)
    assert of_runs(name)["written"] == pytest.approx(losses, rel=1e-6)


def test_a_rate_that_suits_what_was_meant_overflows() -> None:
    assert "the numbers overflow" in ROOM.exhibits["dropout-divides-by-p"].in_training
    (right, _), (wrong, _) = (trained("dropout-divides-by-p", side) for side in (0, 1))
    assert right[-1] < 0.01 * right[0]
    assert math.isnan(wrong[-1])


def test_a_baseline_that_is_not_detached_drifts_away_from_the_returns() -> None:
    name = "advantage-not-detached"
    assert "drifts away from the returns" in ROOM.exhibits[name].in_training
    (right, kept), (wrong, moved) = (trained(name, side) for side in (0, 1))
    assert wrong[-1] < right[-1]
    ended, began = known(name, 1, moved), known(name, 1)
    miss, first = (float(((one["returns"] - one["baseline"]) ** 2).mean()) for one in (ended, began))
    assert miss > 2 * first
    assert torch.equal(kept["Wv"], known(name, 0)["Wv"])


def test_a_position_is_pushed_over_the_edge() -> None:
    assert "over the edge" in ROOM.exhibits["border-of-a-grid"].in_training
    (right, _), (wrong, weights) = (trained("border-of-a-grid", side) for side in (0, 1))
    assert wrong[-1] < right[-1]
    assert weights["pos"][4] > 4.5


def test_of_four_mistakes_one_moves_the_value() -> None:
    name = "four-mistakes-in-one-loss"
    assert "`Wv` moves" in ROOM.exhibits[name].in_training
    (right, kept), (wrong, moved) = (trained(name, side) for side in (0, 1))
    assert wrong[-1] < right[-1]
    began = known(name, 0)["Wv"]
    assert torch.equal(kept["Wv"], began)
    assert not torch.allclose(moved["Wv"], began)


def test_most_gradients_are_pytorch_s_own_and_those_of_a_wrong_line_are_not() -> None:
    page = " ".join((ROOT / "templates" / "lab.html").read_text().split())
    assert "In most of them the gradient is PyTorch’s own, for a program that nobody meant." in page
    bugs = [one for one in ROOM.exhibits.values() if one.kind == "bug"]
    own = []
    for one in bugs:
        found = run_of(dict(one.sides[1].walk) | {"dtype": "float64"}).gradients
        of_torch = known(one.name, 0 if one.sides[1].program is None else 1)
        pairs = [(grad, of_torch[name]) for name, grad in found.items() if name in of_torch]
        own += [one.name] if all(torch.allclose(a, b, atol=1e-9, equal_nan=True) for a, b in pairs) else []
    assert own == [one.name for one in bugs if one.sides[1].program is not None]
    assert len(bugs) / 2 < len(own) < len(bugs) - 10
