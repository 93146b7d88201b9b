"""Sorting: a cell that came to another place gets the gradient that arrives there."""

from __future__ import annotations

from backend.engine.ops.base import LETTERS, Call, Op
from backend.engine.ops.create import Stop

USUAL = {"dim": -1, "descending": False, "largest": True, "sorted": True}


class Ordered(Op):
    """What sorting and choosing share: `.values`, and `.indices` that say where each came from."""

    backward = {"x": "torch.zeros_like(x).scatter_add(dim, where, g)"}
    because = {"x": "Only the order changed: each value's gradient goes back to where the value came from."}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        said = [f"{name}={value}" for name, value in call.parameters.items() if value != USUAL.get(name)]
        return {"where": f"x.{cls.name()}({', '.join(said)}).indices"}

    @classmethod
    def subscripts(cls, call: Call) -> str:
        letters = LETTERS[: len(call.out)]
        dim = call.parameters["dim"] % max(len(letters), 1)
        return f"{letters[:dim]}K{letters[dim + 1 :]}->{letters}" if letters else ""


def each_slice(call: Call) -> str:
    """What is put in order: all of a tensor with one axis, else each row, column or slice by itself."""
    rank = len(call.shapes["x"])
    if rank < 2:
        return "{x}"
    dim = call.parameters["dim"] % rank
    return f"each {'row' if dim == rank - 1 else 'column' if rank == 2 else 'slice'} of {{x}}"


class Sort(Ordered):
    """Values in order along an axis, with `.values` and `.indices`."""

    written = "x.sort(dim=-1, descending=False)", "torch.sort(x, dim=-1, descending=False)"

    @classmethod
    def does_for(cls, call: Call) -> str:
        first = "the largest" if call.parameters["descending"] else "the smallest"
        return f"{{it}} puts the values of {each_slice(call)} in order, {first} first."

    @classmethod
    def does_for_indices(cls, call: Call) -> str:
        return cls.does_for(call).replace("puts", "lists the places of")

    samples = "(2,4)", "(4,3) dim=0 descending=True"


class TopK(Ordered):
    """The `k` largest (or smallest) values along an axis, with `.values` and `.indices`."""

    written = "x.topk(k, dim=-1, largest=True, sorted=True)", "torch.topk(x, k, dim=-1, largest=True, sorted=True)"

    @classmethod
    def does_for(cls, call: Call) -> str:
        size = "largest" if call.parameters["largest"] else "smallest"
        which = f"{{k}} {size} values" if call.parameters["k"] != 1 else f"{size} value"
        return f"{{it}} finds the {which} of {each_slice(call)}."

    @classmethod
    def does_for_indices(cls, call: Call) -> str:
        return cls.does_for(call).replace("finds", "finds the places of")

    because = {"x": "Each value's gradient goes back to where the value came from; what wasn't chosen gets zero."}

    samples = "(2,4) k=2", "(4,3) k=2 dim=0 largest=False"


class RunningExtreme(Ordered):
    """What running maxima and minima share: each value was read at the place that stands beside it."""

    because = {"x": "Each running value was read at one place, which gets its gradient, and that of all that read it."}
    samples = "(2,4) dim=1", "(4,3) dim=0"

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return ""


class CumMax(RunningExtreme):
    """The largest value so far along an axis, with its place."""

    written = "x.cummax(dim)", "torch.cummax(x, dim)"
    does = "{it} is the largest value so far {over}."


class CumMin(RunningExtreme):
    """The smallest value so far along an axis, with its place."""

    written = "x.cummin(dim)", "torch.cummin(x, dim)"
    does = "{it} is the smallest value so far {over}."


class ArgSort(Stop):
    """Where the cells came from that are in order along an axis."""

    written = "x.argsort(dim=-1, descending=False)", "torch.argsort(x, dim=-1, descending=False)"
    does = "{it} lists the places of the values of {x} in order of their size."
