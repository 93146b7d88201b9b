"""Why a gradient is wrong behind a planted line: it is the line's own, or the mistake has reached it."""

from __future__ import annotations

from backend.engine.execute.session import ProgramRun
from backend.engine.interpret.evaluate import shape_text

OWN = "The line planted at step {step} makes it."
REACHED = "The mistake planted at step {step}, in `{source}`, reaches it."
SHAPE = "It has the shape {found}, not {wanted}."


def damage(run: ProgramRun, variable: str) -> str:
    """The sentence for a gradient that is wrong, or of a wrong shape."""
    planted = run.plan.planted
    assert planted is not None
    gradient, node = run.gradients["d" + variable], run.plan.graph.by_variable[variable]
    lead = OWN if planted.line.target is node else REACHED
    # steps are counted from 1 where they are told
    told = [lead.format(step=run.plan.first_backward + planted.number + 1, source=planted.line.variable)]
    if tuple(gradient.shape) != node.shape:
        told.append(SHAPE.format(found=shape_text(tuple(gradient.shape)), wanted=shape_text(node.shape)))
    return " ".join(told)
