"""The terms of one value cell: the cells it reads, and their weighted sum where it is linear in them."""

from __future__ import annotations

from collections.abc import Set

import torch

from backend.engine.encode import Document, number
from backend.engine.trace.graph import Node
from backend.engine.trace.statement import statement_of
from backend.inspect.cell.factors import with_factors
from backend.inspect.cell.linearize import Reading, reading
from backend.inspect.cell.terms import answer, comparison, total
from backend.present.drawings import drawings_of
from backend.program.runs import Run

Index = tuple[int, ...]


def opened_value(run: Run, node: Node, index: Index) -> Document:
    """The terms of one value cell: the cells of other tensors that it is computed from; none for an input."""
    shown, graph = run.forward.tensors[node.variable], run.plan.graph
    if node in graph.inputs:
        itself = comparison(shown, index, float(shown[index]), 0.0)
        return {"formula": "", "numbers": None} | answer(shown, index, [], 0.0) | itself | {"paths": []}
    statement, labels = statement_of(node, graph), {other.variable: str(other.name) for other in graph.named}
    read = reading(statement, run.forward.values, index, labels, run.material.dtype)
    groups = [read.terms[name] for name in read.taken]
    found: Document = answer(shown, index, groups, read.sizes) | {"adds": bool(read.summed)}
    if not read.summed:
        found |= comparison(shown, index, read.value, read.sizes) | {"rest": found["rest"] | {"sum": None}}
        found["terms"] = [term | {"product": None} for term in found["terms"]]
    primitives = next(nodes for chunk, nodes in graph.primitives() if chunk.node is node)
    formula = drawings_of(run.plan).writer.of_statement(node, statement, primitives)
    inputs = [name for name in statement.names if isinstance(run.forward.values.get(name), torch.Tensor)]
    stretched = {one.inputs["x"] for one in primitives if one.is_broadcast}
    paths = [_path(run, name, read, formula.reads.get(name, ""), stretched) for name in inputs]
    numbers = formula.numbers(index, run.forward.values)
    found["terms"] = with_factors(found["terms"], formula, index, run, "")
    return {"formula": formula.whole, "numbers": numbers} | found | {"paths": paths}


def _path(run: Run, variable: str, read: Reading, formula: str, stretched: Set[Node]) -> Document:
    """One input of a value: its step, its formula, and how many of its cells are terms."""
    node = run.plan.graph.by_variable[variable]
    made = run.plan.graph.step_of.get(node)
    chunk = None if made is None else run.plan.graph.chunks[made]
    terms = read.terms[variable] if variable in read.taken else None
    return {
        "through": node.name,
        "step": made,
        "line": chunk.line if chunk else None,
        "code": chunk.code if chunk else "",
        "formula": formula,
        "count": len(terms.places) if terms else 0,
        "sum": number(total(terms.products)) if terms and read.summed else None,
        "over": terms.over(node.dims) if terms else [],
        "broadcast": node in stretched,
    }
