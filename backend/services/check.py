"""Checks a program without running it: all its mistakes, or the shape of every line."""

from __future__ import annotations

from backend.engine.encode import Document
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.trace.faults import survey, together
from backend.engine.trace.graph import Chunk, Graph
from backend.pipeline import traced
from backend.program.request import Request, read
from backend.services.decompose import fused
from backend.services.guess import guesses

MISSING = "name-unknown"


@guarded
def check(request: Request) -> Document:
    """The shape of every chunk, by line; raises Refusal where a walk would, with all faults that can be told.

    While `unfinished` names inputs that aren't described yet, neither they nor missing names are faults, and the
    report has the lines that need none of them. `needs`, of a report and of a refusal, says what is known of each
    tensor that is missing.
    """
    if request.get("unfinished") and "source" in request:
        return _outline(request)
    material = read(request)
    try:
        graph = traced(material)
    except Refusal as refusal:
        names = [str(one.where["text"]) for one in (refusal, *refusal.others) if one.code == MISSING and one.where]
        refusal.needs = [guess.document() for guess in guesses(material, names)]
        raise
    gradients = (graph.reached & set(graph.named)) - {graph.loss}
    chunks = [_told(chunk, not graph.unrolled and _opens(chunk, graph)) for chunk in graph.chunks]
    return {"chunks": chunks, "loss": graph.loss.name, "gradients": len(gradients), "needs": []}


def _outline(request: Request) -> Document:
    """What can be told of a program while its tables are being filled."""
    material, unfinished = read({"tensors": {}, **request}), request["unfinished"]
    found = survey(material.source, material.inputs, material.constants, material.tensors, unfinished)
    needs = [guess.document() for guess in guesses(material, [*unfinished, *found.missing])]
    if found.faults:
        refusal = together(found.faults[0], found.faults)
        refusal.needs = needs
        raise refusal
    return {"chunks": [_told(chunk, False) for chunk in found.chunks], "loss": None, "gradients": 0, "needs": needs}


def _opens(chunk: Chunk, graph: Graph) -> bool:
    return fused(chunk, graph) is not None


def _told(chunk: Chunk, opens: bool) -> Document:
    node = chunk.node
    return {"line": chunk.source[0], "name": node.name, "shape": list(node.shape), "opens": opens}
