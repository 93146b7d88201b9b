"""What the sign of a gradient means, said once in a walk: where the first one has a number below zero."""

from __future__ import annotations

from backend.engine.differentiate.lines import Line
from backend.engine.execute.run import Contribution
from backend.engine.trace.graph import Node
from backend.engine.verify.compare import Verdicts
from backend.present.brief import MOST_WORDS, words_in
from backend.present.explain import the_loss
from backend.present.schema import Sentence


def is_negative(line: Line, kept: Contribution, verdicts: Verdicts) -> bool:
    """Whether a gradient has a number below zero after a line, other than what rounding left of a true zero."""
    verdict = verdicts.get(line.target.variable)
    true_zero = verdict is not None and verdict.level == "zero"
    return not kept.lost and not true_zero and bool((kept.accumulated < 0).any())


def has_room(items: list[Sentence], note: Sentence) -> bool:
    """Whether a step may say that as well, so that no reason makes way for it."""
    return sum(words_in(item["text"]) for item in [*items, note]) <= MOST_WORDS


def sign_note(loss: Node) -> Sentence:
    """Which way the loss goes."""
    text = f"**Negative gradient**: {the_loss(loss)} falls as the number grows; **positive**: it rises."
    return {"kind": "sign", "text": text}
