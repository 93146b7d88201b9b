"""What a closed form consists of, as data: the rules that find it, its words, and the stages that lead to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rule:
    """One way to compute what a pattern calls `meaning`: an expression over other meanings.

    `times` is the number that the way multiplies by: a word of `value_of`. `wants` says which number the parts must
    have been multiplied by.
    """

    meaning: str
    text: str
    times: str = "1"
    wants: Mapping[str, str] = field(default_factory=dict)


# A loss of each example goes on as their mean or sum, times a number, or with the other sign.
FOLDED_LOSS = (
    Rule("loss", "-loss", "-1"),
    Rule("loss", "loss.mean(anything)", "1/cells"),
    Rule("loss", "loss.sum(anything)"),
    Rule("loss", "number * loss", "number"),
    Rule("loss", "loss / number", "1/number"),
)


@dataclass(frozen=True)
class Way:
    """A text over words that are known already, those it can't do without, and those that must not be known."""

    text: str
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Word:
    """A word of the stages: the first of several ways that can be said. `aid` names what isn't a name by itself."""

    ways: tuple[Way, ...]
    aid: str = ""


@dataclass(frozen=True)
class Stage:
    """One stage: an expression over the words, what was used to get here, and the words it can't do without."""

    text: str
    told: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pattern:
    """A closed form: `goals` are the meanings it ends with, `wants` the words without which it is none.

    A word is one of those that `facts` lists, or one of `words`, which are found in their order. `rule` and `axis` are
    the first two hints for whoever writes the last line by hand.
    """

    kind: str
    goals: tuple[str, ...]
    wants: tuple[str, ...]
    rules: tuple[Rule, ...]
    words: Mapping[str, Word]
    stages: tuple[Stage, ...]
    rule: str
    axis: str


def said(*ways: str | Way, aid: str = "") -> Word:
    """A word from its ways, the first of which that can be said is taken."""
    return Word(tuple(Way(way) if isinstance(way, str) else way for way in ways), aid)
