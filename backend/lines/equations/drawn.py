"""How an equation draws each operation of a line, and what mathematics calls it: as the operations' blocks say."""

from __future__ import annotations

from backend.engine.ops import OPS

# By the names that operations have in a line, such as `view` in `dx.view(2, 3)`.
DRAWN = {name: op.drawn for op in OPS if op.drawn for name in op.names()}
SYMBOLS = {name: op.symbol for op in OPS if op.symbol for name in op.names()}
KEEPS_AXES = frozenset(name for op in OPS if op.keeps_axes for name in op.names())
MOVING = frozenset({"rearrange", "swap", "transpose", "transpose each"})


def drawn(name: str) -> str:
    """What an operation of this name does to the cells of its input; "" where an equation has no picture of it."""
    return DRAWN.get(name, "")


def moves_cells(name: str) -> bool:
    """Whether it only gives cells other places."""
    return drawn(name) in MOVING


def is_transpose(name: str) -> bool:
    """Whether it exchanges rows and columns, of one matrix or of each in a stack."""
    return drawn(name).startswith("transpose")
