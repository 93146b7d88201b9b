"""Exported files: what they print when they run, and what a notebook makes of their cells before Python sees them."""

from __future__ import annotations

import json
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

import backend


def outcome(text: str) -> tuple[str, int]:
    """What a program prints, and its exit code."""
    printed: list[str] = []
    scope: dict[str, Any] = {"__name__": "__main__", "print": lambda *words: printed.append(" ".join(map(str, words)))}
    try:
        exec(compile(text, "export", "exec"), scope)
    except SystemExit as stop:
        return "\n".join(printed), int(stop.code or 0)
    finally:
        scope["torch"].set_grad_enabled(True)
    return "\n".join(printed), 0


def cells_of(notebook: str) -> list[str]:
    """The code cells of a notebook file."""
    cells = json.loads(notebook)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def transformed(cell: str) -> str:
    """A cell as it is run."""
    return TransformerManager().transform_cell(cell)


def changed_by_a_notebook(request: dict[str, Any]) -> list[str]:
    """Cells of a walk's exports, the file as one cell too, that a notebook would run otherwise than they read."""
    cells = cells_of(backend.export(request, "ipynb")["text"])
    cells.append(backend.export(request, "py")["text"])
    return [cell for cell in cells if transformed(cell).rstrip("\n") != cell.rstrip("\n")]
