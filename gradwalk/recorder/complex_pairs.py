"""Complex tensors, told as pairs of real numbers along a last axis: the language has real numbers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor
Pairs = Callable[..., Tensor]


def product(x: Tensor, y: Tensor) -> Tensor:
    """(a + bi)(c + di)."""
    a, b, c, d = x[..., 0], x[..., 1], y[..., 0], y[..., 1]
    return torch.stack([a * c - b * d, a * d + b * c], -1)


def summed(x: Tensor, y: Tensor) -> Tensor:
    """Part by part."""
    return x + y


def differing(x: Tensor, y: Tensor) -> Tensor:
    """Part by part."""
    return x - y


def mirrored(x: Tensor) -> Tensor:
    """The conjugate."""
    return torch.stack([x[..., 0], -x[..., 1]], -1)


def of_parts(x: Tensor, y: Tensor) -> Tensor:
    """x + yi."""
    return torch.stack([x, y], -1)


def of_angle(x: Tensor, y: Tensor) -> Tensor:
    """As long as x, at the angle y."""
    return torch.stack([x * torch.cos(y), x * torch.sin(y)], -1)


def power(x: Tensor, n: int) -> Tensor:
    """A product of n."""
    if not isinstance(n, int) or not 1 <= n <= 8:
        raise NotImplementedError("another power")
    made = x
    for _ in range(n - 1):
        made = product(made, x)
    return made


def negated(x: Tensor) -> Tensor:
    """With the other sign."""
    return -x


def length(x: Tensor) -> Tensor:
    """The absolute value."""
    return (x[..., 0] ** 2 + x[..., 1] ** 2).sqrt()


def same(x: Tensor) -> Tensor:
    """The pairs themselves."""
    return x * 1.0


def real(x: Tensor) -> Tensor:
    """The real part."""
    return x[..., 0]


def imaginary(x: Tensor) -> Tensor:
    """The imaginary part."""
    return x[..., 1]


ON_PAIRS: dict[str, Pairs] = {
    "mul": product, "__mul__": product, "__rmul__": product, "add": summed, "__add__": summed, "sub": differing,
    "conj": mirrored, "abs": length, "absolute": length, "view_as_complex": same, "view_as_real": same, "real": real,
    "imag": imaginary, "complex": of_parts, "polar": of_angle, "pow": power, "__pow__": power, "neg": negated,
    "__neg__": negated,
}  # fmt: skip


def as_pairs(value: Any) -> Any:
    """A complex tensor or number as pairs; what is real, and stands beside one, with a part of zero."""
    if isinstance(value, Tensor) and value.is_complex():
        return torch.view_as_real(value.detach().resolve_conj())
    if isinstance(value, complex):
        return torch.tensor([value.real, value.imag])
    return value
