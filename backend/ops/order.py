"""Sorting: a cell that came to another place gets the gradient that arrives there."""

from __future__ import annotations

from backend.ops.base import Call, Op, register
from backend.ops.create import Stop

USUAL = {"dim": -1, "descending": False, "largest": True, "sorted": True}


class Ordered(Op):
    """What sorting and choosing share: `.values`, and `.indices` that say where each came from."""

    backward = {"x": "torch.zeros_like(x).scatter_add(dim, where, g)"}
    because = {"x": "Only the order changed: each value's gradient goes back to where the value came from."}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        said = [f"{name}={value}" for name, value in call.parameters.items() if value != USUAL.get(name)]
        return {"where": f"x.{cls.name()}({', '.join(said)}).indices"}


@register
class Sort(Ordered):
    """Values in order along an axis, with `.values` and `.indices`."""

    written = "x.sort(dim=-1, descending=False)", "torch.sort(x, dim=-1, descending=False)"
    does = "{it} puts the values of {x} in order."
    samples = "(2,4)", "(4,3) dim=0 descending=True"


@register
class TopK(Ordered):
    """The `k` largest (or smallest) values along an axis, with `.values` and `.indices`."""

    written = "x.topk(k, dim=-1, largest=True, sorted=True)", "torch.topk(x, k, dim=-1, largest=True, sorted=True)"

    @classmethod
    def tells(cls, call: Call) -> str:
        return f"{{it}} finds the {'largest' if call.parameters['largest'] else 'smallest'} values of {{x}}, {{k}} of them."

    samples = "(2,4) k=2", "(4,3) k=2 dim=0 largest=False"


@register
class ArgSort(Stop):
    """Where the cells came from that are in order along an axis."""

    written = "x.argsort(dim=-1, descending=False)", "torch.argsort(x, dim=-1, descending=False)"
    does = "{it} lists the places of the values of {x} in order of their size."
