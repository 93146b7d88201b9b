"""A notebook as Jupyter reads it, from cells of text and of code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from backend.engine.encode import Document

Cell = tuple[Literal["markdown", "code"], str]


def notebook(cells: Iterable[Cell]) -> str:
    """The file's text."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    made = [_cell(kind, text, number // 2) for number, (kind, text) in enumerate(cells)]
    return json.dumps(
        {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False
    )


def _cell(kind: str, text: str, number: int) -> Document:
    lines = [f"{line}\n" for line in text.split("\n")]
    base = {"cell_type": kind, "id": f"{kind}-{number}", "metadata": {}, "source": [*lines[:-1], lines[-1][:-1]]}
    return base if kind == "markdown" else base | {"execution_count": None, "outputs": []}
