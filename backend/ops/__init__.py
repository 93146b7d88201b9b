"""Every operation of the language; importing this package registers them all."""

from backend.ops import arithmetic, create, index, matrix, normalise, pointwise, probability, reduce, stretch
from backend.ops.base import OPS, REGISTRY, Op

__all__ = [
    "OPS", "REGISTRY", "Op", "arithmetic", "create", "index", "matrix", "normalise", "pointwise", "probability", "reduce",
    "stretch",
]  # fmt: skip
