"""Distances between the rows of two tables."""

from __future__ import annotations

from typing import Any

from backend.engine.ops.base import LETTERS, Call
from backend.engine.ops.product import Product


class Cdist(Product):
    """The Euclidean distance of every row of one table from every row of another."""

    called = {"x1": "x", "x2": "y"}
    written = ("torch.cdist(x, y, p=2.0)",)
    backward = {"x": "(away * pull).sum(-2)", "y": "-(away * pull).sum(-3)"}
    why_not_exact = "autograd's own kernel adds over the rows in another order"
    because = {
        "x": "A distance grows fastest along the line between the two rows, away from {y}.",
        "y": "As for {x}, with the opposite sign.",
    }
    does = "{it} is the distance of every row of {x} from every row of {y}."
    aids = {
        "away": "x.unsqueeze(-2) - y.unsqueeze(-3)",
        "pull": "(g / out).masked_fill(out == 0, 0.0).unsqueeze(-1)",
    }
    samples = "(2,3) (4,3)", "(2,2,3) (2,3,3)"
    cell = "sqrt(sum((x - y) ** 2))"

    @classmethod
    def subscripts(cls, call: Call) -> str:
        lead = LETTERS[: len(call.out) - 2]
        return f"{lead}mK,{lead}nK->{lead}mn"

    @classmethod
    def accepts(cls, bound: Any, is_tensor: Any) -> bool:
        same = is_tensor(bound["y"]) and bound["x"].shape[:-2] == bound["y"].shape[:-2]
        return super().accepts(bound, is_tensor) and same and bound["p"] == 2
