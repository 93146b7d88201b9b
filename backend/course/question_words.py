"""What is said of an answer to a question that can't be read or run: there are no lines, and there is no table."""

from __future__ import annotations

import re

from backend.engine.language.errors import Refusal

# A sentence about a program says nothing to who writes one expression.
OF_PROGRAMS = re.compile(r"\b(?:lines?|tables?|program|constants?|walk|tensors they start from)\b")
UNREAD = "This can't be read as one expression."
NAMES = frozenset({"name-near", "name-unknown", "function-unknown"})


def unknown_name(refusal: Refusal) -> str:
    """The name that nothing is known of; empty where a refusal is of another kind."""
    found = re.match(r"[^`]*`([^`]+)`", refusal.message) if refusal.code in NAMES else None
    return found[1] if found else ""


def words_of(refusal: Refusal) -> str:
    """A refusal in a question's words."""
    if refusal.code == "syntax":
        return f"{UNREAD} {_detail(refusal)}".strip()
    told = [text for text in (refusal.message, refusal.hint) if not OF_PROGRAMS.search(text)]
    return " ".join(told) or UNREAD


def _detail(refusal: Refusal) -> str:
    """What Python found, where that is a bracket."""
    found = refusal.message.partition(": ")[2]
    brackets = "closed" in found or "unmatched" in found
    return f"Check the brackets: {found}" if brackets else "Check the signs and brackets."
