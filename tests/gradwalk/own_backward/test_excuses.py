"""What isn't the true gradient and still no mistake: another slope at a kink, and what is passed on purpose."""

from __future__ import annotations

import pytest
import torch

from gradwalk.own_backward.examining import Examined, examined
from tests.support import wild_functions
from tests.support.wild_functions import KINKED, MEANT, Wild

OTHERS = (torch.float64, torch.bfloat16, torch.float16)
TYPES = [torch.float32, *(pytest.param(one, marks=pytest.mark.exhaustive) for one in OTHERS)]
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 13))]


def found(wild: Wild, dtype: torch.dtype = torch.float32, seed: int = 0, *, grid: bool = True) -> Examined:
    return examined(wild.function(), wild_functions.args_of(wild, dtype, seed, grid))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_slope_between_those_of_a_kinks_two_sides_is_accused(seed: int, dtype: torch.dtype) -> None:
    """All of them, on a grid of halves: 260 right ones in each precision, and as many off it."""
    for wild in KINKED:
        made = found(wild, dtype, seed)
        assert {one.level for one in made.verdicts} <= {"right", "kink", "close"}, (wild.name, made)


@pytest.mark.exhaustive
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("seed", range(13))
def test_off_the_kinks_they_are_plainly_right(seed: int, dtype: torch.dtype) -> None:
    for wild in KINKED:
        made = found(wild, dtype, seed, grid=False)
        assert {one.level for one in made.verdicts} <= {"right", "kink", "close"}, (wild.name, made)
        assert dtype in (torch.bfloat16, torch.float16) or [one.level for one in made.verdicts] == ["right"] * len(
            wild.inputs
        ), (wild.name, made)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("grid", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_what_is_meant_is_said_to_be(grid: bool, dtype: torch.dtype) -> None:
    for wild in MEANT:
        made = found(wild, dtype, grid=grid)
        assert made.right, (wild.name, made)
        assert [one.level for one in made.verdicts] == [wild.level], (wild.name, made)
        assert "on purpose, not the true gradient: " in repr(made)


def test_another_slope_is_told_with_its_cells() -> None:
    wild = next(one for one in KINKED if one.name == "clamp, open")
    made = examined(wild.function(), [torch.tensor([-2.0, -1.0, 0.5, 1.0])])
    assert [one.told for one in made.verdicts] == [
        "At args0[1] and 1 other cell the forward pass has a kink, where PyTorch takes another slope; both are right."
    ]


def unfair(x: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    """Equal cells get the gradient once in all, and none of them a share of it."""
    one, equal = torch.zeros_like(x).scatter(1, x.argmax(1, True), 1.0), (x == x.amax(1, True)).to(x.dtype)
    return torch.where(equal.sum(1, True) > 1, 10 * one - 9 * (equal - one), one) * g[:, None]


# At kinks and steps, too, these are wrong: each by what it is told to be.
WRONG = [
    (Wild("relu, no mask", torch.relu, lambda _, g: g), "local derivative"),
    (Wild("relu, other side", torch.relu, lambda x, g: g * (x <= 0)), "recognise"),
    (Wild("relu, four times at zero", torch.relu, lambda x, g: g * ((x > 0) + 9.0 * (x == 0))), "recognise"),
    (Wild("largest, each in full", lambda x: x.amax(1), lambda x, g: (x == x.amax(1, True)) * g[:, None]),
     "amax_mask.sum"),
    (Wild("largest, unfairly", lambda x: x.amax(1), unfair), "recognise"),
    (Wild("clamp, twice", lambda x: x.clamp(-1, 1), lambda x, g: 2 * g * (x.abs() <= 1)), "factor"),
    (Wild("clamp, outside", lambda x: x.clamp(-1, 1), lambda x, g: g * (x.abs() > 1)), "recognise"),
    (Wild("abs, no sign", torch.abs, lambda _, g: g), "local derivative"),
    (Wild("unread", lambda x, y: x * 2 + 0 * y.detach().sum(), lambda _, __, g: (2 * g, g),
          inputs=("x", "y")), "WRONG: args1"),
    (Wild("rounded down, a value comes back", torch.floor, lambda x, _: x), "value in place of gradient"),
    (Wild("handed on, ones come back", lambda x: x.view_as(x), lambda x, _: torch.ones_like(x)), "upstream"),
    (Wild("out of sight, no mask", lambda x: torch.from_numpy(x.numpy().clip(0)), lambda _, g: g), "recognise"),
]  # fmt: skip


@pytest.mark.parametrize(("wild", "told"), WRONG, ids=lambda one: one.name if isinstance(one, Wild) else "")
def test_a_mistake_at_a_kink_has_no_excuse(wild: Wild, told: str) -> None:
    ties = torch.tensor([[1.0, 1.0, -2.0, 0.0], [0.5, -1.5, 2.0, 2.0], [-1.0, 0.0, -3.0, -0.5]])
    made = examined(wild.function(), [ties.clone() for _ in wild.inputs])
    assert not made.right, made
    assert told in repr(made)
