"""A custom function examined: every gradient that its backward pass returns, with what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch

from backend.engine.language.errors import Refusal
from backend.lines.mistakes.codes import CODES
from gradwalk.own_backward.excuses import Excuses
from gradwalk.own_backward.judging import Evidence, Verdict, distance, judged
from gradwalk.own_backward.kinks import around
from gradwalk.own_backward.returned import Returned, decimals_in, in_precision, returned, same_draws
from gradwalk.own_backward.truth import Lines, by_differences, named, noise
from gradwalk.recorder.function import Function, forward_of
from gradwalk.recorder.recording import WalkError
from gradwalk.recorder.values import tensors_in

UPSTREAMS = 4


@dataclass
class Examined:
    """A custom function's gradients, each with its verdict; `lines` are those of its forward pass, where they are."""

    function: str
    verdicts: list[Verdict]
    lines: Lines | None

    @property
    def right(self) -> bool:
        """Whether nothing is held against any of them."""
        return all(one.right for one in self.verdicts)

    def __repr__(self) -> str:
        wrong = [one.name for one in self.verdicts if not one.right]
        meant = [one.name for one in self.verdicts if one.meant]
        count = len(self.verdicts)
        noun = "its gradient is" if count == 1 else f"its {count} gradients are"
        head = f"{self.function}.backward: {noun} right, as far as the precision tells"
        if wrong:
            head = f"{self.function}.backward: {len(wrong)} of {count} gradients WRONG: {', '.join(wrong)}"
        elif meant:
            head = f"{self.function}.backward: nothing is wrong; on purpose, not the true gradient: {', '.join(meant)}"
        return "\n".join([head, *(told(one) for one in self.verdicts if one.told)])


def told(one: Verdict) -> str:
    """What is said of one gradient: the mistake, and the right line above the one that computes what came back."""
    lines = [("right", one.rule), ("yours", one.yours)] if one.rule else []
    shown = [f"    {label}  {text}" for label, code in lines for text in code.split("\n")]
    kind = f"{CODES[one.code].kind}: " if one.code != "unknown" else ""
    return "\n".join([f"  {one.name}: {kind}{one.told}", *shown])


def examined(cls: Function, args: Sequence[Any], in_model: bool = False) -> Examined:
    """Hold what a function's backward pass returns against the truth; raises WalkError where it can't be run.

    `in_model`: it is called by a model, whose owner says by None that an input gets no gradient.
    """
    every, lines = evidence(cls, args)
    suspected = any(one.off > one.rounding for one in every)
    if suspected and lines is not None and (searched := of_a_search(cls, args, every)):
        every, lines, suspected = searched, None, False
    excuses = Excuses(cls, args, lines, evidence_beside(cls, args) if suspected else [])
    verdicts = [judged(one, lines, partial(excuses.of, one, number)) for number, one in enumerate(every)]
    if in_model:
        verdicts = [declared(one, found) for one, found in zip(verdicts, every, strict=True)]
    return Examined(cls.__name__, verdicts, lines)


def declared(verdict: Verdict, found: Evidence) -> Verdict:
    """The verdict on a gradient for which None may come back on purpose."""
    if verdict.right or not found.absent:
        return verdict
    told = "None is returned: your model gives it no gradient, though the true one isn't zero."
    return replace(verdict, level="meant", code="unknown", told=told)


def of_a_search(cls: Function, args: Sequence[Any], every: Sequence[Evidence]) -> list[Evidence] | None:
    """The same by central differences, where they confirm what came back and the lines are those of a search: slopes
    of its steps, as of halves of an interval, aren't those of what it finds."""
    with suppress(WalkError):
        moved = [replace(one, plain=one.precise) for one in evidence(cls, args, by_lines=False)[0]]
        apart = [distance(one.precise, other.precise) > other.noise for one, other in zip(every, moved, strict=True)]
        return moved if any(apart) and all(one.off <= one.rounding for one in moved) else None
    return None


def evidence(cls: Function, args: Sequence[Any], by_lines: bool = True) -> tuple[list[Evidence], Lines | None]:
    """What came back for every input, beside the truth; and the lines that tell it, where there are any."""
    places = decimals_in(args)
    found = returned(cls, args, places, UPSTREAMS)
    lines = lines_of(cls, args, found) if by_lines else None
    names = lines.inputs if lines is not None else [named(forward_of(cls), len(args), 1)[place] for place in places]
    if lines is not None:
        precise = [lines.gradients(name, torch.float64) for name in names]
        plain = [lines.gradients(name, found.outs[0].dtype) for name in names]
    else:
        precise = by_differences(cls, args, found)
        plain = plainly(cls, args, found) or [[one.to(found.outs[0].dtype) for one in several] for several in precise]
    every = []
    for number, (name, place) in enumerate(zip(names, places, strict=True)):
        came = [one[number] for one in found.gradients]
        every.append(
            Evidence(
                name,
                [torch.zeros_like(args[place]) if one is None else one for one in came],
                precise[number],
                plain[number],
                float(torch.finfo(args[place].dtype).eps),
                {other: precise[i] for i, other in enumerate(names) if i != number},
                [several[0] for several in found.upstreams],
                args[place].detach(),
                place,
                sorted({length for one in tensors_in([args, found.outs]) for length in one.shape}),
                came[0] is None,
                0.0 if lines is not None else noise(found, precise[number]),
            )
        )
    return every, lines


def evidence_beside(cls: Function, args: Sequence[Any]) -> list[list[Evidence]]:
    """The same for inputs a little beside the given ones; for more of them where all is right there."""
    few, more = around(args)
    found = [*filter(None, (evidence_or_none(cls, moved) for moved in few))]
    if all(one.off <= one.rounding for every in found for one in every):
        found += filter(None, (evidence_or_none(cls, moved) for moved in more))
    return found


def evidence_or_none(cls: Function, args: Sequence[Any]) -> list[Evidence] | None:
    """The same beside the given inputs; None where the function takes no others."""
    with suppress(WalkError, RuntimeError, ValueError, IndexError, AssertionError):
        return evidence(cls, args)[0]
    return None


def lines_of(cls: Function, args: Sequence[Any], found: Returned) -> Lines | None:
    """The forward pass as lines of ours; None where it can't be told, or isn't what the function computes."""
    with suppress(WalkError, Refusal, RuntimeError, TypeError, AttributeError):
        lines = Lines(cls, args, found)
        return lines if all(lines.inputs) else None
    return None


def plainly(cls: Function, args: Sequence[Any], found: Returned) -> list[list[torch.Tensor]] | None:
    """What autograd makes of the forward pass in the given precision; None where it can't."""
    given = in_precision(args, None)
    wanted = [given[place].requires_grad_() for place in found.places]
    try:
        with same_draws(), torch.enable_grad():
            made = forward_of(cls)(*(one.clone() if isinstance(one, torch.Tensor) else one for one in given))
        outs = tensors_in(made)
        every = [torch.autograd.grad(outs, wanted, several, retain_graph=True) for several in found.upstreams]
    except RuntimeError:  # as of an input that no path leads to, where the forward pass computes out of sight
        return None
    return [list(one) for one in zip(*every, strict=True)]
