"""Classes mistaken: their numbers where one-hot rows are meant, a 1 for the row, the row left out, rows for cells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import torch

from backend.engine.language.expression import expression
from backend.engine.language.tree import copied, names_in, number, target_of
from backend.engine.language.unparse import printed
from backend.lines.mistakes.codes import DiagnosisCode
from backend.lines.mistakes.edits import Edit, parts_of
from backend.practice.trial import Case

LEFT_OUT = "Nothing is subtracted for the right class"


def classes_in(case: Case) -> dict[str, ast.expr]:
    """The tensors that hold a class for each row of the gradient, each with its one-hot rows as they are written."""
    *rows, count = case.truth.shape or (0,)
    return {
        name: expression(f"F.one_hot({name}, {count})")
        for name, value in case.scope.items()
        if count > 1 and isinstance(value, torch.Tensor) and _are_classes(value, rows, count)
    }


def _are_classes(value: torch.Tensor, rows: list[int], count: int) -> bool:
    if value.dtype != torch.int64 or list(value.shape) != rows or not value.numel():
        return False
    return bool(((value >= 0) & (value < count)).all())


def numbers_for_rows(value: ast.expr, case: Case) -> Iterator[Edit]:
    """The numbers of classes, as `y` or `y[:, None]`, replaced by one-hot rows."""
    for name, row in classes_in(case).items():
        said = "is a class number" if not case.truth.shape[:-1] else "holds class numbers"
        meant = "the one-hot row" if not case.truth.shape[:-1] else "one-hot rows"
        for part in parts_of(value):
            if names_in(part) == {name}:
                yield Edit("wrong-tensor", part, row, f"`{name}` {said}, not {meant}: write `{printed(row)}`.")


def rows_for_ones(value: ast.expr, case: Case) -> Iterator[Edit]:
    """A 1 in the place of the one-hot rows."""
    for row in classes_in(case).values():
        for part in parts_of(value):
            if number(part) == 1:
                told = f"`{printed(part)}` counts for every class, and should count"
                told += f" for the right one alone: `{printed(row)}`."
                yield Edit("wrong-tensor", part, row, told)


def rows_left_out(value: ast.expr, case: Case) -> Iterator[Edit]:
    """A tensor from which the one-hot rows aren't taken."""
    for row in classes_in(case).values():
        for part in parts_of(value):
            if isinstance(part, ast.Name) and _shape(case, part.id) == case.truth.shape:
                made = ast.BinOp(part, ast.Sub(), row)
                yield Edit("wrong-tensor", part, made, f"{LEFT_OUT}: `{printed(made)}`.")


def _shape(case: Case, name: str) -> torch.Size | None:
    value = case.scope.get(name)
    return value.shape if isinstance(value, torch.Tensor) else None


def rows_for_cells(statement: ast.stmt, case: Case) -> Iterator[tuple[DiagnosisCode, str, ast.stmt, str]]:
    """`d[range(n), y]` where `d[y]` or `d[:, y]` was written to: code, what it reads, the statement, a sentence."""
    cells = target_of(statement) if isinstance(statement, ast.Assign | ast.AugAssign) else None
    name, what = _picked(cells)
    picks = case.scope.get(name)
    if not (isinstance(cells, ast.Subscript) and isinstance(picks, torch.Tensor) and picks.ndim == 1):
        return
    made = copied(cells)
    made.slice = ast.Tuple(
        [expression(f"range({_length(picks.shape[0], name, case)})"), ast.Name(name, ast.Load())], ast.Load()
    )
    other = copied(statement)
    vars(other).update({"targets": [made]} if isinstance(other, ast.Assign) else {"target": made})
    told = f"`{printed(cells)}` is whole {what}: `{printed(made)}` is one cell of each row."
    yield "wrong-axis", printed(made), other, told


def _picked(cells: ast.expr | None) -> tuple[str, str]:
    """The name that rows or columns are picked by, and which of them."""
    match cells:
        case ast.Subscript(slice=ast.Name(id=name)):
            return name, "rows"
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None), ast.Name(id=name)])):
            return name, "columns"
    return "", ""


def _length(length: int, name: str, case: Case) -> str:
    constants = case.trial.graph.constants.items()
    return next((word for word, value in constants if value == length), f"len({name})")
