"""A walk with all that belongs to single steps, as typed arrays; what its answer leaves out because it equals is back."""

from __future__ import annotations

import base64
from typing import Any

from tests.tools.server import Server


def whole_walk(server: Server, request: dict[str, Any]) -> dict[str, Any]:
    """The walk of a request."""
    return filled(server.post("/api/walk?steps=all", request).json())


def filled(walk: dict[str, Any]) -> dict[str, Any]:
    """A whole typed walk with what equals another of its tensors in its place."""
    last: dict[str, Any] = {}
    for step in walk["steps"]:
        if step["direction"] == "backward":
            step["contribution"] = step["contribution"] or step["accumulated"]
            last[step["node"]] = step["accumulated"]
    for node in walk["nodes"]:
        if (gradient := node["gradient"]) and node["name"] in last:
            manual = gradient["manual"] = last[node["name"]]
            gradient["autograd"] = gradient.get("autograd", manual)
            gradient["difference"] = gradient.get("difference") or zeros(manual)
    return walk


def zeros(wire: dict[str, Any]) -> dict[str, Any]:
    """As many zeros."""
    if "pooled" in wire:
        none = {name: nothing(wire["pooled"][name]) for name in ("mean", "min", "max")}
        return wire | {"pooled": wire["pooled"] | {"rms": 0.0} | none}
    return wire | {"bdata": nothing(wire["bdata"])}


def nothing(text: str) -> str:
    """As many bytes of base64, all of them zero."""
    return base64.b64encode(bytes(len(base64.b64decode(text)))).decode()
