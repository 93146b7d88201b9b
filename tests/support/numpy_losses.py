"""Losses in NumPy, by what they are defined to be."""

from __future__ import annotations

from typing import Any

import numpy as np

Arrays = Any
exp, log = np.exp, np.log


def reduced(values: Arrays, reduction: str = "mean", rows: int = 0) -> Arrays:
    """A loss by its reduction; `batchmean` divides by the rows alone."""
    return {"mean": values.mean, "sum": values.sum, "batchmean": lambda: values.sum() / rows, "none": lambda: values}[
        reduction
    ]()


def softmax(x: Arrays, dim: Any) -> Arrays:
    powers = exp(x - x.max(axis=dim, keepdims=True)) if x.ndim else np.ones_like(x)
    return powers / powers.sum(axis=dim, keepdims=True) if x.ndim else powers


def of_classes(x: Arrays, target: Arrays, weight: Any, ignore: int, reduction: str) -> Arrays:
    """A loss that is minus one cell of each row."""
    axis = 1 if x.ndim > 1 else 0
    counted = (target != ignore) * (
        np.ones_like(target, dtype=float) if weight is None else weight[target * (target != ignore)]
    )
    picked = np.take_along_axis(x, np.expand_dims(target * (target != ignore), axis), axis).squeeze(axis)
    losses = -picked * counted
    return losses.sum() / counted.sum() if reduction == "mean" else reduced(losses, reduction)


def cross_entropy(
    x: Arrays,
    target: Arrays,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Arrays:
    axis = 1 if x.ndim > 1 else 0
    logs = log(softmax(x, axis))
    hard = of_classes(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return hard
    wide = np.ones(x.shape[axis]) if weight is None else weight
    even = -(logs * wide.reshape([-1 if a == axis else 1 for a in range(x.ndim)])).sum(axis)
    kept = target != ignore_index
    even = even * kept
    total = (kept * (1 if weight is None else weight[target * kept])).sum()
    even = even.sum() / total if reduction == "mean" else reduced(even, reduction)
    return (1 - label_smoothing) * hard + label_smoothing / x.shape[axis] * even


def soft_cross_entropy(x: Arrays, target: Arrays, reduction: str = "mean", label_smoothing: float = 0.0) -> Arrays:
    axis = 1 if x.ndim > 1 else 0
    wanted = (1 - label_smoothing) * target + label_smoothing / x.shape[axis]
    return reduced(-(wanted * log(softmax(x, axis))).sum(axis), reduction)


def huber(x: Arrays, y: Arrays, delta: float) -> Arrays:
    far = abs(x - y)
    return np.where(far < delta, 0.5 * far**2, delta * (far - 0.5 * delta))


def bce(x: Arrays, y: Arrays, weight: Any = None, reduction: str = "mean") -> Arrays:
    return reduced(-(y * log(x) + (1 - y) * log(1 - x)) * (1 if weight is None else weight), reduction)


def bce_logits(x: Arrays, y: Arrays, weight: Any = None, reduction: str = "mean", pos_weight: Any = 1.0) -> Arrays:
    losses = -(pos_weight * y * log(1 / (1 + exp(-x))) + (1 - y) * log(1 / (1 + exp(x))))
    return reduced(losses * (1 if weight is None else weight), reduction)


def kl_div(x: Arrays, y: Arrays, reduction: str = "mean", log_target: bool = False) -> Arrays:
    return reduced(exp(y) * (y - x) if log_target else y * (log(y) - x), reduction, x.shape[0] if x.ndim else 1)
