"""How long a chapter takes: its words are read, its figures looked at, its questions answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.program.chapters.chapter import Block, Prose
from backend.program.chapters.directives import DIRECTIVES

WORDS_A_MINUTE = 180
SECONDS = {"figure": 27, "touch": 27, "question": 48, "prose": 0}


def minutes_of(parts: Sequence[Prose | Block]) -> int:
    """Whole minutes, one at least, for somebody who reads all of it and tries what can be tried."""
    words = sum(len(text.split()) for part in parts for text in _texts(part))
    seconds = sum(SECONDS[DIRECTIVES[part.kind].family] for part in parts if isinstance(part, Block))
    return max(1, round(words / WORDS_A_MINUTE + seconds / 60))


def _texts(part: Prose | Block) -> Iterator[str]:
    """What is read of a part; of what is said of answers only why the right one is."""
    if isinstance(part, Prose):
        yield from (token.content for token in part.tokens if token.type in ("inline", "fence"))
    else:
        yield part.prose
        yield from (part.options[name] for name in ("choices", "why") if name in part.options)
