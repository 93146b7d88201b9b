"""The pipeline: a request goes in, a finished Walk comes out. Begin reading here."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import torch

from backend import present
from backend.language.errors import Refusal
from backend.plan import plan_for
from backend.request import identity, read
from backend.run import run_backward, run_forward
from backend.verify import judge_all


def walk(request: Mapping[str, Any], names: Path | None = None) -> bytes:
    """The walk that a request asks for, as a finished JSON document.

    `request` is the body of POST /api/walk with `arrays` ("typed" or "lists") beside it; `names` is a word list that
    takes the place of the embedded one. Raises Refusal where the request can't be carried out.
    """
    material = read(request, names)
    plan = plan_for(material)
    started = time.perf_counter()
    forward = run_forward(plan.graph, material.tensors, material.dtype)
    forward_done = time.perf_counter()
    shown = {number: picture.to_evaluate for number, picture in enumerate(plan.pictures) if picture}
    gradients, contributions = run_backward(plan.lines, forward.values, material.dtype, shown)
    backward_done = time.perf_counter()
    other = torch.float32 if material.dtype is torch.float64 else torch.float64
    forward_other = run_forward(plan.graph, material.tensors, other)
    gradients_other, _ = run_backward(plan.lines, forward_other.values, other, {})
    verdicts = judge_all(gradients, forward.autograd, gradients_other, forward_other.autograd)
    times = {
        "forward": forward_done - started,
        "backward": backward_done - forward_done,
        "verify": time.perf_counter() - backward_done,
    }
    run = present.Run(material, plan, forward, gradients, contributions, verdicts, times)
    return orjson.dumps(present.document(run, identity(request), str(request.get("arrays", "typed"))))


__all__ = ["Refusal", "walk"]
