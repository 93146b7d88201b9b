"""Search: every word must occur, titles before text, and an excerpt that shows why."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, cast

import pytest

import backend
from app.search import Entry, Index, entries_of, excerpt, found
from tests.tools.server import Server

ENTRIES = [
    Entry("word", "softmax", "", "Exponentials divided by their sum.", "/search?q=softmax"),
    Entry("operation", "logsoftmax", "", "The logarithm of the softmax.", "/reference#logsoftmax", "F|log_softmax"),
    Entry("chapter", "Softmax and cross-entropy", "The collapse", "Eight steps become one.", "/learn/x#the-collapse"),
    Entry("chapter", "Attention", "", "Scores go through a softmax; rows sum to one.", "/learn/attention"),
]


INDEX = Index(ENTRIES)


def titles(query: str) -> list[str]:
    return [one.title for one in found(query, INDEX).results]


def test_the_word_itself_comes_first_then_titles_then_texts() -> None:
    assert titles("softmax") == ["softmax", "Softmax and cross-entropy", "logsoftmax", "Attention"]
    assert titles("SOFTMAX ") == titles("softmax")


def test_all_words_must_occur() -> None:
    assert titles("softmax rows") == ["Attention"]
    assert titles("softmax nowhere") == []
    assert titles("collapse") == ["Softmax and cross-entropy"]
    assert titles("log_softmax") == ["logsoftmax"]


@pytest.mark.parametrize("query", ["", "   ", ",;", "(((", "[a-", "\\", ".*"])
def test_what_is_no_word_finds_nothing_and_breaks_nothing(query: str) -> None:
    assert titles(query) == []


def test_a_word_counts_nothing_where_it_is_missing() -> None:
    assert INDEX.points("zebra") == [0] * len(ENTRIES)
    whole, within, begins, text = INDEX.points("softmax")
    assert whole > begins > within > text > 0


def test_a_query_of_words_that_were_asked_before_looks_through_no_text() -> None:
    """Search runs on the event loop: words of one or two letters, which are everywhere, are soon all known."""
    index = Index(entries_of(cast(Any, backend.sections()), cast(Any, backend.operations())))
    asked = " ".join("eaonitsr")
    first, again = calls_of(lambda: found(asked, index)), calls_of(lambda: found(asked, index))
    assert again < first / 2


def calls_of(work: Callable[[], object]) -> int:
    """How many functions of Python and C are called, most of them for an entry each."""
    count = 0

    def note(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_a_chapter_is_found_whose_words_stand_in_several_sections() -> None:
    told = [("Scores", "A product of queries and keys."), ("Weights", "Each row of attention sums to one.")]
    sections: list[dict[str, object]] = [
        {"chapter": "attention", "title": "Attention", "heading": name, "anchor": name.lower(), "text": text}
        for name, text in told
    ]
    entries = entries_of(sections, [])
    for query, places in {
        "queries row": ["/learn/attention"],
        "dot product attention": ["/learn/attention"],
        "product attention": ["/learn/attention#scores"],
        "queries zebra": [],
        "dot zebra attention": [],
        "dot product queries": [],
    }.items():
        assert [one.href for one in found(query, Index(entries)).results if one.kind == "chapter"] == places, query


def test_an_excerpt_is_cut_between_words_around_the_first_hit() -> None:
    text = " ".join(f"word{n}" for n in range(200))
    cut = excerpt(text, ["word150"])
    assert "word150" in cut
    assert cut.startswith("…word")
    assert cut.endswith("…")
    assert len(cut) < 160
    assert set(cut.strip("…").split()) <= set(text.split())
    assert excerpt("short text", ["text"]) == "short text"
    assert excerpt("x" * 1000, ["x"]).startswith("x")


def test_an_excerpt_leaves_out_what_a_chapter_computes() -> None:
    text = (
        "One gradient is 2. At x the slope of y is …, and z gives …. A nudge moves it. So does another. It ends at …."
    )
    assert excerpt(text, ["gradient"]) == "One gradient is 2."
    assert excerpt(text, ["nudge"]) == excerpt(text, ["another"]) == "A nudge moves it. So does another."
    assert excerpt(text, ["slope"]) == "One gradient is 2. At x the slope of y is …"
    assert excerpt(text, ["title"]) == "One gradient is 2."


def test_no_excerpt_of_a_chapter_has_a_gap_inside() -> None:
    texts = [section["text"] for section in backend.sections() if "…" in section["text"]]
    assert len(texts) > 20
    for text in texts:
        words = set(re.findall(r"[a-z]{4,}", text.lower()))
        gaps = [shown for word in words if "…" in (shown := excerpt(text, [word])).strip("… ")]
        assert gaps == []


def test_chapters_operations_and_words_are_found(server: Server) -> None:
    results = server.get("/api/search?q=softmax").json()["results"]
    assert {one["kind"] for one in results} == {"chapter", "operation", "word"}
    for one in results:
        address, _, anchor = one["href"].partition("#")
        page = server.get(address)
        assert page.status == 200
        assert not anchor or f'id="{anchor}"' in page.body.decode(), one["href"]


def test_of_dot_product_attention_there_is_a_chapter(server: Server) -> None:
    found = server.get("/api/search?q=dot+product+attention").json()["results"]
    assert any(one["href"].startswith("/learn/attention") for one in found)


def test_the_page_of_results_holds_no_markup_of_the_query(server: Server) -> None:
    page = server.get("/search?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert page.status == 200
    assert b"<script>alert" not in page.body
    assert b"No places for" in page.body
    assert "/learn/" in server.get("/search?q=keepdim").body.decode()
    assert server.get("/search?q=" + "x" * 101).status == 422
