"""What a walk says without its numbers: its steps, its tensors and the groups they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.language.on_demand import OnDemand
from backend.lines.equations.names import names_of
from backend.present.absent import Absences
from backend.present.candidates import candidates
from backend.present.drawings import drawings_of
from backend.present.explain import Story, axes_of, keeps, sums
from backend.present.forward import forward_story
from backend.present.groups import groups_of
from backend.present.mathml import formulas
from backend.present.questions import asked_about
from backend.present.quiz_line import Proposal
from backend.present.schema import (
    Group,
    Mode,
    NoGradient,
    PlannedBackward,
    PlannedForward,
    PlannedNode,
    PlannedPart,
    Role,
    Sentence,
)

Narration = Mapping[str, str]


@dataclass(frozen=True)
class Steps:
    """The steps of a plan explained, its tensors and groups; what belongs to one step alone is made on demand."""

    plan: Plan
    forward: list[PlannedForward]
    backward: list[PlannedBackward]
    nodes: list[PlannedNode]
    groups: list[Group]
    parts: Sequence[PlannedPart]

    @cached_property
    def questions(self) -> list[list[Proposal]]:
        """What could be asked before each backward step.

        Nothing is asked at a planted line: the right answer is not what the line says.
        """
        plan, planted = self.plan, self.plan.planted
        if plan.origin is not None and planted is not None:
            asked = steps_of(plan.origin).questions
            return [[] if number == planted.number else one for number, one in enumerate(asked)]
        return asked_about(plan, [part["candidates"] for part in self.parts])


def steps_of(plan: Plan) -> Steps:
    """The steps of a plan; they are made once, and kept with it."""
    return plan.once(_steps)


def _steps(plan: Plan) -> Steps:
    if plan.origin is not None:
        return _planted(plan, steps_of(plan.origin))
    groups = groups_of(plan.graph)
    forward, backward = _forward_steps(plan, plan.narration), _backward_steps(plan, plan.narration)
    return Steps(plan, forward, backward, _nodes(plan, groups), groups, _parts(plan))


def _parts(plan: Plan) -> Sequence[PlannedPart]:
    """What is planned for each backward step alone."""
    drawings, names = drawings_of(plan), names_of(plan)
    math = formulas(plan.lines, names)

    def planned(number: int) -> PlannedPart:
        picture = drawings.pictures[number]
        return {
            "arrives": picture.arrives if picture else None,
            "math": math[number],
            "cells": drawings.picture_cells[number],
            "candidates": candidates(picture, names),
        }

    return OnDemand(len(plan.lines), planned)


def _planted(plan: Plan, steps: Steps) -> Steps:
    """The steps of a plan with a planted line: its text is another, and what was told of the right one still holds."""
    assert plan.planted is not None
    planted = plan.planted.number
    backward: list[PlannedBackward] = [
        {**step, "code": line.code, "line": row, "lines": line.rows}
        for step, line, row in zip(steps.backward, plan.lines, plan.rows, strict=True)
    ]
    picture = drawings_of(plan).pictures[planted]
    arrives = picture.arrives if picture else None
    said = [one for one in backward[planted]["explanation"] if _still_arrives(one, arrives)]
    backward[planted] |= {"mode": cast(Mode, plan.lines[planted].mode), "explanation": said}
    return replace(steps, plan=plan, backward=backward, parts=_planted_parts(plan, steps.parts))


def _planted_parts(plan: Plan, parts: Sequence[PlannedPart]) -> Sequence[PlannedPart]:
    assert plan.origin is not None
    assert plan.planted is not None
    drawings, before = drawings_of(plan), drawings_of(plan.origin).pictures
    planted = plan.planted.number

    def planned(number: int) -> PlannedPart:
        picture, part = drawings.pictures[number], parts[number]
        if number == planted:
            arrives = picture.arrives if picture else None
            return {"arrives": arrives, "math": "", "cells": drawings.picture_cells[number], "candidates": []}
        return part if picture is before[number] else {**part, "cells": drawings.picture_cells[number]}

    return OnDemand(len(plan.lines), planned)


def _still_arrives(sentence: Sentence, arrives: str | None) -> bool:
    """Whether the upstream gradient that a sentence tells of, if it does, goes into the planted line, too."""
    return sentence["kind"] != "upstream" or (arrives is not None and f"`{arrives}` arrives" in sentence["text"])


def _forward_steps(plan: Plan, narration: Narration) -> list[PlannedForward]:
    steps: list[PlannedForward] = []
    graph = plan.graph
    own_lines = not graph.unrolled
    for chunk, primitives in graph.primitives():
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
            }
        )
    return steps


def _backward_steps(plan: Plan, narration: Narration) -> list[PlannedBackward]:
    graph, lines = plan.graph, plan.lines
    last = {line.target: number for number, line in enumerate(lines)}
    steps: list[PlannedBackward] = []
    story = Story(graph, lines)
    for number, line in enumerate(lines):
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
                "explanation": story.of(line, lesson),
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
