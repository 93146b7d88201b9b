"""The pipeline: a request goes in, a finished Walk comes out. Begin reading here."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from backend.language.errors import Refusal
from backend.request import identity
from backend.runs import new_run, other_precision
from backend.verify import judge_all
from backend.view.present import document


def walk(request: Mapping[str, Any], names: Path | None = None) -> bytes:
    """The walk that a request asks for, as a finished JSON document.

    `request` is the body of POST /api/walk with `arrays` ("typed" or "lists") beside it; `names` is a word list that
    takes the place of the embedded one. Raises Refusal where the request can't be carried out.
    """
    run = new_run(request, names)  # parse, trace, differentiate, run forward, run backward
    started = time.perf_counter()
    forward_other, gradients_other = other_precision(run)
    run.verdicts = judge_all(run.gradients, run.forward.autograd, gradients_other, forward_other.autograd)
    run.seconds["verify"] = time.perf_counter() - started
    return orjson.dumps(document(run, identity(request), str(request.get("arrays", "typed"))))


__all__ = ["Refusal", "walk"]
