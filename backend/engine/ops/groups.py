"""The groups of operations, in the order in which a reader meets them: a module of this folder belongs to one."""

from __future__ import annotations

from backend.engine.ops.base import Op

GROUPS = {
    "arithmetic": "Arithmetic",
    "pointwise": "Cell by cell",
    "bounds": "Cell by cell",
    "special": "Special functions",
    "angles": "Angles",
    "activation": "Activations",
    "matrix": "Matrix products",
    "einsum": "Matrix products",
    "linalg": "Matrices as a whole",
    "convolution": "Convolutions and pooling",
    "pooling": "Convolutions and pooling",
    "resampling": "Convolutions and pooling",
    "reduce": "Sums and other reductions",
    "scan": "Running sums, and order",
    "order": "Running sums, and order",
    "distance": "Distances",
    "stretch": "Shapes and copies",
    "border": "Shapes and copies",
    "diagonal": "Diagonals and triangles",
    "index": "Indexing",
    "placing": "Indexing",
    "mask": "Indexing",
    "join": "Joining and cutting",
    "normalise": "Normalisation and attention",
    "probability": "Softmax and losses",
    "cross_entropy": "Softmax and losses",
    "losses": "Softmax and losses",
    "create": "New tensors, comparisons, masks",
}

# What is drilled together, in the order of the page.
DRILLS = {
    "elementwise": ("Cell by cell", ("arithmetic", "pointwise", "bounds", "activation")),
    "reductions": ("Reductions", ("reduce", "scan")),
    "products": ("Matrix products", ("matrix", "einsum")),
    "indexing": ("Indexing", ("index", "placing", "mask", "order")),
    "shapes": ("Shapes and joins", ("stretch", "border", "join", "diagonal")),
    "softmax": ("Softmax & co", ("probability", "cross_entropy", "losses", "normalise")),
}


def drilled_with(op: type[Op]) -> str | None:
    """The name of the drills that an operation belongs to; None for what isn't drilled."""
    return next((name for name, (_, modules) in DRILLS.items() if _module(op) in modules), None)


def group_of(op: type[Op]) -> str:
    """The title of an operation's group."""
    return GROUPS[_module(op)]


def place_of(op: type[Op]) -> int:
    """Where an operation's module comes among all."""
    return list(GROUPS).index(_module(op))


def _module(op: type[Op]) -> str:
    return op.__module__.rpartition(".")[2]
