"""With this module a direction is taken apart where it meets kinks: smooth cells must agree exactly, others in between.

Along one direction many kinks add up: everything between left and right slope would pass, and a right gradient may lie
outside. Half the cells at a time, the kinks are closed in upon.
"""

from __future__ import annotations

import math

import torch

from backend.differences.oracle import Judged, Oracle, Overdue, judge
from backend.graph import Node


def needs_pieces(found: Judged) -> bool:
    """Whether a direction says too little as a whole."""
    return found.slope.kink is not None or not math.isfinite(found.analytic)


def all_agree(oracle: Oracle, node: Node, whole: Judged, most: int) -> tuple[bool | None, int]:
    """Whether every piece of a direction agrees, as far as `most` pieces and the time reach, and the evaluations spent.

    None where nothing could be resolved.
    """
    flat = whole.direction.reshape(-1)
    order = torch.randperm(flat.numel(), generator=torch.Generator().manual_seed(0))
    pending, spent, verdict = list(order.chunk(2)), 0, None
    for _ in range(most):
        if not pending:
            break
        cells = pending.pop()
        part = torch.zeros_like(flat)
        part[cells] = flat[cells]
        try:
            found = judge(oracle, node, part.reshape(node.shape))
        except Overdue:
            break
        spent += found.line.spent
        if needs_pieces(found) and len(cells) > 1:
            pending += cells.chunk(2)
        elif found.slope.settled or found.slope.agrees:
            verdict = found.slope.agrees
        if verdict is False:
            break
    return verdict, spent
