"""What a derivation consists of: stages, each one expression of the language with one plain sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """One stage: `text` over the words of a match, what was used to get here, and the words it can't do without."""

    text: str
    told: str
    needs: tuple[str, ...] = ()
