"""Names for the local derivatives of an open number: where one is a single cell of a tensor, that cell."""

from __future__ import annotations

from backend.engine.encode import Document
from backend.lines.index_notation.formula import Formula
from backend.lines.index_notation.numbers import Cell
from backend.program.runs import Run


def with_factors(
    terms: list[Document], formula: Formula | None, index: tuple[int, ...], run: Run, arrives: str
) -> list[Document]:
    """Terms with the cell that each one's `local` is; null where it is no cell, or none that can be told apart.

    `arrives` stands before the name of a tensor through which a term comes: `d` where it is a gradient that arrives.
    """
    cells = formula.factors(index, {**run.forward.values, **run.gradients}) if formula and terms else {}
    names = {term["through"]: arrives + run.plan.by_name[term["through"]].variable for term in terms}
    return [term | {"factor": _named(cells.get((names[term["through"]], tuple(term["cell"]))), run)} for term in terms]


def _named(cell: Cell | None, run: Run) -> Document | None:
    if cell is None:
        return None
    name, place = cell
    values = run.plan.graph.by_variable
    node = values.get(name) or values.get(name.removeprefix("d"))
    of = "value" if name in values else "gradient"
    return {"tensor": str(node.name), "of": of, "cell": list(place)} if node else None
