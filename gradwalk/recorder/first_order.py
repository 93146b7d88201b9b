"""Factors of matrices, told to the first order: their value here, and how they move with the matrix.

What moves is written out, so that each gradient is the one of the rule; the factors themselves stand in it as numbers.
Sources: Giles, "Collected matrix derivative results" (2008); Townsend, "Differentiating the singular value
decomposition" (2016); Murray, "Differentiation of the Cholesky decomposition" (2016); Golub and Pereyra (1973).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor
_off = torch._C.DisableTorchFunction


def found(act: Callable[..., Any], a: Tensor, *args: Any, **kwargs: Any) -> Any:
    """What PyTorch makes of the numbers alone."""
    with _off(), torch.no_grad():
        return act(a.detach(), *args, **kwargs)


def gaps(values: Tensor) -> Tensor:
    """One over the difference of each two values, on the diagonal zero."""
    with _off(), torch.no_grad():
        apart = values.unsqueeze(-2) - values.unsqueeze(-1)
        same = torch.eye(values.shape[-1], dtype=torch.bool)
        return torch.where(same, torch.zeros_like(apart), 1 / apart.masked_fill(same, 1.0))


def cholesky(a: Tensor, upper: bool = False) -> Tensor:
    """L moves by L Φ(L⁻¹ dA L⁻ᵀ), where Φ takes what is below the diagonal and half of it."""
    low = found(torch.linalg.cholesky, a)
    back = found(torch.linalg.inv, low)
    half = torch.ones(a.shape[-2:], dtype=a.dtype).tril() - 0.5 * torch.eye(a.shape[-1], dtype=a.dtype)
    even = (a + a.mT) * 0.5
    made: Tensor = low @ (half * (back @ even @ back.mT) + 0.5 * torch.eye(a.shape[-1], dtype=a.dtype))
    return made.mT if upper else made


def cholesky_ex(a: Tensor, *, upper: bool = False, **_: Any) -> Tensor:
    """The factor alone: what stands beside it carries no gradient."""
    return cholesky(a, upper)


def eigenvalues(a: Tensor, UPLO: str = "L") -> Tensor:
    """Each moves by what its vector makes of dA."""
    return eigen(a, UPLO)[0]


def eigen(a: Tensor, UPLO: str = "L") -> tuple[Tensor, Tensor]:
    """The vectors turn into each other by VᵀdAV over the difference of their values."""
    values, vectors = found(torch.linalg.eigh, a, UPLO)
    turned = vectors.mT @ ((a + a.mT) * 0.5) @ vectors  # PyTorch sends the same to both sides of the diagonal
    return turned.diagonal(dim1=-2, dim2=-1), vectors + vectors @ (gaps(values) * turned)


def singular(a: Tensor, full_matrices: bool = True, **_: Any) -> tuple[Tensor, Tensor, Tensor]:
    """U, S and Vᵀ."""
    if full_matrices and a.shape[-1] != a.shape[-2]:
        raise NotImplementedError("more vectors than values")
    u, s, vt = found(torch.linalg.svd, a, full_matrices=False)
    v = vt.mT
    inner = u.mT @ a @ v
    with _off(), torch.no_grad():
        f, size, each = gaps(s * s), s.unsqueeze(-2), 1 / s.unsqueeze(-2)
        aside_u = torch.eye(u.shape[-2], dtype=a.dtype) - u @ u.mT
        aside_v = torch.eye(v.shape[-2], dtype=a.dtype) - v @ v.mT
    made_u = u + u @ (f * (inner * size + size.mT * inner.mT))
    made_v = v + v @ (f * (size.mT * inner + inner.mT * size))
    if u.shape[-2] > u.shape[-1]:
        made_u = made_u + aside_u @ a @ v * each
    if v.shape[-2] > v.shape[-1]:
        made_v = made_v + aside_v @ a.mT @ u * each
    return made_u, inner.diagonal(dim1=-2, dim2=-1), made_v.mT


def old_singular(a: Tensor, some: bool = True, compute_uv: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """U, S and V."""
    if not compute_uv:
        raise NotImplementedError("values alone")
    u, s, vt = singular(a, not some)
    return u, s, vt.mT


def singular_values(a: Tensor, **_: Any) -> Tensor:
    """Each moves by what its two vectors make of dA."""
    u, _s, vt = found(torch.linalg.svd, a, full_matrices=False)
    inner: Tensor = u.mT @ a @ vt.mT
    return inner.diagonal(dim1=-2, dim2=-1)


def triangle(a: Tensor, mode: Any = "reduced") -> tuple[Tensor, Tensor]:
    """Q turns by what is below the diagonal of QᵀdA R⁻¹; the rest moves R."""
    if a.shape[-2] < a.shape[-1] or (mode not in ("reduced", True) and a.shape[-2] != a.shape[-1]):
        raise NotImplementedError("wide matrices")
    q, r = found(torch.linalg.qr, a)
    back = found(torch.linalg.inv, r)
    moved = q.mT @ a @ back  # the identity here
    below = moved.tril(-1)
    turn = below - below.mT
    made = q + q @ turn
    if a.shape[-2] > a.shape[-1]:
        with _off(), torch.no_grad():
            aside = torch.eye(a.shape[-2], dtype=a.dtype) - q @ q.mT
        made = made + aside @ a @ back
    return made, (moved - turn) @ r


def pseudo_inverse(a: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """A⁺ moves by -A⁺dA A⁺, and where A has no full rank by what turns its spaces."""
    p = found(torch.linalg.pinv, a, *args, **kwargs)
    with _off(), torch.no_grad():
        here = a.detach()
        rows = torch.eye(a.shape[-2], dtype=a.dtype) - here @ p
        columns = torch.eye(a.shape[-1], dtype=a.dtype) - p @ here
        there, aside = p @ p.mT, p.mT @ p
    moved = a - a.detach()
    made: Tensor = p - p @ moved @ p
    if a.shape[-2] > a.shape[-1]:
        made = made + there @ moved.mT @ rows
    if a.shape[-2] < a.shape[-1]:
        made = made + columns @ moved.mT @ aside
    return made


def least_squares(a: Tensor, b: Tensor, *_: Any, **__: Any) -> Tensor:
    """The pseudo-inverse times the other side."""
    return pseudo_inverse(a) @ b


FACTORS: dict[str, Callable[..., Any]] = {
    "cholesky": cholesky, "cholesky_ex": cholesky_ex, "eigh": eigen, "eigvalsh": eigenvalues, "svd": singular,
    "torch.svd": old_singular, "torch.Tensor.svd": old_singular, "svdvals": singular_values, "qr": triangle,
    "pinv": pseudo_inverse, "pinverse": pseudo_inverse, "lstsq": least_squares,
}  # fmt: skip
