"""Operations that are a composition, in NumPy: by other steps than the engine's where there are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.numpy_losses import exp, log, reduced, softmax
from tests.support.numpy_sliding import pool

Arrays = Any


def lengths(x: Arrays, p: float = 2.0, keepdim: bool = False) -> Arrays:
    return (abs(x) ** p).sum(-1, keepdims=keepdim) ** (1 / p)


def prelu(x: Arrays, weight: Arrays) -> Arrays:
    shape = [-1 if axis == 1 else 1 for axis in range(x.ndim)]
    return np.maximum(x, 0) + weight.reshape(shape) * np.minimum(x, 0)


def bilinear(x: Arrays, y: Arrays, weight: Arrays, bias: Any = 0.0) -> Arrays:
    return np.stack([((x @ one) * y).sum(-1) for one in weight], -1) + bias


def instance_norm(x: Arrays, weight: Any = None, bias: Any = None) -> Arrays:
    dim = tuple(range(2, x.ndim))
    wide = [-1 if axis == 1 else 1 for axis in range(x.ndim)]
    made = (x - x.mean(dim, keepdims=True)) / np.sqrt(x.var(dim, keepdims=True) + 1e-5)
    return made if weight is None else made * weight.reshape(wide) + bias.reshape(wide)


def moments(
    root: bool, x: Arrays, dim: Any = None, unbiased: bool = True, keepdim: bool = False, correction: Any = None
) -> Any:
    spread = x.var(axis=dim, ddof=int(unbiased) if correction is None else correction, keepdims=keepdim)
    return [np.sqrt(spread) if root else spread, x.mean(axis=dim, keepdims=keepdim)]


def triplet(anchor: Arrays, positive: Arrays, negative: Arrays) -> Arrays:
    far = lengths(anchor - positive + 1e-6) - lengths(anchor - negative + 1e-6) + 1
    return np.maximum(far, 0).mean()


def cosine_loss(x: Arrays, y: Arrays, target: Arrays) -> Arrays:
    cosine = (x * y).sum(-1) / (lengths(x) * lengths(y))
    return np.where(target > 0, 1 - cosine, np.maximum(cosine, 0)).mean()


def poisson(x: Arrays, target: Arrays, log_input: bool = True, reduction: str = "mean") -> Arrays:
    return reduced(exp(x) - target * x if log_input else x - target * log(x + 1e-8), reduction)


COMPOSED: dict[str, Callable[..., Any]] = {
    "Remainder": np.mod,  "FMod": np.fmod, "Frac": lambda x: np.modf(x)[0], "AddCDiv": lambda x, a, b, value=1: x + value * a / b,
    "XLogY": lambda x, y: x * log(y), "Softmin": lambda x, dim: softmax(-x, dim), "TanhShrink": lambda x: x - np.tanh(x),
    "SoftShrink": lambda x, lambd=0.5: np.where(abs(x) > lambd, x - lambd * np.sign(x), 0),
    "HardShrink": lambda x, lambd=0.5: x * (abs(x) > lambd), "Threshold": lambda x, threshold, value: np.where(x > threshold, x, value),
    "PRelu": prelu, "Dist": lambda x, y, p=2: (abs(x - y) ** p).sum() ** (1 / p),
    "PairwiseDistance": lambda x, y, keepdim=False: lengths(x - y + 1e-6, keepdim=keepdim), "BatchedAdd": lambda x, a, b: x + a @ b,
    "Bilinear": bilinear, "InstanceNorm": instance_norm,
    "LpPool2d": lambda x, norm_type, kernel_size: (pool("avg", 2)(x**norm_type, kernel_size) * kernel_size**2) ** (1 / norm_type),
    "VarMean": lambda x, **given: moments(False, x, **given), "StdMean": lambda x, **given: moments(True, x, **given),
    "AMinMax": lambda x, dim=None: [x.min(axis=dim), x.max(axis=dim)], "Diff": lambda x, n=1, dim=-1: np.diff(x, n, dim),
    "PoissonLoss": poisson, "SoftMarginLoss": lambda x, target, reduction="mean": reduced(np.logaddexp(0, -target * x), reduction),
    "MarginRankingLoss": lambda x, y, target, margin=0.0, reduction="mean": reduced(np.maximum(0, margin - target * (x - y)), reduction),
    "HingeEmbeddingLoss": lambda x, target: np.where(target > 0, x, np.maximum(0, 1 - x)).mean(),
    "GaussianLoss": lambda x, target, var, reduction="mean": reduced((log(var) + (x - target) ** 2 / var) / 2, reduction),
    "TripletLoss": triplet, "CosineLoss": cosine_loss,
}  # fmt: skip
