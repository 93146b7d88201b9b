"""Two walks side by side: what is told of each pair of tensors is what plain PyTorch finds in them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.inspect.comparison import likeness
from tests.support.torch_reference import Recorder, tensors

TENSORS: dict[str, Any] = {
    "x": {"role": "data", "shape": [4, 3], "init": "randn", "seed": 1},
    "W": {"role": "parameter", "shape": [3, 2], "init": "randn", "seed": 2},
    "y": {"role": "target", "values": [0, 1, 1, 0]},
}
TANH = {"source": "h = torch.tanh(x @ W)\nloss = F.cross_entropy(h, y)", "tensors": TENSORS}
RELU = {"source": "h = torch.relu(x @ W)\nloss = F.cross_entropy(h, y)", "tensors": TENSORS}
SCALED = {"source": "h = torch.tanh(x @ W)\nloss = 3 * F.cross_entropy(h, y)", "tensors": TENSORS}
PATHLESS = {"source": "h = torch.tanh(x @ W.detach())\nloss = F.cross_entropy(h, y)", "tensors": TENSORS}


def found(left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    told = backend.comparison({"left": left, "right": right})
    return {one["variable"]: one for one in told["tensors"]} | {"": (told["left"], told["right"])}


def plain(case: dict[str, Any]) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Values and gradients by the names of the program, by exec and autograd alone."""
    given = tensors(case)
    for one in given.values():
        if one.is_floating_point():
            one.requires_grad_()
    scope: dict[str, Any] = Recorder(case, given).scope
    exec(compile(case["source"], "case", "exec"), scope)
    known = {name: one for name, one in scope.items() if isinstance(one, torch.Tensor)}
    reached = {name: one for name, one in known.items() if one.requires_grad}
    grads = torch.autograd.grad(known["loss"], list(reached.values()), allow_unused=True)
    return known, {name: grad for name, grad in zip(reached, grads, strict=True) if grad is not None}


@pytest.mark.parametrize("right", [RELU, SCALED], ids=["relu", "scaled"])
def test_lengths_and_angles_are_those_of_plain_pytorch(right: dict[str, Any]) -> None:
    told = found(TANH, right)
    ours, theirs = plain(TANH), plain(right)
    for variable in ("h", "W", "loss"):
        for part, a, b in (("value", ours[0], theirs[0]), ("gradient", ours[1], theirs[1])):
            one, p, q = told[variable][part], a[variable].detach().flatten(), b[variable].detach().flatten()
            assert one["left"]["length"] == pytest.approx(float(p.norm()), rel=1e-5)
            assert one["ratio"] == pytest.approx(float(q.norm() / p.norm()), rel=1e-5)
            if one["cosine"] is not None:
                assert one["cosine"] == pytest.approx(float(p @ q / (p.norm() * q.norm())), abs=1e-5)
    assert told[""] == (
        pytest.approx(float(ours[0]["loss"].detach())),
        pytest.approx(float(theirs[0]["loss"].detach())),
    )


def test_each_kind_of_difference_is_told() -> None:
    a = torch.tensor([[1.0, -2.0], [3.0, 0.5]])
    cases = {
        "same": a.clone(),
        "rounding": a * (1 + 1e-7),
        "scale": a * 4,
        "opposite": -a,
        "turned": a.flip(0),
        "zero": torch.zeros(2, 2),
        "broken": torch.tensor([[1.0, float("nan")], [3.0, 0.5]]),
        "shape": a.reshape(4),
    }
    for kind, other in cases.items():
        one = likeness(a, other)
        assert one is not None
        assert one["kind"] == kind
    missing = likeness(a, None)
    assert missing is not None
    assert (missing["kind"], missing["right"]) == ("missing", None)
    assert likeness(None, None) is None


def test_a_residue_counts_as_zero_and_a_nan_in_both_as_the_same() -> None:
    a = torch.tensor([1.0, -2.0, 3.0])
    residue = likeness(a, torch.tensor([1e-8, -1e-8, 0.0]))
    assert residue is not None
    assert (residue["kind"], residue["right"] and residue["right"]["zeros"]) == ("zero", 1)
    broken = torch.tensor([float("nan"), 1.0])
    same = likeness(broken, broken.clone())
    assert same is not None
    assert same["kind"] == "same"


def test_the_first_cell_that_differs_is_told_and_how_many_do() -> None:
    a = torch.arange(12.0).reshape(3, 4)
    b = a.clone()
    b[1, 2], b[2, 3] = 7.5, 0.0
    one = likeness(a, b)
    assert one is not None
    assert (one["first"], one["differing"]) == ([1, 2], 2)


def test_a_gradient_that_one_side_has_not_is_missing() -> None:
    told = found(TANH, PATHLESS)
    assert told["W"]["gradient"]["kind"] == "missing"
    assert told["W"]["gradient"]["right"] is None
    assert told["W"]["value"]["kind"] == "same"


def test_a_planted_line_shows_in_its_gradient_alone() -> None:
    planted = TANH | {"plant": {"step": 6, "code": "dW = -(x.T @ dh_product)"}}
    told = found(TANH, planted)
    wrong = [name for name, one in told.items() if name and (one["gradient"] or {"kind": "same"})["kind"] != "same"]
    assert (wrong, told["W"]["gradient"]["kind"]) == (["W"], "opposite")


def test_a_side_that_is_refused_is_refused() -> None:
    with pytest.raises(Refusal):
        backend.comparison({"left": TANH, "right": TANH | {"source": "h = nothing(x)"}})
