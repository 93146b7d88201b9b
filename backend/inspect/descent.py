"""One step of gradient descent on every parameter, at several learning rates: answers POST /api/descent."""

from __future__ import annotations

from pathlib import Path

import torch

from backend.engine.encode import Document, number
from backend.engine.execute.lookup import sound
from backend.engine.execute.run import Tensors, loss_of
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.inspect.descent_path import paths, stopped
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run


@guarded
def descent(request: Request, names: Path | None = None) -> Document:
    """The loss after `parameter -= rate * gradient` on all parameters at once, for each of the `rates`.

    `request` is the body of POST /api/descent. Gradients are the walk's own, the losses are computed in float64.
    `promised` is what the loss would be if it were a straight line: loss − rate · Σ gradient². With `path`, `paths` has
    the losses of so many steps one after the other, beside those of the right gradients where a mistake is planted.
    Raises Refusal where no parameter has a gradient, and, without `path`, where one can't be taken from its parameter.
    """
    run = run_of(request["walk"], names)
    gradients = gradients_of_parameters(run)
    if not gradients:
        raise Refusal("descent-no-parameter")
    if "path" not in request:
        for name in gradients:
            sound(run, run.plan.graph.by_variable[name])
    slope = sum(float(gradient.square().sum()) for gradient in gradients.values())
    before = stepped(run, {}, 0.0)
    steps = [
        {"rate": rate, "loss": number(stepped(run, gradients, rate)), "promised": number(before - rate * slope)}
        for rate in ([] if stopped(run) else request["rates"])
    ]
    told = {"parameters": list(gradients), "loss": number(before), "squared_gradient": number(slope), "steps": steps}
    return told | ({"paths": paths(run, request["rates"], request["path"])} if "path" in request else {})


def gradients_of_parameters(run: Run) -> Tensors:
    """Each parameter's gradient in float64, by the parameter's variable."""
    inputs = run.material.inputs
    return {
        node.variable: run.gradients["d" + node.variable].double()
        for node in run.plan.graph.inputs
        if inputs[node.variable].role == "parameter" and "d" + node.variable in run.gradients
    }


def stepped(run: Run, gradients: Tensors, rate: float) -> float:
    """The loss where every parameter has made its step."""
    tensors = {
        name: tensor.double() if tensor.is_floating_point() else tensor for name, tensor in run.material.tensors.items()
    }
    moved = {name: tensors[name] - rate * gradient for name, gradient in gradients.items()}
    return loss_of(run.plan.graph, tensors | moved, torch.float64)
