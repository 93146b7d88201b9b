"""With this module a matrix of derivatives is recognised: what it looks like, and what that means in words."""

from __future__ import annotations

import torch

from backend.graph import Node


def structure_of(matrix: torch.Tensor, tolerance: float) -> str:
    """The name of a matrix's pattern, read from its numbers alone."""
    rows, columns = matrix.shape
    if not matrix.numel():
        return "empty"
    if not bool((matrix != 0).any()):
        return "zero"
    if rows == columns and rows > 1 and not bool((matrix - torch.diag(matrix.diagonal())).any()):
        diagonal = matrix.diagonal()
        if bool((diagonal == 1).all()):
            return "identity"
        return "scaled identity" if _same(diagonal, tolerance) else "diagonal"
    if bool((matrix == 1).all()):
        return "ones"
    if _same(matrix.reshape(-1), tolerance):
        return "constant"
    if bool(((matrix == 0) | (matrix == 1)).all()) and bool((matrix.sum(1) <= 1).all()):
        return "one-hot"
    return "dense"


def _same(values: torch.Tensor, tolerance: float) -> bool:
    return bool((values - values[0]).abs().max() <= tolerance * values.abs().max())


WORDS = {
    "empty": "There is no cell.",
    "zero": "No cell of `{node}` moves with `{input}` here.",
    "identity": "Each cell of `{node}` moves with its own cell of `{input}`, one to one.",
    "scaled identity": "Each cell of `{node}` moves with its own cell of `{input}` only, all at the same rate.",
    "diagonal": "Each cell of `{node}` moves with its own cell of `{input}` only, each at its own rate.",
    "ones": "Every cell of `{node}` moves one to one with every cell of `{input}`.",
    "constant": "Every cell of `{node}` moves at the same rate with every cell of `{input}`.",
    "one-hot": "Each cell of `{node}` copies at most one cell of `{input}` and ignores the others.",
    "dense": "Cells of `{node}` move with several cells of `{input}`, each at a rate of its own.",
}


def words_for(kind: str, node: Node, source: Node) -> str:
    """One sentence about a Jacobian of that pattern."""
    return WORDS[kind].replace("{node}", str(node.name)).replace("{input}", str(source.name))
