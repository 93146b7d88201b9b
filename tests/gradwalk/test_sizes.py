"""The sizes of gradients, whichever way they are measured."""

from __future__ import annotations

from math import inf, isnan

import pytest
import torch

from gradwalk.sizes import FEW, MANY, Sizes, exact


@pytest.mark.parametrize("count", [1, MANY - 1, MANY, 3 * MANY])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
def test_each_is_the_norm(count: int, dtype: torch.dtype) -> None:
    torch.manual_seed(count)
    gradients = [torch.randn(place % 4 + 1, 3).T.to(dtype) for place in range(count)]
    expected = [float(one.double().norm()) for one in gradients]
    assert Sizes(gradients)(gradients) == pytest.approx(expected, rel=1e-2 if dtype is torch.bfloat16 else 1e-5)
    assert [*map(exact, gradients)] == pytest.approx(expected)


@pytest.mark.parametrize("count", [2, MANY])
def test_what_is_zero_or_no_number_is_seen_among_others(count: int) -> None:
    gradients = [torch.ones(4) for _ in range(count)]
    gradients[0] = torch.zeros(4)
    gradients[1] = torch.tensor([1.0, torch.nan, -torch.inf, 2.0])
    found = Sizes(gradients)(gradients)
    assert found[0] == 0
    assert isnan(found[1])
    gradients[1] = torch.tensor([1.0, -torch.inf])
    assert Sizes(gradients)(gradients)[1] == inf


def test_a_gradient_more_or_less_and_large_ones_are_measured_as_well() -> None:
    parameters = [torch.ones(2) for _ in range(MANY)]
    sizes = Sizes(parameters)
    assert sizes(parameters[1:]) == pytest.approx([2**0.5] * (MANY - 1))
    large = [torch.ones(FEW) for _ in range(MANY)]
    assert Sizes(large)(large) == pytest.approx([FEW**0.5] * MANY)


@pytest.mark.parametrize("count", [1, MANY])
def test_sparse_ones_are_measured(count: int) -> None:
    table = torch.nn.Embedding(5, 2, sparse=True)
    table(torch.tensor([1, 1, 4])).sum().backward()
    gradient = table.weight.grad
    assert gradient is not None
    assert gradient.is_sparse
    assert Sizes([table.weight] * count)([gradient] * count) == pytest.approx([10**0.5] * count)


def test_numbers_whose_squares_are_none_are_told_exactly() -> None:
    assert exact(torch.full((4,), 1e-30)) == pytest.approx(2e-30)
    assert exact(torch.full((4,), 1e30)) == pytest.approx(2e30)
