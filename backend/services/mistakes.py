"""The mistakes that can be planted at a step of a walk: answers POST /api/mistakes."""

from __future__ import annotations

from pathlib import Path

from backend.engine.encode import Document
from backend.engine.execute.planting import line_number
from backend.engine.language.guard import guarded
from backend.lines.mistakes.planting import possible
from backend.pipeline import material_of, planned
from backend.program.request import Request


@guarded
def mistakes(wanted: Request, names: Path | None = None) -> Document:
    """The mistakes that can be planted at the backward step `step`, each with its label, its line and what it does.

    `wanted` is the body of POST /api/mistakes; what the walk itself plants is left out. Raises Refusal where the step
    is no backward one.
    """
    plan = planned(material_of(wanted["walk"], names))
    number = line_number(plan, wanted["step"])
    return {
        "step": wanted["step"],
        "code": plan.lines[number].code,
        "mistakes": [
            {
                "mistake": choice.mutant.code,
                "label": choice.label,
                "code": choice.mutant.source,
                "why": choice.mutant.label,
            }
            for choice in possible(plan, number)
        ],
    }
