"""With this module a process gets ready to answer at once."""

from __future__ import annotations

import torch

from backend.walk import walk


def warm() -> None:
    """Hold torch to one thread and run the first lesson once, so that nothing is left to be loaded."""
    torch.set_num_threads(1)
    for exact in (False, True):
        walk({"lesson": "makemore-mlp", "exact": exact})
