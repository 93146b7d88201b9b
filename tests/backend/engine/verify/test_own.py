"""A gradient beside the one of a model's own backward pass: rounding is let by, and nothing else."""

from __future__ import annotations

import pytest
import torch

from backend.engine.verify.own import OwnBackward

GRADIENTS = {"w": torch.tensor([1.0, -2.0, 0.5]), "b": torch.tensor([1e-3])}


def own(dtype: torch.dtype = torch.float32) -> OwnBackward:
    half = dtype in (torch.float16, torch.bfloat16)
    return OwnBackward({name: one.to(dtype) for name, one in GRADIENTS.items()}, loss=3.0, half=half)


def test_the_same_is_no_difference() -> None:
    assert own().judge("w", GRADIENTS["w"].clone()) == (True, 0.0, 0.0)


@pytest.mark.parametrize(("factor", "right"), [(1 + 1e-5, True), (1.001, False), (-1.0, False)])
def test_a_factor_is_told_and_rounding_is_not(factor: float, right: bool) -> None:
    found = own().judge("w", GRADIENTS["w"] * factor)
    assert found.right is right
    assert found.maxdiff == pytest.approx(abs(factor - 1) * 2, rel=1e-2)
    assert found.share == pytest.approx(abs(factor - 1), rel=1e-2)


def test_a_small_gradient_is_held_by_its_own_size() -> None:
    assert not own().judge("b", GRADIENTS["b"] * 1.01).right


def test_half_precision_has_two_digits() -> None:
    assert own(torch.bfloat16).judge("w", GRADIENTS["w"] * 1.01).right
    assert not own(torch.bfloat16).judge("w", GRADIENTS["w"] * 1.1).right


def test_no_path_is_nothing_and_another_shape_is_another_gradient() -> None:
    assert not own().judge("w", None).right
    assert OwnBackward({"w": torch.zeros(3)}, 1.0).judge("w", None) == (True, 0.0, 0.0)
    assert own().judge("w", torch.ones(2)) == (False, torch.inf, torch.inf)


def test_a_true_zero_may_have_rounding_of_the_loss_s_size() -> None:
    left = torch.full((3,), 2e-5)
    zero = OwnBackward({"w": torch.zeros(3)}, 3.0)
    assert not zero.judge("w", left).right
    assert zero.judge("w", left, residue=0.0).right


def test_a_true_zero_may_have_rounding_of_the_size_that_is_left_of_it_here() -> None:
    """As behind a sum of normalised numbers: the loss is nothing but rounding as well."""
    left, zero = torch.full((3,), 3e-5), OwnBackward({"w": torch.zeros(3)}, 3e-7)
    assert not zero.judge("w", left, residue=0.0).right
    assert zero.judge("w", left, residue=3e-5).right
    assert not OwnBackward({"w": torch.full((3,), 1e-3)}, 3e-7).judge("w", left, residue=3e-5).right


def test_what_is_no_number_in_both_is_the_same() -> None:
    both = torch.tensor([1.0, torch.nan, torch.inf])
    assert OwnBackward({"w": both}, 1.0).judge("w", both.clone()).right
    assert not OwnBackward({"w": both}, 1.0).judge("w", torch.tensor([1.0, 0.0, torch.inf])).right
