"""With this module everything about a walk that does not depend on its numbers is worked out once: the plan."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from backend.ask import candidates, question
from backend.differentiate import differentiate, scope_after
from backend.dims import name_axes
from backend.graph import Graph, Node
from backend.language.parse import parse
from backend.letters.formula import Writer
from backend.lines import Line
from backend.ops.stretch import Expand
from backend.request import Material
from backend.trace import trace
from backend.view.absent import Absences
from backend.view.explain import Story, axes_of
from backend.view.forward import forward_story
from backend.view.layout import Layout, lay_out, named_inputs
from backend.view.mathml import formulas
from backend.view.names import Names
from backend.view.picture import Picture, pictures_of
from backend.view.schema import Mode, NoGradient, PlannedBackward, PlannedForward, PlannedNode, Role

KEPT = 64


@dataclass
class Plan:
    """A program read, differentiated, printed, explained and laid out, for tensors of given shapes."""

    graph: Graph
    lines: list[Line]
    pictures: list[Picture | None]
    layout: Layout
    forward_steps: list[PlannedForward]
    backward_steps: list[PlannedBackward]
    backward_source: str
    nodes: list[PlannedNode]
    by_name: dict[str, Node]
    inputs_of: dict[str, list[str]]
    shapes: dict[str, object]

    @cached_property
    def writer(self) -> Writer:
        """Writes the formulas of these lines."""
        return Writer(self.shapes)


_plans: OrderedDict[Any, Plan | None] = OrderedDict()


def plan_for(material: Material) -> Plan:
    """The plan of a program; programs seen before (same text, shapes and constants) are not planned again.

    Where a rule was chosen by the numbers, as with targets to ignore, the plan is for these numbers alone.
    """
    key = _key(material)
    if key in _plans and _plans[key] is None:
        key = (*key, _digest(material))
    if (known := _plans.get(key)) is not None:
        _plans.move_to_end(key)
        return known
    plan = make_plan(material)
    if not plan.graph.actual:
        if plan.graph.by_numbers:
            _keep(_key(material), None)
            key = (*_key(material), _digest(material))
        _keep(key, plan)
    return plan


def _key(material: Material) -> tuple[Any, ...]:
    inputs = tuple((name, i.role, i.shape, i.dtype) for name, i in material.inputs.items())
    dims = tuple((name, tuple(axes)) for name, axes in material.dims.items())
    constants = tuple((name, repr(value)) for name, value in material.constants.items())
    lesson = material.lesson.name if material.lesson else None
    return (material.source, inputs, constants, material.loss, material.dtype, material.exact, dims, lesson)


def _digest(material: Material) -> bytes:
    digest = hashlib.sha256()
    for tensor in material.tensors.values():
        digest.update(tensor.numpy().tobytes())
    return digest.digest()


def _keep(key: tuple[Any, ...], plan: Plan | None) -> None:
    _plans[key] = plan
    _plans.move_to_end(key)
    while len(_plans) > KEPT:
        _plans.popitem(last=False)


def traced(material: Material) -> Graph:
    """The graph of a request's program; raises Refusal where the program is refused."""
    return trace(parse(material.source), material.inputs, material.constants, material.loss, material.tensors)


def make_plan(material: Material) -> Plan:
    """Parse, trace, differentiate, explain and lay out; raises Refusal where the program is refused."""
    graph = traced(material)
    name_axes(graph, material.dims)
    lines = differentiate(graph, material.exact)
    narration = material.lesson.narration if material.lesson else {}
    forward = _forward_steps(graph, narration)
    shapes = scope_after(lines, graph)
    pictures = pictures_of(lines, graph, shapes)
    backward = _backward_steps(graph, lines, pictures, narration, shapes)
    reached = {line.target for line in lines}
    extra = [f"d{variable} = d{node.variable}" for variable, node in graph.aliases.values() if node in reached]
    source = "\n".join([line.code for line in lines] + extra) + "\n"
    layout = lay_out(graph)
    nodes = node_documents(graph, layout, {line.target for line in lines})
    by_name = {str(node.name): node for node in graph.named}
    inputs_of = {entry["name"]: entry["inputs"] for entry in nodes}
    return Plan(graph, lines, pictures, layout, forward, backward, source, nodes, by_name, inputs_of, shapes)


def _forward_steps(graph: Graph, narration: Any) -> list[PlannedForward]:
    steps: list[PlannedForward] = []
    own_lines = not graph.unrolled
    for chunk, primitives in graph.primitives():
        items, broadcasts = forward_story(primitives, narration.get(chunk.node.name, ""))
        steps.append(
            {
                "direction": "forward",
                "node": str(chunk.node.name),
                "code": chunk.code,
                "line": chunk.line,
                "explanation": items,
                "broadcasts": broadcasts,
                "opens": own_lines and any(node.op.inside(node.call) for node in primitives if node.op),
                "math": "",
            }
        )
    return steps


def _backward_steps(
    graph: Graph, lines: list[Line], pictures: list[Picture | None], narration: Any, known: dict[str, object]
) -> list[PlannedBackward]:
    last = {line.target: number for number, line in enumerate(lines)}
    names, math = Names(graph, lines, known), formulas(lines, graph, known)
    steps: list[PlannedBackward] = []
    row, story = 1, Story(graph, lines)
    for number, (line, picture) in enumerate(zip(lines, pictures, strict=True)):
        options = candidates(picture, names)
        expand = next((node for node in line.nodes if node.op is Expand), None)
        complete = last[line.target] == number
        lesson = narration.get("d" + (line.target.name or "")) if complete else None
        steps.append(
            {
                "direction": "backward",
                "node": line.target.name,
                "through": line.through.node.name if line.through else None,
                "mode": cast(Mode, line.mode),
                "code": line.code,
                "line": row,
                "lines": len(line.statements),
                "forward_line": line.through.line if line.through else None,
                "complete": complete,
                "inner": line.variable if line.inner else None,
                "rule": line.nodes[-1].op.name() if line.nodes and line.nodes[-1].op else "seed",
                "axes": axes_of(expand) if expand else [],
                "arrives": picture.arrives if picture else None,
                "explanation": story.of(line, lesson),
                "math": math[number],
                "question": question(line, picture, options, names),
                "candidates": options,
            }
        )
        row += len(line.statements)
    return steps


def node_documents(graph: Graph, layout: Layout, reached: set[Node]) -> list[PlannedNode]:
    """What a walk says of each named tensor without its numbers; `reached` are those that get a gradient."""
    groups = {name: group["name"] for group in layout.groups for name in group["nodes"]}
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
                "inputs": [str(read.name) for read in named_inputs(node)] if line else [],
                "no_gradient": absent,
                "position": layout.nodes.get(name),
                "group": groups.get(name),
            }
        )
    return documents
