"""Choosing by a mask: the gradient goes to the tensor that a cell came from, and the other gets zero there."""

from __future__ import annotations

from backend.engine.ops.base import Op


class Where(Op):
    """One tensor where a condition holds, another elsewhere."""

    written = "torch.where(condition, x, y)", "x.where(condition, y)"
    backward = {"x": "torch.where(condition, g, 0.0)", "y": "torch.where(condition, 0.0, g)"}
    because = {
        "x": "Where {condition} holds, {out} is {x}, which gets the gradient; elsewhere it gets zero.",
        "y": "Where {condition} fails, {out} is {y}, which gets the gradient; elsewhere it gets zero.",
    }
    does = "{it} takes {x} where {condition} holds, {y} elsewhere."
    helper_word = "chosen"
    drawn = "mask"
    cell = "x if condition else y"
    others = frozenset({"condition"})
    samples = "(2,3) (2,3) condition=mask(2,3)", "(3,) (2,1) condition=mask(2,3)", "(2,3) number condition=mask(3)"
    broadcasts = True


class MaskedFill(Op):
    """A tensor with a number written wherever a mask holds."""

    written = "x.masked_fill(mask, value)", "torch.masked_fill(x, mask, value)"
    backward = {"x": "g.masked_fill(mask, 0.0)", "value": "torch.where(mask, g, 0.0)"}
    because = {
        "value": "{value} was written into every marked cell: their gradients add up.",
        "x": "A cell that was overwritten no longer counts and gets zero; the gradient of the others passes unchanged.",
    }
    does = "{it} writes {value} wherever the mask holds."
    helper_word = "masked"
    drawn = "mask"
    keeps_axes = True
    cell = "value if mask else x"
    others = frozenset({"mask"})
    samples = (
        "(2,3) mask=mask(2,3) value=-1.5",
        "(2,2,3) mask=mask(2,3) value=-1e9",
        "(3,) mask=mask(2,3) value=0.0",
        "(2,3) mask=mask(2,3) ()",
    )
    broadcasts = True
