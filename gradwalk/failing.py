"""What is said of a walk whose gradients aren't the model's own: the first line that differs, and the mistake."""

from __future__ import annotations

import torch

from backend.engine.verify.own import CLOSE, HALF
from gradwalk.origins import back, origins
from gradwalk.own_backward.judging import UNITS, Evidence, judged
from gradwalk.walking import Walk


def first_wrong(walk: Walk) -> str:
    """The first line, in the order of the backward pass, whose gradient isn't the model's own; empty where all are.

    A custom function whose backward pass is wrong is told by its own verdict, not by what comes behind it.
    """
    names = {name for name, one in zip(walk.recording.own, walk.verdicts, strict=True) if not one.right}
    ends = {line.variable: line for line in walk.run.plan.lines}
    if not names or not all(one.right for one in walk.functions):
        return ""
    name = min(names, key=lambda one: [*ends, f"d{one}"].index(f"d{one}"))
    label = walk.recording.program.labels.get(name, name)
    line = ends.get(f"d{name}")
    where = str(back(line, origins(walk.recording.program))) if line else "no path leads there, and it should be zero"
    return f"The first to differ is {label}: {where}.\nYour model's own: {mistake(walk, name)}"


def mistake(walk: Walk, name: str) -> str:
    """What the model's own gradient looks like, from its numbers."""
    came = walk.recording.own[name].cpu()
    ours = walk.gradients
    right = ours.get(name, torch.zeros_like(came))
    evidence = Evidence(
        name,
        came=[came],
        precise=[right.double()],
        plain=[right],
        unit=(HALF if walk.own.half else CLOSE) / UNITS,
        others={other: [ours[other].double()] for other in walk.recording.own if other in ours and other != name},
        upstreams=[],
        value=walk.run.forward.tensors[name],
        lengths=came.shape,
    )
    return judged(evidence, None).told
