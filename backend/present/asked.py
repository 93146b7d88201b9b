"""The questions of a run, for who wants to predict its steps."""

from __future__ import annotations

from backend.engine.verify.compare import Verdicts
from backend.present.question_types import Question
from backend.present.questions import ComputedQuestion, Quiz
from backend.present.steps import steps_of
from backend.program.runs import Run


def asked_of(run: Run, verdicts: Verdicts) -> list[Question | None]:
    """The question before each backward step; None where there is nothing hard to ask."""
    return [asked.question if asked else None for asked in quiz_of(run, verdicts)]


def quiz_of(run: Run, verdicts: Verdicts) -> list[ComputedQuestion | None]:
    """The question before each backward step, and what each of its answers computes."""
    residues = {name: verdict.residue for name, verdict in verdicts.items() if verdict.residue is not None}
    return Quiz(run, steps_of(run.plan).questions, residues).all()
