"""Bisection of a direction that meets kinks, until each piece is smooth or a single cell.

With many kinks along one direction, any gradient between the left and the right slope would pass, and a correct one may
lie outside. Smooth pieces must agree exactly; at a single cell with a kink any subgradient passes.
"""

from __future__ import annotations

import math

import torch

from backend.engine.trace.graph import Node
from backend.inspect.finite_differences.oracle import AlongDirection, Oracle, Overdue, judge


def needs_pieces(found: AlongDirection) -> bool:
    """Whether a direction must be bisected: it has a kink, or the analytic slope isn't finite."""
    return found.slope.kink is not None or not math.isfinite(found.analytic)


def all_agree(oracle: Oracle, node: Node, whole: AlongDirection, most: int) -> tuple[bool | None, int]:
    """Whether every piece of a direction agrees, and the evaluations spent; at most `most` pieces, as time permits.

    None if no piece could be resolved.
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
