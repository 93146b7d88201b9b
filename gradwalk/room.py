"""What a walk in its owner's own process may cost: the limits there are the owner's."""

ROOM = {
    "characters": 2_000_000, "syntax_nodes": 500_000, "statements": 20_000, "tensor_cells": 2**28, "live_bytes": 2**36,
    "arithmetic": 10**15, "graph_nodes": 100_000, "unrolled_steps": 100_000, "nesting": 200, "tensor_axes": 16,
    "unrolled_pieces": 10**6, "unrolled_characters": 10**7,
}  # fmt: skip
