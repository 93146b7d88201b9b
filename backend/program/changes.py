"""Changes made by hand before a walk: to cells, to whole tensors, and by steps of gradient descent."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import torch

from backend.engine.execute.lookup import known
from backend.engine.execute.plan import Plan
from backend.engine.execute.run import as_dtype, run_backward, run_forward
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import UNWANTED
from backend.engine.language.parse import parse
from backend.engine.language.tree import names_in, names_of, nodes_in
from backend.engine.language.unparse import printed
from backend.engine.language.unused import numbered
from backend.engine.trace.graph import Graph, Node
from backend.engine.trace.inputs import Input
from backend.program.request import Material

Change = Mapping[str, Any]
Along = int | list[int] | None
Planner = Callable[[Material], Plan]
Statement = TypeVar("Statement", bound=ast.stmt)


def changed(material: Material, changes: Sequence[Change], plan_of: Planner) -> Material:
    """The material after these changes, one after the other.

    A change is a new `value` for the cells at `index` (all cells, without one), a factor (`scale`), something added
    (`shift`), normal noise of this size (`noise`, with its `seed`), one size for all with each cell's own sign
    (`saturate`), or `steps` of gradient descent with this rate (`descend`). A tensor that a line computes is cut loose
    from it: the line goes, and the tensor becomes an input. Raises Refusal for an unknown tensor, for the loss, for
    whole numbers and for an index outside.
    """
    for change in changes:
        material = _descended(material, change, plan_of) if "descend" in change else _moved(material, change, plan_of)
    return material


def _moved(material: Material, change: Change, plan_of: Planner) -> Material:
    name = change["tensor"]
    material = loose(material, name, plan_of)
    tensor = as_dtype(material.tensors[name], material.dtype).clone()
    if not tensor.is_floating_point():
        raise Refusal("change-whole-numbers", found=name)
    part = _part(tensor, name, change.get("index", []))
    if "value" in change:
        part.fill_(change["value"])
    elif "scale" in change:
        part.mul_(change["scale"])
    elif "shift" in change:
        part.add_(change["shift"])
    elif "saturate" in change:
        part.copy_(part.sign() * change["saturate"])
    else:
        g = torch.Generator().manual_seed(change.get("seed", 0))
        part.add_(torch.randn(part.shape, generator=g).to(part.dtype), alpha=change["noise"])
    return replace(material, tensors={**material.tensors, name: tensor})


def _part(tensor: torch.Tensor, name: str, index: Sequence[Along]) -> torch.Tensor:
    """The cells at an index, as a view: for each axis a place, a range such as [0, 4], or None for the whole axis."""
    if len(index) > tensor.dim() or any(_end_of(i) > size for i, size in zip(index, tensor.shape, strict=False)):
        raise Refusal("cell-outside", found=list(index), tensor=name, shape=shape_text(tuple(tensor.shape)))
    return tensor[tuple(slice(None) if i is None else slice(*i) if isinstance(i, list) else i for i in index)]


def _end_of(along: Along) -> int:
    """The place after the last one that is meant."""
    return 0 if along is None else along[1] if isinstance(along, list) else along + 1


def _descended(material: Material, change: Change, plan_of: Planner) -> Material:
    """All parameters moved against their gradients, as often as asked."""
    for _ in range(change.get("steps", 1)):
        plan = plan_of(material)
        values = run_forward(plan.graph, material.tensors, material.dtype).values
        gradients = run_backward(plan.lines, values, material.dtype).gradients
        steps = {name: gradients["d" + name] for name in parameters_of(material) if "d" + name in gradients}
        if not steps:
            raise Refusal("descent-no-parameter")
        moved = {
            name: as_dtype(material.tensors[name], material.dtype) - change["descend"] * gradient
            for name, gradient in steps.items()
        }
        material = replace(material, tensors={**material.tensors, **moved})
    return material


def touched(material: Material, changes: Sequence[Change]) -> set[str]:
    """The tensors that changes give other numbers."""
    descends = any("descend" in change for change in changes)
    return {change["tensor"] for change in changes if "tensor" in change}.union(
        parameters_of(material) if descends else ()
    )


def parameters_of(material: Material) -> list[str]:
    """The names of the inputs that a step of gradient descent moves."""
    return [name for name, given in material.inputs.items() if given.role == "parameter" and given.needs]


def loose(material: Material, name: str, plan_of: Planner) -> Material:
    """The material of the program in which a tensor is an input; a computed one has the values that it had.

    What a lesson says before the first step is said of its own program: it is left out where a line is cut.
    """
    if name in material.tensors:
        return material
    graph = plan_of(material).graph
    node = known(graph.by_variable, name)
    if node is graph.loss:
        raise Refusal("change-of-loss", found=name)
    value = run_forward(graph, material.tensors, material.dtype).tensors[name]
    made = replace(
        material,
        source=_without(graph, node),
        tensors={**material.tensors, name: value},
        inputs={**material.inputs, name: Input("data" if node.needs else "target", node.shape, value.dtype)},
        dims={**material.dims, name: node.dims} if any(node.dims) else material.dims,
        loss=graph.loss.variable,
        lesson=material.lesson and replace(material.lesson, beginning=()),
    )
    text = printed(node.written)
    if _reads(plan_of(made).graph, text) > _reads(graph, text, node):  # a pair or a list goes on with what was computed
        raise Refusal("change-second-name", found=name)
    return made


def _reads(graph: Graph, text: str, but: Node | None = None) -> int:
    """How often a program's operations read what is computed by such a text, without one of these tensors."""
    computed = {id(node) for node in graph.nodes if node.op and node is not but and printed(node.written) == text}
    return sum(id(one) in computed for node in graph.nodes for one in node.inputs.values())


def _without(graph: Graph, node: Node) -> str:
    """The program without what gives a tensor's name a value; the lines after it keep their places."""
    statements = parse(graph.forward_source).statements
    lines = graph.forward_source.split("\n")
    texts = _texts_without(statements, node.variable)
    for one in texts:
        there = [other for other in statements if other.lineno <= _end(one) and _end(other) >= one.lineno]
        first, last = there[0].lineno, max(map(_end, there))
        kept = [texts.get(other, printed(other)) for other in there]
        lines[first - 1 : last] = ["; ".join(filter(None, kept))] + [""] * (last - first)
    return "\n".join(lines)


def _texts_without(statements: Sequence[ast.stmt], variable: str) -> dict[ast.stmt, str]:
    """What stands in the place of the statements that mention a name up to the one that makes its tensor.

    What the name was before that, a number, goes by another name: the tensor is there from the first line on.
    """
    made = [one for one in statements if isinstance(one, ast.Assign) and variable in _stored(one)][-1]
    taken = set().union(*map(names_in, statements))
    other = numbered(f"{variable}_before", lambda name: name in taken, "_")
    earlier = [one for one in statements[: statements.index(made)] if variable in names_in(one)]
    texts = {one: printed(_renamed(one, variable, other)) for one in earlier}
    return texts | {made: _text_without(_renamed(made, variable, other), other)}


def _renamed(statement: Statement, variable: str, other: str) -> Statement:
    made = cast(Statement, ast.parse(printed(statement)).body[0])
    for node in nodes_in(made):
        if isinstance(node, ast.Name) and node.id == variable:
            node.id = other
    return made


def _text_without(statement: ast.Assign, variable: str) -> str:
    """The assignment without one of its targets; nothing where it is the only one."""
    names = [UNWANTED if name == variable else name for name in _stored(statement)]
    return f"{', '.join(names)} = {printed(statement.value)}" if set(names) != {UNWANTED} else ""


def _stored(statement: ast.Assign) -> list[str]:
    return names_of(statement.targets[0])


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno
