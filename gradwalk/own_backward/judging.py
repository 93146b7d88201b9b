"""Is a returned gradient right, as far as its precision can tell; and where it isn't, which mistake makes the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import largest_finite
from backend.engine.language.wording import cell_text, number_text
from backend.lines.mistakes.codes import CODES, DiagnosisCode
from gradwalk.own_backward.truth import Lines

Several = Sequence[torch.Tensor]
# A difference is rounding up to so many times that of the plain run, and to so many units of the largest cell. A plain
# run that is further from the truth than the third share of it measures nothing.
TIMES, UNITS, ROUGHEST = 6.0, 3.0, 0.05
# What nobody recognises is wrong only beyond so many times what is allowed, or so large a share of the largest cell:
# another formula may round worse than the plain one.
UNKNOWN, FAR = 30.0, 0.25
# What float64 is off by where a part of it was computed in float32.
SINGLE = 1e-6
# A suspect has to be so much nearer than the truth; among those that are as near as this, the first is meant.
NEARER, ALIKE = 1 / 3, 2.0


@dataclass
class Evidence:
    """What one input's gradient came back as, and what it should be: `precise` in float64, `plain` run plainly.

    `unit` is what the precision rounds to, `others` are the gradients of the other inputs, `value` is the input itself
    and `place` its number among the arguments, `lengths` are those of all axes, and `absent` tells that None came back.
    """

    name: str
    came: Several
    precise: Several
    plain: Several
    unit: float
    others: dict[str, Several]
    upstreams: Several
    value: torch.Tensor
    place: int = 0
    lengths: Sequence[int] = ()
    absent: bool = False
    noise: float = 0.0

    @cached_property
    def off(self) -> float:
        """The largest difference from the truth."""
        return distance(self.came, self.precise)

    @property
    def lost(self) -> bool:
        """Whether rounding leaves nothing of the truth, as where it cancels: the plain run is as far from it."""
        plain = distance(self.precise, self.plain)
        return plain > FAR * largest(self.precise) and self.off <= TIMES * plain < torch.inf

    @cached_property
    def rounding(self) -> float:
        """How large that may be."""
        return self.allowed(self.precise, self.plain)

    def allowed(self, precise: Several, plain: Several) -> float:
        """How far rounding may carry these."""
        size = largest(precise)
        return max(TIMES * min(distance(precise, plain), ROUGHEST * size), UNITS * self.unit * size, self.noise)


@dataclass(frozen=True)
class Verdict:
    """What is said of one gradient; `off` is the largest difference and `allowed` that of rounding.

    `level` is right, close, wrong, kink where it is another slope than PyTorch's at a kink, straight-through where the
    forward pass is flat and a gradient passes, or meant where it changes nothing at all. `rule` is the right line, and
    `yours` the line that computes what came back.
    """

    name: str
    shape: tuple[int, ...]
    level: str
    off: float
    allowed: float
    code: DiagnosisCode = "unknown"
    told: str = ""
    rule: str = ""
    yours: str = ""

    @property
    def right(self) -> bool:
        """Whether nothing is held against it."""
        return self.level != "wrong"

    @property
    def meant(self) -> bool:
        """Whether it isn't the true gradient, and may be so on purpose."""
        return self.level in ("straight-through", "meant")


@dataclass(frozen=True)
class Suspicion:
    """A mistake that makes what came back, and how far from it that is, in units of what rounding may do."""

    share: float
    code: DiagnosisCode
    told: str
    rule: str = ""
    yours: str = ""


def judged(found: Evidence, lines: Lines | None, excuse: Callable[[], Verdict | None] | None = None) -> Verdict:
    """The verdict on one gradient; one that isn't the truth may have an excuse."""
    shape, off, allowed = tuple(found.precise[0].shape), found.off, found.rounding
    if off <= allowed:
        return Verdict(found.name, shape, "right", off, allowed)
    if excuse is not None and (excused := excuse()) is not None:
        return excused
    if not finite(found.came) and not finite(found.plain):
        told = "It isn't finite, and neither is the forward pass's own gradient in this precision."
        return Verdict(found.name, shape, "close", off, allowed, told=told)
    if found.lost:
        told = "In this precision nothing is left of it: the forward pass's own gradient is as far from the truth."
        return Verdict(found.name, shape, "close", off, allowed, told=told)
    every = [one for look in LOOKS for one in look(found, lines, off)]
    if every:
        nearest = min(one.share for one in every)
        best = next(one for one in every if one.share <= max(ALIKE * nearest, 1 / TIMES))
        return Verdict(found.name, shape, "wrong", off, allowed, best.code, best.told, best.rule, best.yours)
    far = off > UNKNOWN * allowed or off > FAR * largest(found.precise)
    level = "wrong" if far and off > SINGLE * largest(found.precise) else "close"
    return Verdict(found.name, shape, level, off, allowed, told=unrecognised(found, level))


def unrecognised(found: Evidence, level: str) -> str:
    """What is said where no mistake is known that does it."""
    have, want = tuple(found.came[0].shape), tuple(found.precise[0].shape)
    if have != want:
        return f"This has the shape {have}, and `{found.name}` has {want}."
    share = number_text(distance(found.came, found.precise) / (largest(found.precise) or 1.0), 2)
    if level == "close" and distance(found.came, found.precise) <= SINGLE * largest(found.precise):
        return f"It differs by {share} of the largest cell: as if a part of it were computed in float32."
    if level == "close":
        return f"It differs by {share} of the largest cell: more than rounding has to, and no mistake that I know."
    came, precise = max(zip(found.came, found.precise, strict=True), key=lambda pair: distance(pair[:1], pair[1:]))
    worst = f"{found.name}{cell_text(furthest(came, precise))}"
    return f"I don't recognise this one: it differs by {share} of the largest cell, most at {worst}."


def by_lines(found: Evidence, lines: Lines | None, off: float) -> Iterator[Suspicion]:
    """The mistakes of the library in our own lines that make what came back."""
    if lines is None:
        return
    for line, mutant in lines.suspects():
        try:
            precise = lines.gradients(found.name, torch.float64, (line, mutant))
            apart = distance(found.came, precise)
            if apart > NEARER * off:
                continue
            plain = lines.gradients(found.name, lines.dtype, (line, mutant))
        except (Refusal, RuntimeError):
            continue
        allowed = found.allowed(precise, plain)
        if apart <= allowed:
            yield Suspicion(apart / allowed if allowed else 0.0, mutant.code, mutant.label, line.code, mutant.source)


def by_itself(found: Evidence, *_: object) -> Iterator[Suspicion]:
    """A value of the forward pass in the place of its gradient, and nothing at all."""
    if found.absent:
        yield Suspicion(0.0, "missing-path", "None is returned, and the gradient isn't zero.")
    elif not any(bool(one.any()) for one in found.came):
        yield Suspicion(0.0, "missing-path", "Zeros are returned, and the gradient isn't zero.")
    elif same_as(found.came, [found.value] * len(found.came)):
        yield Suspicion(0.0, "forward-value", CODES["forward-value"].said.format(target=found.name))


def by_shape(found: Evidence, _: Lines | None, off: float) -> Iterator[Suspicion]:
    """The right numbers in another shape."""
    have, want = tuple(found.came[0].shape), tuple(found.precise[0].shape)
    forms: list[tuple[DiagnosisCode, Callable[[torch.Tensor], torch.Tensor]]] = [
        ("transposed", lambda one: one.mT if one.dim() > 1 else one),
        ("keepdim", lambda one: one.reshape(want)),
    ]
    for code, form in forms:
        with suppress(RuntimeError):
            told = CODES[code].said.format(target=found.name, have=have, want=want)
            yield from near(replace(found, came=[form(one) for one in found.came]), found.precise, off, code, told)


def by_value(found: Evidence, _: Lines | None, off: float) -> Iterator[Suspicion]:
    """The gradient of another input, a local derivative alone, and the truth times a number."""
    for name, precise in found.others.items():
        told = f"This is the gradient of `{name}`: they are returned in another order."
        yield from near(found, precise, off, "wrong-tensor", told)
    if len(found.came) > 1 and same_as(found.came, [found.came[0]] * len(found.came)):
        yield Suspicion(1.0, "missing-upstream", "It is the same for every upstream gradient: that one is missing.")
    factor = factor_in(found)
    if factor is not None:
        code, text = named(factor, found)
        told = CODES[code].said.format(factor=text)
        yield from near(found, [factor * one for one in found.precise], off, code, told)


Look = Callable[[Evidence, Lines | None, float], Iterator[Suspicion]]
LOOKS: tuple[Look, ...] = by_itself, by_lines, by_shape, by_value


def near(found: Evidence, precise: Several, off: float, code: DiagnosisCode, told: str) -> Iterator[Suspicion]:
    """The suspicion that these came back, where they did."""
    apart = distance(found.came, precise)
    scale = largest(precise) / (largest(found.precise) or 1.0)
    allowed = max(scale, 1.0) * found.allowed(found.precise, found.plain)
    if apart <= min(allowed, NEARER * off):
        yield Suspicion(apart / allowed, code, told)


def factor_in(found: Evidence) -> float | None:
    """The number that the truth has to be multiplied by to come nearest."""
    if not finite(found.came) or any(a.shape != b.shape for a, b in zip(found.came, found.precise, strict=True)):
        return None
    square = sum(float((one * one).sum()) for one in found.precise)
    product = sum(float((a.double() * b).sum()) for a, b in zip(found.came, found.precise, strict=True))
    return product / square if square else None


def named(factor: float, found: Evidence) -> tuple[DiagnosisCode, str]:
    """What a factor is, as far as the precision can tell: −1, a small number or one over it, n for n − 1."""
    close = max(1e-4, 4 * found.unit) * abs(factor)
    if abs(factor + 1) <= close:
        return "sign", "-1"
    small = {f"{sign}{n}": int(f"{sign}{n}") for n in range(2, 11) for sign in ("", "-")}
    forms = {text: float(n) for text, n in small.items()} | {f"1/{n}": 1 / n for n in small.values()}
    nearest = min(forms, key=lambda text: abs(forms[text] - factor))
    if abs(forms[nearest] - factor) <= close:
        return "scale", nearest
    for n in found.lengths:
        if n > 1 and min(abs(n / (n - 1) - factor), abs((n - 1) / n - factor)) <= close:
            return "bessel", f"{n}/{n - 1}" if factor > 1 else f"{n - 1}/{n}"
    return "scale", number_text(factor, 3)


def finite(several: Several) -> bool:
    """Whether no number is infinite or NaN."""
    return all(bool(one.isfinite().all()) for one in several)


def same_as(came: Several, others: Several) -> bool:
    """Whether these are the same numbers."""
    return len(came) == len(others) and all(torch.equal(a, b) for a, b in zip(came, others, strict=True))


def gaps(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """How far two of one shape are apart, cell by cell; infinitely where one alone is finite."""
    a, b = one.double(), other.double()
    return torch.where((a == b) | (a.isnan() & b.isnan()), 0.0, (a - b).abs().nan_to_num(torch.inf, torch.inf))


def furthest(one: torch.Tensor, other: torch.Tensor) -> tuple[int, ...]:
    """The cell where two of one shape are furthest apart."""
    gap = gaps(one, other)
    return tuple(int(place) for place in torch.unravel_index(gap.argmax(), gap.shape))


def distance(ours: Several, theirs: Several) -> float:
    """The largest difference; infinite where shapes differ, or one alone is finite."""
    most = 0.0
    for one, other in zip(ours, theirs, strict=True):
        if one.shape != other.shape:
            return torch.inf
        most = max(most, float(gaps(one, other).max()) if one.numel() else 0.0)
    return most


def largest(several: Several) -> float:
    """The largest finite size of a cell."""
    return max((largest_finite(one.double()) for one in several), default=0.0)
