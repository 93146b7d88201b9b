"""Another implementation beside a walk: the first line at which they part, and no accusation of what only rounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import gradwalk
from tests.support import models
from tests.support.models import Case

Arrays = dict[str, np.ndarray]


def forward(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    hidden = x @ w
    active = torch.tanh(hidden)
    return (active * active).mean()


def given() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    return torch.randn(4, 3), torch.randn(3, 5)


def in_numpy(
    power: float = 1.0, slope: Callable[[np.ndarray], np.ndarray] = lambda active: 1 - active**2
) -> tuple[gradwalk.Walk, Arrays]:
    """The walk, and the same by hand in NumPy, with what may be wrong in it."""
    walk = gradwalk.walk(forward, *given())
    x, w = (one.numpy().astype(np.float64) for one in given())
    hidden = x @ w
    active = np.tanh(hidden * power)
    back = 2 * active / active.size * slope(active)
    return walk, {
        "x": x,
        "w": w,
        "hidden": hidden,
        "active": active,
        "loss": np.asarray((active**2).mean()),
        "dhidden": back,
        "x.grad": back @ w.T,
        "dw": x.T @ back,
    }


def test_the_same_is_told_as_the_same() -> None:
    walk, theirs = in_numpy()
    found = walk.compare(theirs)
    assert found
    assert found.names == ["x", "w", "hidden", "active", "loss", "dhidden", "dx", "dw"]
    assert repr(found) == "All is the same up to rounding: 8 compared."


def test_the_first_line_going_forward_is_told_before_all_that_follows(tmp_path: Path) -> None:
    walk, theirs = in_numpy(power=1.0001)
    np.savez(str(tmp_path / "theirs.npz"), allow_pickle=False, **theirs, step=np.asarray(3))
    found = walk.compare(tmp_path / "theirs.npz")
    assert not found
    assert found.first is not None
    gap = np.abs(walk.run.forward.tensors["active"].numpy() - theirs["active"])
    row, column = np.unravel_index(gap.argmax(), gap.shape)
    ours, other = walk.run.forward.tensors["active"][row, column], theirs["active"][row, column]
    number = forward.__code__.co_firstlineno + 2
    assert repr(found).splitlines() == [
        "They part at `active = torch.tanh(hidden)` "
        f"(test_comparing.py, line {number}: active = torch.tanh(hidden)): "
        f"active[{row}, {column}] is {ours:.9g} here and {other:.9g} there.",
        "Without a name here: step.",
    ]


def test_the_first_line_going_back_is_told_where_the_values_agree() -> None:
    walk, theirs = in_numpy(slope=lambda active: 1 - active)
    found = walk.compare(theirs).first
    assert found is not None
    assert found.name == "dhidden"
    assert found.origin.line.startswith("dhidden ")
    assert found.origin.text == "active = torch.tanh(hidden)"


def test_another_shape_is_told() -> None:
    walk, theirs = in_numpy()
    assert "w has the shape (3, 5) here and (5, 3) there" in repr(walk.compare(theirs | {"w": theirs["w"].T}))


def test_a_mask_is_the_same_or_not() -> None:
    def masked(x: torch.Tensor) -> torch.Tensor:
        mask = x > 0
        return torch.where(mask, x, 2 * x).sum()

    x = torch.tensor([1.0, -1.0, 3.0])
    walk = gradwalk.walk(masked, x)
    assert walk.compare({"mask": x > 0, "x": x.half()})
    assert "mask[1] is 0 here and 1 there" in repr(walk.compare({"mask": [True, True, True]}))


def test_names_that_all_match_nothing_are_refused_with_those_that_do() -> None:
    walk, _ = in_numpy()
    with pytest.raises(gradwalk.WalkError, match=r"the walk has x, w, hidden, .*, dw\.$"):
        walk.compare({"kernel": torch.ones(3)})


@pytest.mark.parametrize(("wrong", "said"), [("text", "no array of numbers"), (1j, "complex numbers")], ids=str)
def test_what_is_no_number_is_refused(wrong: object, said: str) -> None:
    walk, _ = in_numpy()
    with pytest.raises(gradwalk.WalkError, match=f"w .*{said}"):
        walk.compare({"w": wrong})


def test_a_layer_norm_with_another_epsilon_parts_and_float64_does_not() -> None:
    """A difference of a millionth is found in float32; parameters go by their paths in the model."""
    torch.manual_seed(0)
    norm = nn.LayerNorm(8)
    model = nn.Sequential(nn.Linear(4, 8), norm, nn.Linear(8, 3))
    x = torch.randn(5, 4)
    walk = gradwalk.walk(model, x, loss=lambda out: out.square().sum())
    precise = model.double()
    named = dict(precise.named_parameters())

    def theirs() -> dict[str, torch.Tensor]:
        found = torch.autograd.grad(precise(x.double()).square().sum(), list(named.values()))
        return {f"{name}.grad": one for name, one in zip(named, found, strict=True)}

    assert walk.compare(theirs() | named)
    norm.eps = 2e-5
    assert not walk.compare(theirs())


@pytest.mark.exhaustive
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("case", models.CASES, ids=lambda case: case.__name__)
def test_no_right_model_is_accused(case: Callable[[], Case], dtype: torch.dtype) -> None:
    """Its own gradients in either precision, from the same random numbers."""
    torch.manual_seed(3)
    model, args, loss = case()
    if not isinstance(model, nn.Module):
        pytest.skip("has no parameters")
    state = torch.get_rng_state()
    walk = gradwalk.walk(model, *args, loss=loss)
    torch.set_rng_state(state)
    named = {name: one for name, one in model.named_parameters() if one.requires_grad}
    if dtype is torch.float64:
        model = model.double()
        args = tuple(one.double() if one.is_floating_point() else one for one in args)
        named = dict(model.named_parameters())
    out = model(*args)
    scalar = out if loss is None else loss(out)
    found = torch.autograd.grad(scalar, list(named.values()), allow_unused=True)
    theirs = {f"{name}.grad": one for name, one in zip(named, found, strict=True) if one is not None}
    assert walk.compare(theirs | {"loss": scalar}), walk.compare(theirs | {"loss": scalar})
