"""With this module everything about a walk that does not depend on its numbers is worked out once: the plan."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from backend.ask import candidates, question
from backend.differentiate import Line, differentiate, scope_after
from backend.dims import name_axes
from backend.graph import Graph, Node
from backend.language.parse import parse
from backend.letters.formula import Writer
from backend.ops.stretch import Expand
from backend.request import Material
from backend.trace import trace
from backend.view.explain import axes_of, backward_story, forward_story
from backend.view.layout import Layout, lay_out, named_inputs
from backend.view.mathml import mathml
from backend.view.picture import Picture, picture_of

Document = dict[str, Any]
KEPT = 64


@dataclass
class Plan:
    """A program read, differentiated, printed, explained and laid out, for tensors of given shapes."""

    graph: Graph
    lines: list[Line]
    pictures: list[Picture | None]
    layout: Layout
    forward_steps: list[Document]
    backward_steps: list[Document]
    backward_source: str
    nodes: list[Document]
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
    return (material.source, inputs, constants, material.loss, material.dtype, material.exact, dims)


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
    pictures = [picture_of(line, graph) for line in lines]
    narration = material.lesson.narration if material.lesson else {}
    forward = _forward_steps(graph, narration)
    shapes = scope_after(lines, graph)
    backward = _backward_steps(graph, lines, pictures, narration, shapes)
    reached = {line.target for line in lines}
    extra = [f"d{variable} = d{node.variable}" for variable, node in graph.aliases.values() if node in reached]
    source = "\n".join([line.code for line in lines] + extra) + "\n"
    layout = lay_out(graph)
    nodes = node_documents(graph, layout)
    by_name = {str(node.name): node for node in graph.named}
    inputs_of = {entry["name"]: entry["inputs"] for entry in nodes}
    return Plan(graph, lines, pictures, layout, forward, backward, source, nodes, by_name, inputs_of, shapes)


def _forward_steps(graph: Graph, narration: Any) -> list[Document]:
    steps = []
    own_lines = not graph.unrolled
    for chunk, primitives in graph.primitives():
        items, broadcasts = forward_story(primitives)
        steps.append(
            {
                "direction": "forward",
                "node": chunk.node.name,
                "code": chunk.code,
                "line": chunk.line,
                "explanation": _told(narration.get(chunk.node.name)) + items,
                "broadcasts": broadcasts,
                "opens": own_lines and any(node.op.inside(node.call) for node in primitives if node.op),
                "math": "",
            }
        )
    return steps


def _told(text: str | None) -> list[dict[str, str]]:
    return [{"kind": "lesson", "text": text}] if text else []


def _backward_steps(
    graph: Graph, lines: list[Line], pictures: list[Picture | None], narration: Any, known: dict[str, object]
) -> list[Document]:
    last = {line.target: number for number, line in enumerate(lines)}
    steps, row = [], 1
    for number, (line, picture) in enumerate(zip(lines, pictures, strict=True)):
        options = candidates(picture, line.target.shape, known)
        expand = next((node for node in line.nodes if node.op is Expand), None)
        complete = last[line.target] == number
        told = _told(narration.get("d" + (line.target.name or ""))) if complete else []
        steps.append(
            {
                "direction": "backward",
                "node": line.target.name,
                "through": line.through.node.name if line.through else None,
                "mode": line.mode,
                "code": line.code,
                "line": row,
                "lines": len(line.statements),
                "forward_line": line.through.line if line.through else None,
                "complete": complete,
                "inner": line.variable if line.inner else None,
                "rule": line.nodes[-1].op.name() if line.nodes and line.nodes[-1].op else "seed",
                "axes": axes_of(expand) if expand else [],
                "explanation": told + backward_story(line, graph),
                "math": mathml(line, graph),
                "question": question(line, picture, options),
                "candidates": options,
            }
        )
        row += len(line.statements)
    return steps


def node_documents(graph: Graph, layout: Layout) -> list[Document]:
    """What a walk says of each named tensor without its numbers."""
    groups = {name: group["name"] for group in layout.groups for name in group["nodes"]}
    chunks = {id(chunk.node): chunk for chunk in graph.chunks}
    documents = []
    for node in graph.named:
        chunk = chunks.get(id(node))
        documents.append(
            {
                "name": node.name,
                "variable": node.variable,
                "role": node.role,
                "line": chunk.line if chunk else None,
                "source": chunk.code if chunk else None,
                "shape": list(node.shape),
                "dims": node.dims,
                "inputs": [source.name for source in named_inputs(node)] if chunk else [],
                "position": layout.nodes[str(node.name)],
                "group": groups.get(str(node.name)),
                "view": None,
            }
        )
    return documents
