"""What clipping the loss silences: which examples, and how much less the loss falls for it."""

from __future__ import annotations

import torch

from backend.engine.encode import number
from backend.engine.language.pytree import as_tensor
from backend.engine.language.values import Values
from backend.engine.language.wording import number_text
from backend.training.data import Minibatches
from backend.training.event_types import Silenced, SilencedExample
from backend.training.trainer import Moment, Trainer

MOST_EXAMPLES = 12


def silenced(trainer: Trainer, moment: Moment, values: Values) -> Silenced | None:
    """The examples of a minibatch whose gradient a clipped loss makes 0; None where there are none.

    `lost` is the share by which a small step lowers the loss less than the whole gradient would: 1 − g·c / g·g, with
    the gradient g and what is left of it, c.
    """
    if moment.clamped is None or moment.whole is None:
        return _all_of_it(trainer, moment)
    each, limit = as_tensor(values[moment.clamped.each]), moment.clamped.limit
    count = int((each > limit).sum())
    if not count:
        return None
    whole, left = moment.whole.double(), moment.gradient.double()
    lost = 1 - float(whole @ left) / max(float(whole @ whole), 1e-300)
    worst = torch.argsort(each, descending=True)[: min(count, MOST_EXAMPLES)].tolist()
    examples: list[SilencedExample] = [
        {"index": one, "text": text_of(trainer, moment, one), "loss": number(float(each[one]))} for one in worst
    ]
    return {
        "count": count, "of": len(each), "loss": number(float(each.mean())), "limit": limit, "lost": number(lost),
        "examples": examples, "says": f"{_counted(count, len(each), limit)} {_effect(lost)}",
    }  # fmt: skip


def _counted(count: int, size: int, limit: float) -> str:
    have = "has" if count == 1 else "have"
    whose = "Its" if count == 1 else "Their"
    return f"{count} of {size} examples {have} a loss above {number_text(limit, 3)}. {whose} gradient is 0."


def _effect(lost: float) -> str:
    """What is lost of the descent, for a small step."""
    if lost >= 1:
        return "So this step doesn't lower the loss at all." if lost < 1.005 else "So this step raises the loss."
    if lost <= 0:
        return "The others alone lower the loss at least as fast."
    return f"So a small step lowers the loss {lost:.0%} less than it could."


def _all_of_it(trainer: Trainer, moment: Moment) -> Silenced | None:
    """Where the loss is no mean over examples, a clipped one is silent as a whole."""
    clipping = trainer.clipping
    if clipping is None or clipping.by != "loss" or not moment.loss > clipping.limit:
        return None
    says = (
        f"The loss is above {number_text(clipping.limit, 3)}, so its gradient is 0: nothing is learned from this step."
    )
    return {
        "count": 1, "of": 1, "loss": number(moment.loss), "limit": clipping.limit, "lost": 1.0, "examples": [],
        "says": says,
    }  # fmt: skip


def text_of(trainer: Trainer, moment: Moment, index: int) -> str:
    """An example of a moment's minibatch in words."""
    task, source = trainer.task, trainer.task.source
    if isinstance(source, Minibatches):
        x, y = (moment.inputs[name][index] for name in source.inputs)
        return source.data.label(x, int(y))
    labels = task.material.labels.get("example", [])
    return labels[index] if index < len(labels) else f"example {index}"
