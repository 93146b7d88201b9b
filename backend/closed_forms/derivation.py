"""A closed form derived stage by stage, each one run and held against the one before it: answers POST /api/derivation.

Two precisions tell algebra from rounding: what differs in float32 only is rounding, what differs in float64 is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from backend.closed_forms.derivation_types import Derivation, DerivationStage, GradientCheck
from backend.closed_forms.find import Found, found_in, lines_of
from backend.encode import number, typed_within
from backend.execute.run import Forward, Tensors
from backend.execute.session import Run, other_precision
from backend.interpret.evaluate import DefaultDtype, Evaluator
from backend.language.errors import Refusal
from backend.language.expression import expression
from backend.language.guard import guarded
from backend.language.tree import names_in
from backend.language.wording import number_text
from backend.pipeline import run_of
from backend.program.request import Request
from backend.verify.compare import Verdict, judge

LARGEST_VALUE = 16_384  # cells of a stage's value that are sent one by one


@dataclass(frozen=True)
class Made:
    """One stage as it ran: its line, what was used to get there, and its value in both precisions."""

    code: str
    told: str
    value: torch.Tensor
    other: torch.Tensor


@guarded
def derivation(request: Request, names: Path | None = None) -> Derivation:
    """The closed form of one tensor's gradient, derived stage by stage from the walk's own lines.

    `request` is the body of POST /api/derivation: the walk, and the name of the tensor. Each stage has its line, a
    sentence, its value, and how it compares with the stage before and with autograd. Raises Refusal where nothing
    collapses at that tensor.
    """
    run, wanted = run_of(request["walk"], names), request["tensor"]
    found = next((one for one in offered(run) if one.x.name == wanted), None)
    if found is None:
        raise Refusal("derivation-none", found=wanted)
    forward, gradients = other_precision(run)
    stages = staged(run, found, forward, gradients)
    variable, numbers = found.x.variable, lines_of(run.plan, found)
    truth = run.forward.autograd[variable], forward.autograd[variable]
    encode = typed_within(LARGEST_VALUE)
    checks = [compared((stage.value, stage.other), truth) for stage in stages]
    sent: list[DerivationStage] = [
        {
            "code": stage.code,
            "text": stage.told,
            "value": encode(stage.value),
            "before": compared((stage.value, stage.other), (old.value, old.other)) if old else None,
            "autograd": check,
        }
        for stage, old, check in zip(stages, [None, *stages], checks, strict=False)
    ]
    return {
        "tensor": str(found.x.name),
        "variable": f"d{variable}",
        "kind": found.kind,
        "shape": list(found.x.shape),
        "dims": found.x.dims,
        "scale": number(float(truth[0].abs().max())),
        "collapses": len(numbers),
        "stages": sent,
        "steps": steps_at(run, found),
        "end": ending(run, checks[-1]),
    }


def offered(run: Run) -> list[Found]:
    """What collapses in a walk: the patterns whose last line gives the gradient that the walk's own lines give."""
    return [found for found in found_in(run.plan) if _holds(run, found)]


def steps_at(run: Run, found: Found) -> list[int]:
    """The backward steps of the walk that collapse into one."""
    return [run.plan.first_backward + place for place in lines_of(run.plan, found)]


def _holds(run: Run, found: Found) -> bool:
    gradient = run.gradients.get(f"d{found.x.variable}")
    if gradient is None or len(lines_of(run.plan, found)) == 0:
        return False
    text, _ = texts_of(found)[-1]
    value = evaluated(text, found, run.forward, run.gradients, run.material.dtype)
    if value is None or value.shape != gradient.shape:
        return False
    near = 1e-4 * float(gradient.abs().max()) + 1e-30
    return bool(((value - gradient).abs() <= near).all())


def texts_of(found: Found) -> list[tuple[str, str]]:
    """The expression and the sentence of each stage that this program has the words for."""
    known = [stage for stage in found.stages if all(word in found.words for word in stage.needs)]
    return [(stage.text.format_map(found.words), stage.told.format_map(found.words)) for stage in known]


def staged(run: Run, found: Found, forward: Forward, gradients: Tensors) -> list[Made]:
    """The walk's own lines, then each stage; one that this program's shapes have no place for is left out."""
    plan, variable = run.plan, f"d{found.x.variable}"
    numbers = lines_of(plan, found)
    code = "\n".join(plan.lines[number].code for number in numbers)
    told = f"{len(numbers)} small steps go from `d{found.root.variable}` back to `{variable}`."
    if len(numbers) == 1:
        told = f"The walk's own line goes from `d{found.root.variable}` to `{variable}` at once."
    made = [Made(code, told, run.gradients[variable], gradients[variable])]
    other = torch.float32 if run.material.dtype is torch.float64 else torch.float64
    for text, told in texts_of(found):
        value = evaluated(text, found, run.forward, run.gradients, run.material.dtype)
        fine = evaluated(text, found, forward, gradients, other)
        if value is not None and fine is not None and value.shape == found.x.shape:
            aids = "".join(f"{name} = {found.aids[name]}\n" for name in aids_of(text, found))
            made.append(Made(f"{aids}{variable} = {text}", told, value, fine))
    return made


def aids_of(text: str, found: Found) -> list[str]:
    """The names in a stage that lines in front of it explain, with those that these lines need."""
    texts = [text]
    for name in reversed(found.aids):
        if any(name in names_in(expression(one)) for one in texts):
            texts.append(found.aids[name])
    return [name for name in found.aids if found.aids[name] in texts[1:]]


def evaluated(text: str, found: Found, forward: Forward, gradients: Tensors, dtype: torch.dtype) -> torch.Tensor | None:
    """A stage over a walk's values and gradients; None where its shapes don't fit."""
    evaluator = Evaluator(forward.values | gradients)
    with torch.no_grad(), DefaultDtype(dtype):
        try:
            for name, aid in found.aids.items():
                evaluator.scope[name] = evaluator.tensor(expression(aid))
            return evaluator.tensor(expression(text))
        except Refusal:
            return None


def compared(pair: tuple[torch.Tensor, torch.Tensor], others: tuple[torch.Tensor, torch.Tensor]) -> GradientCheck:
    """How two gradients compare, in the walk's precision and in the other, as a verdict and in words."""
    (mine, fine), (theirs, theirs_fine) = [[one.numpy() for one in both] for both in (pair, others)]
    verdict = judge(mine, theirs, fine, theirs_fine, scale=float(others[0].abs().max()))
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


def ending(run: Run, last: GradientCheck) -> str:
    """How exact the last line is, and why it can't be to the bit."""
    if last["level"] == "exact":
        return "Bit for bit what autograd has."
    if last["level"] not in ("approximate", "zero"):
        return "This is not what autograd has."
    apart, share = number_text(float(last["maxdiff"] or 0), 2), number_text(float(last["share"] or 0), 2)
    algebra = _in_one(run, float(last["share64"] or 0))
    return (
        f"{algebra} From autograd it differs by {apart} at most, {share} of the largest gradient: autograd "
        "rounds once for each small step, and this line rounds in other places."
    )


def _in_one(run: Run, share64: float) -> str:
    if run.material.dtype is torch.float64:
        return "The algebra is exact, float64 is not."
    return (
        f"The algebra is exact: in float64 only {number_text(share64, 2)} is left." if share64 else "In float64 equal."
    )
