"""With this module one number of a walk opens into the terms that it is the sum of.

A term is a local derivative times what arrives. Local derivatives are torch's own, of the statement as it ran; what
arrives and what is shown are the walk's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import torch

from backend.differentiate import Line
from backend.graph import Node
from backend.language.errors import Refusal
from backend.language.evaluate import shown as spelled
from backend.local import moved_by, statement_of
from backend.ops.stretch import Expand
from backend.reading import Reading, reading
from backend.runs import Run, run_of
from backend.terms import Terms, largest, terms_of, total, ulp_of
from backend.wire import number

Document = dict[str, Any]
Index = tuple[int, ...]


def cell(wanted: Mapping[str, Any], names: Path | None = None) -> Document:
    """The terms of one cell of a value, a gradient or one step's contribution.

    `wanted` is the body of POST /api/cell. Raises Refusal where there is no such tensor, cell, gradient or step.
    """
    run = run_of(wanted["walk"], names)
    return cell_of(run, wanted["tensor"], wanted["which"], tuple(wanted["index"]), wanted.get("step"))


def cell_of(run: Run, name: str, which: str, index: Index, step: int | None = None) -> Document:
    """The same for a run that is at hand."""
    node = find(run, name)
    if len(index) != len(node.shape) or any(not 0 <= i < size for i, size in zip(index, node.shape, strict=True)):
        raise Refusal("cell-outside", found=list(index), tensor=name, shape=spelled(node.shape))
    answer = _value(run, node, index) if which == "value" else _gradient(run, node, index, step)
    return {"tensor": name, "which": which, "index": list(index), **answer}


def find(run: Run, name: str) -> Node:
    """The node of a name as the walk has it, aliases included; raises Refusal with the nearest name that is there."""
    known = run.plan.by_name | {alias: node for alias, (_, node) in run.plan.graph.aliases.items()}
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    raise Refusal("tensor-near" if near else "tensor-unknown", found=name, near=near[0] if near else "")


def gradient_of(run: Run, node: Node) -> torch.Tensor:
    """A node's manual gradient; raises Refusal where it has none."""
    if not node.needs:
        raise Refusal("gradient-none", found=node.name)
    if "d" + node.variable not in run.gradients:
        raise Refusal("gradient-unreached", found=node.name, loss=run.plan.graph.loss.name)
    return run.gradients["d" + node.variable]


def _gradient(run: Run, node: Node, index: Index, step: int | None) -> Document:
    """A gradient's cell, or what one backward step brings there."""
    shown, lines = gradient_of(run, node), lines_of(run, node)
    if step is not None:
        place = step - len(run.plan.forward_steps)
        if place not in lines:
            own = ", ".join(str(place + len(run.plan.forward_steps)) for place in lines)
            raise Refusal("step-other", found=step, tensor=node.name, steps=own)
        shown, lines = run.contributions[place].value, {place: lines[place]}
    ends = consumers(run, node) if step is None else [_end(line) for line in lines.values()]
    groups, paths = [], []
    for end in dict.fromkeys([*ends, *[_end(line) for line in lines.values() if line.through is None]]):
        group = _terms(run, node, index, end)
        groups.append(group)
        paths += [_path(run, place, line, group) for place, line in lines.items() if _end(line) is end]
    return _answer(shown, index, groups) | {"paths": sorted(paths, key=lambda path: path["step"])}


def lines_of(run: Run, node: Node) -> dict[int, Line]:
    """The backward lines that set or add to a node's gradient, by their place."""
    return {place: line for place, line in enumerate(run.plan.lines) if line.target is node}


def consumers(run: Run, node: Node) -> list[Node]:
    """The named tensors that are made from a node and lead to the loss."""
    return [other for other in run.plan.graph.named if "d" + other.variable in run.gradients and node in feeding(other)]


def feeding(node: Node) -> list[Node]:
    """The named tensors from which gradients can flow out of a node, through its anonymous intermediates."""
    found: list[Node] = []
    pending = list(node.inputs.values()) if node.needs else []
    while pending:
        source = pending.pop()
        if source.needs and source.name is None:
            pending += source.inputs.values()
        elif source.needs:
            found.append(source)
    return found


def _end(line: Line) -> Node:
    """The tensor from which a line comes; the loss's own line comes from the loss."""
    return line.through.node if line.through else line.target


def _terms(run: Run, node: Node, index: Index, end: Node) -> Terms:
    if end is node:
        return terms_of(str(end.name), torch.ones(()), torch.ones(()))
    statement = statement_of(end, run.plan.graph)
    local = moved_by(statement, run.forward.values, node.variable, index, run.material.dtype)
    return terms_of(str(end.name), local, run.gradients["d" + end.variable])


def _path(run: Run, place: int, line: Line, group: Terms) -> Document:
    return {
        "through": group.through,
        "step": len(run.plan.forward_steps) + place,
        "line": run.plan.backward_steps[place]["line"],
        "code": line.code,
        "formula": "",
        "count": len(group.places),
        "sum": number(total(group.products)),
        "over": group.over(_end(line).dims),
        "broadcast": any(hop.node.op is Expand for hop in line.path),
    }


def _answer(shown: torch.Tensor, index: Index, groups: list[Terms]) -> Document:
    products = torch.cat([group.products for group in groups]) if groups else torch.zeros(0, dtype=torch.float64)
    terms, rest = largest(groups)
    return {
        "formula": "",
        **_compared(shown, index, total(products)),
        "adds": True,
        "count": len(products),
        "terms": terms,
        "rest": rest,
    }


def _compared(shown: torch.Tensor, index: Index, found: float) -> Document:
    value = float(shown[index])
    distance = 0.0 if found == value or (math.isnan(found) and math.isnan(value)) else abs(found - value)
    ulps = distance / ulp_of(shown)
    return {"shown": number(value), "sum": number(found), "agrees": ulps < 64, "ulps": number(ulps)}


def _value(run: Run, node: Node, index: Index) -> Document:
    shown = run.forward.values[node.variable]
    labels = {other.variable: str(other.name) for other in run.plan.graph.named}
    if node in run.plan.graph.inputs:
        return _answer(shown, index, []) | _compared(shown, index, float(shown[index])) | {"paths": []}
    read = reading(statement_of(node, run.plan.graph), run.forward.values, index, labels)
    groups = [terms for name, terms in read.terms.items() if name in read.summed or not read.summed]
    answer = _answer(shown, index, groups) | {"adds": bool(read.summed)}
    if not read.summed:
        answer |= _compared(shown, index, read.value) | {"rest": answer["rest"] | {"sum": None}}
        answer["terms"] = [term | {"product": None} for term in answer["terms"]]
    return answer | {"paths": [_source(run, name, read) for name in [*read.terms, *read.whole]]}


def _source(run: Run, variable: str, read: Reading) -> Document:
    """One input of a value: where it was made, and how many of its cells are terms."""
    node = next(node for node in run.plan.graph.named if node.variable == variable)
    made = [place for place, step in enumerate(run.plan.forward_steps) if step["node"] == node.name]
    step = run.plan.forward_steps[made[0]] if made else {}
    terms = read.terms.get(variable)
    taken = terms if terms is not None and (variable in read.summed or not read.summed) else None
    return {
        "through": node.name,
        "step": made[0] if made else None,
        "line": step.get("line"),
        "code": step.get("code", ""),
        "formula": "",
        "count": len(taken.places) if taken else 0,
        "sum": number(total(taken.products)) if taken and read.summed else None,
        "over": taken.over(node.dims) if taken else [],
        "broadcast": False,
    }
