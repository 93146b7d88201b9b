"""What a walk says without its numbers: its steps, its tensors and the groups they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast
from weakref import WeakKeyDictionary

from backend.differentiate.lines import Line
from backend.equations.names import Names
from backend.execute.plan import Plan
from backend.present.absent import Absences
from backend.present.candidates import candidates
from backend.present.explain import Story, axes_of, keeps, sums
from backend.present.forward import forward_story
from backend.present.groups import groups_of
from backend.present.mathml import formulas
from backend.present.question_place import Proposal
from backend.present.questions import asked_about
from backend.present.schema import Group, Mode, NoGradient, PlannedBackward, PlannedForward, PlannedNode, Role, Sentence

Narration = Mapping[str, str]


@dataclass(frozen=True)
class Steps:
    """The steps of a plan explained, its tensors and groups, and what could be asked before each backward step."""

    forward: list[PlannedForward]
    backward: list[PlannedBackward]
    nodes: list[PlannedNode]
    groups: list[Group]
    questions: list[list[Proposal]]


# Kept as long as the plan is: its `bytes` count them.
_known: WeakKeyDictionary[Plan, Steps] = WeakKeyDictionary()


def steps_of(plan: Plan) -> Steps:
    """The steps of a plan; they are made once."""
    if plan not in _known and plan.origin is not None:
        _known[plan] = _planted(plan, steps_of(plan.origin))
    if plan not in _known:
        narration = plan.lesson.narration if plan.lesson else {}
        groups = groups_of(plan.graph)
        forward, backward = _forward_steps(plan, narration), _backward_steps(plan, narration)
        names = Names(plan.graph, plan.lines, plan.shapes)
        questions = asked_about(plan, names, [step["candidates"] for step in backward])
        _known[plan] = Steps(forward, backward, _nodes(plan, groups), groups, questions)
    return _known[plan]


def _planted(plan: Plan, steps: Steps) -> Steps:
    """The steps of a plan with a planted line: its text is another, and what was told of the right one still holds.

    Nothing is asked there: the right answer is not what the line says.
    """
    assert plan.origin is not None
    assert plan.planted is not None
    backward: list[PlannedBackward] = []
    every = zip(steps.backward, plan.lines, plan.rows, plan.pictures, plan.origin.pictures, strict=True)
    for number, (step, line, row, picture, before) in enumerate(every):
        cells = step["cells"] if picture is before else plan.picture_cells[number]
        placed: PlannedBackward = {**step, "code": line.code, "line": row, "lines": line.rows, "cells": cells}
        if number == plan.planted.number:
            arrives = picture.arrives if picture else None
            placed |= {"mode": cast(Mode, line.mode), "math": "", "candidates": [], "arrives": arrives}
            placed["explanation"] = [said for said in step["explanation"] if _still_arrives(said, arrives)]
        backward.append(placed)
    asked = [[] if number == plan.planted.number else one for number, one in enumerate(steps.questions)]
    return replace(steps, backward=backward, questions=asked)


def _still_arrives(sentence: Sentence, arrives: str | None) -> bool:
    """Whether the upstream gradient that a sentence tells of, if it does, goes into the planted line, too."""
    return sentence["kind"] != "upstream" or (arrives is not None and f"`{arrives}` arrives" in sentence["text"])


def _forward_steps(plan: Plan, narration: Narration) -> list[PlannedForward]:
    steps: list[PlannedForward] = []
    graph = plan.graph
    own_lines = not graph.unrolled
    for (chunk, primitives), cells in zip(graph.primitives(), plan.forward_cells, strict=True):
        items, broadcasts = forward_story(primitives, narration.get(str(chunk.node.name), ""))
        steps.append(
            {
                "direction": "forward",
                "node": str(chunk.node.name),
                "code": chunk.code,
                "line": chunk.line,
                "explanation": items,
                "broadcasts": broadcasts,
                "opens": own_lines and any(node.op.inside(node.call) for node in primitives if node.op),
                "views": chunk.node.saturates,
                "cells": cells,
                "math": "",
            }
        )
    return steps


def _backward_steps(plan: Plan, narration: Narration) -> list[PlannedBackward]:
    graph, lines = plan.graph, plan.lines
    last = {line.target: number for number, line in enumerate(lines)}
    names, math = Names(graph, lines, plan.shapes), formulas(lines, graph, plan.shapes)
    steps: list[PlannedBackward] = []
    story = Story(graph, lines)
    for number, (line, picture) in enumerate(zip(lines, plan.pictures, strict=True)):
        options = candidates(picture, names)
        expand = next((node for node in line.nodes if node.is_broadcast and sums(line)), None)
        complete = last[line.target] == number
        lesson = narration.get("d" + (line.target.name or "")) if complete else None
        steps.append(
            {
                "direction": "backward",
                "node": line.target.name,
                "through": line.through.node.name if line.through else None,
                "mode": cast(Mode, line.mode),
                "code": line.code,
                "line": plan.rows[number],
                "lines": line.rows,
                "forward_line": line.through.line if line.through else None,
                "complete": complete,
                "inner": line.variable if line.inner else None,
                "rule": (rules_of(line) or ["seed"])[-1],
                "rules": list(dict.fromkeys(rules_of(line))),
                "axes": axes_of(expand, keeps(line)) if expand else [],
                "arrives": picture.arrives if picture else None,
                "explanation": story.of(line, lesson),
                "math": math[number],
                "cells": plan.picture_cells[number],
                "candidates": options,
            }
        )
    return steps


def rules_of(line: Line) -> list[str]:
    """The operations that a line goes back through, in that order."""
    return [node.op.name() for node in line.nodes if node.op]


def _nodes(plan: Plan, groups: list[Group]) -> list[PlannedNode]:
    graph, reached = plan.graph, {line.target for line in plan.lines}
    group_of = {name: group["name"] for group in groups for name in group["nodes"]}
    chunks = {node: (chunk.line, chunk.code) for node, chunk in ((chunk.node, chunk) for chunk in graph.chunks)}
    absences = Absences(graph)
    documents: list[PlannedNode] = []
    for node in graph.named:
        name, (line, source) = str(node.name), chunks.get(node, (None, None))
        absent: NoGradient | None = None if node in reached else absences.of(node)
        documents.append(
            {
                "name": name,
                "variable": node.variable,
                "role": cast(Role, node.role),
                "line": line,
                "source": source,
                "shape": list(node.shape),
                "dims": node.dims,
                "inputs": plan.inputs_of[name],
                "no_gradient": absent,
                "group": group_of.get(name),
            }
        )
    return documents
