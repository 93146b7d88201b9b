"""The pipeline, stage by stage: parse, trace, differentiate, run, verify, present. Begin reading here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from backend.engine.differentiate.reverse import differentiate
from backend.engine.encode import as_json
from backend.engine.execute.plan import Plan, plan_for, plan_of
from backend.engine.execute.planting import line_number, plant
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.parse import parse
from backend.engine.trace.axis_names import name_axes
from backend.engine.trace.faults import survey, together
from backend.engine.trace.graph import Graph
from backend.engine.trace.tracer import trace
from backend.engine.verify.compare import verify
from backend.lines.mistakes.planting import plant_mistake
from backend.lowering.found import is_found, lowered
from backend.present.document import present
from backend.present.only import only
from backend.present.retelling import retold
from backend.program.changes import changed
from backend.program.request import Material, Request, identity, read
from backend.program.runs import Run, execute, keep_run, kept_run, make_room


@guarded
def walk(request: Request, names: Path | None = None) -> bytes:
    """The walk that a request asks for, as a finished JSON document.

    `request` is the body of POST /api/walk with `arrays` ("typed" or "lists") beside it, and `steps` ("near", or "all"
    with what belongs to single steps); `names` is a word list that takes the place of the embedded one. With `only` it
    holds no more than the loss and these tensors. Raises Refusal where the request can't be carried out.
    """
    run = new_run(request, names)
    arrays = str(request.get("arrays", "typed"))
    if "only" in request:
        return as_json(only(run, request["only"], run.identity, arrays), arrays)
    verdicts = verify(run)
    return as_json(present(run, verdicts, run.identity, arrays, request.get("steps") == "all"), arrays)


def new_run(request: Request, names: Path | None = None) -> Run:
    """A request's program and tensors, planned and run; the run is kept for questions about the walk."""
    make_room()
    material = material_of(request, names)
    if "only" not in request and (request.get("changes") or material.told_by is not material.lesson):
        material = retold(material, names, planned)
    plan = with_plant(planned(material), request.get("plant"))
    run = execute(plan, material)
    run.identity = identity(request)
    keep_run(run)
    return run


def trial_run(request: Request, names: Path | None = None) -> Run:
    """A request run without being kept: who moves a number asks for many that nobody comes back to."""
    material = material_of(request, names)
    return execute(planned(material), material)


def material_of(request: Request, names: Path | None = None) -> Material:
    """The program and tensors that a request asks for, with the changes that it makes to them."""
    return changed(settled(read(request, names)), request.get("changes", []), planned)


def settled(material: Material) -> Material:
    """The material of a program that can be planned: code as found becomes one; raises Refusal where neither can be.

    Of tables without a program there is nothing to plan.
    """
    if not material.source.strip():
        return material
    try:
        planned(material)
    except Refusal as refusal:
        if material.lesson is not None or not is_found(material, refusal):
            raise
        return lowered(material, refusal)
    return material


def with_plant(plan: Plan, wanted: Request | None) -> Plan:
    """The plan with the line or the mistake that a request plants; raises Refusal where there is no such step."""
    if wanted is None:
        return plan
    number = line_number(plan, wanted["step"])
    return plant(plan, number, wanted["code"]) if "code" in wanted else plant_mistake(plan, number, wanted["mistake"])


def planned(material: Material) -> Plan:
    """The plan of a program, kept or made."""
    if material.plan is None:
        material.plan = plan_for(material, make_plan)
    plan: Plan = material.plan
    return plan


def make_plan(material: Material) -> Plan:
    """What a program becomes before it meets its numbers; `plan_for` asks for it once for each program."""
    if material.narration:
        return replace(planned(replace(material, told_by=None)), narration=material.narration)
    graph = traced(material)
    name_axes(graph, material.dims)
    lines = differentiate(graph, material.exact)
    return plan_of(graph, lines)


def traced(material: Material) -> Graph:
    """The graph of a program; raises Refusal where the program is refused: its first fault, with all others."""
    try:
        return traced_to_a_fault(material)
    except Refusal as refusal:
        if refusal.__cause__ is not None:  # what nobody foresaw is not called for again
            raise
        found = survey(material.source, material.inputs, material.constants, material.tensors)
        raise together(refusal, found.faults) from None


def traced_to_a_fault(material: Material) -> Graph:
    """The same where nobody reads what else is refused: it costs half as much."""
    return trace(parse(material.source), material.inputs, material.constants, material.loss, material.tensors)


def run_of(request: Request, names: Path | None = None) -> Run:
    """The run that a question about a walk looks into: the one that was kept, else a new one."""
    return kept_run(identity(request)) or new_run(request, names)
