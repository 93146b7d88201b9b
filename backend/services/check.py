"""Checks a program without running it: all its mistakes, or the shape of every line."""

from __future__ import annotations

import re
from dataclasses import replace

from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.trace.faults import survey, together
from backend.engine.trace.graph import Chunk, Graph
from backend.lowering.found import is_found
from backend.pipeline import planned, settled
from backend.present.found import told as told_found
from backend.program.request import Material, Request, read
from backend.services.answer_types import CheckedLine, CheckReport
from backend.services.decompose import fused
from backend.services.fixes import with_fixes
from backend.services.needs import needs_of

MISSING = "name-unknown"


@guarded
def check(request: Request) -> CheckReport:
    """The shape of every chunk, by line; raises Refusal where a walk would, with all faults that can be told.

    While `unfinished` names inputs that aren't described yet, neither they nor missing names are faults, and the
    report has the lines that need none of them. `needs`, of a report and of a refusal, says what is known of each
    tensor that is missing; a fault's `fix` what to write instead. Of code as found `found` says what is walked.
    """
    material = read(request)
    try:
        made = settled(material)
        return _report(made)
    except Refusal as refusal:
        if request.get("unfinished") and "source" in request and not is_found(material, refusal):
            return _outline(material, request["unfinished"])
        names = [str(one.where["text"]) for one in (refusal, *refusal.others) if one.code == MISSING and one.where]
        refusal.needs = refusal.needs or needs_of(_as_meant(material, refusal), names)
        with_fixes(refusal, material.source)
        raise


def _as_meant(material: Material, refusal: Refusal) -> Material:
    """The same with names in the place of those that are theirs but for a letter."""
    source = material.source
    for one in (refusal, *refusal.others):
        if one.code == "name-near" and one.where:
            source = re.sub(rf"\b{re.escape(str(one.where['text']))}\b", str(one.facts["near"]), source)
    return replace(material, source=source)


def _report(material: Material) -> CheckReport:
    graph = planned(material).graph
    gradients = (graph.reached & set(graph.named)) - {graph.loss}
    opens = not graph.unrolled and material.found is None
    chunks = [_told(chunk, opens and _opens(chunk, graph)) for chunk in graph.chunks]
    report: CheckReport = {"chunks": chunks, "loss": graph.loss.name, "gradients": len(gradients), "needs": []}
    return {**report, "found": told_found(material.found)} if material.found else report


def _outline(material: Material, unfinished: list[str]) -> CheckReport:
    """What can be told of a program while its tables are being filled."""
    found = survey(material.source, material.inputs, material.constants, material.tensors, unfinished)
    needs = needs_of(material, [*unfinished, *found.missing])
    if found.faults:
        refusal = together(found.faults[0], found.faults)
        refusal.needs = needs
        raise with_fixes(refusal, material.source)
    return {"chunks": [_told(chunk, False) for chunk in found.chunks], "loss": None, "gradients": 0, "needs": needs}


def _opens(chunk: Chunk, graph: Graph) -> bool:
    return fused(chunk, graph) is not None


def _told(chunk: Chunk, opens: bool) -> CheckedLine:
    node = chunk.node
    return {"line": chunk.source[0], "name": node.name or node.variable, "shape": list(node.shape), "opens": opens}
