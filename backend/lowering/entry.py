"""What of a pasted text is the forward pass, and which of its results the loss."""

from __future__ import annotations

import ast
import re
from typing import Any

from backend.engine.language.tree import nodes_in, number, worked_out_once
from backend.engine.language.values import Parameters
from backend.lowering.values import Bound, Class, Function, Instance, Special, Static, Unknown

# What results are called that are losses, and that only tell how good they are.
LOSSES, TELLING = re.compile(r"loss|(^|_)(nll|elbo|objective)$"), re.compile(r"(^|_)(acc|accuracy|correct|n_|num_)")
MOST_PICKED = 8  # of `*args`
FORWARD = ("forward", "__call__", "loss", "training_step", "compute_loss", "call")


def methods_of(of: Class) -> dict[str, Function]:
    """The methods of a class that can be walked."""
    return {name: one for name, one in of.names.items() if isinstance(one, Function) and not name.startswith("__init")}


def chosen(names: Parameters) -> Function | Class | None:
    """The function or class that is the outermost one: the last that no other mentions, classes of layers first."""
    own = [one for one in names.values() if isinstance(one, Function | Class) and one.own]
    read = {id(one): _mentions(one.node) for one in own}
    tops = [one for one in own if not any(one.name in read[id(other)] for other in own if other is not one)]
    classes = [one for one in tops or own if isinstance(one, Class) and forward_of(one) is not None]
    functions = [one for one in tops or own if isinstance(one, Function)]
    for wanted in FORWARD:
        for one in functions:
            if one.name == wanted:
                return one
    if classes and not any(_takes_tensors(one) for one in functions):
        return classes[-1]
    if functions and not classes:
        return functions[-1]
    return classes[-1] if classes else None


def _takes_tensors(function: Function) -> bool:
    """Whether a function is a loss or a step, and not one that trains or loads data."""
    return function.name.lower().startswith(("loss", "forward", "compute_loss"))


def forward_of(of: Class) -> str | None:
    """The method of a class that is its forward pass."""
    named = {
        name
        for one in of.order()
        if one.own
        for name, value in one.names.items()
        if isinstance(value, Function | Static)
    }
    public = [name for name in named if not name.startswith("_")]
    own = next((name for name in FORWARD if name in named), public[0] if len(public) == 1 else None)
    return own or ("forward" if _inherits(of) else None)


def _inherits(of: Class) -> bool:
    """Whether a class has the forward pass of a layer of PyTorch that it is made of, or a base that calls its `net`."""
    bases = {one.name for one in of.order() if not one.own and "forward" in one.names}
    keeps_net = any(isinstance(node, ast.Attribute) and node.attr == "net" for node in nodes_in(of.node))
    return bool(bases - {"Foreign"}) or ("Foreign" in bases and keeps_net)


@worked_out_once
def _mentions(definition: ast.AST) -> set[str]:
    return {node.id for node in nodes_in(definition) if isinstance(node, ast.Name)}


def losses_first(result: Any) -> Any:
    """Several results in the order in which they are likely to be the loss: by their keys, or by their names."""
    if isinstance(result, dict):
        return [result[key] for key in sorted(result, key=_rank)]
    if type(result) in (tuple, list):
        return sorted(result, key=lambda one: _rank(getattr(one, "variable", None)))
    return result


def _rank(name: object) -> int:
    said = str(name or "")
    return 0 if LOSSES.search(said) else 2 if TELLING.search(said) else 1


__all__ = ["Bound", "Instance", "Special", "Unknown", "chosen", "forward_of", "methods_of"]


def picked(function: Function, name: str) -> int:
    """How many of `*args` a function picks by their numbers."""
    picks = (one for one in nodes_in(function.node) if isinstance(one, ast.Subscript))
    places = [number(one.slice) for one in picks if isinstance(one.value, ast.Name) and one.value.id == name]
    least = (place + 1 if place >= 0 else -place for place in places if type(place) is int)
    return min(max(least, default=0), MOST_PICKED)
