"""Verdicts on gradients against autograd: shape first, then the values in float64, then the bits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import torch

from backend.execute.session import Run, other_precision

Level = Literal["exact", "approximate", "zero", "not-finite", "wrong", "shape"]
Array = np.ndarray[Any, Any]
Tensors = Mapping[str, torch.Tensor]
FLOAT64_TOLERANCE, MOST_TOLERANCE = 1e-7, 1e-5
NOISE = 1e-5
NOISE64 = 1e-14  # of the walk's largest gradient, where the terms of a true zero cancel in float32 and not in float64
ROUNDING = {"rtol": 2e-4, "atol_of_scale": 2e-5, "times_own": 32.0}


@dataclass(frozen=True)
class Verdict:
    """How a manual gradient compares with autograd's.

    `share` is the largest difference divided by the largest gradient of this tensor (for a true zero, of the walk);
    `share64` is the same in float64. `relative_error` equals `share64`; for a true zero it is the absolute difference.
    `kind` tells zeros apart: `rule` is exactly zero in every cell, `residue` is a rounding residue; and `lost` tells a
    gradient that could not be computed from one of another shape.
    """

    shape: bool
    exact: bool
    approximate: bool
    maxdiff: float | None
    max_ulp: int | None
    relative_error: float | None
    worst: list[int]
    level: Level
    kind: Literal["rule", "residue", "lost"] | None = None
    share: float | None = None
    share64: float | None = None
    residue: float | None = None
    residue64: float | None = None


# By the variables of the tensors.
Verdicts = dict[str, Verdict]
WRONG_SHAPE = Verdict(False, False, False, None, None, None, [], "shape")
LOST = replace(WRONG_SHAPE, kind="lost")


class Pair:
    """A manual gradient and autograd's in one precision; what is asked of them is worked out once."""

    def __init__(self, manual: Array, autograd: Array) -> None:
        self.manual, self.autograd = manual, autograd

    @cached_property
    def equal(self) -> bool:
        """Whether they are equal cell by cell, and so hold no NaN."""
        return bool((self.manual == self.autograd).all())

    @cached_property
    def finite(self) -> bool:
        """Whether all cells of both are finite."""
        return bool(np.isfinite(self.manual).all() and (self.equal or np.isfinite(self.autograd).all()))

    @cached_property
    def difference(self) -> Array:
        """Cell by cell."""
        return _difference(self.manual, self.autograd)

    @cached_property
    def error(self) -> float:
        """The largest difference."""
        return 0.0 if self.equal else float(self.difference.max(initial=0.0))

    @cached_property
    def size(self) -> float:
        """The largest cell of autograd's gradient."""
        return _size(self.autograd)

    @cached_property
    def residue(self) -> float:
        """The largest cell of either."""
        return self.size if self.equal else max(_size(self.manual), self.size)

    @property
    def holds_any(self) -> bool:
        """Whether any cell of either is not zero."""
        return bool(self.manual.any() or self.autograd.any())

    @cached_property
    def worst(self) -> list[int]:
        """Where they differ most."""
        place = 0 if self.equal else int(self.difference.argmax())
        return [int(i) for i in np.unravel_index(place, self.manual.shape)] if self.manual.size else []


def judge(manual: Array, autograd: Array, manual_other: Array, autograd_other: Array, scale: float = 1.0) -> Verdict:
    """Compare a manual gradient with autograd's, in the run's precision and in the other one (float32 and float64,
    or the reverse).

    `scale` is the magnitude of the walk's largest gradient, which rounding residues are small against.

    Levels: `shape` (shapes differ), `wrong`, `not-finite` (as autograd has it, but NaN or infinite), `zero` (the true
    value is zero and what is left is rounding), `exact` (equal bit for bit), `approximate` (equal up to rounding).
    """
    if manual.shape != autograd.shape or manual_other.shape != autograd_other.shape:
        return WRONG_SHAPE
    own, other = Pair(manual, autograd), Pair(manual_other, autograd_other)
    coarse, fine = (other, own) if manual.dtype == np.float64 else (own, other)
    zero = np.isfinite(own.error) and _is_noise(coarse, fine, scale)
    relative = fine.error if zero or fine.size == 0 else fine.error / fine.size
    right = relative <= _tolerance(coarse, fine) and (zero or own.equal or _close(own, other))
    finite, same = own.finite, own.finite and own.equal
    level = _level(right, finite, zero, same)
    verdict = Verdict(
        True, same, right and finite, own.error, 0 if same else None if zero else ulps(manual, autograd), relative,
        own.worst, level, share=_share(own.error, scale if zero else own.size),
        share64=_share(fine.error, scale if zero else fine.size),
    )  # fmt: skip
    return _with_kind(verdict, coarse, fine)


def _level(right: bool, finite: bool, zero: bool, same: bool) -> Level:
    if not right:
        return "wrong"
    if not finite:
        return "not-finite"
    return "zero" if zero else "exact" if same else "approximate"


def _share(difference: float, size: float) -> float:
    return difference / size if size else difference and np.inf


def _with_kind(verdict: Verdict, coarse: Pair, fine: Pair) -> Verdict:
    """The verdict with its `kind`: a rounding residue, or a gradient that is exactly zero."""
    if verdict.level == "zero":
        return replace(verdict, kind="residue", residue=coarse.residue, residue64=fine.residue)
    if verdict.level == "exact" and not (coarse.holds_any or fine.holds_any):
        return replace(verdict, kind="rule")
    return verdict


def _difference(a: Array, b: Array) -> Array:
    """|a - b|; zero where both are the same non-finite value, infinite where only one is."""
    with np.errstate(invalid="ignore", over="ignore"):
        difference: Array = np.abs(a - b)
    if not np.isfinite(difference).all():
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        difference = np.where(same, 0, np.where(np.isfinite(difference), difference, np.inf))
    return difference


def _size(a: Array) -> float:
    finite = a if np.isfinite(a).all() else a[np.isfinite(a)]
    return float(np.abs(finite).max(initial=0.0))


def _close(own: Pair, other: Pair) -> bool:
    """Whether a difference is within a few roundings of the tensor's magnitude, or of autograd's own rounding error."""
    own_rounding = float(_difference(own.autograd, other.autograd).max(initial=0.0))
    allowed = ROUNDING["rtol"] * np.abs(np.nan_to_num(own.autograd)) + ROUNDING["atol_of_scale"] * own.size
    return bool((own.difference <= allowed + ROUNDING["times_own"] * own_rounding).all())


def _tolerance(coarse: Pair, fine: Pair) -> float:
    """The relative error in float64 up to which it is rounding.

    Where nearly all of a gradient cancels, autograd's own in float32 is far from its own in float64; float64 loses as
    many digits, of which it has 2**29 times more.
    """
    if fine.error <= FLOAT64_TOLERANCE * fine.size or not fine.size:
        return FLOAT64_TOLERANCE
    lost = float(_difference(coarse.autograd, fine.autograd).max(initial=0.0)) / fine.size
    return min(max(FLOAT64_TOLERANCE, ROUNDING["times_own"] * lost * 2**-29), MOST_TOLERANCE)


def _is_noise(coarse: Pair, fine: Pair, scale: float) -> bool:
    """Whether both gradients are rounding noise, which shrinks with the precision.

    In float32 the same terms may cancel to the last bit.
    """
    if coarse.residue == 0:
        return 0 < fine.residue < NOISE64 * scale
    return coarse.residue < NOISE * scale and fine.size < NOISE * coarse.residue


def ulps(a: Array, b: Array) -> int | None:
    """The largest distance between a and b in ulps (representable numbers); None where one is not finite."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    steps = np.abs(_ordered(a) - _ordered(b))
    return int(steps.max(initial=0))


def _ordered(a: Array) -> Array:
    bits = np.ascontiguousarray(a).view(np.int32 if a.dtype == np.float32 else np.int64).astype(np.int64)
    low = np.int64(-(2**31)) if a.dtype == np.float32 else np.int64(-(2**63))
    return np.where(bits < 0, low - bits, bits)


def verify(run: Run) -> Verdicts:
    """A verdict for every gradient of a run, which is run again in the other precision for it."""
    started = time.process_time()
    forward, gradients = other_precision(run)
    verdicts = judge_all(run.gradients, run.forward.autograd, gradients, forward.autograd)
    run.seconds["verify"] = time.process_time() - started
    return {name: LOST if "d" + name in run.lost else verdict for name, verdict in verdicts.items()}


def judge_all(manual: Tensors, autograd: Tensors, manual_other: Tensors, autograd_other: Tensors) -> dict[str, Verdict]:
    """A verdict for every variable that autograd has a gradient for; a missing manual one is a `shape` verdict."""
    arrays = {name: gradient.numpy() for name, gradient in autograd.items()}
    scale = max((_size(array) for array in arrays.values()), default=1.0) or 1.0
    verdicts = {}
    for name, array in arrays.items():
        mine, mine_other = manual.get("d" + name), manual_other.get("d" + name)
        if mine is None or mine_other is None:
            verdicts[name] = WRONG_SHAPE
        else:
            verdicts[name] = judge(mine.numpy(), array, mine_other.numpy(), autograd_other[name].numpy(), scale)
    return verdicts
