"""Checks a program without running it: its mistakes, or the shape of every line."""

from __future__ import annotations

from backend.encode import Document
from backend.interpret.precheck import precheck
from backend.language.errors import Refusal
from backend.language.guard import guarded
from backend.pipeline import traced
from backend.program.request import Request, read
from backend.services.decompose import fused


@guarded
def check(request: Request) -> Document:
    """The shape of every chunk, by line; raises Refusal where a walk would.

    Mistakes that don't depend on shapes are reported before shape errors. While `unfinished` names inputs that aren't
    described yet, only mistakes of the first kind are reported.
    """
    unfinished = request.get("unfinished")
    if unfinished and "source" in request:
        precheck(request["source"], [*_given(request), *unfinished])
        return {"chunks": [], "loss": None, "gradients": 0}
    try:
        return _report(request)
    except Refusal as refusal:
        if refusal.code == "name-unknown":
            precheck(request["source"], _given(request))
        raise


def _given(request: Request) -> list[str]:
    return [*request.get("tensors", {}), *request.get("constants", {})]


def _report(request: Request) -> Document:
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
    gradients = (graph.reached & set(graph.named)) - {graph.loss}
    return {"chunks": chunks, "loss": graph.loss.name, "gradients": len(gradients)}
