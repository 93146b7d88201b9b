"""The tensors of one step cell by cell: answers POST /api/step, as a long walk sends most of them pooled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from backend.engine.encode import LARGEST_WHOLE, number, typed_within
from backend.engine.execute.counterparts import counterparts
from backend.engine.execute.lookup import node_of
from backend.engine.execute.plan import Plan
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.verify.compare import verify
from backend.pipeline import run_of, trial_run
from backend.present.asked import quiz_of
from backend.present.drawings import drawings_of
from backend.present.parts import difference
from backend.present.picture_types import Wire
from backend.present.pictures import forward_picture, picture
from backend.present.schema import NodeTensors, StepTensors
from backend.program.request import Request
from backend.program.runs import Run

encode = typed_within(LARGEST_WHOLE)
# Of a thumbnail: a tensor of so many cells goes whole, a larger one as a third as many blocks.
thumbnail = typed_within(1200)


@guarded
def step(request: Request, names: Path | None = None) -> StepTensors:
    """The tensors of the step `index`, counted as in the walk, of the named tensors `nodes`, and of an answer `choice`.

    `request` is the body of POST /api/step. With `changes` they are those of the walk with these in place of its own:
    the step is the one of the same line, and what is no longer there is None. With `thumbnails` every tensor that has
    a value (going back: a gradient) by this step comes small besides. Raises Refusal for a step or a tensor that the
    walk doesn't have.
    """
    run, index = run_of(request["walk"], names), request["index"]
    plan, first = run.plan, run.plan.first_backward
    if index >= first + len(plan.lines):
        raise Refusal("step-unknown", found=index, last=first + len(plan.lines) - 1)
    nodes = {name: node_of(plan, name) for name in request["nodes"]}
    if "changes" in request:
        run = trial_run({**request["walk"], "changes": request["changes"]}, names)
    places = counterparts(plan, run.plan)
    place = places[index]
    sent: StepTensors = {
        "index": index,
        "loss": number(float(run.forward.tensors[run.plan.graph.loss.variable])),
        "contribution": None,
        "accumulated": None,
        "chosen": [],
        "before": None,
        "operands": [],
        "product": None,
        "nodes": {name: _node(run, node.variable) for name, node in nodes.items()},
        "thumbnails": _thumbnails(run, plan, index, places) if request.get("thumbnails") else {},
    }
    if place is None:
        return sent
    if index >= first:
        _add_backward(sent, run, place - run.plan.first_backward)
        if request.get("choice") is not None:
            sent["chosen"] = _chosen(run, place - run.plan.first_backward, request["choice"])
    elif planned := drawings_of(run.plan).forward_pictures[place]:
        drawn = forward_picture(run, planned, encode)
        made = [drawn["met"], *(stage["result"] for stage in drawn["stages"])]
        sent["operands"] = [operand["tensor"] for operand in drawn["operands"]]
        sent["operands"] += [one["tensor"] for one in made if one]
    return sent


def _add_backward(sent: StepTensors, run: Run, number: int) -> None:
    line, kept = run.plan.lines[number], run.contributions[number]
    earlier = [i for i in range(number) if run.plan.lines[i].variable == line.variable]
    sent["contribution"], sent["accumulated"] = encode(kept.value), encode(kept.accumulated)
    if earlier:
        sent["before"] = encode(run.contributions[earlier[-1]].accumulated)
    if (drawn := picture(run, number, encode)) is not None:
        sent["operands"] = [operand["tensor"] for operand in drawn["operands"]]
        sent["product"] = drawn["product"] and drawn["product"]["tensor"]


def _thumbnails(run: Run, plan: Plan, index: int, places: Sequence[int | None]) -> dict[str, Wire | None]:
    """What all named tensors of a plan hold by one of its steps, in a run of the plan or of what changes make of it."""
    graph, first = plan.graph, plan.first_backward
    if index < first:
        there = [*graph.inputs, *(chunk.node for chunk in graph.chunks[: index + 1])]
        return {str(node.name): thumbnail(run.forward.tensors[node.variable]) for node in there}
    found: dict[str, torch.Tensor | None] = {}
    for line, place in zip(plan.lines[: index + 1 - first], places[first:], strict=False):
        if line.inner:
            continue
        gradient = None if place is None else run.contributions[place - run.plan.first_backward].accumulated
        name = str(line.target.name)
        found[name] = found.get(name) if gradient is None else gradient
    return {name: None if gradient is None else thumbnail(gradient) for name, gradient in found.items()}


def _chosen(run: Run, number: int, choice: int) -> list[Any]:
    """What an answer to the step's question computes, null where Python stops, then the right one; none, unasked."""
    asked = quiz_of(run, verify(run))[number]
    if asked is None or choice >= len(asked.tensors):
        return []
    both = asked.tensors[choice], asked.tensors[asked.question["answer"]]
    return [None if tensor is None else encode(tensor) for tensor in both]


def _node(run: Run, variable: str) -> NodeTensors:
    sent: NodeTensors = {
        "value": encode(run.forward.tensors[variable]),
        "manual": None,
        "autograd": None,
        "difference": None,
    }
    if "d" + variable in run.gradients and variable in run.forward.autograd:
        manual, autograd = run.gradients["d" + variable], run.forward.autograd[variable]
        sent["manual"], sent["autograd"] = encode(manual), encode(autograd)
        sent["difference"] = encode(difference(manual, autograd))
    return sent
