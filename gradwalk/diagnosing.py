"""`diagnose`: a line that somebody wrote for a gradient, told what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.engine.language.errors import Refusal
from backend.practice.check import practice_check


def diagnose(walk: Mapping[str, Any], gradient: str, answer: str) -> str:
    """What is wrong with the lines written for a gradient of a walk; empty where nothing is, or nothing can be said.

    `walk` is a request as it is posted to `/api/walk`, such as `{"lesson": "makemore-mlp"}`. The lines are read, and
    never executed by Python.
    """
    try:
        found = practice_check({"walk": dict(walk), "target": gradient, "answer": answer})["diagnosis"]
    except Refusal:
        return ""
    return found["message"] if found else ""
