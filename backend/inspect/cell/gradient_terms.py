"""The terms of one gradient cell: local derivative times upstream gradient, by path."""

from __future__ import annotations

from contextlib import suppress

import torch

from backend.engine.encode import Document, number
from backend.engine.execute.lookup import sound
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import as_tensor
from backend.engine.language.values import Values
from backend.engine.trace.graph import Node
from backend.engine.trace.statement import Statement, statement_of
from backend.engine.verify.nonfinite import finite
from backend.inspect.cell.factors import with_factors
from backend.inspect.cell.not_finite import as_passed_back, because
from backend.inspect.cell.reach import reached
from backend.inspect.cell.terms import Terms, answer, terms_of, total
from backend.inspect.jvp import NEARBY, function_of, jacobian_column, perturbed, read_by
from backend.inspect.path_function import COMING, PathFunction, path_of
from backend.inspect.paths import Path, paths_to
from backend.lines.index_notation.formula import Formula
from backend.present.drawings import drawings_of
from backend.program.runs import Run

Index = tuple[int, ...]


def opened_gradient(run: Run, node: Node, index: Index, step: int | None = None) -> Document:
    """The terms of one gradient cell, or of one backward step's contribution to it; raises Refusal for a wrong step."""
    shown = sound(run, node)
    ways = [way for way in paths_to(node, run.plan.graph, run.plan.lines) if "d" + way.end.variable in run.gradients]
    wanted = ways if step is None else _of_step(run, node, ways, step)
    if step is not None:
        shown = run.contributions[step - run.plan.first_backward].value
    alone = {way.end: sum(other.end is way.end for other in ways) == 1 for way in ways}
    formula, formulas = _formulas(run, node, wanted, step)
    numbers = formula.numbers(index, {**run.forward.values, **run.gradients}) if formula else None
    said = int(numbers["count"]) if numbers else 0
    parts = [_terms(run, node, index, way, alone[way.end]) for way in wanted]
    silent = _count(parts) < said
    if silent:  # the formula has more terms: some local derivatives are zero by what stands there
        every = [_terms(run, node, index, way, alone[way.end], True) for way in wanted]
        silent = _count(every) == said
        parts = every if silent else parts
    groups = []
    for end in dict.fromkeys(way.end for way in wanted):
        here = [part for way, part in zip(wanted, parts, strict=True) if way.end is end]
        groups.append(here[0] if len(here) == 1 else _terms(run, node, index, Path(end, ()), silent=silent))

    def doubt() -> float:
        return sum(_doubt(run, node, index, way, alone[way.end]) for way in wanted)

    told = answer(shown, index, groups, sum(part.size for part in parts), doubt)
    paths = [_path(run, way, part, formulas) for way, part in zip(wanted, parts, strict=True)]
    told["terms"] = with_factors(told["terms"], formula, index, run, "d")
    why = "" if shown[index].isfinite() else because(run, node, index, wanted, parts)
    start = {"formula": formula.whole if formula else "", "numbers": numbers}
    return start | told | {"paths": paths, "because": why}


def _of_step(run: Run, node: Node, ways: list[Path], step: int) -> list[Path]:
    first = run.plan.first_backward
    wanted = [way for way in ways if way.place == step - first]
    if not wanted:
        steps = ", ".join(str(first + way.place) for way in ways if way.place is not None)
        raise Refusal("step-other", found=step, tensor=node.name, steps=steps)
    return wanted


def _count(parts: list[Terms]) -> int:
    return sum(len(part.places) for part in parts)


def _terms(run: Run, node: Node, index: Index, way: Path, whole: bool = True, silent: bool = False) -> Terms:
    """The terms that one named tensor contributes to a cell: along all paths (`whole`), or along one.

    With `silent` also those whose local derivative is zero only by the numbers that stand there.
    """
    if way.end is node:
        return terms_of(str(node.name), torch.ones(()), torch.ones(()))
    function, scope, variable = _function(run, node, way, whole)
    local, arriving = jacobian_column(function, scope, variable, index, run.material.dtype), sound(run, way.end)
    reads = torch.ones_like(local, dtype=torch.bool)
    if not (finite(local) and finite(arriving) and sound(run, node)[index].isfinite()):
        with DefaultDtype(run.material.dtype):
            source, alone = as_tensor(scope[variable]).contiguous(), function_of(function, scope, variable)
            local, reads = as_passed_back(alone, source, index, local)
    besides = reads & ~arriving.isfinite()
    also = reached(function, scope, variable, index, run.material.dtype) if silent else None
    return terms_of(str(way.end.name), local, arriving, besides if also is None else besides | also)


def _function(run: Run, node: Node, way: Path, whole: bool) -> tuple[Statement | PathFunction, Values, str]:
    """The path as a function: (callable, the scope it reads, name of the variable it is differentiated by)."""
    alone = None if whole else path_of(way.hops)
    function, variable = (statement_of(way.end, run.plan.graph), node.variable) if alone is None else (alone, COMING)
    values = {**run.forward.values, COMING: run.forward.values[node.variable]}
    return function, read_by(function, values, variable), variable


def _doubt(run: Run, node: Node, index: Index, way: Path, whole: bool) -> float:
    """A bound on the rounding error of a path's sum: the spread of its local derivatives at perturbed points."""
    if way.end is node:
        return 0.0
    function, scope, variable = _function(run, node, way, whole)
    arriving, found = run.gradients["d" + way.end.variable].double().abs(), []
    for given in (scope, *(perturbed(scope, place) for place in range(NEARBY))):
        with suppress(Refusal):
            found.append(jacobian_column(function, given, variable, index, run.material.dtype).double())
    apart = [((other - found[0]).abs() * arriving).nan_to_num(0.0, 0.0, 0.0).sum() for other in found]
    return float(max(apart))


def _formulas(run: Run, node: Node, ways: list[Path], step: int | None) -> tuple[Formula | None, dict[int | None, str]]:
    """The formula of all paths together (None if one has no line), and each line's formula by its index."""
    lines = {way.place: way.line for way in ways}
    known = {place: line for place, line in lines.items() if line is not None}
    sign = "=" if step is None else next(line.mode for line in known.values())
    formula = drawings_of(run.plan).writer.of_lines(f"d{node.variable}", sign, list(known.values()), node.shape)
    return formula if lines == known else None, dict(zip(known, formula.parts, strict=True))


def _path(run: Run, way: Path, group: Terms, formulas: dict[int | None, str]) -> Document:
    known = way.place is not None
    over = group.over(way.end.dims)
    return {
        "through": group.through,
        "step": run.plan.first_backward + way.place if way.place is not None else None,
        "line": run.plan.rows[way.place] if way.place is not None else None,
        "code": way.line.code if way.line else "",
        "formula": formulas[way.place] if known else "",
        "count": len(group.places),
        "sum": number(total(group.products)),
        "over": over,
        "broadcast": _are_copies(way, [along["axis"] for along in over]),
    }


def _are_copies(way: Path, axes: list[int]) -> bool:
    """Whether the sum over these axes is over copies of the tensor that broadcasting made."""
    if not axes or not way.hops[0].node.is_broadcast or any(hop.node.shape != way.end.shape for hop in way.hops):
        return False
    shape = way.hops[0].node.inputs[way.hops[0].input_name].shape
    copied = (1,) * (len(way.end.shape) - len(shape)) + tuple(shape)
    return all(copied[axis] == 1 for axis in axes)
