"""With this module a process gets ready to answer at once."""

from __future__ import annotations

import torch

from backend.differences.numeric import numeric
from backend.jacobians.jacobian import jacobian
from backend.lens.cells import cell
from backend.walk import walk

LESSON = {"lesson": "makemore-mlp"}


def warm() -> None:
    """Hold torch to one thread, run the first lesson once and look inside, so that nothing is left to be loaded."""
    torch.set_num_threads(1)
    for exact in (False, True):
        walk(LESSON | {"exact": exact})
    cell({"walk": LESSON, "tensor": "b2", "which": "gradient", "index": [0]})
    numeric({"walk": LESSON, "node": "loss"})
    jacobian({"walk": LESSON, "node": "hprebn", "input": "embcat", "example": 0})
