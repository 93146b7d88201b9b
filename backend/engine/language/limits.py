"""What one program may cost: sizes of its text, of its tensors, and of what its loops unroll to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Limits:
    """What one program may cost; everything here is checked before torch computes."""

    characters: int = 20_000
    syntax_nodes: int = 5_000
    nesting: int = 60
    statements: int = 400
    name_length: int = 64
    largest_integer: int = 2**53
    largest_exponent: int = 64
    tensor_cells: int = 2**20
    tensor_axes: int = 8
    live_bytes: int = 64 * 2**20
    arithmetic: int = 5 * 10**9
    unrolled_steps: int = 2_000
    unrolled_pieces: int = 20_000
    unrolled_characters: int = 1_000_000
    string_length: int = 200
    graph_nodes: int = 2_000


LIMITS = Limits()


@contextmanager
def widened(**fields: int) -> Iterator[None]:
    """Other limits for a while: whoever walks a model of their own, in their own process, has set their own.

    Of a server's process it is not for: there what a stranger sends meets the limits above.
    """
    before = {name: getattr(LIMITS, name) for name in fields}
    try:
        for name, value in fields.items():
            setattr(LIMITS, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(LIMITS, name, value)
