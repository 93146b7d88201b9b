"""The tensors of one step cell by cell: answers POST /api/step, as a long walk sends most of them pooled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backend.encode import LARGEST_WHOLE, number, typed_within
from backend.execute.lookup import node_of
from backend.execute.session import Run
from backend.language.errors import Refusal
from backend.pipeline import run_of
from backend.present.document import difference
from backend.present.pictures import forward_picture, holds, picture
from backend.present.questions import Quiz
from backend.present.schema import NodeTensors, StepTensors
from backend.present.steps import steps_of
from backend.program.request import Request

encode = typed_within(LARGEST_WHOLE)


def step(request: Request, names: Path | None = None) -> StepTensors:
    """The tensors of the step `index`, counted as in the walk, of the named tensors `nodes`, and of an answer `choice`.

    `request` is the body of POST /api/step. Raises Refusal for a step or a tensor that the walk doesn't have.
    """
    run, index = run_of(request["walk"], names), request["index"]
    first = run.plan.first_backward
    if index >= first + len(run.plan.lines):
        raise Refusal("step-unknown", found=index, last=first + len(run.plan.lines) - 1)
    sent: StepTensors = {
        "index": index,
        "loss": number(float(run.forward.tensors[run.plan.graph.loss.variable])),
        "contribution": None,
        "accumulated": None,
        "chosen": [],
        "before": None,
        "operands": [],
        "product": None,
        "nodes": {name: _node(run, name) for name in request["nodes"]},
    }
    if index >= first:
        _add_backward(sent, run, index - first)
        if request.get("choice") is not None:
            sent["chosen"] = _chosen(run, index - first, request["choice"])
    elif planned := run.plan.forward_pictures[index]:
        drawn = forward_picture(run, planned, encode)
        made = [drawn["met"], *(stage["result"] for stage in drawn["stages"])]
        sent["operands"] = [operand["tensor"] for operand in drawn["operands"]]
        sent["operands"] += [one["tensor"] for one in made if one]
    return sent


def _add_backward(sent: StepTensors, run: Run, number: int) -> None:
    line, kept, planned = run.plan.lines[number], run.contributions[number], run.plan.pictures[number]
    earlier = [i for i in range(number) if run.plan.lines[i].variable == line.variable]
    sent["contribution"], sent["accumulated"] = encode(kept.value), encode(kept.accumulated)
    if earlier:
        sent["before"] = encode(run.contributions[earlier[-1]].accumulated)
    if planned is not None and holds(planned, kept):
        drawn = picture(run, planned, kept, encode)
        sent["operands"] = [operand["tensor"] for operand in drawn["operands"]]
        sent["product"] = drawn["product"] and drawn["product"]["tensor"]


def _chosen(run: Run, number: int, choice: int) -> list[Any]:
    """What an answer to the step's question computes, null where Python stops, then the right one; none, unasked."""
    asked = Quiz(run, steps_of(run.plan).questions).all()[number]
    if asked is None or choice >= len(asked.tensors):
        return []
    both = asked.tensors[choice], asked.tensors[asked.question["answer"]]
    return [None if tensor is None else encode(tensor) for tensor in both]


def _node(run: Run, name: str) -> NodeTensors:
    variable = node_of(run.plan, name).variable
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
