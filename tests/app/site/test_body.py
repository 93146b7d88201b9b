"""The body of a walk's page is put together from the one of another page and what is its own."""

import html
import json
import re
from typing import Any

import pytest

from app.rendering import made
from app.site import body, elements

LESSONS: list[dict[str, object]] = [
    {"name": name, "title": name.upper(), "also": [], "trained_on": "own"} for name in ("one", "two", "three")
]


def page(lesson: str) -> str:
    return made("walk", lesson=lesson, lessons=LESSONS, programs=[], subject=lesson.upper())


def placed(shared: list[Any], changes: list[Any]) -> list[Any]:
    """As the script does it."""
    there = json.loads(json.dumps(shared))
    for path, first, count, *parts in changes:
        at = there
        for place in path:
            at = at[place]
        at[first : first + count] = parts
    return there


@pytest.mark.parametrize("lesson", ["one", "two", "three", "one.else"])
def test_each_page_s_body_is_the_one_it_had(lesson: str) -> None:
    shared = body.plain(page("one"))
    short = body.without(page(lesson), "../../static/x/body.js", shared)
    (own,) = re.findall(r'<script src="../../static/x/body.js" data-own="([^"]*)">', short)
    assert placed(shared, json.loads(html.unescape(own))) == body.trees_in(page(lesson))
    assert len(own) < 2_000
    assert len(short) < len(page(lesson)) / 3


def test_a_body_with_more_in_it_is_put_together_too() -> None:
    shared, own = ["a", ["p", {}, "x", "y"], "b"], ["a", ["p", {"id": "q"}, "x", "z", "y"], "b", "c"]
    assert placed(shared, [*body.differences(shared, own)]) == own
    shared.append("d")
    assert placed(shared, [*body.differences(shared, own)]) == own


def test_a_part_that_stands_elsewhere_is_told_alone() -> None:
    shared, own = ["a", ["p", {}], "b", "c", "d"], ["c2", "a", ["p", {"id": "q"}], "b", "d"]
    changes = [*body.differences(shared, own)]
    assert placed(shared, changes) == own
    assert changes == [[(), 3, 1], [(1,), 1, 1, {"id": "q"}], [(), 0, 0, "c2"]]


def test_elements_are_read_with_their_attributes_and_what_nothing_closes() -> None:
    told = elements.trees_of('<p id="a" hidden>one<br>two <b>three</b></p><svg viewBox="0 0 1 1"><path d="M0" /></svg>')
    assert told == [
        ["p", {"id": "a", "hidden": ""}, "one", ["br", {}], "two ", ["b", {}, "three"]],
        ["svg", {"viewBox": "0 0 1 1"}, ["path", {"d": "M0"}]],
    ]
