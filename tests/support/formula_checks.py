"""Formulas of backward steps held against torch: read back, they give the whole gradient as it stands there."""

from __future__ import annotations

from typing import Any

import torch

from backend.engine.language.unparse import printed
from tests.support import torch_reference
from tests.support.backward_claims import numbers, same, value
from tests.support.mathml_reader import Reader, UnreadError


def reader_of(walk: Any, step: Any) -> Any:
    scope = walk.scope(step)
    nodes = walk.document["nodes"]
    name = walk.document["loss"]["name"]
    called_l = name.partition("@")[0].lower() in ("l", "loss")
    loss = "L" if called_l and ("L" not in walk.variables or name == "L") else walk.variables[name]
    inner = {line.variable: line.target for line in walk.run.plan.lines if line.inner}

    def gradient(name: Any) -> Any:
        if name not in walk.variables.values():
            raise UnreadError(name)
        return walk.run.gradients[f"d{name}"]

    def part(expression: Any) -> Any:
        computed = {variable: value(printed(node.written), scope) for variable, node in inner.items()}
        alike = [variable for variable, one in computed.items() if same(one.reshape(-1), expression.reshape(-1))]
        if not alike:
            raise UnreadError("a part that no line computes")
        # H @ P and P @ H.T hold the same numbers where P is symmetric
        return walk.run.gradients[max(alike, key=lambda variable: computed[variable].shape == expression.shape)]

    def axis(name: Any, tensor: Any) -> Any:
        if name.startswith("axis "):
            return int(name.removeprefix("axis "))
        every = [node for node in nodes if node["shape"] == list(tensor.shape) and node["dims"].count(name) == 1]
        if not every:
            raise UnreadError(f"an axis {name}")
        return every[0]["dims"].index(name)

    shape = walk.run.gradients[walk.target(step)].shape
    return Reader(scope, loss, gradient, part, axis, shape)


def largest_term(walk: Any, step: Any) -> Any:
    """Where terms cancel, what is left is as exact as they are."""
    terms = [numbers(other["contribution"]) for other in walk.steps if walk.target(other) == walk.target(step)]
    return max((float(term.abs().max()) for term in terms if term.numel()), default=0.0)


def formula_faults(walk: Any, step: Any) -> Any:
    """A formula that can't be read, or that is not the gradient."""
    if not step["math"]:
        return []
    if step["complete"] == step["math"].endswith("<mo>⋯</mo></mrow></math>"):
        return [f"{step['math']} is the whole gradient, or isn't, and says otherwise"]
    try:
        with torch_reference.DefaultDtype(torch.float64):
            left, right = reader_of(walk, step).equation(step["math"])
    except (UnreadError, RuntimeError, IndexError, TypeError, KeyError) as error:
        return [f"{step['math']} can't be read: {error!r}"]
    accumulated = numbers(step["accumulated"]).double()
    right = torch.as_tensor(right).double()
    whole = walk.run.gradients[walk.target(step)]
    found = [] if same(left.reshape(-1), whole.reshape(-1)) else [f"{step['math']} is about another gradient"]
    good = right.numel() == accumulated.numel() and same(
        right.reshape(-1), accumulated.reshape(-1), largest_term(walk, step)
    )
    return found if good else [*found, f"{step['math']} is not the gradient"]
