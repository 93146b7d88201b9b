"""Verdicts on gradients against autograd: shape first, then the values in float64, then the bits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Literal, NamedTuple

import torch

from backend.engine.execute.session import ProgramRun, other_precision
from backend.engine.verify.measure import FLOAT64_TOLERANCE, ROUNDING, Deviation, Four, Measured, largest, measured
from backend.engine.verify.scatter import NONE, Scatter, scatters

Level = Literal["exact", "approximate", "zero", "not-finite", "wrong", "shape"]
Tensors = Mapping[str, torch.Tensor]
MOST_TOLERANCE = 1e-5  # up to which float64's tolerance follows what autograd loses in float32
# Of the walk's largest gradient: what rounding may leave of a true zero in float32, and in float64 where the same terms
# cancel to the last bit in float32. Either may be MORE times as much where float64 leaves no more than that.
NOISE, NOISE64, MORE = 1e-5, 1e-14, 10.0


class Verdict(NamedTuple):
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

    def left(self, dtype: torch.dtype) -> float | None:
        """What rounding leaves of a true zero in a precision; None of another gradient."""
        return self.residue64 if dtype is torch.float64 else self.residue


# By the variables of the tensors.
Verdicts = dict[str, Verdict]
Scattered = Callable[[Collection[str]], Mapping[str, Scatter]]


def unmeasured(_: Collection[str]) -> dict[str, Scatter]:
    """What is known where nobody measures."""
    return {}


WRONG_SHAPE = Verdict(False, False, False, None, None, None, [], "shape")
LOST = WRONG_SHAPE._replace(kind="lost")


def judge(
    manual: torch.Tensor,
    autograd: torch.Tensor,
    manual_other: torch.Tensor,
    autograd_other: torch.Tensor,
    scale: float = 1.0,
) -> Verdict:
    """Compare a manual gradient with autograd's, in the run's precision and in the other one (float32 and float64,
    or the reverse).

    `scale` is the magnitude of the walk's largest gradient, which rounding residues are small against.

    Levels: `shape` (shapes differ), `wrong`, `not-finite` (as autograd has it, but NaN or infinite), `zero` (the true
    value is zero and what is left is rounding), `exact` (equal bit for bit), `approximate` (equal up to rounding).
    """
    if manual.shape != autograd.shape or manual_other.shape != autograd_other.shape:
        return WRONG_SHAPE
    (found,) = measured([(manual, autograd, manual_other, autograd_other)])
    return _verdict(found, manual.dtype is torch.float64, scale)


def _verdict(found: Measured, in_float64: bool, scale: float, scatter: Scatter = NONE) -> Verdict:
    own, other = found.own, found.other
    coarse, fine = (other, own) if in_float64 else (own, other)
    zero = math.isfinite(own.error) and _is_noise(coarse, fine, scale)
    relative = fine.error if zero or fine.size == 0 else fine.error / fine.size
    room, room64 = (ROUNDING["times_own"] * far for far in (scatter.own, scatter.own if in_float64 else scatter.other))
    right = relative <= _tolerance(found.rounding, fine) or fine.error <= room64
    right = right and (zero or own.equal or found.close or own.error <= room)
    same = own.finite and own.equal
    level = _level(right, own.finite, zero, same)
    verdict = Verdict(
        True, same, right and own.finite, own.error, None if zero and not same else found.max_ulp, relative,
        found.worst, level, share=_share(own.error, scale if zero else own.size),
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
    return difference / size if size else difference and math.inf


def _with_kind(verdict: Verdict, coarse: Deviation, fine: Deviation) -> Verdict:
    """The verdict with its `kind`: a rounding residue, or a gradient that is exactly zero."""
    if verdict.level == "zero":
        return verdict._replace(kind="residue", residue=coarse.residue, residue64=fine.residue)
    if verdict.level == "exact" and not (coarse.holds_any or fine.holds_any):
        return verdict._replace(kind="rule")
    return verdict


def _tolerance(rounding: float, fine: Deviation) -> float:
    """The relative error in float64 up to which it is rounding.

    Where nearly all of a gradient cancels, autograd's own in float32 is far from its own in float64; float64 loses as
    many digits, of which it has 2**29 times more.
    """
    if fine.error <= FLOAT64_TOLERANCE * fine.size or not fine.size:
        return FLOAT64_TOLERANCE
    return min(max(FLOAT64_TOLERANCE, ROUNDING["times_own"] * rounding / fine.size * 2**-29), MOST_TOLERANCE)


def _is_noise(coarse: Deviation, fine: Deviation, scale: float) -> bool:
    """Whether both gradients are rounding noise, which shrinks with the precision.

    In float32 the same terms may cancel to the last bit. More of them may be left there where next to nothing is in
    float64.
    """
    if coarse.residue == 0:
        return 0 < fine.residue < NOISE64 * scale
    more = MORE if fine.residue < MORE * NOISE64 * scale else 1.0
    return coarse.residue < more * NOISE * scale and fine.size < NOISE * coarse.residue


def verify(run: ProgramRun) -> Verdicts:
    """A verdict for every gradient of a run, which is run again in the other precision for it."""
    started = time.process_time()
    autograd, gradients = other_precision(run)
    verdicts = judge_all(run.gradients, run.forward.autograd, gradients, autograd, scattered=partial(scatters, run))
    run.seconds["verify"] = time.process_time() - started
    return {name: LOST if "d" + name in run.lost else verdict for name, verdict in verdicts.items()}


def judge_all(
    manual: Tensors,
    autograd: Tensors,
    manual_other: Tensors,
    autograd_other: Tensors,
    *,
    scattered: Scattered = unmeasured,
) -> dict[str, Verdict]:
    """A verdict for every variable that autograd has a gradient for; a missing manual one is a `shape` verdict.

    `scattered` tells how far rounding carries those that are off by so little that it may be the reason.
    """
    fours: dict[str, Four] = {}
    for name, gradient in autograd.items():
        mine, mine_other = manual.get("d" + name), manual_other.get("d" + name)
        if mine is not None and mine_other is not None and mine.shape == gradient.shape == mine_other.shape:
            fours[name] = (mine, gradient, mine_other, autograd_other[name])
    found = dict(zip(fours, measured(list(fours.values())), strict=True))
    sizes = (found[name].own.size if name in found else largest(autograd[name].numpy()) for name in autograd)
    scale = max(sizes, default=0.0) or 1.0
    in_float64 = any(gradient.dtype is torch.float64 for gradient in autograd.values())
    judged = {name: _verdict(found[name], in_float64, scale) if name in found else WRONG_SHAPE for name in autograd}
    doubted = [
        name for name, one in found.items() if judged[name].level == "wrong" and _is_slight(one, in_float64, scale)
    ]
    carried = scattered(doubted) if doubted else {}
    return judged | {name: _verdict(found[name], in_float64, scale, far) for name, far in carried.items()}


def _is_slight(found: Measured, in_float64: bool, scale: float) -> bool:
    """Whether a gradient is off by no more than rounding ever carries one, beside the walk's largest."""
    return (found.own if in_float64 else found.other).error <= MOST_TOLERANCE * scale
