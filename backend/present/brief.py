"""The sentences of one step together: how many words they may have, and what the one says after the other."""

from __future__ import annotations

import re
from functools import lru_cache

from backend.present.schema import Sentence as Item

# A sentence before it is shown: its kind, in full, and in short where there is a short form.
Said = tuple[str, str, str]
# The reason that a line is about: it goes last of all, and is sent as what it is, one of the reasons.
LEAD = "lead"
SPARE = ("upstream", "broadcast", "local", LEAD)
# How many words a step may have in all.
MOST_WORDS = 60
TURNS, BACK = "gradient changes sign.", "gradient changes sign back."
CODE = re.compile(r"`[^`]+`|\([\d, ]+\)")


@lru_cache(maxsize=4096)
def words_in(text: str) -> int:
    """How many words a sentence has; a piece of code or a shape counts as one."""
    return len(CODE.sub("code", text).split())


def items_within(said: list[Said]) -> list[Item]:
    """As many sentences as a step may have: first they shrink, what arrives before all, then the least important go."""
    kept = said if _words(said) <= MOST_WORDS else _within(said)
    return [{"kind": "local" if kind == LEAD else kind, "text": text} for kind, text in _turned_back(kept)]


def _within(said: list[Said]) -> list[Said]:
    """What is left of too many words."""
    kept = list(said)
    for kind in SPARE:
        for one in [one for one in kept if one[0] == kind and one[2]]:
            if _words(kept) > MOST_WORDS:
                kept[kept.index(one)] = (one[0], one[2], "")
    led = any(one[0] == LEAD for one in kept)
    spare = [one for kind in SPARE[1:] for one in _of(kind, kept)[: None if kind == "local" and led else -1]]
    for one in [*spare, *[one for one in kept if one[0] in SPARE]]:
        if _words(kept) > MOST_WORDS and one in kept:
            kept.remove(one)
    return kept


def _of(kind: str, said: list[Said]) -> list[Said]:
    return [one for one in said if one[0] == kind]


def _turned_back(said: list[Said]) -> list[tuple[str, str]]:
    """The sentences, in which every second change of sign undoes the one before it."""
    made, times = [], 0
    for kind, text, _ in said:
        times += text.endswith((TURNS, BACK))
        made.append((kind, text.replace(TURNS, BACK) if text.endswith(TURNS) and times % 2 == 0 else text))
    return made


def with_note(items: list[Item], note: Item) -> list[Item]:
    """The sentences of a step and one more, as many as a step may have."""
    return items_within([(item["kind"], item["text"], "") for item in [*items, note]])


def _words(said: list[Said]) -> int:
    return sum(words_in(text) for _, text in _turned_back(said))
