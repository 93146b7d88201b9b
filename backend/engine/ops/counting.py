"""What has as many cells as the numbers tell: places of cells, different numbers, how often each occurs."""

from __future__ import annotations

from backend.engine.ops.create import Stop


class Nonzero(Stop):
    """The places of the cells that aren't zero, or where a mask holds: as many as there are at these numbers."""

    written = (
        "x.nonzero(as_tuple=False)", "torch.nonzero(x, as_tuple=False)", "torch.argwhere(x)", "x.argwhere()",
        "torch.where(x)",
    )  # fmt: skip
    by_name = frozenset({"as_tuple"})
    shaped_by_numbers = True
    does = "{it} lists the places of the cells of {x} that aren't zero."


class Unique(Stop):
    """The different numbers in a tensor, in order: as many as there are at these numbers."""

    written = "x.unique()", "torch.unique(x)"
    shaped_by_numbers = True
    does = "{it} lists the different numbers in {x}."


class BinCount(Stop):
    """How often each whole number occurs in a vector."""

    written = "torch.bincount(x, minlength=0)", "x.bincount(minlength=0)"
    shaped_by_numbers = True
    does = "{it} counts how often each number occurs in {x}."
