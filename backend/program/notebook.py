"""A notebook as Jupyter reads it, from cells of text and of code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from backend.engine.encode import Document


class Cell(NamedTuple):
    """One cell, with what other programs are to know of it."""

    kind: Literal["markdown", "code", "raw"]
    text: str
    metadata: Mapping[str, object] = {}


def notebook(cells: Iterable[Cell]) -> str:
    """The file's text."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    made = [_cell(one, number) for number, one in enumerate(cells)]
    return json.dumps(
        {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False
    )


def _cell(cell: Cell, number: int) -> Document:
    lines = [f"{line}\n" for line in cell.text.split("\n")]
    base = {
        "cell_type": cell.kind, "id": f"{cell.kind}-{number}", "metadata": cell.metadata,
        "source": [*lines[:-1], lines[-1][:-1]],
    }  # fmt: skip
    return base | {"execution_count": None, "outputs": []} if cell.kind == "code" else base
