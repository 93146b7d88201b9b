"""A closed form derived stage by stage, each one run and held against the one before it: answers POST /api/derivation.

Two precisions tell algebra from rounding: what differs in float32 only is rounding, what differs in float64 is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from backend.engine.encode import number, typed_within
from backend.engine.execute.run import Forward, Tensors, run_backward, run_forward
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.guard import guarded
from backend.engine.language.layout import broken
from backend.engine.language.tree import names_in
from backend.engine.language.wording import number_text
from backend.engine.verify.compare import Verdict, judge
from backend.inspect.closed_forms.derivation_types import Derivation, DerivationStage, GradientCheck
from backend.inspect.closed_forms.find import Occurrence, found_in, is_apart, lines_of, others_of
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

ROUNDING = 1e-7  # of the walk's largest gradient: a smaller one may be what rounding leaves of zero
LARGEST_VALUE = 16_384  # cells of a stage's value that are sent one by one


@dataclass(frozen=True)
class Made:
    """One stage as it ran: its line, what was used to get there, and its value in both precisions."""

    code: str
    told: str
    value: torch.Tensor
    other: torch.Tensor


@dataclass(frozen=True)
class Ran:
    """A walk's values and gradients in one precision, and what each backward line brought."""

    forward: Forward
    gradients: Tensors
    contributions: Sequence[torch.Tensor]
    dtype: torch.dtype

    def brought(self, numbers: Sequence[int]) -> torch.Tensor | float:
        """The sum of what some lines brought; 0 for none."""
        return sum((self.contributions[number] for number in numbers), start=0.0)


@guarded
def derivation(request: Request, names: Path | None = None) -> Derivation:
    """The closed form of one tensor's gradient, derived stage by stage from the walk's own lines.

    `request` is the body of POST /api/derivation: the walk, and the name of the tensor. Each stage has its line, a
    sentence, its value, and how it compares with the stage before and with autograd, once what comes back on other
    paths is `added`. Raises Refusal where nothing collapses at that tensor.
    """
    run, wanted = run_of(request["walk"], names), request["tensor"]
    found = next((one for one in collapses_of(run) if one.x.name == wanted), None)
    if found is None:
        raise _refusal(run, wanted)
    both = Ran(run.forward, run.gradients, [one.value for one in run.contributions], run.material.dtype), _other(run)
    stages = staged(run, found, both)
    variable, numbers, others = found.x.variable, lines_of(run.plan, found), others_of(run.plan, found)
    truth, rest = [ran.forward.autograd[variable] for ran in both], [ran.brought(others) for ran in both]
    encode = typed_within(LARGEST_VALUE)
    size = gradient_scale(run)
    checks = [compared((stage.value + rest[0], stage.other + rest[1]), (truth[0], truth[1]), size) for stage in stages]
    sent: list[DerivationStage] = [
        {
            "code": stage.code,
            "text": stage.told,
            "value": encode(stage.value),
            "before": compared((stage.value, stage.other), (old.value, old.other), size) if old else None,
            "autograd": check,
        }
        for stage, old, check in zip(stages, [None, *stages], checks, strict=False)
    ]
    return {
        "tensor": str(found.x.name),
        "variable": f"d{variable}",
        "kind": found.pattern.kind,
        "shape": list(found.x.shape),
        "dims": found.x.dims,
        "scale": number(float(stages[0].value.abs().max())),
        "collapses": len(numbers),
        "stages": sent,
        "steps": steps_at(run, found),
        "added": [run.plan.lines[number].code for number in others],
        "end": " ".join(filter(None, [ending(run, checks[-1], bool(others)), aside(run, found)])),
    }


def collapses_of(run: Run) -> list[Occurrence]:
    """What collapses in a walk: the largest patterns whose last line gives what the walk's own lines give.

    They come in the order of the backward pass, at most one for a tensor, and none inside another.
    """
    chosen: list[Occurrence] = []
    for found in found_in(run.plan):
        if any(found.x is one.x or found.inside & one.inside for one in chosen):
            continue
        if found.shared is None and _holds(run, found):
            chosen.append(found)
    nodes = run.plan.graph.nodes
    return sorted(chosen, key=lambda one: -nodes.index(one.root))


def steps_at(run: Run, found: Occurrence) -> list[int]:
    """The backward steps of the walk that collapse into one."""
    return [run.plan.first_backward + place for place in lines_of(run.plan, found)]


def _holds(run: Run, found: Occurrence) -> bool:
    own = [number for number in lines_of(run.plan, found) if run.plan.lines[number].target is found.x]
    texts = found.texts()
    if not own or not texts or not math.prod(found.x.shape) or not is_apart(run.plan, found):
        return False
    gradient = sum((run.contributions[number].value for number in own), start=torch.tensor(0.0))
    value = evaluated(texts[-1][0], found, run.forward, run.gradients, run.material.dtype)
    if value is None or value.shape != found.x.shape:
        return False
    size = float(gradient.abs().max())
    return size > ROUNDING * gradient_scale(run) and bool(((value - gradient).abs() <= 1e-4 * size).all())


def _other(run: Run) -> Ran:
    """The walk in the other precision."""
    dtype = torch.float32 if run.material.dtype is torch.float64 else torch.float64
    forward = run_forward(run.plan.graph, run.material.tensors, dtype)
    backward = run_backward(run.plan.lines, forward.values, dtype)
    return Ran(forward, backward.gradients, [one.value for one in backward.contributions], dtype)


def staged(run: Run, found: Occurrence, both: tuple[Ran, Ran]) -> list[Made]:
    """The walk's own lines, then each stage; left out is one that this program's shapes or numbers don't allow."""
    lines, variable, numbers = run.plan.lines, f"d{found.x.variable}", lines_of(run.plan, found)
    own = [number for number in numbers if lines[number].target is found.x]
    told = f"{len(numbers)} small steps go from `d{found.landing.variable}` back to `{variable}`."
    if len(numbers) == 1:
        told = f"The walk's own step goes from `d{found.landing.variable}` to `{variable}` at once."
    if others := others_of(run.plan, found):
        told += _besides(found, len(others))
    first, second = (torch.as_tensor(ran.brought(own)) for ran in both)
    made = [Made("\n".join(lines[number].code for number in numbers), told, first, second)]
    sign = lines[own[0]].mode
    for text, told in found.texts():
        value, fine = (evaluated(text, found, ran.forward, ran.gradients, ran.dtype) for ran in both)
        if value is None or fine is None or value.shape != found.x.shape:
            continue
        if bool(value.isfinite().all()) or not bool(first.isfinite().all()):
            aids = [f"{name} = {found.aids[name]}" for name in aids_of(text, found)]
            made.append(Made("\n".join(map(broken, (*aids, f"{variable} {sign} {text}"))), told, value, fine))
    return made


def _besides(found: Occurrence, count: int) -> str:
    """That the gradient has other parts, too, which stay as they are."""
    *first, last = [f"`{name}`" for name in found.readers] or ["another path"]
    readers = f"{', '.join(first)} and {last}" if first else last
    lines = "another line, which stays as it is" if count == 1 else "other lines, which stay as they are"
    return f" `{found.x.name}` is also used by {readers}. What comes back from there is added by {lines}."


def aside(run: Run, found: Occurrence) -> str:
    """Why a larger pattern from the same tensor is not what collapses; empty where there is none."""
    larger = [one for one in found_in(run.plan) if one.x is found.x and one.shared and found.inside < one.inside]
    return shared_words(larger[0]) if larger else ""


def shared_words(found: Occurrence) -> str:
    """Why a pattern gives only a part of what comes back."""
    inside, reader = found.between_names
    return (
        f"It does not collapse further, from `d{found.landing.variable}`: {inside} is also used by {reader}, and what "
        "comes back from there would be missing."
    )


def _refusal(run: Run, wanted: str) -> Refusal:
    """Why nothing collapses at a tensor: something in between is used elsewhere, or there is no pattern at all."""
    shared = next((one for one in found_in(run.plan) if one.x.name == wanted and one.shared), None)
    if shared is None:
        return Refusal("derivation-none", found=wanted)
    inside, reader = shared.between_names
    return Refusal("derivation-shared", found=wanted, inside=inside, reader=reader)


def aids_of(text: str, found: Occurrence) -> list[str]:
    """The names in a stage that lines in front of it explain, with those that these lines need."""
    texts = [text]
    for name in reversed(found.aids):
        if any(name in names_in(expression(one)) for one in texts):
            texts.append(found.aids[name])
    return [name for name in found.aids if found.aids[name] in texts[1:]]


def evaluated(
    text: str, found: Occurrence, forward: Forward, gradients: Tensors, dtype: torch.dtype
) -> torch.Tensor | None:
    """A stage over a walk's values and gradients; None where its shapes don't fit."""
    evaluator = Evaluator(forward.values | gradients)
    with torch.no_grad(), DefaultDtype(dtype):
        try:
            for name, aid in found.aids.items():
                evaluator.scope[name] = evaluator.tensor(expression(aid))
            return evaluator.tensor(expression(text))
        except Refusal:
            return None


def gradient_scale(run: Run) -> float:
    """The magnitude of the walk's largest gradient, which rounding residues are small against."""
    return max((float(one.abs().max()) for one in run.forward.autograd.values() if one.numel()), default=1.0) or 1.0


def compared(
    pair: tuple[torch.Tensor, torch.Tensor], others: tuple[torch.Tensor, torch.Tensor], scale: float
) -> GradientCheck:
    """How two gradients compare, in the walk's precision and in the other, as a verdict and in words."""
    (mine, fine), (theirs, theirs_fine) = pair, others
    verdict = judge(mine, theirs, fine, theirs_fine, scale=scale)
    return {
        "level": verdict.level,
        "maxdiff": number(verdict.maxdiff),
        "share": number(verdict.share),
        "share64": number(verdict.share64),
        "words": words_of(verdict),
    }


def words_of(verdict: Verdict) -> str:
    """A comparison in a few words."""
    if verdict.exact:
        return "bit for bit"
    if verdict.level in ("wrong", "shape") or verdict.maxdiff is None:
        return "not equal"
    return f"at most {number_text(verdict.maxdiff, 2)} apart"


def ending(run: Run, last: GradientCheck, added: bool) -> str:
    """How exact the last line is, and why it can't be to the bit; `added` says that other paths were added to it."""
    if last["level"] == "exact":
        return "Bit for bit what autograd has" + (", with the other path added." if added else ".")
    if last["level"] not in ("approximate", "zero"):
        return "This is not what autograd has."
    apart, share = number_text(float(last["maxdiff"] or 0), 2), number_text(float(last["share"] or 0), 2)
    whose = "With the other path added, it differs from autograd by" if added else "From autograd it differs by"
    return (
        f"{_in_one(run, float(last['share64'] or 0))} {whose} {apart} at most, {share} of the largest "
        "gradient. Autograd rounds once for each small step, and this line rounds in other places."
    )


def _in_one(run: Run, share64: float) -> str:
    if run.material.dtype is torch.float64:
        return "The algebra is exact, float64 is not."
    return (
        f"The algebra is exact: in float64 only {number_text(share64, 2)} is left." if share64 else "In float64 equal."
    )
