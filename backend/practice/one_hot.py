"""One-hot rows that an answer lacks: class numbers were taken for them, or nothing was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.engine.language.tree import copied
from backend.lines.mistakes.edits import Edit
from backend.practice.classes import LEFT_OUT, classes_in, numbers_for_rows, rows_left_out
from backend.practice.factor import Factor
from backend.practice.hypothesis import factor_of
from backend.practice.judge import Judged, judged
from backend.practice.statements import places_in, value_of, with_statement


@dataclass(frozen=True)
class OneHot:
    """One-hot rows that an answer lacks: the edit that puts them there, and by what the answer is off then."""

    edit: Edit
    factor: Factor | None


def one_hot_of(found: Judged) -> OneHot | None:
    """Class numbers in an answer that is right, or off by one factor, with one-hot rows in their place.

    Or an answer that is right once the rows are taken from it.
    """
    off: OneHot | None = None
    for edit, other in _with_rows(found):
        if other.everywhere:
            return OneHot(edit, None)
        factor = factor_of(other, lambda case: case.truth) if LEFT_OUT not in edit.label else None
        off = off or (OneHot(edit, factor) if factor else None)
    return off


def _with_rows(found: Judged) -> Iterator[tuple[Edit, Judged]]:
    """An answer with one-hot rows put into it, judged anew."""
    shown = found.cases[0]
    for path, statement in places_in(found.answer.statements) if classes_in(shown) else ():
        value = value_of(statement)
        for edit in (*numbers_for_rows(value, shown), *rows_left_out(value, shown)) if value is not None else ():
            made = copied(statement)
            made.value = edit.applied_to(value)  # type: ignore[attr-defined,arg-type]  # a statement that has a value
            yield edit, judged(with_statement(found.answer, path, made), found.cases)
