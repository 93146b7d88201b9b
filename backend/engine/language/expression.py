"""The text of a rule as a syntax tree."""

from __future__ import annotations

import ast
from functools import lru_cache

# The operations' own rules are some 1,000 texts of about 4 kB as trees; others hold numbers of a call, without end.
LONGEST_KEPT, MOST_KEPT = 200, 4_096


def expression(text: str) -> ast.expr:
    """The syntax tree of one rule; the same object for the same text, as long as it is kept."""
    return _kept(text) if len(text) <= LONGEST_KEPT else parsed(text)


def parsed(text: str) -> ast.expr:
    """A syntax tree of one's own, which may be changed."""
    return ast.parse(text, mode="eval").body


_kept = lru_cache(MOST_KEPT)(parsed)
