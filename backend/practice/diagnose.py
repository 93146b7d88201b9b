"""Names the mistake in an answer."""

from __future__ import annotations

from backend.language.errors import Refusal
from backend.practice.judge import Judged
from backend.practice.reply import Diagnosis, DiagnosisCode

UNKNOWN_NAME = frozenset({"name-near", "name-unknown", "function-unknown", "answer-elsewhere"})
SYNTAX = frozenset({"syntax", "character-unseen", "answer-empty", "program-empty"})
SHAPE = frozenset(
    {
        "shapes-do-not-fit", "broadcast-mismatch", "matmul-mismatch", "reshape-mismatch", "axis-missing",
        "index-out-of-range", "too-many-indices", "place-out-of-range", "view-apart", "operation-fails", "unpack-count",
    }
)  # fmt: skip


def code_of(refusal: Refusal) -> DiagnosisCode:
    """The diagnosis that a refusal of the language amounts to."""
    if refusal.code in SYNTAX:
        return "syntax"
    if refusal.code in UNKNOWN_NAME:
        return "unknown-name"
    return "shape" if refusal.code in SHAPE else "not-allowed"


def unreadable(refusal: Refusal) -> Diagnosis:
    """The diagnosis of an answer that can't be read or run."""
    where = refusal.where if refusal.where is not None and "text" in refusal.where else None
    return {"code": code_of(refusal), "message": refusal.message, "where": where, "evidence": None}


def diagnosis_of(found: Judged) -> Diagnosis | None:
    """What is wrong with an answer; None where it is right."""
    if found.shown.refusal is not None:
        return unreadable(found.shown.refusal)
    if found.everywhere:
        return None
    return {"code": "unknown", "message": "This isn't the gradient.", "where": None, "evidence": None}
