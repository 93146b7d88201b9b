"""Verdicts on gradients against autograd: shape first, then the values in float64, then the bits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch

from backend.execute.session import Run, other_precision

Level = Literal["exact", "approximate", "zero", "not-finite", "wrong", "shape"]
Array = np.ndarray[Any, Any]
Tensors = Mapping[str, torch.Tensor]
FLOAT64_TOLERANCE = 1e-7
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


def judge(manual: Array, autograd: Array, manual_other: Array, autograd_other: Array, scale: float = 1.0) -> Verdict:
    """Compare a manual gradient with autograd's, in the run's precision and in the other one (float32 and float64,
    or the reverse).

    `scale` is the magnitude of the walk's largest gradient, which rounding residues are small against.

    Levels: `shape` (shapes differ), `wrong`, `not-finite` (as autograd has it, but NaN or infinite), `zero` (the true
    value is zero and what is left is rounding), `exact` (equal bit for bit), `approximate` (equal up to rounding).
    """
    if manual.shape != autograd.shape or manual_other.shape != autograd_other.shape:
        return WRONG_SHAPE
    coarse, fine = (manual, autograd), (manual_other, autograd_other)
    if manual.dtype == np.float64:
        coarse, fine = fine, coarse
    difference = _difference(manual, autograd)
    maxdiff = float(difference.max(initial=0.0))
    zero = np.isfinite(maxdiff) and _is_noise(coarse, fine, scale)
    error64 = float(_difference(*fine).max(initial=0.0))
    size64 = _size(fine[1])
    relative = error64 if zero or size64 == 0 else error64 / size64
    own_rounding = float(_difference(autograd, autograd_other).max(initial=0.0))
    right = relative <= FLOAT64_TOLERANCE and (zero or _close(difference, autograd, own_rounding))
    finite = bool(np.isfinite(manual).all() and np.isfinite(autograd).all())
    same = finite and not difference.any()
    level = _level(right, finite, zero, same)
    worst = [int(i) for i in np.unravel_index(int(difference.argmax()), manual.shape)] if manual.size else []
    verdict = Verdict(
        True, same, right and finite, maxdiff, 0 if same else None if zero else ulps(manual, autograd), relative, worst,
        level, share=_share(maxdiff, scale if zero else _size(autograd)),
        share64=_share(error64, scale if zero else size64),
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


def _with_kind(verdict: Verdict, coarse: tuple[Array, Array], fine: tuple[Array, Array]) -> Verdict:
    """The verdict with its `kind`: a rounding residue, or a gradient that is exactly zero."""
    if verdict.level == "zero":
        residue, residue64 = (max(map(_size, pair)) for pair in (coarse, fine))
        return replace(verdict, kind="residue", residue=residue, residue64=residue64)
    if verdict.level == "exact" and not any(array.any() for array in (*coarse, *fine)):
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


def _close(difference: Array, reference: Array, own_rounding: float) -> bool:
    """Whether a difference is within a few roundings of the tensor's magnitude, or of autograd's own rounding error."""
    allowed = ROUNDING["rtol"] * np.abs(np.nan_to_num(reference)) + ROUNDING["atol_of_scale"] * _size(reference)
    return bool((difference <= allowed + ROUNDING["times_own"] * own_rounding).all())


def _is_noise(coarse: tuple[Array, Array], fine: tuple[Array, Array], scale: float) -> bool:
    """Whether both gradients are rounding noise, which shrinks with the precision; each pair is (manual, autograd).

    In float32 the same terms may cancel to the last bit.
    """
    residue = max(map(_size, coarse))
    if residue == 0:
        return 0 < max(map(_size, fine)) < NOISE64 * scale
    return 0 < residue < NOISE * scale and _size(fine[1]) < NOISE * residue


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
