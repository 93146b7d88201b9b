"""A walk as typed arrays made the one in nested lists again: what was left out is filled in by the rules of its types."""

from __future__ import annotations

import json
from typing import Any

import torch

from backend.engine.encode import lists
from tests.support.asking import array

Document = Any  # as JSON


def filled(sent: Document) -> Document:
    """The whole document in nested lists, of one that came whole as typed arrays."""
    document = _listed(sent)
    last: dict[str, Any] = {}
    for step in document["steps"]:
        if step["direction"] == "backward":
            if step["contribution"] is None:
                step["contribution"] = step["accumulated"]
            if step["node"]:
                last[step["node"]] = step["accumulated"]
    for node in document["nodes"]:
        if (gradient := node["gradient"]) is not None:
            made = last[node["same_as"] or node["name"]]
            assert "manual" not in gradient
            gradient["manual"] = made
            if "autograd" not in gradient:
                assert "difference" not in gradient
                gradient["autograd"], gradient["difference"] = made, lists(_plain(made) - _plain(made))
    return document


def put_together(near: Document, parts: Document) -> Document:
    """The whole document, as typed arrays, of one that has none of its parts, and of all of them."""
    back = sum(step["direction"] == "forward" for step in near["steps"])
    steps = [step | parts["parts"][str(step["index"])] for step in near["steps"]]
    for number, step in enumerate(steps[back:]):
        step |= {"accumulated": parts["gradients"][number], "question": parts["questions"][number]}
    judged = parts["judged"]
    nodes = [
        node | {"gradient": node["gradient"] and node["gradient"] | (judged[node["name"]] or {})}
        for node in near["nodes"]
    ]
    return near | {"steps": steps, "nodes": nodes}


def faults(one: Document, other: Document, where: str = "walk") -> list[str]:
    """Where two documents differ, to the sign of a zero; what the clock says is no difference."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in {**one, **other} if key != "milliseconds"]
        missing = [f"{where}.{key} is missing" for key in keys if not (key in one and key in other)]
        both = (key for key in keys if key in one and key in other)
        return missing + [fault for key in both for fault in faults(one[key], other[key], f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        every = enumerate(zip(one, other, strict=True))
        return [fault for place, pair in every for fault in faults(*pair, f"{where}[{place}]")]
    return [] if json.dumps(one) == json.dumps(other) else [f"{where}: {one!r} beside {other!r}"[:300]]


def _listed(value: Document) -> Document:
    """A document with its typed arrays as nested lists."""
    if isinstance(value, dict) and "dtype" in value and "shape" in value:
        tensor = array(value)
        return lists(tensor.bool() if value["dtype"] == "u1" else tensor)
    if isinstance(value, dict):
        return {key: _listed(part) for key, part in value.items()}
    return [_listed(part) for part in value] if isinstance(value, list) else value


def _plain(value: Document) -> torch.Tensor:
    """Nested lists as a tensor; what is not finite is a word in them."""
    return torch.tensor(_numbers(value))


def _numbers(value: Document) -> Any:
    return [_numbers(part) for part in value] if isinstance(value, list) else float(value)
