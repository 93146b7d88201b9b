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

from backend.graph import Node
from backend.language.errors import Refusal
from backend.language.evaluate import shown as spelled
from backend.local import moved_by
from backend.occurrence import OCCURRENCE, with_occurrence
from backend.ops.stretch import Expand
from backend.reading import Reading, reading
from backend.runs import Run, run_of
from backend.statement import statement_of
from backend.terms import Terms, agree, epsilon, largest, terms_of, total, ulp_of
from backend.ways import Way, ways_to
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
    shown, first = gradient_of(run, node), len(run.plan.forward_steps)
    ways = [way for way in ways_to(node, run.plan.graph, run.plan.lines) if "d" + way.end.variable in run.gradients]
    wanted = [way for way in ways if step in (None, first + (way.place or 0))]
    if step is not None:
        if not wanted:
            steps = ", ".join(str(first + way.place) for way in ways if way.place is not None)
            raise Refusal("step-other", found=step, tensor=node.name, steps=steps)
        shown = run.contributions[step - first].value
    groups: list[Terms] = []
    singles: list[Terms] = []
    paths = []
    for end in dict.fromkeys(way.end for way in wanted):
        here = [way for way in wanted if way.end is end]
        alone = sum(way.end is end for way in ways) == 1
        parts = [_terms(run, node, index, way, alone) for way in here]
        groups.append(parts[0] if len(parts) == 1 else _terms(run, node, index, here[0]))
        singles += parts
        paths += [_path(run, way, part) for way, part in zip(here, parts, strict=True)]
    return _answer(shown, index, groups, singles) | {"paths": paths}


def _terms(run: Run, node: Node, index: Index, way: Way, whole: bool = True) -> Terms:
    """What reaches a cell from one named tensor: by all of its uses there, or by one way alone."""
    if way.end is node:
        return terms_of(str(node.name), torch.ones(()), torch.ones(()))
    statement, variable = statement_of(way.end, run.plan.graph), node.variable
    alone = None if whole else with_occurrence(statement, way.path)
    if alone is not None:
        statement, variable = alone, OCCURRENCE
    scope = {**run.forward.values, OCCURRENCE: run.forward.values[node.variable]}
    local, other = (moved_by(statement, scope, variable, index, dtype) for dtype in _both(run.material.dtype))
    return terms_of(str(way.end.name), local, run.gradients["d" + way.end.variable], other)


def _both(dtype: torch.dtype) -> tuple[torch.dtype, torch.dtype]:
    """A run's own precision, and the other one."""
    return dtype, torch.float32 if dtype is torch.float64 else torch.float64


def _path(run: Run, way: Way, group: Terms) -> Document:
    return {
        "through": group.through,
        "step": None if way.place is None else len(run.plan.forward_steps) + way.place,
        "line": None if way.place is None else run.plan.backward_steps[way.place]["line"],
        "code": way.line.code if way.line else "",
        "formula": "",
        "count": len(group.places),
        "sum": number(total(group.products)),
        "over": group.over(way.end.dims),
        "broadcast": any(hop.node.op is Expand for hop in way.path),
    }


def _answer(shown: torch.Tensor, index: Index, groups: list[Terms], singles: list[Terms]) -> Document:
    """The terms and their sum beside the number shown; `singles` are the sums of which rounding saw each by itself."""
    products = torch.cat([group.products for group in groups]) if groups else torch.zeros(0, dtype=torch.float64)
    terms, rest = largest(groups)
    return {
        "formula": "",
        **_compared(shown, index, total(products), singles),
        "adds": True,
        "count": len(products),
        "terms": terms,
        "rest": rest,
    }


def _compared(shown: torch.Tensor, index: Index, found: float, groups: list[Terms]) -> Document:
    value, ulp = float(shown[index]), ulp_of(shown)
    distance = 0.0 if found == value or (math.isnan(found) and math.isnan(value)) else abs(found - value)
    return {
        "shown": number(value),
        "sum": number(found),
        "agrees": agree(value, found, groups, ulp, epsilon(shown)),
        "ulps": number(distance / ulp),
    }


def _value(run: Run, node: Node, index: Index) -> Document:
    shown = run.forward.values[node.variable]
    labels = {other.variable: str(other.name) for other in run.plan.graph.named}
    if node in run.plan.graph.inputs:
        return _answer(shown, index, [], []) | _compared(shown, index, float(shown[index]), []) | {"paths": []}
    read = reading(statement_of(node, run.plan.graph), run.forward.values, index, labels)
    groups = [terms for name, terms in read.terms.items() if name in read.summed or not read.summed]
    answer = _answer(shown, index, groups, groups) | {"adds": bool(read.summed)}
    if not read.summed:
        answer |= _compared(shown, index, read.value, groups) | {"rest": answer["rest"] | {"sum": None}}
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
