"""A number that is dragged until another one is so much: how it is read, put into a walk, and spoken of."""

import math
from collections.abc import Mapping

from app.classroom.class_types import ClassVerdict
from app.classroom.requests import CELL

NEAR = 0.02  # of the way from where it was: no nearer can a hand come


def of_cell(text: str) -> tuple[str, list[int]]:
    """The name of a tensor and the place of one of its numbers, of a text that was judged to be both."""
    found = CELL.fullmatch(text)
    assert found is not None, "the request was judged before"
    return found[1], [int(one) for one in (found[2] or "").split(",") if one]


def written(cell: str) -> str:
    """A cell as programs write it."""
    name, index = of_cell(cell)
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def number_in(text: str) -> float | None:
    """A number as people write it, with the sign that a phone has and a comma for the point; None for anything else."""
    try:
        number = float(text.replace("−", "-").replace(",", ".").replace("_", "x"))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def with_number(walk: Mapping[str, object], cell: str, number: float) -> dict[str, object]:
    """A walk with another number in a cell."""
    name, index = of_cell(cell)
    before = walk.get("changes")
    changes = [*(before if isinstance(before, list) else []), {"tensor": name, "index": index, "value": number}]
    return {**walk, "changes": changes}


def judged_reached(question: int, text: str, code: str, message: str) -> ClassVerdict:
    """What is to be said of a number that was dragged; right where nothing is."""
    return {
        "kind": "judged", "question": question, "text": text, "correct": not code, "code": code, "message": message,
        "where": None,
    }  # fmt: skip
