"""`%load_ext gradwalk`: a cell of a notebook under `%%gradwalk loss` is run as it is, and walked to that tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from gradwalk.recorder.recording import WalkError
from gradwalk.walking import Walk, walk


def load_ipython_extension(shell: Any) -> None:
    """Let cells begin with `%%gradwalk`."""

    def gradwalk(line: str, cell: str) -> Walk:
        """Run the cell as it is, and walk to the tensor that the line names."""
        return walked(shell, line.strip() or "loss", cell)

    shell.register_magic_function(gradwalk, "cell")


def walked(shell: Any, name: str, cell: str) -> Walk:
    """The walk of a cell, which is run once, as the notebook runs cells."""

    def run() -> Any:
        outer = shell.displayhook.exec_result
        result = shell.run_cell(cell)
        shell.displayhook.exec_result = outer  # the cell around this one shows the walk
        result.raise_error()
        if name not in shell.user_ns:
            raise WalkError(f"The cell makes no {name}.")
        return shell.user_ns[name]

    known = {key: one for key, one in shell.user_ns.items() if isinstance(one, torch.Tensor | torch.nn.Module)}
    return walk(Cell(run, known))


@dataclass
class Cell:
    """A cell as a function, with what it reads by the names that it has there."""

    run: Callable[[], Any]
    gradwalk_parts: dict[str, torch.Tensor | torch.nn.Module]

    def __call__(self) -> Any:
        """Run it."""
        return self.run()
