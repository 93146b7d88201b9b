"""The operations by group: a declarative block each, with spellings, backward rule, sentences."""

from backend.engine.ops import (
    activation,
    angles,
    arithmetic,
    border,
    bounds,
    convolution,
    create,
    cross_entropy,
    diagonal,
    distance,
    einsum,
    index,
    join,
    linalg,
    losses,
    mask,
    matrix,
    normalise,
    order,
    placing,
    pointwise,
    pooling,
    probability,
    reduce,
    resampling,
    scan,
    special,
    stretch,
)  # fmt: skip
from backend.engine.ops.base import OPS, REGISTRY, Op

__all__ = [
    "OPS", "REGISTRY", "Op", "activation", "angles", "arithmetic", "border", "bounds", "convolution", "create", "cross_entropy", "diagonal", "distance", "einsum", "index", "join",
    "linalg", "losses", "mask", "matrix", "normalise", "order", "placing", "pointwise", "pooling", "probability", "reduce", "resampling", "scan", "special", "stretch",
]  # fmt: skip
