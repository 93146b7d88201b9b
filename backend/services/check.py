"""Checks a program without running it: all its mistakes, or the shape of every line."""

from __future__ import annotations

from backend.encode import Document
from backend.language.guard import guarded
from backend.pipeline import traced
from backend.program.request import Request, read
from backend.services.decompose import fused
from backend.trace.faults import survey, together
from backend.trace.graph import Chunk, Graph


@guarded
def check(request: Request) -> Document:
    """The shape of every chunk, by line; raises Refusal where a walk would, with all faults that can be told.

    While `unfinished` names inputs that aren't described yet, neither they nor missing names are faults, and the
    report has the lines that need none of them.
    """
    if request.get("unfinished") and "source" in request:
        return _outline(request)
    graph = traced(read(request))
    gradients = (graph.reached & set(graph.named)) - {graph.loss}
    chunks = [_told(chunk, not graph.unrolled and _opens(chunk, graph)) for chunk in graph.chunks]
    return {"chunks": chunks, "loss": graph.loss.name, "gradients": len(gradients)}


def _outline(request: Request) -> Document:
    """What can be told of a program while its tables are being filled."""
    given = read({"tensors": {}, **request})
    found = survey(given.source, given.inputs, given.constants, given.tensors, request["unfinished"])
    if found.faults:
        raise together(found.faults[0], found.faults)
    return {"chunks": [_told(chunk, False) for chunk in found.chunks], "loss": None, "gradients": 0}


def _opens(chunk: Chunk, graph: Graph) -> bool:
    return fused(chunk, graph) is not None


def _told(chunk: Chunk, opens: bool) -> Document:
    node = chunk.node
    return {"line": chunk.source[0], "name": node.name, "shape": list(node.shape), "opens": opens}
