"""Reads the text of a chapter: front matter, then prose and blocks; every mistake names its file and line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from backend.engine.language.errors import Refusal, joined
from backend.engine.language.suggest import nearest
from backend.program.chapters.chapter import Block, Chapter, Prose, refusal_at
from backend.program.chapters.directives import ARGUMENTS, COMMON, DIRECTIVES, ROLES
from backend.program.chapters.front_matter import Front, read_front
from backend.program.chapters.minutes import minutes_of

FILE = re.compile(r"\d+-([a-z0-9]+(?:-[a-z0-9]+)*)\.md")
MOST_CHARACTERS, MOST_PARTS, MOST_TOKENS, MOST_CELLS = 100_000, 400, 20_000, 2_000
HEAD = re.compile(r"\{([^{}]*)\}\s*(.*)")
OPTION = re.compile(r"([a-z]+): ?(.*)")
# Where a link of a chapter may lead: into the chapter, to the pages of gradwalk, or out by https. To an exhibit leads a
# role, which knows whether it is there.
OURS = r"(?:/lab(?:/find)?|/(?:learn|walk|practise|train|code|reference)(?:/[\w.-]*)?)(?:\?[\w=&-]+)?(?:#[\w-]*)?"
LINK = re.compile(rf"#[\w-]+|{OURS}|https://[^\s]+")


class _Markdown(MarkdownIt):
    """CommonMark with tables, directives and roles, without raw HTML and pictures; only what LINK matches is a link."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "maxNesting": 20})
        self.use(front_matter_plugin).use(colon_fence_plugin).use(myst_role_plugin)
        self.block.ruler.at("table", small_table, {"alt": ["paragraph", "reference"]})
        self.enable("table").disable(["image", "html_block", "html_inline", "reference"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return LINK.fullmatch(url) is not None


class _Checked(_Markdown):
    """Takes every link as one, so that the reader of chapters refuses those that LINK doesn't match, and says where."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        return True


markdown, checked = cache(_Markdown), cache(_Checked)


class LargeTable(Exception):  # noqa: N818 - it becomes a Refusal, which knows the file
    """A table with more cells than a chapter has any use for: a few characters can ask for thousands."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def small_table(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """The library's own rule for tables, which fills short rows up with cells; rows are counted where there is one."""
    if not table(state, first, last, True):
        return False
    lines = (state.getLines(line, line + 1, 0, False) for line in range(first, last))
    rows = list(itertools.takewhile(str.strip, lines))
    if len(rows) * (rows[1].count("|") + 1) > MOST_CELLS:
        raise LargeTable(first)
    return silent or table(state, first, last, False)


def read_chapter(file: str, source: str) -> Chapter:
    """The chapter that a file holds; raises Refusal with file, line and what to write instead: the first of all."""
    named = FILE.fullmatch(file)
    if named is None:
        raise refusal_at(file, "", "chapter/file-name", 1)
    if len(source) > MOST_CHARACTERS:
        raise refusal_at(file, "", "chapter/too-long", 1, limit=f"{MOST_CHARACTERS:,}")
    source = source.replace("\r\n", "\n").removeprefix("\ufeff")
    try:
        tokens = checked().parse(source)
    except LargeTable as large:
        raise too_large(file, source, large.line + 1) from None
    if sum(1 + len(token.children or []) for token in tokens) > MOST_TOKENS:
        raise refusal_at(file, source, "chapter/too-long", 1, limit=f"{MOST_TOKENS:,} words with marks or")
    if not tokens or tokens[0].type != "front_matter":
        raise refusal_at(file, source, "chapter/front-missing", 1)
    faults: list[Refusal] = []
    front = read_front(tokens[0].content, file, source, 2, faults)
    parts = list(_Body(file, source, front, faults).parts(tokens[1:]))
    if faults:
        raise joined(sorted(faults, key=line_of_fault))
    if len(parts) > MOST_PARTS:
        raise refusal_at(file, source, "chapter/too-long", 1, limit=f"{MOST_PARTS} blocks or")
    minutes = front.minutes or minutes_of(parts)
    return Chapter(
        named[1], file, front.title, front.promise, minutes, front.needs, front.programs, front.starts, parts, source
    )


class _Body:
    def __init__(self, file: str, source: str, front: Front, faults: list[Refusal]) -> None:
        self.file, self.source, self.front, self.faults = file, source, front, faults

    def parts(self, tokens: list[Token]) -> Iterator[Prose | Block]:
        gathered: list[Token] = []
        for token in tokens:
            if token.type == "colon_fence" and token.level:
                self.faults.append(self.wrong("chapter/directive-inside", line_of(token)))
                continue
            if gathered and token.type in ("colon_fence", "heading_open"):
                yield Prose(gathered, line_of(gathered[0]))
                gathered = []
            try:
                if token.type == "colon_fence":
                    yield self.block(token)
                    continue
            except Refusal as refusal:
                self.faults.append(refusal)
                continue
            self.check(token)
            gathered.append(token)
        if gathered:
            yield Prose(gathered, line_of(gathered[0]))

    def wrong(self, code: str, line: int, **facts: Any) -> Refusal:
        return refusal_at(self.file, self.source, code, line, **facts)

    def check(self, token: Token) -> None:
        """Roles that nobody knows and links that may not be followed are faults."""
        line = line_of(token)
        for child in token.children or []:
            line += child.type in ("softbreak", "hardbreak")
            if child.type == "myst_role" and child.meta["name"] not in ROLES:
                known = nearest(child.meta["name"], ROLES) or ", ".join(ROLES)
                self.faults.append(self.wrong("chapter/role-unknown", line, found=child.meta["name"], known=known))
            if child.type == "link_open" and not LINK.fullmatch(str(child.attrs.get("href", ""))):
                self.faults.append(self.wrong("chapter/link", line, found=child.attrs.get("href", "")))

    def block(self, token: Token) -> Block:
        line = line_of(token)
        head = HEAD.fullmatch(token.info.strip())
        if head is None or head[1] not in DIRECTIVES:
            found = head[1] if head else token.info.strip()
            raise self.wrong(
                "chapter/directive-unknown",
                line,
                found=found,
                known=nearest(found, DIRECTIVES) or ", ".join(DIRECTIVES),
            )
        kind, argument = head[1], head[2].strip()
        if token.map and self.source.split("\n")[token.map[1] - 1].strip() != token.markup:
            raise self.wrong("chapter/directive-open", line, found=kind)
        pattern, wanted = ARGUMENTS[DIRECTIVES[kind].argument]
        if not re.fullmatch(pattern, argument):
            raise self.wrong("chapter/argument", line, name=kind, found=argument or "nothing", wanted=wanted)
        options, lines, prose = self.options(kind, token.content, line + 1)
        for name, needed in DIRECTIVES[kind].options.items():
            if needed and name not in options:
                raise self.wrong("chapter/option-missing", line, name=kind, found=name)
        program = options.pop("in", "")
        if program not in self.front.programs:
            known = ", ".join(filter(None, self.front.programs)) or "none"
            raise self.wrong("chapter/program-unknown", lines["in"], found=program, known=known)
        first = next((n for n, text in enumerate(prose, line + 1) if text), line + 1)
        return Block(kind, argument, options, "\n".join(prose).strip(), program, line, first, lines)

    def options(self, kind: str, content: str, first: int) -> tuple[dict[str, str], Mapping[str, int], list[str]]:
        """The options of a block, the line of each, and the lines of prose that are left, empty in place of an option.

        An indented line goes on with the option before it.
        """
        known = {*DIRECTIVES[kind].options, *COMMON}
        options: dict[str, str] = {}
        lines: dict[str, int] = {}
        prose: list[str] = []
        latest = ""
        for number, text in enumerate(content.split("\n"), first):
            found = OPTION.fullmatch(text)
            if found and found[1] in known:
                latest = found[1]
                if latest in options:
                    raise self.wrong("chapter/option-twice", number, found=latest)
                options[latest], lines[latest] = found[2].strip(), number
                prose.append("")
            elif found and not any(prose):
                near = nearest(found[1], known) or ", ".join(sorted(known))
                raise self.wrong("chapter/option-unknown", number, name=kind, found=found[1], known=near)
            elif latest and text.startswith("  ") and text.strip():
                options[latest] += " " + text.strip()
                prose.append("")
            else:
                latest = ""
                prose.append(text)
        self.prose("\n".join(prose), first)
        for option, text in options.items():
            self.prose(text, lines[option])
        return options, lines, prose

    def prose(self, text: str, first: int) -> None:
        """Check the roles and links of a block's own prose, or of an option."""
        try:
            tokens = checked().parse(text)
        except LargeTable as large:
            raise too_large(self.file, self.source, first + large.line) from None
        for token in tokens:
            token.map = [first - 1 + (token.map or [0])[0], first]
            self.check(token)


def too_large(file: str, source: str, line: int) -> Refusal:
    """The refusal of a table with too many cells."""
    return refusal_at(file, source, "chapter/too-long", line, limit=f"{MOST_CELLS:,} cells in a table, or")


def line_of_fault(fault: Refusal) -> int:
    """The line of the file that a fault is in."""
    return int((fault.where or {}).get("line", 1))


def line_of(token: Token) -> int:
    """The line that a token begins in, counted from 1."""
    return token.map[0] + 1 if token.map else 1
