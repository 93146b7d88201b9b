"""Warm-up: loads everything a process needs by walking the first lesson once."""

from __future__ import annotations

import torch

from backend.inspect.cell.cell import cell
from backend.inspect.finite_differences.numeric import numeric
from backend.inspect.jacobian.jacobian import jacobian
from backend.pipeline import walk
from backend.services.check import check
from backend.training.session import Session

LESSON = {"lesson": "makemore-mlp"}
FOUND = """
class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)

    def forward(self, x, y):
        return F.cross_entropy(self.fc(x), y)
"""


def warm() -> None:
    """Limit torch to one thread, walk the first lesson, inspect it, read code as found: then everything is loaded."""
    torch.set_num_threads(1)
    for exact in (False, True):
        walk(LESSON | {"exact": exact})
    check({"source": FOUND})
    cell({"walk": LESSON, "tensor": "b2", "which": "gradient", "index": [0]})
    numeric({"walk": LESSON, "node": "loss"})
    jacobian({"walk": LESSON, "node": "hprebn", "input": "embcat", "example": 0})


def warm_training() -> None:
    """Train a small network for a few steps, and do once whatever a run may be asked to."""
    request = {"walk": {"lesson": "makemore-mlp"}, "steps": 3, "sizes": {"embedding": 2, "hidden": 2}, "batch": 2}
    session = Session(request)
    list(session.turn())
    for command in ("compare", "sample", "walk", "about", "restart"):
        list(session.command({"do": command}))
    Session(request, saved=session.save())
