"""With this module a program is looked at without being run: is it understood, and which shapes come out?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.graph import Graph, Node
from backend.language.errors import Refusal
from backend.language.glance import glance
from backend.opened import fused
from backend.plan import traced
from backend.request import read


def check(request: Mapping[str, Any]) -> dict[str, Any]:
    """The shape of every chunk, by line; raises Refusal where a walk would.

    Of several mistakes it is first one that no shape can mend; while `unfinished` names inputs that are still to be
    described, only such a one is refused.
    """
    unfinished = request.get("unfinished")
    if unfinished and "source" in request:
        glance(request["source"], [*_given(request), *unfinished])
        return {"chunks": [], "loss": None, "gradients": 0}
    try:
        return _report(request)
    except Refusal as refusal:
        if refusal.code == "name-unknown":
            glance(request["source"], _given(request))
        raise


def _given(request: Mapping[str, Any]) -> list[str]:
    return [*request.get("tensors", {}), *request.get("constants", {})]


def _report(request: Mapping[str, Any]) -> dict[str, Any]:
    material = read(request)
    graph = traced(material)
    chunks = [
        {
            "line": chunk.source[0],
            "name": chunk.node.name,
            "shape": list(chunk.node.shape),
            "opens": not graph.unrolled and fused(chunk, graph) is not None,
        }
        for chunk in graph.chunks
    ]
    gradients = (_reached(graph) & set(graph.named)) - {graph.loss}
    return {"chunks": chunks, "loss": graph.loss.name, "gradients": len(gradients)}


def _reached(graph: Graph) -> set[Node]:
    """The nodes that a gradient of the loss arrives at."""
    reached, pending = {graph.loss}, [graph.loss]
    for node in pending:
        fresh = {one for one in node.inputs.values() if one.needs and node.needs} - reached
        reached |= fresh
        pending += fresh
    return reached
