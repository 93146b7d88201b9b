"""Factors of matrices: their gradients, of batches too, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

import gradwalk
from gradwalk.recorder import first_order
from tests.support.walked import walked

Tensor = torch.Tensor


def even(x: Tensor) -> Tensor:
    """A symmetric matrix with a positive spectrum."""
    return x @ x.mT + torch.eye(x.shape[-1])


def of_all(parts: tuple[Tensor, ...]) -> Tensor:
    """A number that depends on every cell, whatever the signs of the columns."""
    return sum(((one.abs() * torch.arange(1, one.numel() + 1).view(one.shape)).sum() for one in parts), torch.zeros(()))


CASES: dict[str, tuple[Callable[[Tensor], Tensor], tuple[int, ...]]] = {
    "cholesky": (lambda x: torch.linalg.cholesky(even(x)).sin().sum(), (2, 3, 3)),
    "cholesky_ex": (lambda x: torch.linalg.cholesky_ex(even(x))[0].sin().sum(), (2, 3, 3)),
    "eigh": (lambda x: of_all(torch.linalg.eigh(even(x))), (2, 4, 4)),
    "eigvalsh": (lambda x: torch.linalg.eigvalsh(even(x)).pow(2).sum(), (4, 4)),
    "svd": (lambda x: of_all(torch.linalg.svd(x, full_matrices=False)), (5, 3)),
    "svd_wide": (lambda x: of_all(torch.svd(x)), (2, 3, 4)),
    "svdvals": (lambda x: torch.linalg.svdvals(x).pow(2).sum(), (3, 5)),
    "qr": (lambda x: of_all(torch.linalg.qr(x)), (5, 3)),
    "pinv": (lambda x: torch.linalg.pinv(x).sin().sum(), (5, 3)),
    "pinv_wide": (lambda x: torch.pinverse(x).sin().sum(), (2, 4)),
    "lstsq": (lambda x: torch.linalg.lstsq(x, x[:, :1] + torch.ones(5, 1)).solution.sin().sum(), (5, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_factor_moves_with_its_matrix(name: str) -> None:
    torch.manual_seed(3)
    function, shape = CASES[name]
    walk = walked(function, torch.randn(shape))
    assert any("to the first order" in note for note in walk.notes)


def test_a_factor_that_moves_otherwise_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same value, another slope: the model's own backward pass tells."""
    x = torch.randn(4, 4)
    monkeypatch.setitem(first_order.FACTORS, "eigvalsh", lambda a: first_order.eigenvalues((a + a.detach()) / 2))
    walk = gradwalk.walk(lambda x: torch.linalg.eigvalsh(x @ x.T).sum(), x)
    assert not walk.right
    assert "DIFFER from your model's own: x" in repr(walk)
