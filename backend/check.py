"""With this module a program is looked at without being run: is it understood, and which shapes come out?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.language.glance import glance
from backend.opened import fused, graph_is_unrolled
from backend.plan import traced
from backend.request import read


def check(request: Mapping[str, Any]) -> dict[str, Any]:
    """The shape of every chunk, by line; raises Refusal as a walk would, at the same place.

    While `unfinished` names inputs that are still to be described, only what no shape can mend is refused.
    """
    unfinished = request.get("unfinished", [])
    if unfinished and "source" in request:
        glance(request["source"], [*request["tensors"], *request.get("constants", {}), *unfinished])
        return {"chunks": [], "loss": None, "gradients": 0}
    material = read(request)
    graph = traced(material)
    unrolled = graph_is_unrolled(graph, material)
    chunks = [
        {
            "line": chunk.source[0],
            "name": chunk.node.name,
            "shape": list(chunk.node.shape),
            "opens": not unrolled and fused(chunk, graph) is not None,
        }
        for chunk in graph.chunks
    ]
    return {"chunks": chunks, "loss": graph.loss.name, "gradients": sum(node.needs for node in graph.named)}
