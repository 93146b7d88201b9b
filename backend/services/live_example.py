"""A walk of two lines in which an operation is used: the reference shows its steps, with numbers, where it stands."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import torch

from backend.engine.differentiate.reverse import differentiate
from backend.engine.encode import Document
from backend.engine.language.errors import Refusal
from backend.engine.ops import OPS, Op
from backend.engine.trace.inputs import Input
from backend.present.steps import rules_of
from backend.services.drill_drafts import WEIGHTS, tensors_of
from backend.services.op_example import lines_of, traced_with

SEED = 1


def operation_walk(name: str) -> Document:
    """The live example of an operation; raises Refusal (404) where there is none."""
    op = next((op for op in OPS if op.name() == name), None)
    made = live_example(op) if op else None
    if made is None:
        raise Refusal("operation-unknown", found=name, status=404)
    return made


def has_live_example(op: type[Op]) -> bool:
    """Whether an operation has a live example, mostly without making it."""
    handed_on = set(op.backward.values()) == {"g"}  # one that changes nothing leaves no step in the walk
    return op.differentiable and bool(op.samples) and (not handed_on or live_example(op) is not None)


def live_example(op: type[Op]) -> Document | None:
    """The body of POST /api/walk for a line from the operation's own samples, and the steps to be shown of it.

    What arrives at `out` are weights of its sum. None where no sample can be walked.
    """
    made = (_walkable(op, line, inputs, tensors_of(sample, inputs, SEED)) for sample, inputs, line in lines_of(op))
    return next((one for one in made if one is not None), None)


def _walkable(op: type[Op], line: str, inputs: Mapping[str, Input], tensors: Document) -> Document | None:
    source = f"{line}\nloss = (out * {WEIGHTS}).sum()"
    try:
        with warnings.catch_warnings(action="ignore"):
            out = traced_with(source, {**inputs, WEIGHTS: _weights(())}).by_variable.get("out")
            if out is None:
                return None
            graph = traced_with(source, {**inputs, WEIGHTS: _weights(tuple(out.shape))})
    except (Refusal, RuntimeError):
        return None
    lines = differentiate(graph, False)
    if not any(op.name() in rules_of(made) for made in lines):
        return None
    reached = {made.target for made in lines}
    steps = [f"backward {name}" for name in inputs if graph.by_variable.get(name) in reached]
    drawn = {"role": "parameter", "shape": list(out.shape), "init": "randn", "seed": SEED + len(inputs)}
    return {"walk": {"source": source, "tensors": tensors | {WEIGHTS: drawn}}, "steps": ["forward out", *steps]}


def _weights(shape: tuple[int, ...]) -> Input:
    return Input("parameter", shape, torch.float32)
