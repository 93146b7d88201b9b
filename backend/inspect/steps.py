"""What belongs to single steps of a walk: answers POST /api/steps, as the walk itself leaves it out."""

from __future__ import annotations

from pathlib import Path

from backend.engine.encode import LARGEST_WHOLE, encoder, typed_within
from backend.engine.execute.lookup import node_of
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.verify.compare import verify
from backend.pipeline import run_of
from backend.present.asked import asked_of
from backend.present.parts import Parts
from backend.present.picture_types import Wire
from backend.present.schema import AutogradColumn, BackwardPart, ForwardPart, StepParts
from backend.program.request import Request
from backend.program.runs import Run

encode = typed_within(LARGEST_WHOLE)


@guarded
def steps(request: Request, names: Path | None = None) -> StepParts:
    """The parts of the steps `steps`, counted as in the walk, and of the tensors `judged` what autograd says of them.

    `request` is the body of POST /api/steps. With `gradients` every backward step's gradient comes besides, with
    `questions` what is asked before each. Raises Refusal for a step or a tensor that the walk doesn't have.
    """
    run = run_of(request["walk"], names)
    parts = Parts(run, encode)
    return {
        "parts": {str(index): _part(parts, index) for index in request["steps"]},
        "gradients": _gradients(run) if request.get("gradients") else None,
        "judged": {name: _judged(parts, name) for name in request["judged"]},
        "questions": asked_of(run, verify(run)) if request.get("questions") else None,
    }


def _part(parts: Parts, index: int) -> ForwardPart | BackwardPart:
    first, last = parts.run.plan.first_backward, parts.run.plan.first_backward + len(parts.run.plan.lines) - 1
    if index > last:
        raise Refusal("step-unknown", found=index, last=last)
    return parts.forward(index) if index < first else parts.backward(index - first)


def _judged(parts: Parts, name: str) -> AutogradColumn | None:
    variable = node_of(parts.run.plan, name).variable
    known = "d" + variable in parts.run.gradients and variable in parts.run.forward.autograd
    return parts.judged(variable) if known else None


def _gradients(run: Run) -> list[Wire]:
    """The gradient after each backward step; many or large ones as tiles."""
    write = encoder("typed", [kept.accumulated.numel() for kept in run.contributions])
    return [write(kept.accumulated) for kept in run.contributions]
