"""Custom functions held against the truth: what is wrong is named, in every precision, and nothing right is accused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
import torch

import gradwalk
from gradwalk import testing
from gradwalk.own_backward.examining import examined
from tests.support import own_functions, wrong_products
from tests.support.models import Straight
from tests.support.own_functions import MISTAKES
from tests.support.wrong_products import PRECISIONS, Product, Tf32


def given(dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    torch.manual_seed(1)
    return [torch.randn(3, 3).to(dtype), torch.randn(3, 3).to(dtype), torch.randn(3).to(dtype)]


TYPES = [torch.float32, torch.bfloat16, *(
    pytest.param(one, marks=pytest.mark.exhaustive) for one in (torch.float64, torch.float16))]  # fmt: skip


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("backward", MISTAKES, ids=lambda one: one.__name__)
def test_a_mistake_is_named(backward: Callable[..., Any], dtype: torch.dtype) -> None:
    found = gradwalk.check(own_functions.function(own_functions.dense, backward).apply, *given(dtype))
    assert {one.name: one.code for one in found.verdicts if not one.right} == MISTAKES[backward], found
    assert bool(found) == (not MISTAKES[backward])


def test_what_is_right_and_what_came_stand_beside_each_other() -> None:
    found = gradwalk.check(own_functions.function(own_functions.dense, own_functions.slope_forgotten).apply, *given())
    assert repr(found).splitlines() == [
        "Mine.backward: 1 of 3 gradients WRONG: x",
        "  x: local derivative missing: The local derivative `1.0 - tanh**2` is missing.",
        "    right  dtanh_sum = (1.0 - tanh**2) * dtanh",
        "    yours  dtanh_sum = dtanh",
    ]
    assert found.code == 1


BY_NUMBERS = {one: codes for one, codes in MISTAKES.items() if one is not own_functions.slope_forgotten}


@pytest.mark.parametrize("backward", BY_NUMBERS, ids=lambda one: one.__name__)
def test_a_forward_pass_that_pytorch_cannot_see_is_differentiated_by_numbers(backward: Callable[..., Any]) -> None:
    function = own_functions.function(own_functions.by_numpy, backward)
    found = examined(function, given())
    assert found.lines is None
    assert {one.name: one.code for one in found.verdicts if not one.right} == MISTAKES[backward]


def test_a_straight_through_estimate_is_no_mistake() -> None:
    found = gradwalk.check(Straight.apply, torch.randn(5))
    assert found
    assert [one.level for one in found.verdicts] == ["straight-through"]


class Grown(torch.autograd.Function):
    """The exponential, whose gradient is itself."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        return g * ctx.saved_tensors[0]


class Divided(Grown):
    """The same, by a quotient of which nothing is left."""

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        y = ctx.saved_tensors[0]
        return g * y * (y - y) / (y - y)


def test_what_a_precision_cannot_hold_is_no_mistake_and_what_it_can_is() -> None:
    found = examined(Grown, [torch.tensor([1.0, 20.0], dtype=torch.float16)])
    assert [one.level for one in found.verdicts] == ["close"]
    found = examined(Divided, [torch.tensor([1.0, 2.0])])
    assert [one.level for one in found.verdicts] == ["wrong"]
    assert found.verdicts[0].told == "I don't recognise this one: it differs by ∞ of the largest cell, most at x[0]."


class Levelled(torch.autograd.Function):
    """A normalisation over two numbers, of whose gradient nearly nothing is left."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        inv = torch.rsqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-5)
        out = (x - x.mean(-1, keepdim=True)) * inv
        ctx.save_for_backward(out, inv)
        return out

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        out, inv = ctx.saved_tensors
        return inv * (g - g.mean(-1, keepdim=True) - out * (out * g).mean(-1, keepdim=True))


class Tilted(Levelled):
    """The same, without what the mean takes away."""

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        out, inv = ctx.saved_tensors
        return inv * (g - out * (out * g).mean(-1, keepdim=True))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_where_the_truth_cancels_rounding_accuses_nobody(dtype: torch.dtype) -> None:
    x = torch.tensor([[0.8415, 0.6596], [-0.0807, 0.2314], [1.4953, -0.3107], [-1.3948, -0.9464]], dtype=dtype)
    found = examined(Levelled, [x])
    assert [one.level for one in found.verdicts if not one.right] == []
    assert not all(one.right for one in examined(Tilted, [x]).verdicts)


class Sums(torch.autograd.Function):
    """A running sum that PyTorch can't see into."""

    @staticmethod
    def forward(_ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(x.detach().numpy().cumsum(0)).to(x.dtype)

    @staticmethod
    def backward(_ctx: Any, g: torch.Tensor) -> torch.Tensor:
        return g.flip(0).cumsum(0).flip(0)


def test_cells_that_lie_another_way_are_moved_one_by_one_too() -> None:
    found = examined(Sums, [torch.randn(3, 4).T])
    assert found.lines is None
    assert [one.level for one in found.verdicts] == ["right"]


def test_what_a_model_calls_is_told_too() -> None:
    """Its wrong backward pass gives the model's own gradients: the walk alone would show them as they are."""
    wrong = own_functions.function(own_functions.dense, own_functions.slope_forgotten)
    x, w, b = given()
    found = gradwalk.check(lambda x: wrong.apply(x, w.requires_grad_(), b).square().sum(), x)
    assert not found
    assert "x: local derivative missing" in repr(found)
    right = own_functions.function(own_functions.dense, own_functions.dense_right)
    assert gradwalk.check(lambda x: right.apply(x, w, b).square().sum(), x)


class Weighed(torch.autograd.Function):
    """A product with a mask, which asks for no gradient, and is given none."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(mask)
        return (x * mask).cumsum(0)

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor, None]:
        return g.flip(0).cumsum(0).flip(0) * ctx.saved_tensors[0], None


def test_in_a_model_what_asks_for_no_gradient_may_be_given_none() -> None:
    mask = torch.tensor([1.0, 0.0, 2.0])
    assert gradwalk.check(lambda x: Weighed.apply(x, mask).square().sum(), torch.randn(3))
    asking = mask.clone().requires_grad_()
    asked = gradwalk.check(lambda x: Weighed.apply(x, asking).square().sum(), torch.randn(3))
    assert asked
    assert asked.questions == ["Weighed's `mask`"]
    assert not gradwalk.check(Weighed.apply, torch.randn(3), asking)


def test_an_assertion_names_the_line_and_the_mistake() -> None:
    wrong = own_functions.function(own_functions.dense, own_functions.turned)
    with pytest.raises(AssertionError, match=r"w: transposed: .*\n    right  dw = x\.T @ \w+\n    yours  dw = "):
        testing.assert_gradients(wrong.apply, *given())


def test_the_walk_of_a_custom_function_is_that_of_its_forward_pass() -> None:
    found = gradwalk.check(own_functions.function(own_functions.dense, own_functions.turned).apply, *given())
    assert "dw = x.T @ " in found.walk.backward
    unseen = gradwalk.check(own_functions.function(own_functions.by_numpy, own_functions.turned).apply, *given())
    with pytest.raises(gradwalk.WalkError, match=r"Mine\.forward can't be walked"):
        unseen.save("nowhere.html")


def test_the_random_numbers_and_the_arguments_stay_as_they_were() -> None:
    args = given()
    kept, state = [one.clone() for one in args], torch.get_rng_state()
    gradwalk.check(own_functions.function(own_functions.dense, own_functions.negative).apply, *args)
    assert all(torch.equal(a, b) and not a.requires_grad and a.grad is None for a, b in zip(args, kept, strict=True))
    assert torch.equal(torch.get_rng_state(), state)


def counts(products: list[Product], precision: str) -> tuple[int, int, int]:
    """Of how many the precision has what it takes; how many are held wrong, and how many of these by their mistake."""
    dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
    ran = wrong = named = 0
    for product in products:
        if wrong_products.gradients(product, dtype) is None:
            continue
        function, args = product.function(dtype)
        with Tf32() if precision == "tf32" else nullcontext():
            found = [one for one in examined(function, args).verdicts if not one.right]
        ran, wrong = ran + 1, wrong + bool(found)
        named += any(one.code == product.code for one in found)
    return ran, wrong, named


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_few_rules_of_operations_and_their_mistakes(precision: str) -> None:
    held(3, 11, precision)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # PyTorch has something to say of some of so many operations
@pytest.mark.parametrize("precision", PRECISIONS)
def test_five_hundred_rules_of_operations_and_their_mistakes(precision: str) -> None:
    held(500, 1, precision)


def held(count: int, seed: int, precision: str) -> None:
    """Nothing right is accused; of what is wrong nine in ten are named by the mistake that was made."""
    right, wrong = wrong_products.drawn(count, seed)
    assert counts(right, precision)[1] == 0
    ran, told, named = counts(wrong, precision)
    assert ran > 0.9 * count
    assert told > 0.99 * ran - 1
    assert named >= 0.9 * ran
