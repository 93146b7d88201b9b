"""Prose of a chapter as HTML: roles filled in with what the engine computes, headings with a place to link to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from backend.program.chapters.reader import markdown

Role = Callable[[str, int], str]


class _Renderer(RendererHTML):
    """Renders tokens; a role is whatever the page makes of its content."""

    def __init__(self, roles: Mapping[str, Role], first: int) -> None:
        super().__init__()
        self.roles, self.line, self.first = roles, first, first

    def renderInline(self, tokens: Sequence[Token], options: Any, env: Any) -> str:  # noqa: N802 - the library's name
        self.line = env.get("line", self.first)
        return super().renderInline(tokens, options, env)

    def myst_role(self, tokens: Sequence[Token], place: int, _options: Any, _env: Any) -> str:
        token = tokens[place]
        line = self.line + sum(one.type in ("softbreak", "hardbreak") for one in tokens[:place])
        return self.roles[token.meta["name"]](token.content, line)

    def link_open(self, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
        if str(tokens[place].attrs.get("href", "")).startswith("https:"):
            tokens[place].attrSet("rel", "noopener noreferrer")
        return self.renderToken(tokens, place, options, env)

    def heading_open(self, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
        tokens[place].attrSet("id", heading_place(tokens[place + 1].content))
        return self.renderToken(tokens, place, options, env)


def heading_place(text: str) -> str:
    """Where a heading stands in the page's address; blocks and the page's own parts have other names."""
    return f"on-{slug(text)}"


def slug(text: str) -> str:
    """A text as part of the fragment of an address."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\{\w+\}", "", text).lower()).strip("-") or "section"


def html_of(tokens: Sequence[Token], roles: Mapping[str, Role], first: int = 0) -> str:
    """Tokens of the Markdown reader as HTML; `first` is the line before the text that they were read from."""
    renderer = _Renderer(roles, first)
    options = markdown().options
    made = []
    for place, token in enumerate(tokens):
        if token.type == "inline":
            line = first + (token.map[0] + 1 if token.map else 1)
            made.append(renderer.renderInline(token.children or [], options, {"line": line}))
        elif token.type in renderer.rules:
            made.append(renderer.rules[token.type](tokens, place, options, {}))
        else:
            made.append(renderer.renderToken(tokens, place, options, {}))
    return "".join(made)


def html_of_text(text: str, roles: Mapping[str, Role], line: int) -> str:
    """Markdown, such as the prose of a block that begins in this line, as HTML."""
    return html_of(markdown().parse(text), roles, line - 1)


def html_of_line(text: str, roles: Mapping[str, Role], line: int) -> str:
    """One line of Markdown, such as a choice, as HTML without a paragraph around it."""
    return html_of(markdown().parseInline(text), roles, line - 1)


# Code comes first: what stands in it, stars too, is no mark.
MARKS = re.compile(r"`([^`]+)`|\*\*((?:`[^`]+`|[^`*])+)\*\*")


def sentence(text: str) -> str:
    """One of the engine's own sentences, with its code and bold, as HTML."""
    return str(Markup(_marked(str(escape(text)))))  # noqa: S704 - escaped above


def _marked(text: str) -> str:
    return MARKS.sub(lambda m: f"<code>{m[1]}</code>" if m[1] else f"<strong>{_marked(m[2])}</strong>", text)
