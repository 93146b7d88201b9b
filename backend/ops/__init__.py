"""Every operation of the language; importing this package registers them all."""

from backend.ops import (
    activation,
    arithmetic,
    create,
    index,
    join,
    matrix,
    normalise,
    pointwise,
    probability,
    reduce,
    stretch,
)  # fmt: skip
from backend.ops.base import OPS, REGISTRY, Op

__all__ = [
    "OPS", "REGISTRY", "Op", "activation", "arithmetic", "create", "index", "join", "matrix", "normalise", "pointwise",
    "probability", "reduce", "stretch",
]  # fmt: skip
