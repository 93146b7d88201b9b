"""Jinja filters: the engine's sentences and rules as HTML, for pages rendered on the server."""

import re
from collections.abc import Collection

from markupsafe import Markup, escape


def told(text: str) -> Markup:
    """A sentence: `{x}` and text between backticks are code."""
    return Markup(re.sub(r"\{(\w+)\}|`([^`]+)`", r"<code>\1\2</code>", str(escape(text))))  # noqa: S704 - escaped above


def rule(text: str, words: Collection[str]) -> Markup:
    """A rule in which the words that stand for something else are marked."""
    kinds = {"g": "arrives", "dout": "arrives", "out": "result"} | dict.fromkeys(words, "call-word")
    parts = (_word(part, kinds) for part in re.split(r"(?<![\w.])([A-Za-z_]\w*)", text))
    return Markup("").join(parts)


def _word(part: str, kinds: dict[str, str]) -> Markup:
    return Markup('<i class="{}">{}</i>').format(kinds[part], part) if part in kinds else escape(part)


def shape(sizes: list[int]) -> str:
    """A shape as Python writes it."""
    return str(tuple(sizes))


def merged(because: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Each reason once, with the inputs that it is the reason for."""
    return [(text, [name for name in because if because[name] == text]) for text in dict.fromkeys(because.values())]


def duration(minutes: int) -> str:
    """How long something takes: "25 min", and from an hour on to a quarter of one."""
    if minutes < 60:
        return f"{minutes} min"
    hours, quarters = divmod(round(minutes / 15), 4)
    return f"{hours}{('', '¼', '½', '¾')[quarters]} h"
