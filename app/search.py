"""Searches chapters, operations and glossary for words: a small index in memory, ranked by where a word stands."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Literal, cast

from pydantic import BaseModel

from app.rendering import templates

MOST_FOUND, LONGEST_QUERY, MOST_WORDS, MOST_KEPT, AROUND = 30, 100, 8, 1_000, 70
# What a word counts: as the whole title, at the beginning of a word of it, elsewhere in it, in the text.
WHOLE, BEGINS, WITHIN, TEXT = 40, 20, 8, 3
GAP = "…"
Kind = Literal["chapter", "operation", "word"]
Json = dict[str, object]


class SearchResult(BaseModel):
    """One place that a search found."""

    kind: Kind
    title: str
    heading: str
    text: str
    href: str


class SearchResults(BaseModel):
    """What was found, best first."""

    query: str
    results: list[SearchResult]


@dataclass(frozen=True)
class Entry:
    """One place that can be found; `also` are further words that count like its title."""

    kind: Kind
    title: str
    heading: str
    text: str
    href: str
    also: str = ""
    whole_chapter: bool = False

    @property
    def page(self) -> str:
        """The page that it stands on."""
        return self.href.partition("#")[0]

    @cached_property
    def titles(self) -> str:
        """All that counts as its title, in small letters."""
        return f"{self.title}\n{self.heading}\n{self.also}".lower()

    @cached_property
    def whole(self) -> frozenset[str]:
        """The words that are a whole title, or one of its further words."""
        return frozenset(re.split(r"[\n|]", self.titles))

    @cached_property
    def low(self) -> str:
        """Its text in small letters."""
        return self.text.lower()


class Index:
    """What can be found, and how well each entry fits a word: words are looked up one by one, and the latest kept."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._texts = [(entry.titles, entry.whole, entry.low) for entry in entries]
        self.points = lru_cache(maxsize=MOST_KEPT)(self._points)

    def hits(self, words: Sequence[str]) -> list[tuple[int, Entry]]:
        """Points and entries, best first; a whole chapter only where none of its sections has all words."""
        each = zip(self.entries, zip(*map(self.points, words), strict=True), strict=True) if words else []
        hits = [(sum(points), entry) for entry, points in each if is_hit(entry, points)]
        in_sections = {entry.page for _, entry in hits if not entry.whole_chapter}
        hits = [hit for hit in hits if not (hit[1].whole_chapter and hit[1].page in in_sections)]
        return sorted(hits, key=itemgetter(0), reverse=True)

    def _points(self, word: str) -> list[int]:
        """How well each entry fits a word; 0 where it isn't in it."""
        begins = re.compile(rf"(?<!\w){re.escape(word)}").search
        return [
            (0 if word not in titles else WHOLE if word in whole else BEGINS if begins(titles) else WITHIN)
            + TEXT * (word in low)
            for titles, whole, low in self._texts
        ]


def is_hit(entry: Entry, points: tuple[int, ...]) -> bool:
    """Whether an entry has every word, by the points of each.

    Of three words a whole chapter may lack one if it is about another: "dot product attention" is about attention.
    """
    spared = len(points) // 3 if entry.whole_chapter and max(points) > TEXT else 0
    return points.count(0) <= spared


def found(query: str, index: Index) -> SearchResults:
    """The places in which every word of a query occurs, best first.

    Of one chapter's sections all that do; the chapter itself where its words stand in several sections.
    """
    asked = query.strip()[:LONGEST_QUERY]
    words = re.findall(r"[^\s,;]+", asked.lower())[:MOST_WORDS]
    entries = [entry for _, entry in index.hits(words)[:MOST_FOUND]]
    results = [
        SearchResult(
            kind=entry.kind, title=entry.title, heading=entry.heading, text=excerpt(entry.text, words), href=entry.href
        )
        for entry in entries
    ]
    return SearchResults(query=asked, results=results)


def excerpt(text: str, words: list[str]) -> str:
    """The text around the first of the words, cut between words, and without numbers that a chapter computes."""
    return _around(_closed(text, words) if GAP in text else text, words)


def _closed(text: str, words: list[str]) -> str:
    """The first whole sentences with one of the words and without a gap; else the part of a sentence beside its gap."""
    runs = [""]
    for sentence in re.split(r"(?<=[.?!:]) +", text):
        runs += [""] if GAP in sentence else []
        runs[-1] += "" if GAP in sentence else f" {sentence}"
    parts = [f"{part.strip()} {GAP}" for part in re.split(rf"{GAP}[.,;:]*", text)]
    told = [run.strip() for run in (*runs, *parts)]
    hits = (run for run in told if any(word in run.lower() for word in words))
    return next(hits, next((run for run in told if run), ""))


def _around(text: str, words: list[str]) -> str:
    """The text around the first of the words."""
    if len(text) <= 2 * AROUND:
        return text
    low = text.lower()
    place = min((at for word in words if (at := low.find(word)) >= 0), default=0)
    begin = max(0, place - AROUND)
    begin = text.find(" ", begin) + 1 if begin else 0
    end = text.rfind(" ", begin, begin + 2 * AROUND)
    end = end if end > begin else begin + 2 * AROUND
    whole = end >= len(text) or begin + 2 * AROUND >= len(text)
    return ("…" if begin else "") + (text[begin:] if whole else text[begin:end] + "…")


def entries_of(sections: list[Json], operations: list[Json]) -> list[Entry]:
    """All that can be found."""
    chapters = [_chapter(list(one)) for _, one in groupby(sections, key=itemgetter("chapter"))]
    return [*_glossary(), *map(_operation, operations), *map(_section, sections), *chapters]


def _chapter(sections: list[Json]) -> Entry:
    """A whole chapter: its titles and its text."""
    first = sections[0]
    text = " ".join(f"{one['heading']}. {one['text']}" if one["heading"] else str(one["text"]) for one in sections)
    return Entry("chapter", str(first["title"]), "", text, f"/learn/{first['chapter']}", whole_chapter=True)


def _section(section: Json) -> Entry:
    chapter, anchor = section["chapter"], section["anchor"]
    href = f"/learn/{chapter}" + (f"#{anchor}" if anchor else "")
    return Entry("chapter", str(section["title"]), str(section["heading"]), str(section["text"]), href)


def _operation(operation: Json) -> Entry:
    written = ", ".join(cast(list[str], operation["written"]))
    name = str(operation["name"])
    bare = "|".join(re.findall(r"[A-Za-z_]\w*", written))
    return Entry("operation", name, "", f"{operation['about']} {written}", f"/reference#{name}", f"{bare}|{written}")


@lru_cache(maxsize=1)
def _glossary() -> list[Entry]:
    return list(_words())


def _words() -> Iterator[Entry]:
    page = templates.get_template("parts/glossary.html").render()
    for forms, said in re.findall(r'data-forms="([^"]+)".*?<dd[^>]*>(.*?)</dd>', page, re.DOTALL):
        known = html.unescape(forms).split("|")
        text = html.unescape(re.sub(r"</?code>", "`", said))
        yield Entry("word", known[0], "", text, f"/search?q={known[0].replace(' ', '+')}", "|".join(known[1:]))
